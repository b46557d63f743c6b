#include "results/text/table_format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "results/text/printable.hpp"
#include "results/text/wrapped.hpp"

namespace counterpoise {
namespace {

std::string in_format(double number, std::chars_format format, int precision) {
  std::array<char, 400> buffer{};  // the largest double has 309 digits before the point
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, format, precision).ptr;
  return {buffer.data(), end};
}

bool is_reduction(const std::string& column) {
  return column.ends_with(".reduction") || column.ends_with(".reduction_without_springs");
}

/// A reduction with one decimal. Nearly all is not all.
std::string reduction_text(double saved) {
  const std::string text = in_format(100.0 * saved, std::chars_format::fixed, 1) + " %";
  return text == "100.0 %" && saved < 1.0 - rounding_part ? "> 99.9 %" : text;
}

std::string readable(const std::string& column, const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return printable(*text);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  const auto* real = std::get_if<double>(&value);
  if (real == nullptr) return "-";
  const double number = *real + 0.0;  // never -0
  if (is_reduction(column)) return reduction_text(number);
  return in_format(number, std::chars_format::general, 6);
}

using Lines = std::vector<std::string>;

/// Breaks a name behind any letter in `ends`, into lines of at most `limit` letters.
Lines broken_name(const std::string& name, std::string_view ends, std::size_t limit) {
  Lines lines{""};
  for (std::size_t begin = 0; begin < name.size();) {
    const std::size_t end = std::min(name.find_first_of(ends, begin), name.size() - 1) + 1;
    std::string piece = name.substr(begin, end - begin);
    const std::size_t needed = letters(piece) - (piece.back() == ' ' ? 1 : 0);
    if (!lines.back().empty() && letters(lines.back()) + needed > limit) lines.emplace_back();
    lines.back() += piece;
    begin = end;
  }
  for (std::string& line : lines) line.erase(line.find_last_not_of(' ') + 1);
  return lines;
}

/// The texts of a table, column by column, each broken into as many lines as its narrowest form
/// needs.
class Layout {
 public:
  Layout(const Table& table, std::size_t limit)
      : limit_(limit), columns_(table.columns.size()), rows_(table.rows.size()) {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      Column& column = columns_[c];
      for (const auto& row : table.rows) {
        column.cells.push_back({readable(table.columns[c], row[c])});
        column.left = column.left || std::holds_alternative<std::string>(row[c]);
      }
      measure(column);
      constexpr std::size_t narrowest = 11;
      column.head = broken_name(printable(table.columns[c]), limit > 0 ? "._ " : "._",
                                std::max(column.width, narrowest));
      measure(column);
    }
  }

  [[nodiscard]] std::size_t width(const std::vector<std::size_t>& shown) const {
    std::size_t sum = shown.empty() ? 0 : gap * (shown.size() - 1);
    for (const std::size_t c : shown) sum += columns_[c].width;
    return sum;
  }
  [[nodiscard]] bool fits(const std::vector<std::size_t>& shown) const {
    return limit_ == 0 || width(shown) <= limit_;
  }
  [[nodiscard]] std::size_t size() const { return columns_.size(); }

  /// Breaks the texts of the widest text columns until these columns fit, if that is enough.
  void narrow(const std::vector<std::size_t>& shown) {
    constexpr std::size_t narrowest = 16;
    while (!fits(shown)) {
      Column* widest = nullptr;
      for (const std::size_t c : shown)
        if (columns_[c].left && (widest == nullptr || columns_[c].width > widest->width))
          widest = &columns_[c];
      if (widest == nullptr || widest->width <= narrowest) return;
      const std::size_t before = widest->width, excess = width(shown) - limit_;
      const std::size_t wanted = before > excess + narrowest ? before - excess : narrowest;
      for (Lines& cell : widest->cells) cell = lines_of(wrapped(joined(cell, ""), wanted));
      widest->head = lines_of(wrapped(joined(widest->head, "._"), wanted));
      measure(*widest);
      if (widest->width >= before) return;
    }
  }

  /// The lines of some columns: their names, aligned at the last line, then the rows.
  [[nodiscard]] std::string text(const std::vector<std::size_t>& shown) const {
    std::size_t height = 0;
    for (const std::size_t c : shown) height = std::max(height, columns_[c].head.size());
    std::string out;
    for (std::size_t k = 0; k < height; ++k)
      append_line(out, shown, [&](const Column& column) {
        const std::size_t above = height - column.head.size();
        return k < above ? std::string() : column.head[k - above];
      });
    for (std::size_t row = 0; row < rows_; ++row) {
      std::size_t lines = 1;
      for (const std::size_t c : shown) lines = std::max(lines, columns_[c].cells[row].size());
      for (std::size_t k = 0; k < lines; ++k)
        append_line(out, shown, [&](const Column& column) {
          const Lines& cell = column.cells[row];
          return k < cell.size() ? cell[k] : std::string();
        });
    }
    return out;
  }

 private:
  static constexpr std::size_t gap = 2;

  struct Column {
    Lines head;
    std::vector<Lines> cells;
    std::size_t width = 0;
    bool left = false;  // texts
  };

  static void measure(Column& column) {
    column.width = 0;
    const auto see = [&](const Lines& lines) {
      for (const std::string& line : lines) column.width = std::max(column.width, letters(line));
    };
    see(column.head);
    for (const Lines& cell : column.cells) see(cell);
  }

  /// Breaks a text, into lines already, after blanks or one of these letters.
  static std::string joined(const Lines& lines, std::string_view ends) {
    std::string text;
    for (const std::string& line : lines) {
      const bool goes_on = text.empty() || ends.find(text.back()) != std::string_view::npos;
      text +=
          (goes_on ? "" : " ") + line.substr(std::min(line.find_first_not_of(' '), line.size()));
    }
    return text;
  }

  static Lines lines_of(std::string_view text) {
    Lines lines{""};
    for (const char c : text) {
      if (c == '\n')
        lines.emplace_back();
      else
        lines.back() += c;
    }
    return lines;
  }

  template <class CellOf>
  void append_line(std::string& out, const std::vector<std::size_t>& shown,
                   const CellOf& cell_of) const {
    std::string line;
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const Column& column = columns_[shown[i]];
      const std::string cell = cell_of(column);
      if (i > 0) line += std::string(gap, ' ');
      const std::string padding(column.width - letters(cell), ' ');
      line += column.left ? cell + padding : padding + cell;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }

  std::size_t limit_;
  std::vector<Column> columns_;
  std::size_t rows_;
};

/// Hands out each row as an object, one at a time.
template <class Use>
void for_rows(const Table& table, const Use& use) {
  Json object = Json::object();
  for (const std::string& column : table.columns) object[column] = nullptr;
  std::vector<Json*> cells;
  for (const std::string& column : table.columns) cells.push_back(&object[column]);
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) *cells[i] = json_of(row[i]);
    use(object);
  }
}

}  // namespace

std::string as_printed(const Value& value) {
  return readable("", value);
}

std::string to_aligned_text(const Table& table, const TableFit& fit) {
  Layout layout(table, fit.width);
  const std::size_t keys = std::min(fit.keys, layout.size());
  std::vector<std::size_t> first, wanted, optional;
  for (std::size_t c = 0; c < layout.size(); ++c) {
    const bool may_go = c < fit.optional.size() && fit.optional[c];
    (c < keys ? first : may_go ? optional : wanted).push_back(c);
  }
  std::vector<std::size_t> all = first;
  all.insert(all.end(), wanted.begin(), wanted.end());
  layout.narrow(all);
  std::string out;
  std::vector<std::size_t> block = first;
  const auto print_block = [&] {
    std::sort(block.begin(), block.end());
    out += (out.empty() ? "" : "\n") + layout.text(block);
    block = first;
  };
  const auto fits_beside = [&](std::size_t column) {
    block.push_back(column);
    const bool fits = layout.fits(block);
    block.pop_back();
    return fits;
  };
  for (const std::size_t column : wanted) {
    if (block.size() > keys && !fits_beside(column)) print_block();
    block.push_back(column);
  }
  std::string left_out;
  for (const std::size_t column : optional) {
    if (fits_beside(column))
      block.push_back(column);
    else
      left_out += (left_out.empty() ? "not shown: " : ", ") + printable(table.columns[column]);
  }
  print_block();
  return out + left_out + (left_out.empty() ? "" : "\n");
}

void clear_rounding(Table& table, std::size_t first, std::size_t last, double size, double part) {
  const auto each = [&](const auto& use) {
    for (auto& row : table.rows)
      for (std::size_t column = first; column <= last; ++column)
        if (double* number = std::get_if<double>(&row[column])) use(*number);
  };
  each([&](double number) { size = std::max(size, std::abs(number)); });
  each([&](double& number) { number = without_rounding(number, size, part); });
}

std::string to_csv(const Table& table) {
  std::string out;
  append_csv_row(out, table.columns);
  for (const auto& row : table.rows) append_csv_row(out, row);
  return out;
}

std::string to_json(const Table& table) {
  std::string out = "[";
  for_rows(table, [&](const Json& row) { out += (out == "[" ? "\n" : ",\n") + json_text(row); });
  return out + (table.rows.empty() ? "]\n" : "\n]\n");
}

Json json_of(const Table& table) {
  Json rows = Json::array();
  for_rows(table, [&](const Json& row) { rows.push_back(row); });
  return rows;
}

}  // namespace counterpoise
