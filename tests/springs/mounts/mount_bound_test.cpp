#include <catch2/catch.hpp>

#include "tests/springs/mounts/grid_oracle.hpp"
#include "tests/springs/mounts/mounted_arm.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

TEST_CASE("no design of a grid is below the proved bound, and the best is as good as the grid's") {
  Random random(81);
  const auto path = fresh("arms.db");
  Ends ends;
  for (int i = 0; i < trials(60); ++i) {
    mounted_arm::Asked asked;
    asked.mounts = 1 + random.below(7);
    asked.objective = mounted_arm::objectives()[random.below(5)];
    asked.search = R"("geometry": "prove", "gap": 1e-4, "max_simplices": 3000)";
    if (random.chance(0.5))  // limits that exclude each other at some mounts, or at all
      asked.rest = fmt::format(R"(, "constraints": [
{{"name": "pull", "expression": "first.max_tension", "max": {:.3g}}},
{{"name": "ease", "expression": "shoulder.max", "max": {:.3g}}}])",
                               random.uniform(5.0, 25.0), random.uniform(10.0, 30.0));
    const Files files = mounted_arm::files(random, asked);
    CAPTURE(i, files.at("study.json"), files.at("model.json"), files.at("work.json"));
    compare_with_grid(study_of(files), path, ends);
  }
  CHECK(ends.none >= trials(60) / 20);
}

TEST_CASE("least tensions are limited and weighed instant by instant") {
  Random random(83);
  const auto path = fresh("taut_arms.db");
  Ends ends;
  const int count = trials(24);
  for (int i = 0; i < count; ++i) {
    mounted_arm::Asked asked;
    asked.mounts = 1 + random.below(3);
    asked.search = R"("geometry": "prove", "gap": 1e-4, "max_simplices": 3000)";
    if (i % 2 == 0)
      asked.objective = fmt::format(R"x({{"name": "o",
"expression": "max(shoulder.max, {:.1f} - {:.2f}*first.min_tension)"}})x",
                                    random.uniform(10.0, 60.0), random.uniform(0.3, 3.0));
    if (i % 2 == 1 || random.chance(0.3))
      asked.rest = fmt::format(R"(, "constraints": [
{{"name": "taut", "expression": "second.min_tension - 0.1*elbow.mean", "min": {:.3g}}},
{{"name": "eased", "expression": "first.max_tension - 0.7*first.min_tension", "max": {:.3g}}}])",
                               random.uniform(0.0, 40.0), random.uniform(5.0, 60.0));
    const Files files = mounted_arm::files(random, asked);
    CAPTURE(i, files.at("study.json"), files.at("model.json"), files.at("work.json"));
    compare_with_grid(study_of(files), path, ends);
  }
  CHECK(2 * ends.proved >= count);
  CHECK(2 * ends.none < count);
}

TEST_CASE("no robot with random mounts and springs is below the proved bound") {
  Random random(9);
  const auto path = fresh("robots.db");
  for (int i = 0; i < trials(10); ++i) {
    mounted_arm::Asked asked;
    asked.mounts = 7;
    asked.search = R"("geometry": "prove", "gap": 1e-2, "max_simplices": 2000)";
    asked.objective =
        mounted_arm::objectives()[static_cast<std::size_t>(i) % mounted_arm::objectives().size()];
    const Study study = study_of(mounted_arm::files(random, asked));
    std::filesystem::remove(path);
    const StoredMounts mounts = proved(study, path);
    CaseEvaluator evaluator(study);
    evaluator.set_baselines(std::make_shared<const Baselines>(evaluator.evaluate_baselines()));
    CaseOutcome outcome;
    double least = no_limit;
    for (int k = 0; k < 2000; ++k) {
      std::vector<double> point;
      for (const Variable& variable : study.variables)
        point.push_back(random.uniform(variable.low, variable.high));
      evaluator.evaluate(point, outcome);
      if (outcome.status == CaseStatus::feasible)
        least = std::min(least, outcome.objectives.front());
    }
    CHECK(least >= mounts.bound.value_or(-no_limit));
  }
}

TEST_CASE("a perfect balance at every mount is proved at once") {
  // with no free length one rate balances a pendulum wherever its spring is mounted
  const Study study = pendulum::study(
      R"("rate": {"range": [0, 9000]}, "post": {"range": [0.3, 0.6]}, "mount": {"range": [0.1, 0.4]})",
      pendulum::mean, R"(, "geometry": "prove")");
  const StoredMounts mounts = proved(study, fresh("balance.db"));
  CHECK(mounts.ended == MountEnd::proved);
  CHECK(*mounts.best < 1e-8 * pendulum::weight);
  CHECK(*mounts.bound >= 0.0);
  CHECK(mounts.parts.at(0).simplices <= 20);
}

TEST_CASE("a spring whose length passes through zero within the ranges is bounded too") {
  // the post may stand where the mount comes by
  const Study study = pendulum::study(
      pendulum::rate + R"(, "free": {"range": [0.1, 0.3]}, "post": {"range": [0, 0.3]},
"mount": {"range": [0.1, 0.3]})",
      pendulum::peak, R"(, "geometry": "prove", "gap": 0.01, "max_simplices": 4000)");
  const StoredMounts mounts = proved(study, fresh("through_zero.db"));
  REQUIRE(mounts.bound);
  const double least = GridOracle(study).best(15, 3);
  CHECK(*mounts.bound <= least + 1e-9);
  CHECK(*mounts.best <= least * (1.0 + 1e-3));
  CHECK(*mounts.bound > 0.0);
}

TEST_CASE("limits that exclude each other at some mounts exclude these alone") {
  const auto path = fresh("some_excluded.db");
  int partly = 0, none = 0, tried = 0;
  for (const double pull : {25.0, 60.0, 90.0, 140.0})
    for (const double ease : {2.0, 4.0, 7.0}) {
      if (!is_tried(tried++, 2)) continue;
      const Study study = pendulum::study(
          pendulum::rate + R"(, "free": {"range": [0.1, 0.3]}, "post": {"range": [0.3, 0.6]},
"mount": {"range": [0.1, 0.4]})",
          pendulum::mean, R"(, "geometry": "prove", "gap": 1e-3, "max_simplices": 20000)",
          fmt::format(R"(, "constraints": [
{{"name": "pull", "expression": "spring.max_tension", "max": {}}},
{{"name": "ease", "expression": "pivot.max", "max": {}}}])",
                      pull, ease));
      std::filesystem::remove(path);
      const StoredMounts mounts = proved(study, path);
      CAPTURE(pull, ease, mounts.parts.front().by_limits);
      CHECK(mounts.ended == MountEnd::proved);
      const double least = GridOracle(study).best(21, 3);
      CHECK(std::isfinite(least) == mounts.best.has_value());
      CHECK(least >= mounts.bound.value_or(no_limit) * (1.0 - 1e-9));
      CHECK(mounts.best.value_or(no_limit) <= least * (1.0 + 1.1e-3));
      const double share = mounts.parts.front().by_limits;
      partly += share > 0.01 && share < 0.99 ? 1 : 0;
      none += mounts.best ? 0 : 1;
    }
  CHECK(partly >= (all_trials() ? 3 : 2));
  CHECK(none >= 1);
}

TEST_CASE(
    "an optimum on a length limit is found, and no more mounts are excluded than limits say") {
  // without limit the best post is the highest, with the mount nearest to the pivot
  const auto path = fresh("length_limit.db");
  double before = 0.0;
  for (const char* longest : {"0.8", "0.65", "0.6"}) {
    const Study study =
        study_of({{"study.json", R"({"format": "counterpoise-study/1", "model": "pendulum.json",
"motions": {"slow": "slow.json"}, "variables": {)" +
                                     pendulum::rate + R"(, "free": {"range": [0.1, 0.15]},
"post": {"range": [0.3, 0.6]}, "mount": {"range": [0.15, 0.45]}},
"search": {"method": "exact-springs", "geometry": "prove", "gap": 1e-6, "max_simplices": 20000},
"objectives": [)" + pendulum::mean + "]}"},
                  {"pendulum.json",
                   with(pendulum::model, R"("max_load": "strongest")",
                        R"("max_load": "strongest", "max_length": )" + std::string(longest))},
                  {"slow.json", pendulum::slow}});
    std::filesystem::remove(path);
    const StoredMounts mounts = proved(study, path);
    CAPTURE(longest);
    REQUIRE(mounts.ended == MountEnd::proved);
    REQUIRE(mounts.best);
    CHECK(mounts.parts.front().by_limits > 0.05);
    const double least = GridOracle(study).best(31, 5);
    CHECK(least >= *mounts.bound * (1.0 - 1e-9));
    CHECK(*mounts.best <= least * (1.0 + 1.1e-6));
    CHECK(*mounts.best > before * 1.01);  // the limit costs something
    before = *mounts.best;
  }
}

TEST_CASE("length limits exclude mounts, and no mounts at all if they exclude all") {
  const Study all_excluded = study_of(
      {{"study.json", R"({"format": "counterpoise-study/1", "model": "pendulum.json",
"motions": {"slow": "slow.json"}, "variables": {)" +
                          pendulum::rate +
                          R"(, "post": {"range": [0.3, 0.4]}, "mount": {"range": [0.1, 0.2]}},
"search": {"method": "exact-springs", "geometry": "prove"}, "objectives": [)" +
                          pendulum::peak + "]}"},
       {"pendulum.json", with(pendulum::model, R"("shortest": "free")", R"("shortest": 0.5)")},
       {"slow.json", pendulum::slow}});
  const StoredMounts mounts = proved(all_excluded, fresh("excluded.db"));
  CHECK(mounts.ended == MountEnd::proved);
  CHECK_FALSE(mounts.best);
  CHECK_FALSE(mounts.bound);
  CHECK(mounts.parts.at(0).by_limits == Approx(1.0));
}

TEST_CASE("a mount that nothing feels is no variable of the proof") {
  const auto path = fresh("unfelt.db");
  const auto variables_of = [](const StoredMounts& mounts) {
    std::vector<std::string> names;
    for (const auto& range : mounts.parts.at(0).loosest) names.push_back(range.variable);
    return names;
  };
  const auto proof = [&](int mounts, const std::string& rest) {
    Random random(85);
    mounted_arm::Asked asked;  // the third spring, on the angle, loads the elbow alone
    asked.mounts = mounts;
    asked.rest = rest;
    std::filesystem::remove(path);
    const StoredMounts found = proved(study_of(mounted_arm::files(random, asked)), path);
    CHECK(found.ended == MountEnd::proved);
    const ResultsFile results(path);
    CHECK(verify_mounts(results, stored_study(results), found, 1).fault.empty());
    return found;
  };
  const std::vector<std::string> two = {"height", "mount"}, three = {"height", "mount", "angle"};
  const StoredMounts without = proof(3, ""), with_angle = proof(7, "");
  CHECK(variables_of(without) == two);
  CHECK(variables_of(with_angle) == two);
  CHECK(with_angle.bound == without.bound);
  CHECK(with_angle.parts.at(0).simplices == without.parts.at(0).simplices);
  // unless a limit reads it
  for (const char* constraint :
       {R"({"name": "pull", "expression": "third.max_tension", "max": 50})",
        R"({"name": "long", "expression": "third.max_length", "max": 0.6})"})
    CHECK(variables_of(proof(7, fmt::format(R"(, "constraints": [{}])", constraint))) == three);
}

TEST_CASE("a spring that may have one length only is refused by name") {
  const auto end_of = [](const char* longest) {
    const Study study =
        study_of({{"study.json", R"({"format": "counterpoise-study/1", "model": "pendulum.json",
"motions": {"slow": "slow.json"}, "variables": {)" +
                                     pendulum::rate + R"(, "aside": {"range": [0.1, 0.9]}},
"search": {"method": "exact-springs", "geometry": "prove", "gap": 1e-3, "max_simplices": 2000},
"objectives": [)" + pendulum::mean + "]}"},
                  {"pendulum.json",
                   with(with(with(pendulum::model, R"("side": [0.3)", R"("side": ["aside")"),
                             R"("other_rate": 0,)", R"("other_rate": 0, "aside": 0.3,)"),
                        R"("free_length": "other_free")",
                        R"("free_length": "other_free", "min_length": 0.5, "max_length": )" +
                            std::string(longest))},
                  {"slow.json", pendulum::slow}});
    try {
      return std::string(word_for(proved(study, fresh("one_length.db")).ended));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  CHECK(end_of("0.51") == "proved");
  const std::string message = end_of("0.5");
  CAPTURE(message);
  CHECK(message.find("spring idle can only have the length 0.5 m") != std::string::npos);
  CHECK(message.find("max_length") != std::string::npos);
}
