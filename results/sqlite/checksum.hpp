#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "results/sqlite/database.hpp"

namespace counterpoise {

// What a finished file holds, as one row: the table checksum has the number of rows of all other
// tables and the sum of their hashes. It detects changes by a disk or another program, but does not
// protect against forgery. A file that is not finished has no such table.

/// The number of some rows, and the sum of their hashes (XXH3, 64 bits): the same in any order.
struct RowSum {
  std::int64_t rows = 0;
  std::uint64_t hash = 0;

  bool operator==(const RowSum&) const = default;
};

/// Sums the rows of one table, cell by cell.
class RowSummer {
 public:
  explicit RowSummer(std::string table);

  /// To add a row, start with `cells()`, which is then without cells, and end with end_row().
  CellBytes& cells() { return cells_; }
  void end_row();

  [[nodiscard]] const RowSum& sum() const { return sum_; }
  [[nodiscard]] const std::string& table() const { return table_; }

 private:
  std::string table_;
  CellBytes cells_;  // after the name of the table
  RowSum sum_;
};

bool has_table(Database& database, std::string_view table);

/// The sum of all rows of all tables. Reads all tables but those in `summed`.
RowSum sum_of_rows(Database& database, std::span<const RowSummer> summed = {});

/// The sum that was stored when the file was finished, no rows if it is lost; nothing if the file
/// is not finished, or was by an earlier version.
std::optional<RowSum> stored_sum(Database& database);

/// Stores the sum as the last change of a transaction. Reads all tables but those in `summed`.
void store_sum(Database& database, std::span<const RowSummer> summed = {});

/// Removes it, in a transaction that changes rows; and what earlier versions had instead, which
/// would not be true any more.
void drop_sum(Database& database);

/// In words, how the rows differ from those stored when the file was finished; empty if they do
/// not, or if there is no checksum. In a transaction.
std::string fault_of_sum(Database& database);

}  // namespace counterpoise
