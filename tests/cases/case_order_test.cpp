#include "cases/case_points.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>
#include <set>

#include "tests/support/arm_study.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

std::string levels(const std::string& name, double low, double high, int count) {
  return '"' + name + R"(": {"range": [)" + std::to_string(low) + ", " + std::to_string(high) +
         R"(], "count": )" + std::to_string(count) + "}";
}

/// A grid over a mass, a spring's law, its mount and the choice of a motion, in any order.
Study grid(std::mt19937& random, int most) {
  const auto count = [&] { return 1 + static_cast<int>(random() % static_cast<unsigned>(most)); };
  std::vector<std::string> variables = {
      levels("load", 1.0, 3.0, count()), levels("rate", 100.0, 900.0, count()),
      levels("mount", 0.1, 0.4, count()), R"("path": {"motion": ["fold", "swing"]})"};
  std::shuffle(variables.begin(), variables.end(), random);
  std::string members;
  for (const std::string& variable : variables) members += (members.empty() ? "" : ", ") + variable;
  return study_of(arm_files(arm_study(
      R"("variables": {)" + members + R"(}, "sampling": {"method": "grid"}, )" + one_objective,
      R"({"swing": "swing.json", "fold": "fold.json"})")));
}

Study sampled(const std::string& variables, const std::string& sampling) {
  return study_of(arm_files(arm_study(R"("variables": {)" + variables + R"(}, "sampling": )" +
                                      sampling + ", " + one_objective)));
}

/// The ids of a range, window by window, in the order of evaluation.
std::vector<std::int64_t> arranged(CaseOrder& order, const IdRange& range, std::int64_t largest) {
  std::vector<std::int64_t> ids;
  std::vector<std::uint32_t> offsets;
  std::vector<double> points;
  for (std::int64_t next = range.first; next <= range.last;) {
    const IdRange window = order.window(next, range.last);
    REQUIRE(window.first == next);
    REQUIRE(window.size() >= 1);
    REQUIRE(window.size() <= largest);
    REQUIRE(window.last <= range.last);
    const std::int64_t base = order.arrange(window, offsets, points);
    REQUIRE(static_cast<std::int64_t>(offsets.size()) == window.size());
    for (const std::uint32_t offset : offsets) ids.push_back(base + offset);
    next = window.last + 1;
  }
  return ids;
}

bool each_once(std::vector<std::int64_t> ids, const IdRange& range) {
  std::sort(ids.begin(), ids.end());
  std::vector<std::int64_t> expected(static_cast<std::size_t>(range.size()));
  std::iota(expected.begin(), expected.end(), range.first);
  return ids == expected;
}

/// How often one of these variables differs from the case before.
int changes(const Study& study, const std::vector<std::int64_t>& ids,
            const std::vector<std::string>& names) {
  PointSource source(study);
  std::vector<double> point(study.variables.size()), last;
  int count = 0;
  for (const std::int64_t id : ids) {
    source.point(id, point);
    for (std::size_t v = 0; v < point.size() && !last.empty(); ++v)
      if (std::find(names.begin(), names.end(), study.variables[v].name) != names.end() &&
          point[v] != last[v]) {
        ++count;
        break;
      }
    last = point;
  }
  return count;
}

}  // namespace

TEST_CASE("a variable is as early as the first stage that reads what it changes") {
  const Study study = study_of(arm_files(arm_study(
      R"("variables": {"load": {"range": [1, 3]}, "rate": {"range": [1, 3]},
"mount": {"range": [0.1, 0.3]}, "strongest": {"range": [10, 30]}, "tension": {"range": [1, 3]},
"spring": {"catalogue": "springs.csv", "sets": {"free": "free_length", "height": "rate/100000"}}},
"sampling": {"method": "random", "count": 3}, )" +
          one_objective,
      R"({"swing": "swing.json", "heavy": {"file": "fold.json", "parameters": {"load": 4}}})")));
  CHECK(first_stages(study) == std::vector<Stage>{Stage::tree_forces, Stage::loads,
                                                  Stage::spring_geometry, Stage::loads,
                                                  Stage::loads, Stage::spring_geometry});
}

TEST_CASE("what every motion sets for itself, a variable does not change") {
  const Study study = study_of(arm_files(arm_study(
      R"("variables": {"load": {"range": [1, 3]}}, "sampling": {"method": "random", "count": 3}, )" +
          one_objective,
      R"({"light": {"file": "swing.json", "parameters": {"load": 1}},
"heavy": {"file": "fold.json", "parameters": {"load": 4}}})")));
  CHECK(first_stages(study) == std::vector<Stage>{Stage::loads});
}

TEST_CASE("windows of a grid hold every id once, and parts go on where those before end") {
  std::mt19937 random(20240607);
  for (int trial = 0; trial < 60; ++trial) {
    const Study study = grid(random, 7);
    const std::int64_t count = study.case_count();
    for (const std::int64_t largest :
         {std::int64_t{1}, static_cast<std::int64_t>(1 + random() % 40), count}) {
      CaseOrder order(study, largest);
      const std::int64_t first =
          1 + static_cast<std::int64_t>(random() % static_cast<unsigned long>(count));
      const std::int64_t last = first + static_cast<std::int64_t>(random()) % (count - first + 1);
      CAPTURE(trial, count, largest, first, last);
      const auto whole = arranged(order, {1, count}, largest);
      REQUIRE(each_once(whole, {1, count}));
      std::vector<std::int64_t> parts;
      for (const IdRange& places :
           {IdRange{1, first - 1}, IdRange{first, last}, IdRange{last + 1, count}}) {
        const auto ids = arranged(order, places, largest);
        parts.insert(parts.end(), ids.begin(), ids.end());
        for (const std::int64_t id : ids) {
          REQUIRE(id >= order.ids_around(places).first);
          REQUIRE(id <= order.ids_around(places).last);
        }
      }
      REQUIRE(parts == whole);
    }
  }
}

TEST_CASE("in a window of a whole grid, what slow stages read changes as seldom as it can") {
  std::mt19937 random(20240608);
  for (int trial = 0; trial < 20; ++trial) {
    const Study study = grid(random, 6);
    const std::int64_t count = study.case_count();
    CaseOrder order(study, count);
    const auto ids = arranged(order, {1, count}, count);
    const auto level_count = [&](const std::string& name) {
      for (const Variable& variable : study.variables)
        if (variable.name == name) return static_cast<int>(variable.level_count());
      return 0;
    };
    const int masses = 2 * level_count("load"), mounts = masses * level_count("mount");
    CAPTURE(trial, count);
    CHECK(changes(study, ids, {"path"}) == 1);
    CHECK(changes(study, ids, {"path", "load"}) == masses - 1);
    CHECK(changes(study, ids, {"path", "load", "mount"}) == mounts - 1);
    CHECK((order.rising() || order.run_length() == level_count("rate")));
  }
}

TEST_CASE("windows of a grid end early where nothing but springs and their mounts change") {
  const std::string springs =
      levels("rate", 100.0, 900.0, 200) + ", " + levels("mount", 0.1, 0.4, 201);
  for (const bool masses : {false, true}) {
    const Study study =
        sampled(springs + (masses ? ", " + levels("load", 1.0, 3.0, 2) : std::string()),
                R"({"method": "grid"})");
    const std::int64_t count = study.case_count();
    CaseOrder order(study, count);
    CHECK(order.window(1, count).size() == (masses ? count : 67 * 201));
    CHECK(each_once(arranged(order, {1, count}, count), {1, count}));
  }
}

TEST_CASE("samples are sorted by discrete variables of early stages only") {
  const std::string heavy = R"("load": {"values": [1, 2, 3]}, )";
  for (const std::string method : {"sobol", "latin-hypercube", "random"}) {
    const std::string sampling = R"({"method": ")" + method + R"(", "count": 500, "seed": 2})";
    CAPTURE(method);
    const Study reusing = sampled(heavy + R"("mount": {"range": [0.1, 0.4]})", sampling);
    CaseOrder order(reusing, 200);
    const auto ids = arranged(order, {1, 500}, 200);
    CHECK(each_once(ids, {1, 500}));
    CHECK(changes(reusing, ids, {"load"}) <= 3 * 3 - 1);
  }
}

TEST_CASE("the points that come with sorted samples belong to their ids") {
  const Study study = sampled(R"("load": {"values": [1, 2, 3]}, "mount": {"range": [0.1, 0.4]})",
                              R"({"method": "sobol", "count": 300, "seed": 2})");
  CaseOrder order(study, 128);
  PointSource source(study);
  std::vector<std::uint32_t> offsets;
  std::vector<double> points, point(2);
  order.arrange({129, 256}, offsets, points);
  REQUIRE(points.size() == 2 * offsets.size());
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    source.point(129 + offsets[i], point);
    CHECK(std::equal(point.begin(), point.end(), points.begin() + static_cast<long>(2 * i)));
  }
}

TEST_CASE("where a continuous variable is as early, samples stay in the order of their ids") {
  const std::string sampling = R"({"method": "sobol", "count": 300})";
  const Study study =
      sampled(R"("height": {"values": [0.4, 0.5]}, "mount": {"range": [0.1, 0.4]})", sampling);
  CaseOrder order(study, 128);
  CHECK(order.rising());
  const auto ids = arranged(order, {1, 300}, 128);
  CHECK(std::is_sorted(ids.begin(), ids.end()));
  CHECK(each_once(ids, {1, 300}));
}
