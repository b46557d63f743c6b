#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/rows/row_hash.hpp"
#include "results/sqlite/database.hpp"

namespace counterpoise {

// What was written, as numbers beside it: the table checksums has the number of rows of each other
// table and a hash of them, for each block of ids where a table has one row a case. Two more parts
// are of what is read of table cases without the rest. Files of earlier versions have none, or lack
// these two.

/// The part of the feasible cases: their rows.
inline constexpr const char* feasible_part = "feasible";
/// The part of what rankings read of feasible cases (hash_of_ranked()).
inline constexpr const char* ranked_part = "ranked";

/// Ids are summed up in blocks of so many: 1 to 1024, 1025 to 2048, ...
inline constexpr std::int64_t ids_in_block = 1024;

inline constexpr std::int64_t largest_id = std::numeric_limits<std::int64_t>::max();

/// The block of an id.
inline std::int64_t block_of(std::int64_t id) {
  return (id - 1) / ids_in_block;
}

/// Whether the database has checksums.
bool has_checksums(Database& database);

/// Throws StoreError (unusable), naming it, for a table that has checksums and is not there, and
/// for one of failures and failure_names without the other.
void require_summed_tables(Database& database);

/// Makes the table, of the tables that a new file has.
void create_checksums(Database& database);

/// Keeps the checksums up to date, in the transaction that changes the rows.
class Checksums {
 public:
  explicit Checksums(Database& database);

  /// Whether there are any.
  [[nodiscard]] bool kept() const { return change_.has_value(); }
  /// Whether there are those of feasible cases.
  [[nodiscard]] bool kept_of_feasible() const { return of_feasible_; }
  void add(std::string_view table, std::int64_t block, std::uint64_t row);
  void remove(std::string_view table, std::int64_t block, std::uint64_t row);
  /// Sums up again all rows of a table that is not in blocks.
  void replace(const std::string& table);
  /// How many sums are to be stored: if rows come block by block, one for each part of a block.
  [[nodiscard]] std::size_t waiting() const { return changes_.size(); }
  /// Stores what was added and removed; a transaction that is rolled back instead drops it.
  void store();
  void drop() {
    changes_.clear();
    hash_.drop();
  }

  RowHash& hash() { return hash_; }

 private:
  struct Change {
    std::string_view table;
    std::int64_t block;
    RowSum sum;
  };
  RowSum& change_of(std::string_view table, std::int64_t block);

  Database& database_;
  RowHash hash_;
  std::optional<Statement> change_;
  bool of_feasible_ = false;
  std::vector<Change> changes_;
};

/// Compares the rows of a table that is in blocks, or of a part of table cases, with their
/// checksums while they are read by ascending id.
class BlockCheck {
 public:
  /// Of the rows with ids larger than `after` and up to `until`, as far as these are whole blocks.
  BlockCheck(Database& database, const std::string& table, std::int64_t after, std::int64_t until);

  /// Takes the next row. Throws StoreError (unusable) where the rows of a block that has passed are
  /// not those that were written.
  void take(std::int64_t id, std::uint64_t row);
  /// Throws the same at the end of the rows.
  void finish();
  /// Whether there is no checksum to be met any more.
  [[nodiscard]] bool at_end() const { return !stored_block_; }

 private:
  void close_blocks_before(std::int64_t block);
  void next_stored();
  [[noreturn]] void refuse(std::int64_t block);

  std::string table_;
  std::int64_t first_, block_;
  RowSum sum_;
  std::optional<Statement> stored_;
  std::optional<std::int64_t> stored_block_;  // where the statement stands
};

/// Steps through rows by ascending id and, at their end, finishes the check, which it makes at the
/// first step: rows and checksums are of one moment, whoever writes meanwhile. The caller gives the
/// check each row.
bool step_checked(Database& database, Statement& rows, std::optional<BlockCheck>& check,
                  const std::string& table, std::int64_t after = 0,
                  std::int64_t until = largest_id);

/// The hash of the row where a query of all columns of a table stands.
std::uint64_t hash_of_row(RowHash& hash, const Statement& row);

/// Throws StoreError (unusable) where the rows of a table that is not in blocks are not those that
/// were written.
void check_table(Database& database, const std::string& table);

// What the parts are, and what is known of them, for those who compare all of them.

/// Tables that are summed up in blocks of ids.
inline constexpr std::array tables_in_blocks = {"cases", "failures", "certificates", "sample"};

/// Tables that are summed up as a whole.
inline constexpr std::array other_tables = {
    "study",         "columns", "variables",  "baselines",      "failure_names", "evaluated",
    "status_counts", "totals",  "histograms", "failure_counts", "digest",        "leading"};

bool has_table(Database& database, std::string_view table);
/// Whether the database has checksums of this part.
bool has_part(Database& database, std::string_view part);
/// Whether a part is of feasible cases alone.
bool is_of_feasible(std::string_view part);

/// Says that the rows of a part are not those that were written; all of them, or those of a block.
std::string fault_of(const std::string& part);
std::string fault_of(const std::string& part, std::int64_t block);

/// The sum that a query has at two columns.
RowSum sum_at(const Statement& row, int column);
/// Its hash as SQLite's whole number.
std::int64_t stored_hash(const RowSum& sum);
/// The sum of all rows that a table has now.
RowSum sum_of(Database& database, const std::string& table);
/// Whether a table that is not kept in blocks has this sum stored.
bool as_written(Database& database, const std::string& table, const RowSum& sum);

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
