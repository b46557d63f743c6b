#include "springs/problem/exact_goals.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "tests/springs/sized_pendulum.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

std::string three() {
  return pendulum::peak + ", " + pendulum::mean + ", " + pendulum::rms;
}

Study study_of_front(const std::string& named, int points) {
  return pendulum::study(pendulum::rate, three(),
                         R"(, "trade_off": {"objectives": [)" + named + R"(], "points": )" +
                             std::to_string(points) + "}");
}

/// Corners that reached these objectives and no larger ones.
ExactGoals::Reached reached_by(std::vector<std::vector<double>> corners) {
  ExactGoals::Reached reached{std::move(corners), {0.0, 0.0, 0.0}};
  for (const std::vector<double>& corner : reached.best)
    for (std::size_t i = 0; i < corner.size(); ++i)
      reached.sizes[i] = std::max(reached.sizes[i], std::abs(corner[i]));
  return reached;
}

/// What the objectives of a goal are where its largest part is 1: on the task's way from the ideal
/// point.
std::map<int, double> one_step_along(const SizingGoal& goal) {
  std::map<int, double> objectives;
  for (const SizingGoal::Part& part : goal.largest)
    objectives[part.objective] = part.reference + 1.0 / part.weight;
  return objectives;
}

}  // namespace

TEST_CASE("without a trade-off the first objective comes first and the others settle ties") {
  const Study study = pendulum::study(pendulum::rate, three());
  const ExactGoals goals(study);
  CHECK(goals.count() == 1);
  CHECK(goals.is_corner(0));
  CHECK(goals.corners() == std::vector<int>{0});
  const SizingGoal goal = goals.corner_goal(0);
  REQUIRE(goal.largest.size() == 1);
  CHECK(goal.largest[0].objective == 0);
  CHECK(goal.largest[0].weight == 1.0);
  CHECK(goal.largest[0].reference == 0.0);
  CHECK(goal.then == std::vector<int>{1, 2});
}

TEST_CASE("tasks of two objectives go from the best of one to the best of the other") {
  const Study study = study_of_front(R"("rms", "peak")", 5);
  const ExactGoals goals(study);
  REQUIRE(goals.count() == 5);
  CHECK(goals.corners() == std::vector<int>{0, 4});
  CHECK(goals.corner_goal(0).largest[0].objective == 2);
  CHECK(goals.corner_goal(0).then == std::vector<int>{0});
  CHECK(goals.corner_goal(4).largest[0].objective == 0);
  CHECK(goals.corner_goal(4).then == std::vector<int>{2});
  // objectives of the whole study; mean is not in the trade-off
  const ExactGoals::Reached reached = reached_by({{30.0, 7.0, 2.0}, {10.0, 8.0, 4.0}});
  for (int task = 1; task < 4; ++task) {
    CHECK_FALSE(goals.is_corner(task));
    const SizingGoal goal = goals.goal(task, reached);
    const auto step = one_step_along(goal);
    REQUIRE(step.size() == 2);
    CHECK(step.at(2) == Approx(2.0 + 2.0 * task / 4.0).epsilon(1e-14));
    CHECK(step.at(0) == Approx(10.0 + 20.0 * (4 - task) / 4.0).epsilon(1e-14));
    CHECK(goal.then == std::vector<int>{2, 0});
    CHECK(goal.bounds.empty());
  }
}

TEST_CASE("two points are corners alone") {
  const Study study = study_of_front(R"("peak", "mean")", 2);
  const ExactGoals goals(study);
  CHECK(goals.count() == 2);
  CHECK(goals.corners() == std::vector<int>{0, 1});
}

TEST_CASE("tasks of three objectives go in the directions of a triangle's grid, each once") {
  const Study study = study_of_front(R"("mean", "rms", "peak")", 5);
  const ExactGoals goals(study);
  REQUIRE(goals.count() == 15);
  CHECK(study.search()->task_count() == 15);
  const std::vector<int> corners = goals.corners();
  REQUIRE(corners.size() == 3);
  std::set<int> first;
  for (const int task : corners) {
    CHECK(goals.is_corner(task));
    const SizingGoal goal = goals.corner_goal(task);
    REQUIRE(goal.largest.size() == 1);
    first.insert(goal.largest[0].objective);
    std::set<int> all(goal.then.begin(), goal.then.end());
    CHECK(goal.then.size() == 2);
    all.insert(goal.largest[0].objective);
    CHECK(all == std::set<int>{0, 1, 2});
  }
  CHECK(first == std::set<int>{0, 1, 2});

  // every objective from 0 to 1 along the front, so that a step is the direction
  const ExactGoals::Reached reached =
      reached_by({{0.0, 1.0, 1.0}, {1.0, 0.0, 1.0}, {1.0, 1.0, 0.0}});
  std::set<std::vector<long>> quarters;
  for (int task = 0; task < goals.count(); ++task) {
    if (goals.is_corner(task)) continue;
    const auto step = one_step_along(goals.goal(task, reached));
    REQUIRE(step.size() == 3);
    std::vector<long> direction;
    for (const int objective : {0, 1, 2}) {
      const double share = step.at(objective);
      direction.push_back(std::lround(4.0 * share));
      // along the edges a thousandth is left, as no weight may be infinite
      CHECK(share == Approx(direction.back() == 0 ? 1e-3 : direction.back() / 4.0).epsilon(1e-12));
    }
    CHECK(direction[0] + direction[1] + direction[2] == 4);
    quarters.insert(direction);
  }
  CHECK(quarters.size() == 12);
}

TEST_CASE("the ideal point is made from the corners that have a design") {
  const Study study = study_of_front(R"("peak", "mean", "rms")", 3);
  const ExactGoals goals(study);
  const int task = goals.is_corner(1) ? 2 : 1;
  const auto step =
      one_step_along(goals.goal(task, reached_by({{1.0, 9.0, 5.0}, {}, {3.0, 4.0, 2.0}})));
  const auto all = one_step_along(
      goals.goal(task, reached_by({{1.0, 9.0, 5.0}, {3.0, 4.0, 2.0}, {3.0, 4.0, 2.0}})));
  CHECK(step == all);
  CHECK(step.size() == 3);
}

TEST_CASE("objectives that agree do not compete, but still settle ties") {
  const Study study = study_of_front(R"("peak", "mean", "rms")", 3);
  const ExactGoals goals(study);
  const int task = goals.is_corner(1) ? 2 : 1;
  // mean is the same at all corners, but for rounding
  const double mean = 7.0;
  const SizingGoal goal = goals.goal(
      task, reached_by({{1.0, mean, 5.0}, {3.0, mean * (1.0 + 1e-12), 4.0}, {2.0, mean, 2.0}}));
  CHECK(one_step_along(goal).size() == 2);
  CHECK(one_step_along(goal).count(1) == 0);
  // nor where it is best at 0, and the least of what it could be elsewhere
  ExactGoals::Reached tiny = reached_by({{1.0, 0.0, 5.0}, {3.0, 1e-12, 4.0}, {2.0, 0.0, 2.0}});
  CHECK(one_step_along(goals.goal(task, tiny)).count(1) == 1);
  tiny.sizes[1] = 20.0;
  CHECK(one_step_along(goals.goal(task, tiny)).count(1) == 0);
  CHECK(goal.then == std::vector<int>{0, 1, 2});
  // and so close that it matters: they do compete
  CHECK(one_step_along(
            goals.goal(task, reached_by({{1.0, mean, 5.0}, {3.0, mean * (1.0 + 1e-6), 4.0}, {}})))
            .size() == 3);

  // a search over geometry finds no more than what ties
  const Study searched = pendulum::study(
      pendulum::rate + R"(, "post": {"range": [0.3, 0.6]})", three(),
      R"(, "max_evaluations": 5, "trade_off": {"objectives": ["peak", "mean", "rms"], "points": 3})");
  const ExactGoals found(searched);
  for (const double apart : {1e-7, 1e-5}) {
    const auto reached = reached_by({{1.0, mean, 5.0}, {3.0, mean * (1.0 + apart), 4.0}, {}});
    CHECK(one_step_along(found.goal(task, reached)).count(1) == (apart > 1e-6 ? 1 : 0));
    CHECK(one_step_along(goals.goal(task, reached)).count(1) == 1);
  }

  for (const auto& nothing_to_trade :
       {std::vector<std::vector<double>>{{1.0, 2.0, 3.0}, {1.0, 2.0, 3.0}, {1.0, 2.0, 3.0}},
        std::vector<std::vector<double>>{{0.0, 0.0, 0.0}, {}, {}},
        std::vector<std::vector<double>>{{}, {}, {}}}) {
    const SizingGoal alone = goals.goal(task, reached_by(nothing_to_trade));
    REQUIRE(alone.largest.size() == 1);
    CHECK(alone.largest[0].objective == 0);
    CHECK(alone.largest[0].weight == 1.0);
    CHECK(alone.then == std::vector<int>{0, 1, 2});
  }
}
