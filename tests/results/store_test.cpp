#include "results/store.hpp"

#include <sqlite3.h>

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "results/sqlite/database.hpp"
#include "tests/results/results_study.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

constexpr auto unusable = StoreError::Kind::unusable;

CaseRow row_with(std::int64_t id, double number) {
  return {id,
          Status::feasible,
          "",
          {std::string("squat"), number, std::string("a"), std::int64_t{1}},
          {number, 1.0},
          {number, 1.0, 2.0}};
}

class Connection {
 public:
  explicit Connection(const std::string& path) { sqlite3_open(path.c_str(), &handle_); }
  ~Connection() { sqlite3_close(handle_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  int execute(const char* sql) { return sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr); }

 private:
  sqlite3* handle_ = nullptr;
};

}  // namespace

TEST_CASE("every row reads back as it was stored, to the last bit") {
  const std::string path = fresh_folder("store_round_trip") + "a.db";
  std::mt19937_64 random(1);
  std::vector<CaseRow> rows = random_rows(random, 1, 500);
  for (const double number : {5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 0.1, -1e22,
                              9007199254740993.0, 4.9e18, 0.0}) {
    rows.push_back(row_with(static_cast<std::int64_t>(rows.size()) + 1, number));
  }
  {
    Store store = Store::create(path, example_birth(), Existing::refuse);
    append(store, {rows.data(), 100});
    append(store, {rows.data() + 100, rows.size() - 100});
    CHECK(!store.finished());
    store.finish();
    CHECK(store.finished());
  }
  CHECK(all_rows(path) == rows);
  const ResultsFile results(path);
  const Birth birth = example_birth();
  CHECK(results.layout() == birth.layout);
  CHECK(results.variables() == birth.variables);
  CHECK(results.baselines() == birth.baselines);
  CHECK(results.value("study_hash") == "new:abc");
  CHECK(results.count() == static_cast<std::int64_t>(rows.size()));
  CHECK(results.find(7) == rows[6]);
  CHECK(!results.find(100000).has_value());
}

TEST_CASE("rows summed while they are written have the sum of the rows that are read") {
  const std::string folder = fresh_folder("store_sum");
  constexpr double infinity = std::numeric_limits<double>::infinity(),
                   none = std::numeric_limits<double>::quiet_NaN();
  CaseRow odd = row_with(1, -0.0);
  odd.variables[0] = std::string();
  CaseRow unsettled = row_with(2, 9007199254740993.0);
  unsettled.objectives.back() = none;
  unsettled.reason = unsettled_reason;
  CaseRow wrong = row_with(3, -1e22);
  wrong.status = Status::infeasible;
  wrong.metrics.clear();
  wrong.objectives.clear();

  const Birth birth = example_birth();
  RowBatch first(birth.layout), second(birth.layout);
  first.add(unsettled);
  first.add(odd);
  second.add(wrong);
  second.set_failure({0, 5, 2, 1, -0.0, none, infinity});
  second.add(row_with(4, 5e-324));
  const auto write = [&](Store&& store, std::span<const RowBatch> batches) {
    store.append(batches);
    store.finish();
  };
  const std::string path = folder + "a.db", resumed = folder + "resumed.db";
  std::array<RowBatch, 2> both{std::move(first), std::move(second)};
  write(Store::create(path, birth, Existing::refuse), both);
  Store::create(resumed, birth, Existing::refuse).append(std::span(both).first(1));
  write(Store::open(resumed), std::span(both).last(1));  // the rows are read here
  const auto sum_in = [](const std::string& file) {
    Database database(file, Database::Access::read, 0);
    Statement sum(database, "SELECT rows, hash FROM checksum");
    sum.step();
    return std::pair(sum.integer(0), sum.integer(1));
  };
  CHECK(sum_in(path) == sum_in(resumed));
  CHECK(ResultsFile(path).check().known);
  CHECK(ResultsFile(path).check().fault.empty());
  for (const char* change :
       {"UPDATE cases SET radius = 1e-9 WHERE id = 1", "UPDATE failures SET kind = 6",
        "UPDATE cases SET motion = NULL WHERE id = 1", "DELETE FROM failures"}) {
    INFO(change);
    std::filesystem::copy_file(path, folder + "changed.db",
                               std::filesystem::copy_options::overwrite_existing);
    CHECK(Connection(folder + "changed.db").execute(change) == SQLITE_OK);
    CHECK(!ResultsFile(folder + "changed.db").check().fault.empty());
  }
}

TEST_CASE("an unsettled case has objectives that are NULL, and no other case may") {
  const std::string path = fresh_folder("store_unsettled") + "a.db";
  constexpr double open = std::numeric_limits<double>::quiet_NaN();
  CaseRow unsettled = row_with(1, 1.0);
  unsettled.objectives.back() = open;
  Store store = Store::create(path, example_birth(), Existing::refuse);
  CHECK_THROWS_AS(append(store, {&unsettled, 1}), std::logic_error);
  unsettled.reason = unsettled_reason;
  CaseRow without_metric = unsettled;
  without_metric.metrics.front() = open;
  CHECK_THROWS_AS(append(store, {&without_metric, 1}), std::logic_error);
  append(store, {&unsettled, 1});

  const ResultsFile results(path);
  const CaseRow found = results.find(1).value();
  CHECK(!found.settled());
  CHECK(found.metrics == unsettled.metrics);
  CHECK(std::isnan(found.objectives.back()));
  CHECK(Connection(path).execute("UPDATE cases SET reason = ''") == SQLITE_OK);
  CHECK_THROWS_AS(results.find(1), StoreError);
}

TEST_CASE("stored ids are known when the store is opened again, in any order of arrival") {
  const std::string path = fresh_folder("store_ids") + "a.db";
  std::vector<CaseRow> rows{row_with(9, 1.0), row_with(2, 1.0), row_with(70000, 1.0)};
  append(Store::create(path, example_birth(), Existing::refuse), rows);
  const IdSet ids = Store::open(path).done_ids();
  CHECK(ids.size() == 3);
  for (std::int64_t id = -1; id < 70010; ++id) {
    CHECK(ids.contains(id) == (id == 2 || id == 9 || id == 70000));
  }
}

TEST_CASE("numbers that are not finite, misfits and repeated ids never enter, nor their batch") {
  const std::string path = fresh_folder("store_refusals") + "a.db";
  Store store = Store::create(path, example_birth(), Existing::refuse);
  const CaseRow good = row_with(1, 1.0);
  std::vector<CaseRow> bad(6, row_with(2, 1.0));
  bad[0].metrics[1] = std::numeric_limits<double>::quiet_NaN();
  bad[1].objectives[0] = std::numeric_limits<double>::infinity();
  bad[2].variables[1] = -std::numeric_limits<double>::infinity();
  bad[3].status = Status::infeasible;
  bad[4].objectives.pop_back();
  bad[5].id = 1;
  for (const CaseRow& row : bad) {
    const std::vector<CaseRow> batch{good, row};
    CHECK_THROWS_AS(append(store, batch), std::logic_error);
    CHECK(store.done_ids().size() == 0);
  }
  append(store, {&good, 1});
  CHECK(store.done_ids().size() == 1);
}

TEST_CASE("a missing, empty or never born file starts afresh") {
  const std::string folder = fresh_folder("store_birth");
  CHECK(!holds_results(folder + "missing.db"));
  std::ofstream(folder + "empty.db");
  CHECK(!holds_results(folder + "empty.db"));
  Connection(folder + "bare.db").execute("PRAGMA user_version = 3");
  CHECK(!holds_results(folder + "bare.db"));
  for (const char* name : {"missing.db", "empty.db", "bare.db"}) {
    Store::create(folder + name, example_birth(), Existing::refuse);
    CHECK(holds_results(folder + name));
  }
}

TEST_CASE("results are overwritten only on request") {
  const std::string path = fresh_folder("store_overwrite") + "a.db";
  const CaseRow row = row_with(1, 1.0);
  append(Store::create(path, example_birth(), Existing::refuse), {&row, 1});
  const Thrown refused =
      store_error_of([&] { Store::create(path, example_birth(), Existing::refuse); });
  CHECK(refused.thrown);
  CHECK(refused.kind == unusable);
  CHECK_THAT(refused.message, Catch::Contains("--resume") && Catch::Contains("--force"));
  CHECK(all_rows(path).size() == 1);
  Store replacing = Store::create(path, example_birth(), Existing::replace);
  CHECK(all_rows(path).size() == 1);
  std::move(replacing).publish();
  CHECK(all_rows(path).empty());
}

TEST_CASE("files that are not results are refused and stay as they were") {
  const std::string folder = fresh_folder("store_foreign");
  std::ofstream(folder + "text.db") << "dear diary";
  std::ofstream(folder + "long_text.db") << std::string(5000, 'x');
  Connection(folder + "foreign.db").execute("CREATE TABLE cases(id)");
  std::filesystem::create_directory(folder + "folder.db");
  for (const char* name : {"text.db", "long_text.db", "foreign.db", "folder.db"}) {
    CAPTURE(name);
    const std::string path = folder + name;
    const std::string before = text_of(path);
    for (const auto& action : std::vector<std::function<void()>>{
             [&] { Store::open(path); }, [&] { ResultsFile file(path); },
             [&] { Store::create(path, example_birth(), Existing::refuse); }}) {
      const Thrown error = store_error_of(action);
      CHECK(error.thrown);
      CHECK(error.kind == unusable);
      CHECK_THAT(error.message, Catch::Contains(name));
    }
    CHECK(text_of(path) == before);
  }
}

TEST_CASE("an output that cannot be created is unusable and leaves nothing") {
  const std::string folder = fresh_folder("store_nowhere");
  const Thrown error = store_error_of(
      [&] { Store::create(folder + "no/such/a.db", example_birth(), Existing::refuse); });
  CHECK(error.thrown);
  CHECK(error.kind == unusable);
  CHECK(std::filesystem::is_empty(folder));
}

TEST_CASE("a second process is refused while the first one writes; readers are not") {
  const std::string path = fresh_folder("store_two_writers") + "a.db";
  Store store = Store::create(path, example_birth(), Existing::refuse);
  const auto refused = [&path](const std::function<void()>& action) {
    return in_child([&] {
      const Thrown error = store_error_of(action);
      return error.thrown && error.kind == unusable &&
                     error.message == "another process is writing " + path
                 ? 0
                 : 1;
    });
  };
  CHECK(refused([&] { Store::open(path); }) == 0);
  CHECK(refused([&] { Store::create(path, example_birth(), Existing::replace); }) == 0);
  CHECK(in_child([&] { return static_cast<int>(all_rows(path).size()); }) == 0);
  const CaseRow row = row_with(1, 1.0);
  append(store, {&row, 1});
  CHECK(in_child([&] { return static_cast<int>(all_rows(path).size()); }) == 1);
}

TEST_CASE("a database that another program has locked is refused") {
  const std::string path = fresh_folder("store_locked") + "a.db";
  Store::create(path, example_birth(), Existing::refuse);
  Connection other(path);
  for (const char* sql : {"BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"}) {
    CAPTURE(sql);
    REQUIRE(other.execute(sql) == SQLITE_OK);
    for (const auto& action : std::vector<std::function<void()>>{
             [&] { Store::open(path); },
             [&] { Store::create(path, example_birth(), Existing::replace); }}) {
      const int code = in_child([&] {
        const Thrown error = store_error_of(action);
        return error.thrown && error.kind == unusable ? 0 : 1;
      });
      CHECK(code == 0);
    }
    other.execute("ROLLBACK");
  }
  CHECK(holds_results(path));
}
