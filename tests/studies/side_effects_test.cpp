#include "studies/side_effects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "input/reading/read.hpp"
#include "tests/cases/evaluated_arm.hpp"
#include "tests/support/simulation.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// Its second spring has the first one's rate, so that both joints feel it.
std::string with_one_rate(const std::string& model) {
  return with(model, R"("rate": 200, "free_length": 0.2)", R"("rate": "rate", "free_length": 0.2)");
}

/// Both robots in both motions, from texts with the numbers written out.
struct Runs {
  std::vector<Simulation> robot, baseline, without_springs;  // swing, fold

  explicit Runs(double rate) {
    for (const std::string& motion_text : {swing, fold}) {
      const auto simulated = [&](double of, bool springs) {
        const Model model = model_of(with_one_rate(arm_with(of, 0.1)));
        const auto motion = read_motion("m.json", model, texts({{"m.json", motion_text}}));
        return run(model.nominal, motion.nominal, {.springs = springs, .reactions = springs});
      };
      robot.push_back(simulated(rate, true));
      baseline.push_back(simulated(300.0, true));
      without_springs.push_back(simulated(300.0, false));
    }
  }
};

double largest_vector(const std::vector<Simulation>& runs, const std::string& stem, char kind) {
  double largest = 0.0;
  for (const Simulation& one : runs)
    for (std::size_t k = 0; k < samples(one); ++k) {
      double squares = 0.0;
      for (const char axis : {'x', 'y', 'z'})
        squares += std::pow(column(one, stem + ".reaction." + kind + axis)[k], 2);
      largest = std::max(largest, std::sqrt(squares));
    }
  return largest;
}

int plain_sign_changes(const std::vector<double>& loads) {
  int changes = 0;
  for (std::size_t k = 1; k < loads.size(); ++k)
    if ((loads[k - 1] > 0.0) != (loads[k] > 0.0)) ++changes;
  return changes;
}

void check_work(const Work& found, const Simulation& of, const std::string& actuator) {
  const auto& t = column(of, "t");
  const auto& load = column(of, actuator + ".load");
  const auto& speed = column(of, actuator + ".velocity");
  double energy = 0.0, power = 0.0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    power = std::max(power, std::abs(load[k] * speed[k]));
    if (k > 0)
      energy += 0.5 * (t[k] - t[k - 1]) *
                (std::abs(load[k] * speed[k]) + std::abs(load[k - 1] * speed[k - 1]));
  }
  CHECK(found.sign_changes == plain_sign_changes(load));
  CHECK(found.energy == Approx(energy).epsilon(1e-12));
  CHECK(found.peak_power == Approx(power).epsilon(1e-12));
}

}  // namespace

TEST_CASE("changes of sign pass over what has none") {
  CHECK(sign_changes(std::vector<double>{}, 0.0) == 0);
  CHECK(sign_changes(std::vector<double>{1.0, 2.0, -1.0, -3.0, 4.0}, 0.0) == 2);
  CHECK(sign_changes(std::vector<double>{1.0, 0.0, 1.0, 0.0, -1.0}, 0.0) == 1);
  CHECK(sign_changes(std::vector<double>{1.0, -1e-3, 1.0, -2e-3, -1.0}, 1e-2) == 1);
  CHECK(sign_changes(std::vector<double>{-1e-3, 1e-3, -1e-3}, 1e-2) == 0);
}

TEST_CASE("side effects equal those of plain loops over both robots") {
  constexpr double rate = 640.0;
  Files files = arm_files(arm_study(
      R"("variables": {"rate": {"values": [640, 300]}}, "sampling": {"method": "grid"},
"objectives": [{"name": "sum", "expression": "shoulder.max + elbow.mean"}])",
      both_motions));
  files["model.json"] = with_one_rate(arm_with_springs);
  Ready ready(files);
  const auto motions = compared_motions(ready.study, ready.evaluator, std::vector<double>{0.0});
  const std::vector<int> actuators = named_actuators(ready.study);
  const SideEffects effects = side_effects(motions, actuators);
  const Runs runs(rate);
  CHECK(effects.no_reactions.empty());

  struct Entry {
    std::string joint;
    double robot, baseline;
  };
  for (const char kind : {'f', 'm'}) {
    std::vector<Entry> expected;
    for (const char* body : {"upper", "lower"}) {
      const Entry entry{body, largest_vector(runs.robot, body, kind),
                        largest_vector(runs.baseline, body, kind)};
      if (std::abs(entry.robot - entry.baseline) > 0.01 * entry.baseline) expected.push_back(entry);
    }
    std::sort(expected.begin(), expected.end(), [](const Entry& a, const Entry& b) {
      return std::abs(a.robot - a.baseline) > std::abs(b.robot - b.baseline);
    });
    const auto& found = kind == 'f' ? effects.forces : effects.moments;
    CAPTURE(kind);
    REQUIRE(found.size() == expected.size());
    if (kind == 'f') CHECK(found.size() == 2);
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(found[i].joint == expected[i].joint);
      CHECK(found[i].robot.value == Approx(expected[i].robot).epsilon(1e-12));
      CHECK(found[i].baseline.value == Approx(expected[i].baseline).epsilon(1e-12));
    }
  }

  REQUIRE(effects.springs.size() == 2);
  for (std::size_t s = 0; s < 2; ++s) {
    const std::string name = s == 0 ? "lift.tension" : "help.tension";
    double robot = 0.0, baseline = 0.0;
    for (std::size_t m = 0; m < 2; ++m) {
      robot = std::max(robot, peak(column(runs.robot[m], name)));
      baseline = std::max(baseline, peak(column(runs.baseline[m], name)));
    }
    const SpringPull& pull = effects.springs[s];
    CHECK(pull.spring == static_cast<int>(s));
    CHECK(pull.robot.value == Approx(robot).epsilon(1e-12));
    REQUIRE(pull.baseline);
    CHECK(pull.baseline->value == Approx(baseline).epsilon(1e-12));
    const auto sample = static_cast<std::size_t>(std::lround(pull.robot.time / 0.01));
    CHECK(std::abs(column(runs.robot[pull.robot.motion], name)[sample]) == pull.robot.value);
  }

  REQUIRE(effects.actuators.size() == 4);
  int changes = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const ActuatorWork& work = effects.actuators[i];
    CHECK(work.actuator == static_cast<int>(i / 2));
    REQUIRE(work.motion == i % 2);
    const std::string actuator = i < 2 ? "shoulder" : "elbow";
    check_work(work.robot, runs.robot[work.motion], actuator);
    REQUIRE(work.baseline);
    check_work(*work.baseline, runs.baseline[work.motion], actuator);
    REQUIRE(work.without_springs);
    check_work(*work.without_springs, runs.without_springs[work.motion], actuator);
    changes += work.robot.sign_changes;
  }
  CHECK(changes > 0);
}

TEST_CASE("a case that is the baseline has no side effects") {
  Ready ready(R"("variables": {"rate": {"values": [640, 300]}}, "sampling": {"method": "grid"}, )" +
                  one_objective,
              both_motions);
  const auto motions = compared_motions(ready.study, ready.evaluator, std::vector<double>{1.0});
  const SideEffects effects = side_effects(motions, named_actuators(ready.study));
  CHECK(effects.forces.empty());
  CHECK(effects.moments.empty());
  for (const SpringPull& pull : effects.springs) CHECK(pull.robot.value == pull.baseline->value);
}

TEST_CASE("a baseline that cannot be built leaves the case alone, and says why") {
  Ready ready(R"("variables": {"rate": {"values": [640, 300]}}, "sampling": {"method": "grid"},
"baseline": {"load": 4.5}, )" +
                  one_objective,
              one_motion);  // `doubled` has a maximum of 8
  const auto motions = compared_motions(ready.study, ready.evaluator, std::vector<double>{0.0});
  CHECK_FALSE(motions.front().baseline);
  const SideEffects effects = side_effects(motions, named_actuators(ready.study));
  CHECK(effects.no_reactions.find("doubled") != std::string::npos);
  CHECK_FALSE(effects.springs.front().baseline);
  CHECK_FALSE(effects.actuators.front().baseline);
  CHECK(effects.springs.front().robot.value > 0.0);
}

TEST_CASE("moments that are rounding beside the loads are no side effect") {
  // held by a linear actuator in its plane: no moment passes through the joint
  const auto model = [](double rate) {
    return fmt::format(R"({{"format": "counterpoise-model/1", "parameters": {{"rate": {}}},
"world": {{"points": {{"foot": [0.31, 0, -0.47], "post": [-0.13, 0, 0.29]}}}},
"bodies": [{{"name": "boom", "parent": "world", "joint": {{"type": "revolute", "axis": "y"}},
 "mass": 7.3, "com": [0.37, 0, 0.05],
 "points": {{"pin": [0.41, 0, 0.03], "mount": [0.23, 0, 0.07]}}}}],
"springs": [{{"name": "lift", "connect": ["world.post", "boom.mount"], "rate": "rate",
 "free_length": 0.1}}],
"actuators": [{{"name": "jack", "connect": ["world.foot", "boom.pin"]}}]}})",
                       rate);
  };
  Files files = arm_files(
      R"({"format": "counterpoise-study/1", "model": "model.json", "motions": {"lift": "lift.json"},
"variables": {"rate": {"values": [900, 300]}}, "sampling": {"method": "grid"},
"objectives": [{"name": "peak", "minimize": "max", "of": ["jack"]}]})");
  files["model.json"] = model(300.0);
  files["lift.json"] = R"({"format": "counterpoise-motion/1", "duration": 1, "step": 0.01,
"coordinates": {"boom": {"type": "sine", "amplitude": 0.4, "period": 1}}})";
  Ready ready(files);
  const auto motions = compared_motions(ready.study, ready.evaluator, std::vector<double>{0.0});
  const auto& of_boom = motions.front().robot.run;
  REQUIRE(peak(column(of_boom, "boom.reaction.my")) > 0.0);  // rounding there is
  REQUIRE(peak(column(of_boom, "boom.reaction.my")) < 1e-9);
  const SideEffects effects = side_effects(motions, named_actuators(ready.study));
  CHECK(effects.no_reactions.empty());
  CHECK(effects.forces.size() == 1);
  CHECK(effects.moments.empty());
  CHECK(effects.moments_left_out == 0);
}
