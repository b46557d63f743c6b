#include "results/sqlite/checksum_tables.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "results/sqlite/schema.hpp"

namespace counterpoise {
namespace {

constexpr const char* not_as_written = " are not as they were written: their checksum differs";

std::string rows_of(const std::string& part) {
  if (part == feasible_part) return "feasible rows of table cases";
  if (part == ranked_part) return "objectives in table cases";
  return "rows of table " + part;
}

}  // namespace

bool has_table(Database& database, std::string_view table) {
  Statement tables(database, "SELECT 1 FROM sqlite_master WHERE name = ? AND type = 'table'");
  tables.bind(1, table);
  return tables.step();
}

bool has_part(Database& database, std::string_view part) {
  if (!has_table(database, "checksums")) return false;
  Statement rows(database, "SELECT 1 FROM checksums WHERE part = ? LIMIT 1");
  rows.bind(1, part);
  return rows.step();
}

bool is_of_feasible(std::string_view part) {
  return part == feasible_part || part == ranked_part;
}

std::string fault_of(const std::string& part) {
  return rows_of(part) + not_as_written;
}

std::string fault_of(const std::string& part, std::int64_t block) {
  return rows_of(part) + " with ids from " + std::to_string(block * ids_in_block + 1) + " to " +
         std::to_string((block + 1) * ids_in_block) + not_as_written;
}

RowSum sum_at(const Statement& row, int column) {
  return {row.integer(column), static_cast<std::uint64_t>(row.integer(column + 1))};
}

std::int64_t stored_hash(const RowSum& sum) {
  return static_cast<std::int64_t>(sum.hash);
}

RowSum sum_of(Database& database, const std::string& table) {
  RowHash hash;
  RowSum sum;
  Statement rows(database, "SELECT * FROM " + table);
  while (rows.step()) sum.add(hash_of_row(hash, rows));
  return sum;
}

bool as_written(Database& database, const std::string& table, const RowSum& sum) {
  Statement stored(database, "SELECT rows, hash FROM checksums WHERE part = ?");
  stored.bind(1, std::string_view(table));
  return stored.step() && sum_at(stored, 0) == sum;
}

bool has_checksums(Database& database) {
  return has_table(database, "checksums");
}

void require_summed_tables(Database& database) {
  const auto refuse = [&](const std::string& table) {
    database.refuse_contents("the table " + table + " is missing");
  };
  const bool failures = has_table(database, "failures");
  if (failures != has_table(database, "failure_names"))
    refuse(failures ? "failure_names" : "failures");
  if (!has_checksums(database)) return;
  Statement missing(database,
                    "SELECT 1 FROM checksums WHERE part = ?1 AND NOT EXISTS (SELECT 1 FROM "
                    "sqlite_master WHERE name = ?1) LIMIT 1");
  const auto require = [&](const char* table) {
    missing.bind(1, std::string_view(table));
    if (missing.step()) refuse(table);
    missing.reset();
  };
  std::for_each(tables_in_blocks.begin(), tables_in_blocks.end(), require);
  std::for_each(other_tables.begin(), other_tables.end(), require);
}

void create_checksums(Database& database) {
  database.execute(
      "CREATE TABLE checksums(part TEXT, block INTEGER, rows INTEGER, hash INTEGER, "
      "PRIMARY KEY(part, block)) WITHOUT ROWID");
  for (const char* part : {feasible_part, ranked_part}) {  // which says that they are kept
    Statement none(database, "INSERT INTO checksums VALUES(?, 0, 0, 0)");
    none.bind(1, std::string_view(part));
    none.run();
  }
  Checksums sums(database);
  for (const char* table : other_tables)
    if (has_table(database, table)) sums.replace(table);
}

Checksums::Checksums(Database& database) : database_(database) {
  if (!has_checksums(database)) return;
  of_feasible_ = has_part(database, ranked_part);
  // SQLite has no exclusive or of bits
  change_.emplace(database,
                  "INSERT INTO checksums VALUES(?1, ?2, ?3, ?4) ON CONFLICT(part, block) DO UPDATE "
                  "SET rows = rows + ?3, hash = (hash | ?4) - (hash & ?4)");
}

RowSum& Checksums::change_of(std::string_view table, std::int64_t block) {
  // rows of a block are summed up in all of its parts by turns: in tables, and of feasible cases
  constexpr std::size_t parts = tables_in_blocks.size() + 2;
  for (std::size_t i = 0; i < std::min(parts, changes_.size()); ++i) {
    Change& change = changes_[changes_.size() - 1 - i];
    if (change.block == block && change.table == table) return change.sum;
  }
  return changes_.emplace_back(Change{table, block, {}}).sum;
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
  now.bind(3, stored_hash(sum));
  now.run();
}

void Checksums::store() {
  for (const Change& change : changes_) {
    change_->bind(1, change.table);
    change_->bind(2, change.block);
    change_->bind(3, change.sum.rows);
    change_->bind(4, stored_hash(change.sum));
    change_->run();
  }
  changes_.clear();
}

BlockCheck::BlockCheck(Database& database, const std::string& table, std::int64_t after,
                       std::int64_t until)
    : table_(table), first_((after + ids_in_block - 1) / ids_in_block), block_(first_) {
  if (is_of_feasible(table) ? !has_part(database, table) : !has_checksums(database)) return;
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
  stored_->database().refuse_contents(fault_of(table_, block));
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
    database.refuse_contents(fault_of(table));
}

namespace {

/// A case as its row says; nothing where the row is none that was written.
std::optional<CaseRow> case_at(const Statement& row, const StoreLayout& layout) {
  const std::optional<Status> status = to_status(row.text(1));
  if (!status) return std::nullopt;
  CaseRow found;
  found.id = row.integer(0);
  found.status = *status;
  found.reason = row.text(2);
  int column = 3;
  for (std::size_t i = 0; i < layout.variables.size(); ++i) {
    found.variables.push_back(row.value(column++));
    if (std::holds_alternative<std::monostate>(found.variables.back())) return std::nullopt;
  }
  const std::size_t metrics = layout.metrics.size(), objectives = layout.objectives.size();
  if (status == Status::feasible) {
    read_numbers(row, column, metrics, true, found.metrics, true);
    read_numbers(row, column + static_cast<int>(metrics), objectives, true, found.objectives, true);
    return found;
  }
  for (std::size_t i = 0; i < metrics + objectives; ++i)
    if (!row.is_null(column++)) return std::nullopt;  // no reader would see it, but others do
  return found;
}

using SumsOfBlocks = std::map<std::int64_t, RowSum>;

/// Adds the blocks of a part where these sums are not those that were written to what is found.
void compare_blocks(Database& database, const std::string& part, SumsOfBlocks& there,
                    Integrity& found) {
  SumsOfBlocks written;
  Statement stored(database, "SELECT block, rows, hash FROM checksums WHERE part = ?");
  stored.bind(1, std::string_view(part));
  while (stored.step())
    if (const RowSum sum = sum_at(stored, 1); sum != RowSum()) written[stored.integer(0)] = sum;
  std::set<std::int64_t> blocks;
  for (const auto* sums : {&there, &written})
    for (const auto& [block, sum] : *sums) blocks.insert(block);
  for (const std::int64_t block : blocks) {
    if (there[block] == written[block]) continue;
    const bool known =
        std::find(found.blocks.begin(), found.blocks.end(), block) != found.blocks.end();
    found.blocks.push_back(block);
    if (is_of_feasible(part) && known) continue;  // the rows of the block are at fault
    found.faults.push_back(fault_of(part, block));
  }
}

void check_cases(Database& database, const StoreLayout& layout, Integrity& found) {
  const auto motion = motion_column(layout, read_variables(database, layout));
  SumsOfBlocks all, feasible, ranked;
  RowHash hash;
  Statement rows(database, "SELECT * FROM cases ORDER BY id");
  while (rows.step()) {
    ++found.rows;
    const std::int64_t block = block_of(rows.integer(0));
    const std::optional<CaseRow> row = case_at(rows, layout);
    const std::uint64_t sum = row ? hash_of_case(hash, *row) : hash_of_row(hash, rows);
    all[block].add(sum);
    if (!row || row->status != Status::feasible) continue;
    feasible[block].add(sum);
    ranked[block].add(hash_of_ranked(hash, *row, motion));
  }
  compare_blocks(database, "cases", all, found);
  if (!has_part(database, ranked_part)) return;
  compare_blocks(database, feasible_part, feasible, found);
  compare_blocks(database, ranked_part, ranked, found);
}

/// The blocks of a table whose rows are not those that were written.
void check_blocks(Database& database, const std::string& table, Integrity& found) {
  SumsOfBlocks there;
  RowHash hash;
  Statement rows(database, "SELECT * FROM " + table + " ORDER BY rowid");
  while (rows.step()) {
    there[block_of(rows.integer(0))].add(hash_of_row(hash, rows));
    ++found.rows;
  }
  compare_blocks(database, table, there, found);
}

}  // namespace

Integrity integrity_of(Database& database) {
  Integrity found;
  found.known = has_checksums(database);
  if (!found.known) return found;
  const Transaction moment(database, Database::Access::read);
  for (const char* table : other_tables) {
    if (!has_table(database, table)) continue;
    const RowSum sum = sum_of(database, table);
    found.rows += sum.rows;
    if (!as_written(database, table, sum)) found.faults.push_back(fault_of(table));
  }
  const StoreLayout layout = read_layout(database);
  check_cases(database, layout, found);
  for (const char* table : tables_in_blocks)
    if (table != std::string_view("cases") && has_table(database, table))
      check_blocks(database, table, found);
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
  // not deleted, so that some are left that say that they are kept
  Statement none(database,
                 "UPDATE checksums SET rows = 0, hash = 0 WHERE part IN (?, ?) AND block = ?");
  for (const std::int64_t block : blocks) {
    none.bind(1, std::string_view(feasible_part));
    none.bind(2, std::string_view(ranked_part));
    none.bind(3, block);
    none.run();
  }
  all.commit();
}

}  // namespace counterpoise
