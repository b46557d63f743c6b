#include "results/sqlite/selection_tables.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "results/sqlite/schema.hpp"

namespace counterpoise {
namespace {

std::vector<std::string> columns_of(const StoreLayout& layout) {
  std::vector<std::string> names = layout.metrics;
  names.insert(names.end(), layout.objectives.begin(), layout.objectives.end());
  return names;
}

void write_column(Statement& total, Statement& bins, const std::string& name, const char* role,
                  const ColumnTotals& column) {
  total.bind(1, std::string_view(name));
  total.bind(2, std::string_view(role));
  total.bind(3, column.count);
  const bool any = column.count > 0;
  int parameter = 4;
  for (const auto& [value, id] :
       {std::pair(column.least, column.least_id), std::pair(column.most, column.most_id)}) {
    if (any) {
      total.bind(parameter++, value);
      total.bind(parameter++, id);
    } else {
      total.bind_null(parameter++);
      total.bind_null(parameter++);
    }
  }
  if (any && std::isfinite(column.mean()))
    total.bind(8, column.mean());
  else
    total.bind_null(8);
  const std::string sum = column.sum.text();
  total.bind(9, std::string_view(sum));
  total.run();
  bins.bind(1, std::string_view(name));
  for (const Histogram::Bin& bin : column.histogram.bins()) {
    bins.bind(2, bin.low);
    bins.bind(3, bin.high);
    bins.bind(4, bin.count);
    bins.run();
  }
}

void read_column(const Statement& row, ColumnTotals& column) {
  const std::optional<ExactSum> sum = ExactSum::parse(row.text(8));
  column.count = row.integer(2);
  const bool any = column.count > 0;
  const auto whole = [&](int place) {
    return std::holds_alternative<std::int64_t>(row.value(place));
  };
  if (!sum || !whole(2) || column.count < 0 ||
      (any && !(row.is_number(3) && row.is_number(5) && whole(4) && whole(6))))
    row.database().refuse_contents("table totals has something else than numbers of " +
                                   row.text(0));
  column.sum = *sum;
  if (!any) return;
  column.least = row.real(3);
  column.least_id = row.integer(4);
  column.most = row.real(5);
  column.most_id = row.integer(6);
}

void read_histograms(Database& database, const std::vector<std::string>& names, Totals& totals) {
  Statement rows(database, "SELECT name, low, high, count FROM histograms");
  while (rows.step()) {
    const auto at = std::find(names.begin(), names.end(), rows.text(0));
    if (at == names.end() || !rows.is_number(1) || !rows.is_number(2) || rows.integer(3) < 1)
      database.refuse_contents("table histograms has a bin that no run has made");
    totals.columns[at - names.begin()].histogram.add(
        Histogram::Bin{rows.real(1), rows.real(2), rows.integer(3)});
  }
}

}  // namespace

void create_selection_tables(Database& database) {
  database.execute("CREATE TABLE sample(id INTEGER PRIMARY KEY)");
  database.execute("CREATE TABLE evaluated(first INTEGER PRIMARY KEY, last INTEGER)");
  database.execute("CREATE TABLE status_counts(status TEXT PRIMARY KEY, count INTEGER)");
  database.execute(
      "CREATE TABLE totals(name TEXT PRIMARY KEY, role TEXT, count INTEGER, least REAL, "
      "least_id INTEGER, most REAL, most_id INTEGER, mean REAL, sum TEXT)");
  database.execute(
      "CREATE TABLE histograms(name TEXT, low REAL, high REAL, count INTEGER, "
      "PRIMARY KEY(name, low)) WITHOUT ROWID");
  database.execute(
      "CREATE TABLE failure_counts(kind INTEGER, of INTEGER, words TEXT, count INTEGER)");
}

void write_selection(Database& database, const StoreLayout& layout, const Totals& totals,
                     const IdSet& evaluated) {
  for (const char* table : {"evaluated", "status_counts", "totals", "histograms", "failure_counts"})
    database.execute(std::string("DELETE FROM ") + table);
  Statement range(database, "INSERT INTO evaluated VALUES(?, ?)");
  for (const auto& [first, last] : evaluated.ranges()) {
    range.bind(1, first);
    range.bind(2, last);
    range.run();
  }
  Statement status(database, "INSERT INTO status_counts VALUES(?, ?)");
  for (const Status each : {Status::feasible, Status::infeasible, Status::failed}) {
    status.bind(1, std::string_view(to_text(each)));
    status.bind(2, totals.count(each));
    status.run();
  }
  Statement total(database, "INSERT INTO totals VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)");
  Statement bins(database, "INSERT INTO histograms VALUES(?, ?, ?, ?)");
  const std::vector<std::string> names = columns_of(layout);
  for (std::size_t i = 0; i < names.size(); ++i)
    write_column(total, bins, names[i], i < layout.metrics.size() ? "metric" : "objective",
                 totals.columns[i]);
  Statement failure(database, "INSERT INTO failure_counts VALUES(?, ?, ?, ?)");
  const auto write_failure = [&](std::int64_t kind, std::int64_t of, const std::string& words,
                                 std::int64_t count) {
    failure.bind(1, kind);
    failure.bind(2, of);
    failure.bind(3, std::string_view(words));
    failure.bind(4, count);
    failure.run();
  };
  for (const auto& [key, count] : totals.failures) write_failure(key.first, key.second, "", count);
  for (const auto& [words, count] : totals.in_words) write_failure(told_in_words, -1, words, count);
}

namespace {

Totals read_tables(Database& database, const StoreLayout& layout) {
  Totals totals(layout);
  Statement statuses(database, "SELECT status, count FROM status_counts");
  while (statuses.step()) {
    const std::optional<Status> status = to_status(statuses.text(0));
    if (!status || statuses.integer(1) < 0)
      database.refuse_contents("table status_counts has a count of \"" + statuses.text(0) + '"');
    totals.statuses[static_cast<std::size_t>(*status)] = statuses.integer(1);
  }
  const std::vector<std::string> names = columns_of(layout);
  Statement rows(database,
                 "SELECT name, role, count, least, least_id, most, most_id, mean, sum FROM totals "
                 "ORDER BY rowid");
  for (std::size_t i = 0; rows.step(); ++i) {
    if (i >= names.size() || rows.text(0) != names[i])
      database.refuse_contents("table totals has other columns than the table columns");
    read_column(rows, totals.columns[i]);
  }
  read_histograms(database, names, totals);
  Statement failures(database, "SELECT kind, of, words, count FROM failure_counts");
  while (failures.step()) {
    if (failures.integer(3) < 1)
      database.refuse_contents("table failure_counts has an invalid count");
    if (failures.integer(0) == told_in_words)
      totals.in_words[failures.text(2)] += failures.integer(3);
    else
      totals.failures[{failures.integer(0), failures.integer(1)}] += failures.integer(3);
  }
  return totals;
}

/// Whether the tables agree about the cases that both describe.
void check_totals(Database& database, const StoreLayout& layout, const Totals& totals) {
  const auto require = [&](bool holds, const char* what) {
    if (!holds) database.refuse_contents(what);
  };
  const std::int64_t evaluated = read_evaluated(database).size();
  for (const std::int64_t count : totals.statuses)
    require(count <= evaluated, "table status_counts has more cases than were evaluated");
  require(totals.cases() == evaluated,
          "table status_counts has another number of cases than table evaluated");
  const std::int64_t feasible = totals.count(Status::feasible);
  for (const ColumnTotals& column : totals.columns) {
    std::int64_t in_bins = 0;
    for (const Histogram::Bin& bin : column.histogram.bins()) in_bins += bin.count;
    require(column.count == feasible && in_bins == feasible,
            "tables totals and histograms have another number of cases than are feasible");
  }
  std::int64_t failures = 0;
  for (const auto& [key, count] : totals.failures) failures += count;
  for (const auto& [words, count] : totals.in_words) failures += count;
  require(failures <= evaluated - feasible,
          "table failure_counts has more cases than are not feasible");
  Statement lost(database, "SELECT count(*) FROM sample WHERE id NOT IN (SELECT id FROM cases)");
  lost.step();
  require(lost.integer(0) == 0, "cases of the sample are missing");
  if (feasible == 0) return;
  Statement best(database, "SELECT min(" + identifier(layout.objectives.front()) +
                               ") FROM cases WHERE status = 'feasible'");
  best.step();
  require(best.is_number(0) && best.real(0) == totals.columns[layout.metrics.size()].least,
          "the best case is missing");
}

}  // namespace

Totals read_totals(Database& database, const StoreLayout& layout) {
  const Transaction moment(database, Database::Access::read);
  Totals totals = read_tables(database, layout);
  check_totals(database, layout, totals);
  return totals;
}

IdSet read_evaluated(Database& database) {
  IdSet ids;
  Statement rows(database, "SELECT first, last FROM evaluated ORDER BY first");
  while (rows.step()) {
    if (rows.integer(0) < 1 || rows.integer(1) < rows.integer(0) || ids.contains(rows.integer(0)))
      database.refuse_contents("table evaluated: invalid or overlapping range of ids");
    ids.insert(rows.integer(0), rows.integer(1));
  }
  return ids;
}

}  // namespace counterpoise
