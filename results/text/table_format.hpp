#pragma once

#include <string>

#include "results/rows/table.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

/// Aligned columns for a terminal, long names broken over several lines: six significant digits,
/// reductions in percent, `-` for null, texts as printable() has them.
std::string to_aligned_text(const Table& table);

/// A header and a line per row; numbers as the shortest text that reads back exactly.
std::string to_csv(const Table& table);

/// An array of flat objects with the columns as keys, each on its line.
std::string to_json(const Table& table);
/// The same inside other JSON.
Json json_of(const Table& table);

}  // namespace counterpoise
