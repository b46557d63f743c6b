#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/text/input_error.hpp"
#include "input/text/units.hpp"

namespace counterpoise {

/// The place where a field begins in its file; line and column count from 1.
struct CsvPlace {
  int line = 0;
  int column = 0;  // in characters
};

/// A column of a CSV table. It is text when any of its cells is not a number.
struct CsvColumn {
  std::string name;
  Unit unit;
  bool has_unit = false;  // the header names it
  bool text = false;
  std::vector<double> numbers;     // in SI, one per row; empty in a text column
  std::vector<std::string> texts;  // as written, except for a guard; one per row
  CsvPlace header;
  std::vector<CsvPlace> places;  // one per row
  Location first_text;           // of the first cell that is not a number, in a text column
};

/// A CSV file: headers `name` or `name [unit]`, then rows. Fields may be quoted ("" is a quote),
/// lines end with LF or CRLF, empty ones are skipped, guards (see append_csv_row) are taken away.
struct CsvTable {
  std::string file;
  std::vector<CsvColumn> columns;
  std::vector<int> lines;  // in the file, one per row

  [[nodiscard]] std::size_t row_count() const { return lines.size(); }
  /// The column of this name, or nullptr.
  [[nodiscard]] const CsvColumn* find(std::string_view name) const;
  /// The place of the field of a column and a row.
  [[nodiscard]] Location cell(std::size_t column, std::size_t row) const;
  /// The place of the header of one of its columns.
  [[nodiscard]] Location header(const CsvColumn& column) const;
  [[nodiscard]] std::vector<std::string> names() const;
};

/// Throws InputError at file:line:column: no header, duplicate or empty column names, unknown
/// units, another separator than the comma, rows with too few or too many fields, unfinished
/// quotes, numbers beyond double, text in a column that has a unit.
CsvTable parse_csv(std::string_view text, const std::string& file);

/// The numbers of a column that must be numeric; throws InputError at the cell that is not.
const std::vector<double>& numbers_of(const CsvColumn& column);

}  // namespace counterpoise
