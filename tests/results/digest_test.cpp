#include "results/rows/digest.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <span>

#include "results/merge.hpp"
#include "results/ranking.hpp"
#include "results/sqlite/database.hpp"
#include "tests/results/results_study.hpp"
#include "tests/support/interposed/disturbance.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

/// So many cases that a digest covers the first ones only.
std::vector<CaseRow> many_rows() {
  std::mt19937_64 random(11);
  std::vector<CaseRow> rows = random_rows(random, 1, 12'000);
  for (CaseRow& row : rows)  // few tie in the second objective, many in the others
    if (row.status == Status::feasible)
      row.objectives[1] = std::uniform_real_distribution<>(-1.0, 5.0)(random);
  return rows;
}

void sql(const std::string& path, const std::string& statements) {
  Database(path, Database::Access::write, 0).execute(statements);
}

void finish(const std::string& path, std::span<const CaseRow> rows) {
  Store store = Store::create(path, example_birth(), Existing::refuse);
  append(store, rows.first(rows.size() / 2));
  append(store, rows.subspan(rows.size() / 2));
  store.finish();
}

std::string said(const Ranking& ranking) {
  std::string text = ranking.motion + ' ' + ranking.by + ' ' + ranking.decided_by;
  for (const std::int64_t number : {ranking.matches, ranking.unsettled, ranking.same, ranking.tied,
                                    ranking.last_place, ranking.knee.value_or(0)})
    text += ' ' + std::to_string(number);
  for (const auto& cells : ranking.table.rows) {
    text += '\n';
    for (const Value& cell : cells) {
      if (const auto* whole = std::get_if<std::int64_t>(&cell)) text += std::to_string(*whole);
      if (const auto* real = std::get_if<double>(&cell)) text += std::to_string(*real);
      if (const auto* words = std::get_if<std::string>(&cell)) text += *words;
      text += ',';
    }
  }
  return text;
}

std::string ranked(const std::string& path, const RankOptions& options = {}) {
  std::string text;
  for (const Ranking& ranking : rank(ResultsFile(path), options)) text += said(ranking) + '\n';
  return text;
}

RankOptions first_places(std::size_t top, const std::string& by = "") {
  RankOptions options;
  options.by = by;
  options.top = top;
  return options;
}

bool has_digest_now(const std::string& path) {
  return ResultsFile(path).digest().has_value();
}

/// Whether two digests name the same cases.
bool same(const std::optional<Digest>& a, const std::optional<Digest>& b) {
  const auto same_leading = [](const Digest::Leading& one, const Digest::Leading& other) {
    return one.objective == other.objective && one.motion == other.motion &&
           one.feasible == other.feasible && one.first == other.first && one.ids == other.ids;
  };
  return a && b && a->statuses == b->statuses &&
         std::equal(a->leading.begin(), a->leading.end(), b->leading.begin(), b->leading.end(),
                    same_leading);
}

}  // namespace

TEST_CASE("a ranking from the digest says what one of all cases says") {
  const std::string folder = fresh_folder("digest_same");
  const std::vector<CaseRow> rows = many_rows();
  finish(folder + "a.db", rows);
  std::filesystem::copy_file(folder + "a.db", folder + "b.db");
  REQUIRE(has_digest_now(folder + "b.db"));  // a copied file is the same file
  sql(folder + "b.db", "DROP TABLE digest");
  REQUIRE((has_digest_now(folder + "a.db") && !has_digest_now(folder + "b.db")));
  constexpr std::size_t tops[] = {2001, 600, 0, 1, 2000, 99'999};
  for (const std::size_t top : std::span(tops).first(test::trials(6)))
    for (const char* by : {"", "average", "power"})
      for (const char* motion : {"", "reach"})
        for (const int same : {0, 1, 2}) {
          CAPTURE(top, by, motion, same);
          RankOptions options = first_places(top, by);
          options.motion = motion;
          if (same > 0) options.same.emplace();
          if (same > 1) options.same->closeness = {0.0, 400.0, 0.0, 0.0};
          CHECK(ranked(folder + "a.db", options) == ranked(folder + "b.db", options));
        }
  const ResultsFile known(folder + "a.db"), read(folder + "b.db");
  for (const Status status : {Status::feasible, Status::infeasible, Status::failed})
    CHECK(known.count(status) == read.count(status));
  CHECK((known.count() == 12'000 && read.count() == 12'000));
}

TEST_CASE("a ranking reads the digest only where it asks for the first cases") {
  const std::string path = fresh_folder("digest_used") + "a.db";
  finish(path, many_rows());
  const std::string before = ranked(path, first_places(5, "average"));
  RankOptions filtered = first_places(5, "average"), front = filtered;
  filtered.where = [](const CaseRow&) { return true; };
  front.pareto = true;
  const std::string all = ranked(path, filtered), on_front = ranked(path, front);
  CHECK(all == before);
  const std::string every_place = ranked(path, first_places(99'999, "average"));
  // the best is left out, and the file made to look as if its digest were still its own
  sql(path,
      "BEGIN; UPDATE leading SET ids = json_remove(ids, '$[0]'); "
      "UPDATE digest SET writes = writes + 1; COMMIT");
  REQUIRE(has_digest_now(path));
  CHECK(ranked(path, first_places(5, "average")) != before);
  CHECK(ranked(path, filtered) == all);
  CHECK(ranked(path, front) == on_front);
  CHECK(ranked(path, first_places(99'999, "average")) == every_place);
}

TEST_CASE("after any change of a file its digest counts no more") {
  const std::vector<CaseRow> rows = many_rows();
  const std::string folder = fresh_folder("digest_changed");
  finish(folder + "whole.db", rows);
  Store::open(folder + "whole.db").finish();
  REQUIRE(has_digest_now(folder + "whole.db"));
  for (const char* change :
       {"UPDATE cases SET average = -9 WHERE id = (SELECT max(id) FROM cases WHERE status = "
        "'feasible')",
        "DELETE FROM cases WHERE id = (SELECT id FROM cases WHERE average NOT NULL ORDER BY "
        "average LIMIT 1)",
        "INSERT INTO cases SELECT 20000, status, reason, motion, radius, spring, \"spring.row\", "
        "\"lift.max\", \"lift.mean\", peak, average - 10, power FROM cases WHERE status = "
        "'feasible' LIMIT 1",
        "UPDATE study SET value = '0.5' WHERE key = 'name'", "VACUUM",
        "PRAGMA journal_mode = WAL; UPDATE cases SET average = -9 WHERE id = 11900",
        "PRAGMA journal_mode = WAL; UPDATE cases SET average = -9 WHERE id = 11900; PRAGMA "
        "journal_mode = DELETE",
        "DROP TABLE leading", "ALTER TABLE digest DROP COLUMN failed"}) {
    CAPTURE(change);
    const std::string path = folder + "changed.db", without = folder + "without.db";
    for (const std::string& file : {path, without}) {
      std::filesystem::copy_file(folder + "whole.db", file,
                                 std::filesystem::copy_options::overwrite_existing);
      sql(file, change);
    }
    CHECK(!has_digest_now(path));
    sql(without, "DROP TABLE IF EXISTS digest");
    CHECK(ranked(path, first_places(30, "average")) ==
          ranked(without, first_places(30, "average")));
    CHECK(ResultsFile(path).count() == static_cast<std::int64_t>(all_rows(path).size()));
  }
}

TEST_CASE("resumed, joined and changed meanwhile, a finished file has the digest of its cases") {
  const std::vector<CaseRow> rows = many_rows();
  const std::string folder = fresh_folder("digest_resumed");
  finish(folder + "whole.db", rows);
  const std::optional<Digest> whole = ResultsFile(folder + "whole.db").digest();
  REQUIRE(whole);
  const std::span<const CaseRow> all(rows);

  const std::string resumed = folder + "resumed.db";
  append(Store::create(resumed, example_birth(), Existing::refuse), all.subspan(5000));
  CHECK(!has_digest_now(resumed));
  Store store = Store::open(resumed);
  append(store, all.first(5000));
  store.finish();
  CHECK(same(ResultsFile(resumed).digest(), whole));
  store.reopen();
  CHECK(!has_digest_now(resumed));
  sql(resumed, "DELETE FROM cases WHERE id = 1");
  append(store, all.first(1));
  store.finish();
  CHECK(same(ResultsFile(resumed).digest(), whole));

  finish(folder + "part1.db", all.first(4000));
  finish(folder + "part2.db", all.subspan(4000));
  merge({folder + "part2.db", folder + "part1.db"}, folder + "joined.db", Existing::refuse, false);
  {
    Store joined = Store::open(folder + "joined.db");  // of 1000 cases, it would not be whole
    joined.finish();
  }
  CHECK(same(ResultsFile(folder + "joined.db").digest(), whole));

  const std::string changed = folder + "changed.db";
  append(Store::create(changed, example_birth(), Existing::refuse), all.first(100));
  Store busy = Store::open(changed);
  append(busy, all.subspan(100));
  sql(changed, "UPDATE cases SET average = -9 WHERE id = 11900 AND status = 'feasible'");
  sql(changed, "DELETE FROM cases WHERE id = 7");
  busy.finish();
  const std::string known = ranked(changed, first_places(30, "average"));
  CHECK(has_digest_now(changed));
  CHECK(ResultsFile(changed).count() == 11'999);
  sql(changed, "DROP TABLE digest");
  CHECK(ranked(changed, first_places(30, "average")) == known);
}

TEST_CASE("a file without room for a digest is finished without one") {
  const std::vector<CaseRow> rows = many_rows();
  const std::string path = fresh_folder("digest_full") + "a.db";
  const int code = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    Store store = Store::create(path, example_birth(), Existing::refuse);
    append(store, rows);
    const auto size = static_cast<rlim_t>(std::filesystem::file_size(path));
    const rlimit limit{size, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
    store.finish();
    return 0;
  });
  CHECK(code == 0);
  CHECK(ResultsFile(path).extent().finished);
  CHECK(!has_digest_now(path));
  Store store = Store::open(path);
  store.finish();
  CHECK(has_digest_now(path));
}

TEST_CASE("killed while it is finished, a file has its digest and is finished, or neither") {
  const std::vector<CaseRow> rows = many_rows();
  const std::string folder = fresh_folder("digest_killed"), path = folder + "a.db";
  append(Store::create(folder + "rows.db", example_birth(), Existing::refuse), rows);
  bool once = false, not_once = false;
  for (int moment = 1; moment <= 30; moment += test::all_trials() ? 1 : 4)
    for (const char* operation : {"write a.db", "sync a.db*", "remove a.db-journal"}) {
      CAPTURE(moment, operation);
      std::filesystem::copy_file(folder + "rows.db", path,
                                 std::filesystem::copy_options::overwrite_existing);
      std::filesystem::remove(path + "-journal");
      in_child([&] {
        Store store = Store::open(path);
        test::disturb(("kill " + std::to_string(moment) + ' ' + operation).c_str());
        store.finish();
        return 0;
      });
      const ResultsFile results(path);
      CHECK(results.digest().has_value() == results.extent().finished);
      CHECK(all_rows(path).size() == rows.size());
      (results.extent().finished ? once : not_once) = true;
    }
  CHECK(once);
  CHECK(not_once);
}

TEST_CASE("a digest names the cases that can be among the first, whatever order they come in") {
  std::mt19937_64 random(5);
  const Birth birth = example_birth();
  for (int round = 0; round < 60; ++round) {
    std::vector<CaseRow> rows = random_rows(random, 1, 400);
    if (round % 2 == 0)
      for (CaseRow& row : rows)
        if (row.status == Status::feasible)
          row.objectives[0] = 1.0 + 1e-6 * row.objectives[0];  // a fifth ties
    std::shuffle(rows.begin(), rows.end(), random);
    RowBatch batch(birth.layout);
    DigestMaker maker(birth.layout, birth.study, birth.variables, birth.baselines,
                      {.first = 20, .most = 60});
    for (const CaseRow& row : rows) batch.add(row);
    for (std::size_t row = 0; row < batch.size(); ++row) maker.take(batch, row);
    const std::optional<Digest> digest = maker.digest();
    REQUIRE(digest);
    CHECK(digest->cases() == 400);
    for (const char* motion : {"squat", "reach"})
      for (std::size_t k = 0; k < birth.layout.objectives.size(); ++k) {
        // every case up to the tolerance of the 20th value
        std::vector<std::pair<double, std::int64_t>> sorted;
        for (const CaseRow& row : rows)
          if (row.status == Status::feasible && std::get<std::string>(row.variables[0]) == motion)
            sorted.emplace_back(row.objectives[k], row.id);
        std::sort(sorted.begin(), sorted.end());
        const double bare = std::string(motion) == "squat" ? std::array{8.0, 3.0, 1.0}[k]
                                                           : std::array{16.0, 5.0, 2.0}[k];
        const double last = sorted[19].first;
        const double limit = last + 1e-6 * std::max(std::abs(last), 1e-6 * bare);
        std::vector<std::int64_t> expected;
        for (const auto& [value, id] : sorted)
          if (value <= limit) expected.push_back(id);
        const Digest::Leading* leading = digest->find(birth.layout.objectives[k], motion);
        if (expected.size() > 60) {
          CHECK(leading == nullptr);
          continue;
        }
        REQUIRE(leading != nullptr);
        CHECK(leading->ids == expected);
        CHECK(leading->feasible == static_cast<std::int64_t>(sorted.size()));
      }
  }
}
