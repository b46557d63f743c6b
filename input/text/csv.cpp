#include "input/text/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace counterpoise {
namespace {

struct CsvField {
  std::string text{};
  int line = 0;
  int column = 0;
  bool quotes = false;
};

/// Takes away the apostrophe that stands in front of what a spreadsheet would run as a formula in
/// tables this program wrote; append_csv_row of results/ puts it there.
void drop_guard(std::string& text) {
  constexpr std::string_view formula_begins = "=+-@\t\r\n";
  const std::size_t first = text.find_first_not_of('\'');
  if (first == 0 || first == std::string::npos) return;
  if (formula_begins.find(text[first]) != std::string_view::npos) text.erase(0, 1);
}

/// Splits the text into rows of fields.
class RowReader {
 public:
  RowReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  /// The next row that is not empty; no fields at the end of the text.
  std::vector<CsvField> next() {
    while (at_ < text_.size()) {
      std::vector<CsvField> row = read_row();
      if (row.size() > 1 || row.front().quotes || !row.front().text.empty()) return row;
    }
    return {};
  }

  [[nodiscard]] Location location(const CsvField& field) const {
    return {file_, field.line, field.column, ""};
  }

 private:
  std::vector<CsvField> read_row() {
    std::vector<CsvField> row;
    while (true) {
      row.push_back(read_field());
      if (at_ == text_.size()) return row;
      const char separator = text_[at_];
      step();
      if (separator == '\n') return row;
    }
  }

  CsvField read_field() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) step();
    CsvField field{.line = line_, .column = column_};
    if (at_ < text_.size() && text_[at_] == '"') {
      field.quotes = true;
      read_quoted(field);
    }
    while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n') {
      const char c = text_[at_];
      if (field.quotes && c != ' ' && c != '\t' && c != '\r')
        throw InputError({file_, line_, column_, ""},
                         "found text after a closing quote, expected a comma");
      if (!field.quotes) field.text += c;
      step();
    }
    if (!field.quotes) field.text.erase(field.text.find_last_not_of(" \t\r") + 1);
    drop_guard(field.text);
    return field;
  }

  void read_quoted(CsvField& field) {
    step();
    while (true) {
      if (at_ == text_.size()) throw InputError(location(field), "the quoted field does not end");
      if (text_[at_] == '"') {
        step();
        if (at_ == text_.size() || text_[at_] != '"') return;
      }
      field.text += text_[at_];
      step();
    }
  }

  void step() {
    const auto byte = static_cast<unsigned char>(text_[at_++]);
    if (byte == '\n') {
      ++line_;
      column_ = 1;
    } else if (at_ == text_.size() || (static_cast<unsigned char>(text_[at_]) & 0xC0U) != 0x80U) {
      ++column_;
    }
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  int line_ = 1;
  int column_ = 1;
};

/// What to say of a field in which another separator than the comma stands; else nothing.
std::string separator_hint(const CsvField& field) {
  if (field.quotes) return "";
  const auto at = field.text.find_first_of(";\t");
  if (at == std::string::npos) return "";
  return fmt::format("; columns are separated by commas, and {} stands here",
                     field.text[at] == '\t' ? "a tab" : "\";\"");
}

CsvColumn read_header(const CsvField& field, const Location& where) {
  CsvColumn column;
  const std::string& header = field.text;
  const auto bracket = header.find('[');
  column.name = header.substr(0, bracket);
  column.name.erase(column.name.find_last_not_of(" \t") + 1);
  if (bracket != std::string::npos) {
    if (header.back() != ']')
      throw InputError(where, fmt::format("found {}, expected `name [unit]`{}", in_quotes(header),
                                          separator_hint(field)));
    const std::string unit = header.substr(bracket + 1, header.size() - bracket - 2);
    const auto known = find_unit(unit);
    if (!known) throw InputError(where, unknown_unit(unit) + separator_hint(field));
    column.unit = *known;
    column.has_unit = true;
  }
  if (column.name.empty()) throw InputError(where, "the column has no name");
  column.header = {field.line, field.column};
  return column;
}

/// The number a field holds, if it is one.
std::optional<double> read_number(const CsvField& field, const Location& where) {
  std::string_view text = field.text;
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range)
    throw InputError(where,
                     fmt::format("found {}, expected a finite number", in_quotes(field.text)));
  return error == std::errc{} && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

void add_cell(CsvColumn& column, const CsvField& field, const Location& where) {
  const std::optional<double> number = read_number(field, where);
  if (!number && column.has_unit)
    throw InputError(where, fmt::format("found {}, expected a number of the column {}",
                                        in_quotes(field.text), in_quotes(column.name)));
  if (!number && !column.text) {
    column.text = true;
    column.first_text = where;
  }
  column.numbers.push_back(number ? column.unit.to_si(*number) : 0.0);
  column.texts.push_back(field.text);
  column.places.push_back({field.line, field.column});
}

}  // namespace

const CsvColumn* CsvTable::find(std::string_view name) const {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const CsvColumn& column) { return column.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

Location CsvTable::cell(std::size_t column, std::size_t row) const {
  const CsvPlace& place = columns[column].places[row];
  return {file, place.line, place.column, ""};
}

Location CsvTable::header(const CsvColumn& column) const {
  return {file, column.header.line, column.header.column, ""};
}

std::vector<std::string> CsvTable::names() const {
  std::vector<std::string> names;
  for (const CsvColumn& column : columns) names.push_back(column.name);
  return names;
}

CsvTable parse_csv(std::string_view text, const std::string& file) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  CsvTable table{.file = file, .columns = {}, .lines = {}};
  RowReader rows(text, file);

  const std::vector<CsvField> header = rows.next();
  if (header.empty()) throw InputError({file, 1, 1, ""}, "the table is empty, expected a header");
  const std::string hint = header.size() == 1 ? separator_hint(header.front()) : "";
  if (!hint.empty())
    throw InputError(
        rows.location(header.front()),
        fmt::format("found the one column {}{}", in_quotes(header.front().text), hint));
  for (const CsvField& field : header) {
    CsvColumn column = read_header(field, rows.location(field));
    if (table.find(column.name) != nullptr)
      throw InputError(rows.location(field),
                       fmt::format("duplicate column {}", in_quotes(column.name)));
    table.columns.push_back(std::move(column));
  }

  for (std::vector<CsvField> row = rows.next(); !row.empty(); row = rows.next()) {
    if (row.size() != header.size()) {
      const CsvField& last = row.size() > header.size() ? row[header.size()] : row.back();
      throw InputError(rows.location(last),
                       fmt::format("the row has {} fields, the header {}{}", row.size(),
                                   header.size(), separator_hint(row.front())));
    }
    table.lines.push_back(row.front().line);
    for (std::size_t i = 0; i < row.size(); ++i)
      add_cell(table.columns[i], row[i], rows.location(row[i]));
  }
  for (CsvColumn& column : table.columns)
    if (column.text) column.numbers.clear();
  return table;
}

const std::vector<double>& numbers_of(const CsvColumn& column) {
  if (column.text)
    throw InputError(
        column.first_text,
        fmt::format("the column {} has text here, expected a number", in_quotes(column.name)));
  return column.numbers;
}

}  // namespace counterpoise
