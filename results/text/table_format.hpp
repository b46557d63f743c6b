#pragma once

#include <string>

#include "results/rows/rows.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

/// Aligned columns for a terminal, long names broken over several lines: six significant digits,
/// reductions in percent, `-` for null, texts as printable() has them. Columns that make lines
/// longer than `width` letters (0: any number fits) are left out from the right and named in a last
/// line; the first three stay.
std::string to_aligned_text(const Table& table, std::size_t width = 0);

/// A cell as to_aligned_text() prints it, of a column that is no reduction.
std::string as_printed(const Value& value);

/// A header and a line per row; numbers as the shortest text that reads back exactly.
std::string to_csv(const Table& table);

/// An array of flat objects with the columns as keys, each on its line.
std::string to_json(const Table& table);
/// The same inside other JSON.
Json json_of(const Table& table);

}  // namespace counterpoise
