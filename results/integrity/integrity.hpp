#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results/sqlite/database.hpp"

namespace counterpoise {

/// What a look at all rows of a file has found.
struct Integrity {
  bool known = false;  // whether the file has checksums
  std::int64_t rows = 0;
  std::vector<std::string> faults;   // in words
  std::vector<std::int64_t> blocks;  // of cases that are not as they were written
};

/// Compares all that a file holds with its checksums. Reads the whole file.
Integrity integrity_of(Database& database);

/// Removes the rows of these blocks from all tables that have one row a case, with their checksums.
void remove_blocks(Database& database, const std::vector<std::int64_t>& blocks);

}  // namespace counterpoise
