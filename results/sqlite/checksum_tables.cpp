#include "results/sqlite/checksum_tables.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "results/sqlite/schema.hpp"

namespace counterpoise {
namespace {

constexpr std::array tables_in_blocks = {"cases", "failures", "certificates", "sample"};
constexpr std::array other_tables = {
    "study",         "columns", "variables",  "baselines",      "failure_names", "evaluated",
    "status_counts", "totals",  "histograms", "failure_counts", "digest",        "leading"};

bool has_table(Database& database, std::string_view table) {
  Statement tables(database, "SELECT 1 FROM sqlite_master WHERE name = ? AND type = 'table'");
  tables.bind(1, table);
  return tables.step();
}

/// Bits as SQLite's whole number.
std::int64_t stored_hash(std::uint64_t hash) {
  return static_cast<std::int64_t>(hash);
}

RowSum sum_at(const Statement& row, int column) {
  return {row.integer(column), static_cast<std::uint64_t>(row.integer(column + 1))};
}

RowSum sum_of(Database& database, const std::string& table) {
  RowHash hash;
  RowSum sum;
  Statement rows(database, "SELECT * FROM " + table);
  while (rows.step()) sum.add(hash_of_row(hash, rows));
  return sum;
}

std::string ids_of(std::int64_t block) {
  return std::to_string(block * ids_in_block + 1) + " to " +
         std::to_string((block + 1) * ids_in_block);
}

/// Whether a table that is not kept in blocks has this sum stored.
bool as_written(Database& database, const std::string& table, const RowSum& sum) {
  Statement stored(database, "SELECT rows, hash FROM checksums WHERE part = ?");
  stored.bind(1, std::string_view(table));
  return stored.step() && sum_at(stored, 0) == sum;
}

constexpr const char* not_as_written = " are not as they were written: their checksum differs";

/// What a case's row says is hashed by its kinds; what is no such row has another hash, too.
std::uint64_t hash_at(RowHash& hash, const Statement& row, bool of_case,
                      const StoreLayout& layout) {
  if (!of_case) return hash_of_row(hash, row);
  const std::optional<Status> status = to_status(row.text(1));
  if (!status) return hash_of_row(hash, row);
  CaseRow found;
  found.id = row.integer(0);
  found.status = *status;
  found.reason = row.text(2);
  int column = 3;
  for (std::size_t i = 0; i < layout.variables.size(); ++i) {
    found.variables.push_back(row.value(column++));
    if (std::holds_alternative<std::monostate>(found.variables.back())) return 0;
  }
  const std::size_t results = layout.metrics.size() + layout.objectives.size();
  if (status == Status::feasible)
    read_numbers(row, column, results, true, found.objectives, true);
  else
    for (std::size_t i = 0; i < results; ++i)
      if (!row.is_null(column++)) return 0;  // no reader would see it, but others do
  return hash_of_case(hash, found);
}

/// The blocks of a table whose rows are not those that were written.
void check_blocks(Database& database, const std::string& table, const StoreLayout& layout,
                  Integrity& found) {
  std::map<std::int64_t, RowSum> there, written;
  RowHash hash;
  Statement rows(database,
                 "SELECT * FROM " + table + " ORDER BY " + (table == "cases" ? "id" : "rowid"));
  while (rows.step()) {
    there[block_of(rows.integer(0))].add(hash_at(hash, rows, table == "cases", layout));
    ++found.rows;
  }
  Statement stored(database, "SELECT block, rows, hash FROM checksums WHERE part = ?");
  stored.bind(1, std::string_view(table));
  while (stored.step())
    if (const RowSum sum = sum_at(stored, 1); sum != RowSum()) written[stored.integer(0)] = sum;
  std::set<std::int64_t> blocks;
  for (const auto* sums : {&there, &written})
    for (const auto& [block, sum] : *sums) blocks.insert(block);
  for (const std::int64_t block : blocks) {
    if (there[block] == written[block]) continue;
    found.faults.push_back("rows of table " + table + " with ids from " + ids_of(block) +
                           not_as_written);
    found.blocks.push_back(block);
  }
}

}  // namespace

bool has_checksums(Database& database) {
  return has_table(database, "checksums");
}

void create_checksums(Database& database) {
  database.execute(
      "CREATE TABLE checksums(part TEXT, block INTEGER, rows INTEGER, hash INTEGER, "
      "PRIMARY KEY(part, block)) WITHOUT ROWID");
  Checksums sums(database);
  for (const char* table : other_tables)
    if (has_table(database, table)) sums.replace(table);
}

Checksums::Checksums(Database& database) : database_(database) {
  if (!has_checksums(database)) return;
  // SQLite has no exclusive or of bits
  change_.emplace(database,
                  "INSERT INTO checksums VALUES(?1, ?2, ?3, ?4) ON CONFLICT(part, block) DO UPDATE "
                  "SET rows = rows + ?3, hash = (hash | ?4) - (hash & ?4)");
}

RowSum& Checksums::change_of(std::string_view table, std::int64_t block) {
  if (changes_.empty() || changes_.back().block != block || changes_.back().table != table)
    changes_.push_back({table, block, {}});
  return changes_.back().sum;
}

void Checksums::add(std::string_view table, std::int64_t block, std::uint64_t row) {
  if (kept()) change_of(table, block).add(row);
}

void Checksums::remove(std::string_view table, std::int64_t block, std::uint64_t row) {
  if (kept()) change_of(table, block).remove(row);
}

void Checksums::replace(const std::string& table) {
  if (!kept()) return;
  Statement before(database_, "DELETE FROM checksums WHERE part = ?");
  before.bind(1, std::string_view(table));
  before.run();
  const RowSum sum = sum_of(database_, table);
  Statement now(database_, "INSERT INTO checksums VALUES(?, 0, ?, ?)");
  now.bind(1, std::string_view(table));
  now.bind(2, sum.rows);
  now.bind(3, stored_hash(sum.hash));
  now.run();
}

void Checksums::store() {
  for (const Change& change : changes_) {
    change_->bind(1, change.table);
    change_->bind(2, change.block);
    change_->bind(3, change.sum.rows);
    change_->bind(4, stored_hash(change.sum.hash));
    change_->run();
  }
  changes_.clear();
}

BlockCheck::BlockCheck(Database& database, const std::string& table, std::int64_t after,
                       std::int64_t until)
    : table_(table), first_((after + ids_in_block - 1) / ids_in_block), block_(first_) {
  if (!has_checksums(database)) return;
  stored_.emplace(database,
                  "SELECT block, rows, hash FROM checksums WHERE part = ? AND block >= ? AND "
                  "block < ? AND rows <> 0 ORDER BY block");
  stored_->bind(1, std::string_view(table_));
  stored_->bind(2, first_);
  stored_->bind(3, until / ids_in_block + (until == largest_id ? 1 : 0));
  next_stored();
}

void BlockCheck::next_stored() {
  if (stored_->step())
    stored_block_ = stored_->integer(0);
  else
    stored_block_.reset();
}

void BlockCheck::refuse(std::int64_t block) {
  stored_->database().refuse_contents("rows of table " + table_ + " with ids from " +
                                      ids_of(block) + not_as_written);
}

void BlockCheck::close_blocks_before(std::int64_t block) {
  if (sum_ != RowSum()) {
    if (stored_block_ != block_ || sum_at(*stored_, 1) != sum_) refuse(block_);
    next_stored();
    sum_ = {};
  }
  block_ = block;
}

void BlockCheck::take(std::int64_t id, std::uint64_t row) {
  const std::int64_t block = block_of(id);
  if (!stored_ || block < first_) return;
  if (block != block_) close_blocks_before(block);
  // blocks that were written and have no row any more
  if (stored_block_ && *stored_block_ < block) refuse(*stored_block_);
  sum_.add(row);
}

void BlockCheck::finish() {
  if (!stored_) return;
  close_blocks_before(block_ + 1);
  if (stored_block_) refuse(*stored_block_);
}

bool step_checked(Database& database, Statement& rows, std::optional<BlockCheck>& check,
                  const std::string& table, std::int64_t after, std::int64_t until) {
  bool there = rows.step();  // and holds the file as it is, if there is a row
  if (!check) {
    check.emplace(database, table, after, until);
    if (!there && check->at_end()) return false;
    if (!there) {  // written since, or lost: the check holds the file now
      rows.reset();
      there = rows.step();
    }
  }
  if (!there) check->finish();
  return there;
}

std::uint64_t hash_of_row(RowHash& hash, const Statement& row) {
  for (int column = 0; column < row.column_count(); ++column) {
    const Value value = row.value(column);
    if (const auto* text = std::get_if<std::string>(&value))
      hash.text(*text);
    else if (const auto* whole = std::get_if<std::int64_t>(&value))
      hash.whole(*whole);
    else if (const auto* number = std::get_if<double>(&value))
      hash.number(*number);
    else
      hash.null();
  }
  return hash.take();
}

void check_table(Database& database, const std::string& table) {
  if (!has_checksums(database)) return;
  if (!as_written(database, table, sum_of(database, table)))
    database.refuse_contents("rows of table " + table + not_as_written);
}

Integrity integrity_of(Database& database) {
  Integrity found;
  found.known = has_checksums(database);
  if (!found.known) return found;
  const Transaction moment(database, Database::Access::read);
  for (const char* table : other_tables) {
    if (!has_table(database, table)) continue;
    const RowSum sum = sum_of(database, table);
    found.rows += sum.rows;
    if (!as_written(database, table, sum))
      found.faults.push_back(std::string("rows of table ") + table + not_as_written);
  }
  const StoreLayout layout = read_layout(database);
  for (const char* table : tables_in_blocks)
    if (has_table(database, table)) check_blocks(database, table, layout, found);
  std::sort(found.blocks.begin(), found.blocks.end());
  found.blocks.erase(std::unique(found.blocks.begin(), found.blocks.end()), found.blocks.end());
  return found;
}

void remove_blocks(Database& database, const std::vector<std::int64_t>& blocks) {
  Transaction all(database);
  for (const char* table : tables_in_blocks) {
    if (!has_table(database, table)) continue;
    Statement rows(database, std::string("DELETE FROM ") + table + " WHERE id BETWEEN ? AND ?");
    Statement sums(database, "DELETE FROM checksums WHERE part = ? AND block = ?");
    for (const std::int64_t block : blocks) {
      rows.bind(1, block * ids_in_block + 1);
      rows.bind(2, (block + 1) * ids_in_block);
      rows.run();
      sums.bind(1, std::string_view(table));
      sums.bind(2, block);
      sums.run();
    }
  }
  all.commit();
}

}  // namespace counterpoise
