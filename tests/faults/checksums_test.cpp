#include <catch2/catch.hpp>
#include <filesystem>

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

fs::path three_blocks(const std::string& name) {
  fs::path path = fresh(name);
  Store made = Store::create(path, birth_of_numbers(), Existing::refuse);
  store(made, ids_from(1, 3000));
  made.finish();
  return path;
}

void change(const fs::path& path, const std::string& sql) {
  Database(path, Database::Access::write, 0).execute(sql);
}

void read_all(const ResultsFile& results) {
  auto cases = results.cases();
  for (CaseRow row; cases.next(row);) {
  }
}

}  // namespace

TEST_CASE("rows stored in any order, changed and removed by the program have their checksums") {
  const fs::path path = fresh("orders.db");
  Store made = Store::create(path, birth_of_numbers(), Existing::refuse);
  store(made, ids_from(1500, 2600));
  store(made, {5, 1, 9001, 3, 2});
  made.append(
      {}, std::vector<StudyEntry>{{"search.x", "1"}, {"search.x", "2"}, {"name", "other"}},
      std::vector<CertificateRow>{{5, 1.0, 0.0, "{}"}, {5, 2.0, 0.5, "[]"}, {9001, 0, 0, ""}});
  made.forget("search.x");
  made.forget("none");
  store(made, ids_from(6, 1499));
  made.finish();
  const ResultsFile results(path);
  const ResultsFile::Check check = results.check();
  CHECK(check.known);
  CHECK(check.faults.empty());
  CHECK(check.rows > 2600);
  CHECK(results.find(9001).has_value());
  CHECK(results.certificates().size() == 2);
  read_all(results);
  for (const SmallStudy& small : small_studies()) {
    run_small(small.study, fresh("small.db"));
    CHECK(ResultsFile(fs::path(COUNTERPOISE_TEST_DIR) / "small.db").check().faults.empty());
  }
}

TEST_CASE("numbers of cases that are not feasible, which no reader sees, are found by the check") {
  for (const char* sql : {"UPDATE cases SET load = 1e9 WHERE id = 1504",
                          "UPDATE cases SET mean = 'x' WHERE id = 1508"}) {
    CAPTURE(sql);
    const fs::path path = three_blocks("changed.db");
    change(path, sql);
    const ResultsFile results(path);
    read_all(results);
    const ResultsFile::Check check = results.check();
    REQUIRE(check.faults.size() == 1);
    CHECK_THAT(check.faults.front(), Catch::Contains("ids from 1025 to 2048"));
  }
}

TEST_CASE("a changed row of any kind is found, with its ids, by whoever reads its block") {
  for (const char* sql :
       {"UPDATE cases SET x = x + 1e-12 WHERE id = 1500",
        "UPDATE cases SET part = 'x' WHERE id = 1500",
        "UPDATE cases SET \"part.row\" = 9 WHERE id = 1500",
        "UPDATE cases SET load = 0 WHERE id = 1501", "UPDATE cases SET mean = -1.5 WHERE id = 1501",
        "UPDATE cases SET reason = '' WHERE id = 1504",
        "UPDATE cases SET status = 'failed' WHERE id = 1504", "DELETE FROM cases WHERE id = 1500",
        "DELETE FROM cases WHERE id BETWEEN 1025 AND 2048",
        "DELETE FROM checksums WHERE part = 'cases' AND block = 1",
        "UPDATE checksums SET hash = hash + 1 WHERE part = 'cases' AND block = 1",
        "UPDATE cases SET id = 4000 WHERE id = 1500"}) {
    CAPTURE(sql);
    const fs::path path = three_blocks("changed.db");
    change(path, sql);
    const ResultsFile results(path);
    CHECK_THAT(refusal_of([&] { read_all(results); }),
               Catch::Contains("is damaged: rows of table cases with ids from 1025 to 2048 are not "
                               "as they were written"));
    CHECK_THAT(refusal_of([&] { results.find(1030); }), Catch::Contains("from 1025 to 2048"));
    CHECK(results.find(7).has_value());
    CHECK(results.find(2050).has_value());
    // whoever has just written or compared the rows reads none of the others again
    CHECK_NOTHROW(ResultsFile(path, ResultsFile::Blocks::trusted).find(1030));
    CHECK_THAT(refusal_of([&] { merge({path}, fresh("merged.db"), Existing::replace, false); }),
               Catch::Contains("from 1025 to 2048"));
    CHECK_FALSE(fs::exists(fs::path(COUNTERPOISE_TEST_DIR) / "merged.db"));
    REQUIRE_FALSE(results.check().faults.empty());
    CHECK_THAT(results.check().faults.front(), Catch::Contains("from 1025 to 2048"));
  }
}

TEST_CASE("changes of other tables are found when they are read, and all of them by a check") {
  for (const auto& [sql, table] : std::vector<std::pair<const char*, const char*>>{
           {"UPDATE study SET value = 'x' WHERE key = 'name'", "study"},
           {"DELETE FROM study WHERE key = 'name'", "study"},
           {"UPDATE variables SET definition = '[]'", "variables"},
           {"INSERT INTO columns VALUES('more', 'metric', 'REAL')", "columns"},
           {"INSERT INTO baselines VALUES('baseline', '', 'failed', '', 1, 1, 1)", "baselines"},
           {"UPDATE failures SET bound = 3 WHERE id = 1504", "failures"},
           {"UPDATE leading SET ids = '[]'", "leading"},
           {"INSERT INTO failure_names VALUES(1, 2, 'a', 'b', 'c')", "failure_names"}}) {
    CAPTURE(sql);
    const fs::path path = three_blocks("changed.db");
    // as if SQLite had been told to write the rows so: the digest counts on
    change(path, std::string("BEGIN; UPDATE digest SET writes = writes + 1; ") + sql + "; COMMIT");
    const std::string said = refusal_of([&] {
      const ResultsFile results(path);
      static_cast<void>(results.failures());
      static_cast<void>(results.failure_names());
      static_cast<void>(results.digest());
    });
    CHECK_THAT(said, Catch::Contains("is damaged: rows of table"));
    if (std::string(table) == "failures") CHECK_THAT(said, Catch::Contains("from 1025 to 2048"));
  }
}

TEST_CASE("a ranking finds that what it reads was changed, on places that it does not name, too") {
  const auto front_of = [](const fs::path& path, bool where) {
    const ResultsFile results(path);
    RankOptions options;
    options.pareto = true;  // which is case 1 alone
    options.top = 1;
    if (where) options.where = [](const CaseRow& row) { return row.id < 3000; };
    return rank(results, options).front().table.rows.size();
  };
  const std::string status = "UPDATE cases SET status = 'infeasible', load = NULL, peak = NULL, ";
  for (const std::string& sql :
       {std::string("UPDATE cases SET mean = -0.5 WHERE id = 1501"),
        std::string("UPDATE cases SET peak = peak + 1e-9 WHERE id = 1501"),
        std::string("UPDATE cases SET load = 7 WHERE id = 1501"),
        std::string("UPDATE cases SET x = 7 WHERE id = 1501"),
        status + "mean = NULL WHERE id = 1501", std::string("DELETE FROM cases WHERE id = 1501"),
        std::string("UPDATE checksums SET hash = hash + 1 WHERE part = 'ranked' AND block = 1"),
        std::string("UPDATE checksums SET rows = 9 WHERE part = 'feasible' AND block = 1")}) {
    CAPTURE(sql);
    const fs::path path = three_blocks("ranked.db");
    CHECK(front_of(path, false) == 1);
    CHECK(front_of(path, true) == 1);
    change(path, sql);
    const bool read = sql.find(" x ") == sql.npos && sql.find("load = 7") == sql.npos;
    if (read && sql.find("'feasible'") == sql.npos)
      CHECK_THAT(refusal_of([&] { front_of(path, false); }),
                 Catch::Contains("objectives in table cases with ids from 1025 to 2048 are not"));
    else
      CHECK(front_of(path, false) == 1);
    if (sql.find("'ranked'") == sql.npos)
      CHECK_THAT(
          refusal_of([&] { front_of(path, true); }),
          Catch::Contains("feasible rows of table cases with ids from 1025 to 2048 are not"));
    else
      CHECK(front_of(path, true) == 1);
    REQUIRE(ResultsFile(path).check().faults.size() == 1);
  }
}

TEST_CASE(
    "a file of an earlier version has fewer checksums or none, is read, and can be continued") {
  for (const char* sql :
       {"DROP TABLE checksums", "DELETE FROM checksums WHERE part IN ('feasible', 'ranked')"}) {
    CAPTURE(sql);
    const fs::path path = three_blocks("earlier.db");
    change(path, sql);
    Store old = Store::open(path);
    CHECK(old.remove_damaged() == 0);
    store(old, {5000});
    const ResultsFile results(path);
    CHECK(results.check().known == (std::string_view(sql) != "DROP TABLE checksums"));
    CHECK(results.check().faults.empty());
    CHECK(results.find(5000).has_value());
    read_all(results);
    RankOptions front;
    front.pareto = true;
    CHECK(rank(results, front).front().table.rows.size() == 1);
  }
}

TEST_CASE("resuming a run evaluates again what is not as it was written, where it can") {
  for (const SmallStudy& small : small_studies()) {
    CAPTURE(small.name);
    const fs::path whole = fresh("whole.db"), path = fresh("resumed.db");
    run_small(small.study, whole);
    run_small(small.study, path);
    change(path,
           "UPDATE cases SET \"shoulder.max\" = 7 WHERE id = (SELECT max(id) FROM cases WHERE "
           "status = 'feasible')");
    const std::string said = refusal_of([&] { run_small(small.study, path, {.resume = true}); });
    if (small.study.keep) {
      CHECK_THAT(said, Catch::Contains("are not as they were written"));
      continue;
    }
    CHECK(said.empty());
    CHECK(everything_in(path) == everything_in(whole));
    CHECK(ResultsFile(path).check().faults.empty());
  }
}
