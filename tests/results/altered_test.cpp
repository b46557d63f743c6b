#include <catch2/catch.hpp>

#include "results/merge.hpp"
#include "results/ranking.hpp"
#include "results/sqlite/database.hpp"
#include "tests/results/results_study.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

/// Twenty cases, with case 7 feasible and 8 infeasible, after some SQL by somebody else.
struct Altered {
  explicit Altered(const std::string& sql) : folder(fresh_folder("altered")) {
    std::mt19937_64 random(3);
    std::vector<CaseRow> rows = random_rows(random, 1, 20);
    rows[6].status = Status::feasible;
    rows[6].reason.clear();
    rows[6].metrics = {1.0, 2.0};
    rows[6].objectives = {1.0, 2.0, 3.0};
    rows[7].status = Status::infeasible;
    rows[7].metrics.clear();
    rows[7].objectives.clear();
    append(Store::create(path(), example_birth(), Existing::refuse), rows);
    Database(path(), Database::Access::write, 0).execute(sql);
  }
  [[nodiscard]] std::string path() const { return folder + "results.db"; }

  std::string folder;
};

}  // namespace

TEST_CASE("what another program changed into no results is refused by every reader") {
  const std::vector<std::pair<const char*, const char*>> wrong = {
      {"UPDATE cases SET peak = NULL WHERE id = 7", "case 7: it is feasible, and a metric"},
      {"UPDATE cases SET average = 'text' WHERE id = 7", "case 7: it is feasible, and a metric"},
      {"UPDATE cases SET power = 9e999 WHERE id = 7", "case 7: it is feasible, and a metric"},
      {"UPDATE cases SET status = 'odd' WHERE id = 8", "case 8: its status is none of"},
      {"UPDATE cases SET status = 'feasible' WHERE id = 8", "case 8: it is feasible, and a metric"},
      {"UPDATE cases SET id = -8 WHERE id = 8", "case -8: ids start at 1"},
      {"UPDATE cases SET radius = 'wide' WHERE id = 8", "case 8: a variable's value"},
      {"UPDATE cases SET motion = NULL WHERE id = 8", "case 8: a variable's value"},
      {"ALTER TABLE cases DROP COLUMN power", "the table cases has not the columns"},
      {"ALTER TABLE cases RENAME COLUMN power TO strength", "the table cases has not the columns"},
      {"ALTER TABLE baselines DROP COLUMN power", "the table baselines has not the columns"},
      {"DELETE FROM columns WHERE name = 'power'", "has not the columns"},
      {"UPDATE baselines SET status = 'odd'", "has an unknown status"},
      {"UPDATE baselines SET peak = 'x' WHERE status = 'feasible'", "a number that is not finite"},
  };
  for (const auto& [sql, text] : wrong) {
    INFO(sql);
    const auto& message = text;
    const Altered altered(sql);
    const auto refused = [&](const std::function<void()>& read) {
      const Thrown thrown = store_error_of(read);
      REQUIRE(thrown.thrown);
      CHECK(thrown.kind == StoreError::Kind::unusable);
      CHECK_THAT(thrown.message,
                 Catch::StartsWith(altered.path() + ": is damaged: ") && Catch::Contains(message));
    };
    refused([&] { all_rows(altered.path()); });
    refused([&] { merge({altered.path()}, altered.folder + "all.db", Existing::refuse, false); });
    CHECK(!std::filesystem::exists(altered.folder + "all.db"));
  }
}

TEST_CASE("numbers of a case that is not feasible are not read") {
  for (const char* sql : {"UPDATE cases SET peak = 1.0 WHERE id = 8",
                          "UPDATE cases SET status = 'failed' WHERE id = 7"}) {
    const Altered altered(sql);
    merge({altered.path()}, altered.folder + "all.db", Existing::replace, false);
    for (const CaseRow& row : all_rows(altered.folder + "all.db"))
      CHECK(row.objectives.empty() == (row.status != Status::feasible));
  }
}

TEST_CASE("no number that is not finite gets into a ranking") {
  const Altered altered("UPDATE cases SET peak = -9e999 WHERE id = 7");
  CHECK_THAT(store_error_of([&] { rank(ResultsFile(altered.path()), {}); }).message,
             Catch::Contains("case 7"));
}
