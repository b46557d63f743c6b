#include <catch2/catch.hpp>

#include "tests/results/results_study.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

/// A file with 40 cases of a study that has 100, with further keys in its study table.
Extent extent_with(const std::string& name, const std::vector<StudyEntry>& entries) {
  const std::string path = fresh_folder("extent_" + name) + "results.db";
  Birth birth = example_birth();
  std::erase_if(birth.study, [](const StudyEntry& entry) { return entry.key == "cases"; });
  birth.study.insert(birth.study.end(), entries.begin(), entries.end());
  std::mt19937_64 random(3);
  append(Store::create(path, birth, Existing::refuse), random_rows(random, 1, 40));
  return ResultsFile(path).extent();
}

}  // namespace

TEST_CASE("a file says how many cases of its study it holds, and whether that is the end") {
  const Extent interrupted = extent_with("interrupted", {{"cases", "100"}});
  CHECK(interrupted.done == 40);
  CHECK(interrupted.of == 100);
  CHECK(!interrupted.finished);
  CHECK(!interrupted.complete());

  CHECK(extent_with("whole", {{"cases", "40"}, {"finished", "1"}}).complete());
  CHECK(!extent_with("not_marked", {{"cases", "40"}}).complete());
  CHECK(extent_with("no_count", {{"finished", "1"}}).complete());
  CHECK(!extent_with("odd_count", {{"cases", "40 or so"}, {"finished", "1"}}).of.has_value());
}

TEST_CASE("a file whose rows were deleted is not complete, although it is marked as finished") {
  const Extent thinned = extent_with("thinned", {{"cases", "100"}, {"finished", "1"}});
  CHECK(thinned.finished);
  CHECK(!thinned.complete());
}

TEST_CASE("a finished shard is a part of the study") {
  const Extent shard =
      extent_with("shard", {{"cases", "100"}, {"finished", "1"}, {"shard", "2/3"}});
  CHECK(shard.shard == "2/3");
  CHECK(shard.of == 100);
  CHECK(!shard.complete());
}

TEST_CASE("a finished search is complete with fewer cases than it was allowed") {
  const StudyEntry start{"search.start.0", "converged"};
  const Extent search = extent_with("search", {{"cases", "100"}, {"finished", "1"}, start});
  CHECK(search.of == 40);
  CHECK(search.complete());
  const Extent cut = extent_with("search_cut", {{"cases", "100"}, start});
  CHECK(cut.of == 100);
  CHECK(!cut.complete());
}

TEST_CASE("there is no digest of cases whose objectives are not all known") {
  std::mt19937_64 random(9);
  std::vector<CaseRow> rows = random_rows(random, 1, 50);
  for (CaseRow& row : rows)
    if (row.status == Status::feasible) {
      row.objectives[2] = std::numeric_limits<double>::quiet_NaN();
      row.reason = unsettled_reason;
      break;
    }
  const std::string path = fresh_folder("digest_unsettled") + "a.db";
  Store store = Store::create(path, example_birth(), Existing::refuse);
  append(store, rows);
  store.finish();
  CHECK(ResultsFile(path).extent().finished);
  CHECK(!ResultsFile(path).digest());
  CHECK(ResultsFile(path).count() == 50);
}
