#include "results/rows/kept_cases.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "results/merge.hpp"
#include "results/rows/totals.hpp"
#include "tests/results/results_study.hpp"
#include "tests/support/interposed/disturbance.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

constexpr std::int64_t cases = 1000;

Birth birth_with(KeepRule rule) {
  Birth birth = example_birth();
  rule.cases = cases;
  for (StudyEntry& entry : entries_of(rule)) birth.study.push_back(std::move(entry));
  return birth;
}

std::string chosen_motion(const CaseRow& row) {
  return std::get<std::string>(row.variables[0]);
}

bool row_beats(const CaseRow& a, const CaseRow& b) {
  bool better = false;
  for (std::size_t k = 0; k < a.objectives.size(); ++k) {
    if (a.objectives[k] > b.objectives[k]) return false;
    better = better || a.objectives[k] < b.objectives[k];
  }
  return better;
}

/// What is to be kept of some rows, by sorting them and comparing each with each.
std::set<std::int64_t> expected_of(const std::vector<CaseRow>& rows, const KeepRule& rule) {
  std::set<std::int64_t> ids;
  const IdSample sample(cases, rule.sample, rule.seed);
  std::map<std::string, std::vector<const CaseRow*>> by_motion;
  for (const CaseRow& row : rows) {
    if (sample.contains(row.id)) ids.insert(row.id);
    if (row.status == Status::feasible) by_motion[chosen_motion(row)].push_back(&row);
  }
  for (auto& [motion, group] : by_motion) {
    std::sort(group.begin(), group.end(), [](const CaseRow* a, const CaseRow* b) {
      return std::tie(a->objectives, a->id) < std::tie(b->objectives, b->id);
    });
    std::map<std::string, int> levels;
    for (std::size_t i = 0; i < group.size(); ++i) {
      const CaseRow& row = *group[i];
      if (std::cmp_less(i, rule.best)) ids.insert(row.id);
      for (const std::string& name : rule.per) {
        REQUIRE(name == "spring");
        if (levels[std::get<std::string>(row.variables[2])]++ == 0) ids.insert(row.id);
      }
      const double best = group.front()->objectives.front();
      const double without = motion == "squat" ? 8.0 : 16.0;
      const bool ties =
          row.objectives.front() <= best + 1e-6 * std::max(std::abs(best), 1e-6 * without);
      const bool on_front = std::none_of(
          group.begin(), group.end(), [&](const CaseRow* other) { return row_beats(*other, row); });
      if (on_front && (rule.front || ties)) ids.insert(row.id);
    }
  }
  return ids;
}

/// Stores rows in batches of random sizes, and reopens the store after some of them.
void store_shuffled(const std::string& path, const Birth& birth, std::vector<CaseRow> rows,
                    std::mt19937_64& random) {
  std::shuffle(rows.begin(), rows.end(), random);
  std::optional<Store> store(Store::create(path, birth, Existing::refuse));
  for (std::size_t first = 0; first < rows.size();) {
    const std::size_t size = std::min(1 + random() % 300, rows.size() - first);
    append(*store, std::span(rows).subspan(first, size));
    first += size;
    if (random() % 2 == 0) {
      store.reset();
      store.emplace(Store::open(path));
    }
  }
  CHECK(std::cmp_equal(store->done_ids().size(), rows.size()));
  store->finish();
  std::move(*store).publish();
}

/// Everything that a file says about its cases.
std::string told_by(const std::string& path) {
  const ResultsFile file(path);
  std::string told;
  for (const CaseRow& row : all_rows(path)) told += std::to_string(row.id) + ' ';
  const Totals totals = file.totals();
  for (const std::int64_t count : totals.statuses) told += std::to_string(count) + ' ';
  for (const ColumnTotals& column : totals.columns) {
    told += column.sum.text() + ' ' + std::to_string(column.least_id) + ' ' +
            std::to_string(column.most_id) + ' ';
    for (const Histogram::Bin& bin : column.histogram.bins())
      told += std::to_string(bin.low) + ':' + std::to_string(bin.count) + ' ';
  }
  const IdSet evaluated = file.evaluated();
  for (const auto& [first, last] : evaluated.ranges())
    told += std::to_string(first) + '-' + std::to_string(last) + ' ';
  return told;
}

std::set<std::int64_t> stored_ids(const std::string& path) {
  std::set<std::int64_t> ids;
  for (const CaseRow& row : all_rows(path)) ids.insert(row.id);
  return ids;
}

}  // namespace

TEST_CASE("the same cases are kept whatever their order, batches, processes and shards") {
  const std::string folder = fresh_folder("keep_any_order");
  std::mt19937_64 random(3);
  const std::vector<KeepRule> rules = {{.best = 20, .front = true, .sample = 50, .per = {"spring"}},
                                       {.best = 3, .front = false, .sample = 0},
                                       {.best = 0, .front = false, .sample = 400, .seed = 9},
                                       {.best = 0, .front = true, .sample = 0},
                                       {.best = 5000, .front = false, .sample = 5000}};
  int number = 0;
  for (const KeepRule& rule : rules)
    for (int trial = 0; trial < (test::all_trials() ? 6 : 2); ++trial) {
      std::vector<CaseRow> rows = random_rows(random, 1, cases);
      for (CaseRow& row : rows)  // some tie although they differ
        if (row.status == Status::feasible)
          row.objectives.front() += 1.0 + 1e-7 * static_cast<double>(random() % 30);
      const Birth birth = birth_with(rule);
      const std::string name = folder + std::to_string(++number);
      store_shuffled(name + ".one.db", birth, rows, random);
      CHECK(stored_ids(name + ".one.db") == expected_of(rows, rule));
      const std::vector<CaseRow> kept = all_rows(name + ".one.db");
      CHECK(std::all_of(kept.begin(), kept.end(), [&](const CaseRow& row) {
        return row == rows[static_cast<std::size_t>(row.id) - 1];
      }));

      std::vector<std::filesystem::path> parts;
      for (int part = 1; part <= 3; ++part) {
        Birth own = birth;
        own.study.push_back({"shard", std::to_string(part) + "/3"});
        std::vector<CaseRow> share;
        for (const CaseRow& row : rows)
          if (row.id % 3 == part - 1) share.push_back(row);
        parts.emplace_back(name + "." + std::to_string(part) + ".db");
        store_shuffled(parts.back(), own, share, random);
      }
      const MergeSummary summary = merge(parts, name + ".all.db", Existing::refuse, false);
      CHECK(summary.complete);
      CHECK(summary.cases == cases);
      CHECK(told_by(name + ".all.db") == told_by(name + ".one.db"));
    }
}

TEST_CASE("totals count all cases") {
  const std::string path = fresh_folder("keep_totals") + "a.db";
  std::mt19937_64 random(4);
  const std::vector<CaseRow> rows = random_rows(random, 1, cases);
  store_shuffled(path, birth_with({.best = 2}), rows, random);
  const ResultsFile file(path);
  const Totals totals = file.totals();
  CHECK(file.count() == cases);
  CHECK(file.kept_count() < 100);
  std::size_t column = 0;
  const auto check = [&](const auto& value_of) {
    const ColumnTotals& own = totals.columns[column++];
    std::int64_t count = 0;
    const CaseRow *least = nullptr, *most = nullptr;
    ExactSum sum;
    for (const CaseRow& row : rows) {
      if (row.status != Status::feasible) continue;
      ++count;
      sum.add(value_of(row));
      if (least == nullptr || value_of(row) < value_of(*least)) least = &row;
      if (most == nullptr || value_of(row) > value_of(*most)) most = &row;
    }
    CHECK(own.count == count);
    CHECK(own.least == value_of(*least));
    CHECK(own.least_id == least->id);
    CHECK(own.most == value_of(*most));
    CHECK(own.most_id == most->id);
    CHECK(own.sum.text() == sum.text());
  };
  for (std::size_t m = 0; m < 2; ++m) check([m](const CaseRow& row) { return row.metrics[m]; });
  for (std::size_t o = 0; o < 3; ++o) check([o](const CaseRow& row) { return row.objectives[o]; });
  for (const Status status : {Status::feasible, Status::infeasible, Status::failed})
    CHECK(file.count(status) == std::count_if(rows.begin(), rows.end(), [&](const CaseRow& row) {
            return row.status == status;
          }));
}

TEST_CASE("files that have evaluated the same case are not joined") {
  const std::string folder = fresh_folder("keep_overlap");
  std::mt19937_64 random(5);
  const std::vector<CaseRow> rows = random_rows(random, 1, cases);
  const Birth birth = birth_with({.best = 2});
  append(Store::create(folder + "a.db", birth, Existing::refuse), std::span(rows).first(600));
  append(Store::create(folder + "b.db", birth, Existing::refuse), std::span(rows).subspan(599));
  const Thrown thrown = store_error_of([&] {
    merge({folder + "a.db", folder + "b.db"}, folder + "all.db", Existing::refuse, false);
  });
  CHECK(thrown.thrown);
  CHECK(thrown.message.find("b.db: has evaluated cases from 600 to 1000") != std::string::npos);
  CHECK(!std::filesystem::exists(folder + "all.db"));
}

TEST_CASE("a sample has as many ids as are wanted, each as likely") {
  for (const std::int64_t count : {1, 2, 3, 10, 1000, 4097, 100'000}) {
    for (const std::uint64_t seed : {0U, 1U, 77U}) {
      const std::int64_t wanted = count / 3;
      const IdSample sample(count, wanted, seed);
      std::set<std::uint64_t> places;
      std::vector<std::int64_t> tenths(10);
      std::int64_t taken = 0;
      for (std::int64_t id = 1; id <= count; ++id) {
        places.insert(sample.place(id));
        if (!sample.contains(id)) continue;
        ++taken;
        ++tenths[(id - 1) * 10 / count];
      }
      CHECK(std::cmp_equal(places.size(), count));
      CHECK(*places.rbegin() == static_cast<std::uint64_t>(count - 1));
      CHECK(taken == wanted);
      if (count < 100'000) continue;
      for (const std::int64_t tenth : tenths)  // 3333 expected; six times the deviation
        CHECK(std::abs(static_cast<double>(tenth) - 3333.3) < 6.0 * std::sqrt(3333.3 * 0.6));
    }
  }
}

namespace {

/// A case that no other of these dominates, the `place`-th along their front.
CaseRow row_of_front(std::int64_t id, std::int64_t place) {
  CaseRow row;
  row.id = id;
  row.variables = {std::string("squat"), 0.5, std::string("x"), std::int64_t{1}};
  row.metrics = {0.0, 0.0};
  const auto t = static_cast<double>(place);
  row.objectives = {t, -t, 5.0};
  return row;
}

}  // namespace

TEST_CASE("a large front is thinned out to a sample of it, and keeps its ends and ties") {
  const Birth birth = birth_with({.front = true});
  KeptCases kept(*keep_rule_of(birth.study), birth);
  RowBatch batch(birth.layout);
  for (std::int64_t id = 1; id <= cases; ++id) {
    batch.add(row_of_front(id, id));
    kept.offer(batch, static_cast<std::size_t>(id) - 1);
  }
  kept.settle();
  const auto count = [&](std::int64_t first, std::int64_t last) {
    std::int64_t found = 0;
    for (std::int64_t id = first; id <= last; ++id) found += kept.contains(id) ? 1 : 0;
    return found;
  };
  CHECK(count(1, cases) == cases);
  CHECK(kept.largest_front() == 1000);
  kept.thin_fronts(1000);
  CHECK(count(1, cases) == cases);
  kept.thin_fronts(100);
  CHECK(count(1, cases) == 100);
  CHECK(kept.contains(1));
  CHECK(kept.contains(cases));
  CHECK(count(1, 500) > 25);
  CHECK(count(501, 1000) > 25);
  CHECK(kept.take_dropped().size() == 900);
}

TEST_CASE("kinds of reasons tell names whole and leave out numbers only") {
  CHECK(kind_of_reason("no springs can meet all of: slack1, max_length of s1 in motion p0") ==
        "no springs can meet all of: slack1, max_length of s1 in motion p0");
  CHECK(kind_of_reason("no springs can meet all of: k2 at most 1e+03, s1_max at least -0.25") ==
        "no springs can meet all of: k2 at most ..., s1_max at least -...");
  CHECK(kind_of_reason("spring s1 longer than max_length at t=0.5 s") ==
        "spring s1 longer than max_length");
  CHECK(kind_of_reason("spring s2b longer than max_length (0.25 m, at most 0.2 m)") ==
        "spring s2b longer than max_length");
  CHECK(kind_of_reason("7 of 9") == "... of ...");
  CHECK(kind_of_reason("") == "");
}

TEST_CASE("a front is thinned out once, also by a run that is killed on the way") {
  constexpr auto all = static_cast<std::int64_t>(most_of_front) + 200;
  Birth birth = example_birth();
  std::erase_if(birth.study, [](const StudyEntry& entry) { return entry.key == case_count_key; });
  birth.study.push_back({case_count_key, std::to_string(all)});
  KeepRule rule{.best = 50'000, .front = true, .sample = 0, .cases = all};
  for (StudyEntry& entry : entries_of(rule)) birth.study.push_back(std::move(entry));
  const std::string folder = fresh_folder("thinned"), path = folder + "a.db";
  {
    Store store = Store::create(path, birth, Existing::refuse);
    RowBatch batch(birth.layout);
    for (std::int64_t id = 1; id <= all; ++id) batch.add(row_of_front(id, id));
    store.append(batch);
  }
  const auto finished = [&](const std::string& from, const char* moment) {
    const std::string copy = folder + "b.db";
    std::filesystem::copy_file(from, copy, std::filesystem::copy_options::overwrite_existing);
    const int code = in_child([&] {
      Store store = Store::open(copy);
      if (moment != nullptr) test::disturb(moment);
      store.finish();
      return 0;
    });
    CHECK(code == (moment == nullptr ? 0 : -SIGKILL));
    return copy;
  };
  const auto kept = [&](const std::string& results) {
    return std::pair(ResultsFile(results).study(), all_rows(results));
  };
  const auto undisturbed = kept(finished(path, nullptr));
  CHECK(undisturbed.second.size() > most_of_front);  // as the best stay, of the front or not
  for (const int commits : {1, 2}) {  // the front is thinned out, and the room is free
    if (commits == 2 && !test::all_trials()) break;
    const std::string moment = "kill " + std::to_string(commits + 1) + " remove b.db-journal";
    CAPTURE(moment);
    const std::string killed = folder + "killed.db";
    const std::string left = finished(path, moment.c_str());
    std::filesystem::rename(left, killed);
    if (std::filesystem::exists(left + "-journal"))
      std::filesystem::rename(left + "-journal", killed + "-journal");
    Store::open(killed).finish();
    CHECK((kept(killed) == undisturbed));
  }
}
