#include "results/sqlite/checksum.hpp"

#include <xxhash.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace counterpoise {
namespace {

/// Of all tables but the one of the sum itself and of those that earlier versions had.
std::vector<std::string> summed_tables(Database& database) {
  std::vector<std::string> names;
  Statement tables(database,
                   "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN "
                   "('checksum', 'checksums')");
  while (tables.step()) names.push_back(tables.text(0));
  return names;
}

}  // namespace

bool has_table(Database& database, std::string_view table) {
  Statement tables(database, "SELECT 1 FROM sqlite_master WHERE name = ? AND type = 'table'");
  tables.bind(1, table);
  return tables.step();
}

RowSummer::RowSummer(std::string table) : table_(std::move(table)) {
  sum_.hash = XXH3_64bits(table_.data(), table_.size());  // of a table without rows too
  cells_.begin(table_);
}

void RowSummer::end_row() {
  ++sum_.rows;
  sum_.hash += XXH3_64bits(cells_.bytes().data(), cells_.bytes().size());
  cells_.begin(table_);
}

RowSum sum_of_rows(Database& database, std::span<const RowSummer> summed) {
  RowSum sum;
  const auto add = [&sum](const RowSummer& table) {
    sum.rows += table.sum().rows;
    sum.hash += table.sum().hash;
  };
  for (const std::string& name : summed_tables(database)) {
    const auto known = std::find_if(summed.begin(), summed.end(),
                                    [&](const RowSummer& table) { return table.table() == name; });
    if (known != summed.end()) {
      add(*known);
      continue;
    }
    RowSummer table(name);
    Statement rows(database, "SELECT * FROM " + identifier(name));
    while (rows.step()) {
      for (int column = 0; column < rows.column_count(); ++column)
        rows.append_cell(column, table.cells());
      table.end_row();
    }
    add(table);
  }
  return sum;
}

std::optional<RowSum> stored_sum(Database& database) {
  if (!has_table(database, "checksum")) return std::nullopt;
  Statement stored(database, "SELECT rows, hash FROM checksum");
  if (!stored.step()) return RowSum{};
  return RowSum{stored.integer(0), static_cast<std::uint64_t>(stored.integer(1))};
}

void store_sum(Database& database, std::span<const RowSummer> summed) {
  drop_sum(database);
  const RowSum sum = sum_of_rows(database, summed);
  database.execute("CREATE TABLE checksum(rows INTEGER, hash INTEGER)");
  Statement insert(database, "INSERT INTO checksum VALUES(?, ?)");
  insert.bind(1, sum.rows);
  insert.bind(2, static_cast<std::int64_t>(sum.hash));
  insert.run();
}

void drop_sum(Database& database) {
  database.execute("DROP TABLE IF EXISTS checksum; DROP TABLE IF EXISTS checksums");
}

std::string fault_of_sum(Database& database) {
  const std::optional<RowSum> stored = stored_sum(database);
  if (!stored) return "";
  const RowSum sum = sum_of_rows(database);
  if (sum == *stored) return "";
  const std::string count =
      sum.rows == stored->rows
          ? ""
          : ": " + std::to_string(sum.rows) + " instead of " + std::to_string(stored->rows);
  return "its rows are not as they were when it was finished" + count;
}

}  // namespace counterpoise
