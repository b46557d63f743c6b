#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>

#include "results/merge.hpp"
#include "results/ranking.hpp"
#include "results/results_file.hpp"
#include "results/sqlite/database.hpp"
#include "results/store.hpp"
#include "tests/faults/small_studies.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

namespace fs = std::filesystem;

fs::path fresh(const std::string& name) {
  fs::path path = fs::path(COUNTERPOISE_TEST_DIR) / name;
  fs::remove(path);
  return path;
}

Birth birth_of_numbers() {
  Birth birth;
  birth.layout = {
      {{"x", ColumnType::real}, {"part", ColumnType::text}, {"part.row", ColumnType::integer}},
      {"load"},
      {"peak", "mean"}};
  birth.variables = {{"x", "range", "{}"}, {"part", "catalogue", "{}"}};
  birth.study = {{"name", "numbers"}};
  for (const char* name : {baseline_name, without_springs_name})
    birth.baselines.push_back({name, "", Status::feasible, "", {1.0}, {1.0, 2.0}});
  return birth;
}

CaseRow row_of(std::int64_t id) {
  CaseRow row;
  row.id = id;
  row.variables = {id % 7 == 0 ? -0.0 : 0.25 * static_cast<double>(id),
                   std::string(id % 3 == 0 ? "" : "soft"), id};
  if (id % 4 == 0) {
    row.status = id % 8 == 0 ? Status::infeasible : Status::failed;
    row.reason = "none";
    return row;
  }
  row.metrics = {1.0 / static_cast<double>(id)};
  row.objectives = {static_cast<double>(id), -1.0};
  if (id < 9000) return row;
  row.reason = unsettled_reason;
  row.objectives.back() = std::nan("");
  return row;
}

/// Stores the rows of these ids as one batch, each failed one with its failure.
void store(Store& to, const std::vector<std::int64_t>& ids) {
  RowBatch batch(to.layout());
  for (const std::int64_t id : ids) {
    batch.add(row_of(id));
    if (batch.status(batch.size() - 1) != Status::feasible)
      batch.set_failure({id, 3, 1, -1, 0.5, std::nan(""), 2.0});
  }
  to.append(batch);
}

std::vector<std::int64_t> ids_from(std::int64_t first, std::int64_t last) {
  std::vector<std::int64_t> ids;
  for (std::int64_t id = first; id <= last; ++id) ids.push_back(id);
  return ids;
}

fs::path finished(const std::string& name) {
  fs::path path = fresh(name);
  Store made = Store::create(path, birth_of_numbers(), Existing::refuse);
  store(made, ids_from(1, 3000));
  made.finish();
  return path;
}

void change(const fs::path& path, const std::string& sql) {
  Database(path, Database::Access::write, 0).execute(sql);
}

bool is_as_written(const fs::path& path) {
  const ResultsFile::Check check = ResultsFile(path).check();
  return check.known && check.fault.empty();
}

}  // namespace

TEST_CASE("whatever the program does to a file, it is as written once it is finished") {
  const fs::path path = fresh("orders.db");
  Store made = Store::create(path, birth_of_numbers(), Existing::refuse);
  store(made, ids_from(1500, 2600));
  store(made, {5, 1, 9001, 3, 2});
  made.append(
      {}, std::vector<StudyEntry>{{"search.x", "1"}, {"search.x", "2"}, {"name", "other"}},
      std::vector<CertificateRow>{{5, 1.0, 0.0, "{}"}, {5, 2.0, 0.5, "[]"}, {9001, 0, 0, ""}});
  made.forget("search.x");
  CHECK_FALSE(ResultsFile(path).check().known);
  made.finish();
  CHECK(is_as_written(path));
  CHECK(ResultsFile(path).check().rows > 1106);
  // a checksum counts until the next change
  const std::vector<std::function<void()>> changes = {
      [&] { store(made, ids_from(6, 1499)); }, [&] { made.forget("name"); },
      [&] {
        made.append({}, std::vector<StudyEntry>{{"name", "third"}});
      },
      [&] { made.reopen(); }};
  for (const std::function<void()>& change_it : changes) {
    change_it();
    CHECK_FALSE(ResultsFile(path).check().known);
    CHECK_NOTHROW(made.check());
    made.finish();
    CHECK(is_as_written(path));
    made.finish();
    CHECK(is_as_written(path));
  }
  for (const SmallStudy& small : small_studies()) {
    run_small(small.study, fresh("small.db"));
    const fs::path small_path = fs::path(COUNTERPOISE_TEST_DIR) / "small.db";
    CHECK(is_as_written(small_path));
    merge({small_path}, fresh("merged.db"), Existing::replace, false);
    CHECK(is_as_written(fs::path(COUNTERPOISE_TEST_DIR) / "merged.db"));
  }
}

TEST_CASE("a change of any row of any table is found by the check") {
  for (const char* sql :
       {"UPDATE cases SET x = x + 1e-12 WHERE id = 1500",
        "UPDATE cases SET part = 'x' WHERE id = 1500",
        "UPDATE cases SET \"part.row\" = 9 WHERE id = 1500",
        "UPDATE cases SET load = 0 WHERE id = 1501",
        "UPDATE cases SET mean = -1.5 WHERE id = 1501",
        "UPDATE cases SET reason = '' WHERE id = 1504",
        "UPDATE cases SET status = 'failed' WHERE id = 1504",
        "UPDATE cases SET load = 1e9 WHERE id = 1504",
        "UPDATE cases SET mean = 'x' WHERE id = 1508",
        "DELETE FROM cases WHERE id = 1500",
        "DELETE FROM cases WHERE id BETWEEN 1025 AND 2048",
        "DELETE FROM cases",
        "UPDATE cases SET id = 4000 WHERE id = 1500",
        "UPDATE study SET value = 'x' WHERE key = 'name'",
        "DELETE FROM study WHERE key = 'name'",
        "UPDATE variables SET definition = '[]'",
        "UPDATE columns SET name = upper(name) WHERE name = 'load'",
        "INSERT INTO baselines VALUES('baseline', '', 'failed', '', 1, 1, 1)",
        "UPDATE failures SET bound = 3 WHERE id = 1504",
        "INSERT INTO failures SELECT 1, kind, of, motion, t, value, bound FROM failures LIMIT 1",
        "UPDATE leading SET ids = '[]'",
        "UPDATE digest SET writes = writes + 1",
        "DROP TABLE digest",
        "DROP TABLE certificates",
        "INSERT INTO failure_names VALUES(1, 2, 'a', 'b', 'c')",
        "DELETE FROM checksum",
        "UPDATE checksum SET hash = hash + 1",
        "UPDATE checksum SET rows = rows + 1"}) {
    CAPTURE(sql);
    const fs::path path = finished("changed.db");
    REQUIRE(is_as_written(path));
    change(path, sql);
    const std::string said = refusal_of([&] {
      const ResultsFile::Check check = ResultsFile(path).check();
      CHECK(check.known);
      CHECK_THAT(check.fault, Catch::StartsWith("its rows are not as they were when it was"));
    });
    // what is no results file any more need not be added up
    CHECK((said.empty() || std::string(sql).find("columns") != std::string::npos));
    CHECK_THAT(refusal_of([&] { Store::open(path).check(); }), Catch::Contains("is damaged"));
  }
}

TEST_CASE("rows that change places are the same rows, and readers compare nothing") {
  const fs::path path = finished("vacuumed.db");
  change(path, "VACUUM");
  CHECK(is_as_written(path));
  change(path, "UPDATE cases SET load = 7 WHERE id = 1501");
  CHECK(ResultsFile(path).find(1501)->metrics.front() == 7.0);
  CHECK_FALSE(is_as_written(path));
}

TEST_CASE("a file without checksums, or with an earlier version's, is read and continued") {
  const fs::path path = finished("earlier.db");
  change(path,
         "DROP TABLE checksum; CREATE TABLE checksums(part TEXT, block INTEGER, rows INTEGER, hash "
         "INTEGER, PRIMARY KEY(part, block)) WITHOUT ROWID; INSERT INTO checksums VALUES('cases', "
         "0, 1, 1), ('feasible', 0, 0, 0)");
  CHECK_FALSE(ResultsFile(path).check().known);
  CHECK(rank(ResultsFile(path), {}).front().table.rows.size() > 1000);
  Store old = Store::open(path);
  CHECK_NOTHROW(old.check());
  store(old, {5000});
  old.finish();
  CHECK(is_as_written(path));
  CHECK(ResultsFile(path).find(5000).has_value());
}

TEST_CASE("a run that is finished is not resumed where its rows were changed since") {
  for (const SmallStudy& small : small_studies()) {
    CAPTURE(small.name);
    const fs::path path = fresh("resumed.db");
    run_small(small.study, path);
    CHECK(refusal_of([&] { run_small(small.study, path, {.resume = true}); }).empty());
    change(path,
           "UPDATE cases SET \"shoulder.max\" = 7 WHERE id = (SELECT max(id) FROM cases WHERE "
           "status = 'feasible')");
    const std::string changed = everything_in(path);
    CHECK_THAT(refusal_of([&] { run_small(small.study, path, {.resume = true}); }),
               Catch::Contains("are not as they were when it was finished") &&
                   Catch::Contains("run --force"));
    CHECK(everything_in(path) == changed);
  }
}
