#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "results/rows/rows.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

/// How a table is made to fit the lines of a terminal.
struct TableFit {
  std::size_t width = 0;            // letters in a line; 0: any number
  std::size_t keys = 1;             // number of first columns, which identify a row
  std::vector<bool> optional = {};  // by column: may be left out; those that are missing may not
};

/// Aligned columns: long names broken over several lines, six significant digits, reductions in
/// percent, `-` for null, texts as printable() has them. Where the lines would be longer than
/// `fit.width`, long texts are broken over several lines too; then optional columns are left out,
/// the last ones first, and named in a last line; and what is still too wide is printed as several
/// tables, each beginning with the keys. Only a column that is too wide beside the keys alone makes
/// a line longer.
std::string to_aligned_text(const Table& table, const TableFit& fit = {});

/// Relative to the numbers it was computed from: anything smaller is rounding. The coordinates of a
/// mechanism with loops are known to this part of their size.
inline constexpr double rounding_part = 1e-12;

/// The number as people are shown it: 0 where it is only rounding of a difference of numbers as
/// large as `size`. Never -0.
inline double without_rounding(double number, double size, double part = rounding_part) {
  return std::abs(number) <= part * size ? 0.0 : number + 0.0;
}

/// Sets to zero what is only rounding, relative to `size` and the largest number in columns `first`
/// to `last` (all of one kind), and negative zeros.
void clear_rounding(Table& table, std::size_t first, std::size_t last, double size = 0.0,
                    double part = rounding_part);

/// A cell as to_aligned_text() prints it, of a column that is not a reduction.
std::string as_printed(const Value& value);

/// A header and a line per row; numbers as the shortest text that reads back exactly.
std::string to_csv(const Table& table);

/// An array of flat objects with the columns as keys, each on its line.
std::string to_json(const Table& table);
/// The same inside other JSON.
Json json_of(const Table& table);

}  // namespace counterpoise
