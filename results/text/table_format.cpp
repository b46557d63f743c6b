#include "results/text/table_format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "results/text/printable.hpp"

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

std::string readable(const std::string& column, const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return printable(*text);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  const auto* real = std::get_if<double>(&value);
  if (real == nullptr) return "-";
  const double number = *real + 0.0;  // never -0
  if (is_reduction(column)) return in_format(100.0 * number, std::chars_format::fixed, 1) + " %";
  return in_format(number, std::chars_format::general, 6);
}

// Letters, not bytes: every byte of UTF-8 that does not continue a letter begins one.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

// How many columns from the left fit into a line; three always do.
std::size_t count_fitting(const std::vector<std::size_t>& widths, std::size_t limit) {
  constexpr std::size_t least = 3, gap = 2;
  std::size_t sum = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    sum += widths[i] + (i == 0 ? 0 : gap);
    if (limit > 0 && sum > limit && i >= least) return i;
  }
  return widths.size();
}

void append_line(std::string& out, const std::vector<std::string>& cells, std::size_t shown,
                 const std::vector<std::size_t>& widths, const std::vector<bool>& left) {
  std::string line;
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) line += "  ";
    const std::string padding(widths[i] - width(cells[i]), ' ');
    line += left[i] ? cells[i] + padding : padding + cells[i];
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + '\n';
}

// A column's name in pieces that end with '.' or '_', put together to lines of at most `limit`.
std::vector<std::string> broken_name(const std::string& name, std::size_t limit) {
  std::vector<std::string> lines{""};
  for (std::size_t begin = 0; begin < name.size();) {
    const std::size_t end = std::min(name.find_first_of("._", begin), name.size() - 1) + 1;
    const std::string piece = name.substr(begin, end - begin);
    if (!lines.back().empty() && width(lines.back()) + width(piece) > limit) lines.emplace_back();
    lines.back() += piece;
    begin = end;
  }
  return lines;
}

// The header, as many lines as the longest name needs, the last lines level with each other.
std::vector<std::vector<std::string>> header_lines(const Table& table,
                                                   const std::vector<std::size_t>& widths) {
  constexpr std::size_t narrowest = 11;
  std::vector<std::vector<std::string>> names;
  std::size_t height = 0;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    names.push_back(broken_name(printable(table.columns[i]), std::max(widths[i], narrowest)));
    height = std::max(height, names.back().size());
  }
  std::vector<std::vector<std::string>> lines(height,
                                              std::vector<std::string>(table.columns.size()));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t above = height - names[i].size();
    for (std::size_t k = 0; k < names[i].size(); ++k) lines[above + k][i] = names[i][k];
  }
  return lines;
}

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

std::string to_aligned_text(const Table& table, std::size_t limit) {
  std::vector<std::vector<std::string>> rows;
  std::vector<bool> left(table.columns.size());
  std::vector<std::size_t> widths(table.columns.size());
  for (const auto& row : table.rows) {
    auto& line = rows.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      line.push_back(readable(table.columns[i], row[i]));
      if (std::holds_alternative<std::string>(row[i])) left[i] = true;
      widths[i] = std::max(widths[i], width(line.back()));
    }
  }
  const auto header = header_lines(table, widths);
  for (const auto& line : header) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], width(line[i]));
  }
  const std::size_t shown = count_fitting(widths, limit);
  std::string out;
  const auto is_empty = [&](const std::vector<std::string>& line) {
    return std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(shown),
                       [](const std::string& cell) { return cell.empty(); });
  };
  for (const auto& line : header)
    if (!is_empty(line)) append_line(out, line, shown, widths, left);
  for (const auto& line : rows) append_line(out, line, shown, widths, left);
  for (std::size_t i = shown; i < table.columns.size(); ++i) {
    out += i == shown ? "not shown: " : ", ";
    out += printable(table.columns[i]);
  }
  if (shown < table.columns.size()) out += '\n';
  return out;
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
