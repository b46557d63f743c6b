#include "results/integrity/integrity.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "results/sqlite/checksum_tables.hpp"
#include "results/sqlite/schema.hpp"

namespace counterpoise {
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
