#include "tests/cases/evaluated_arm.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

TEST_CASE("metrics of a case equal a simulation of the robot with its numbers") {
  Ready ready(rate_and_free + one_objective, one_motion);
  for (const double rate : {150.0, 625.5})
    for (const int level : {0, 1}) {
      const CaseOutcome outcome = ready.at({rate, static_cast<double>(level)});
      CHECK(outcome.status == CaseStatus::feasible);
      CHECK(outcome.reason.empty());
      CHECK(outcome.violation == 0.0);
      const Run run(arm_with(rate, level == 0 ? 0.05 : 0.2), swing);
      check_actuator(outcome.metrics.actuators[0], run.actuator("shoulder"));
      check_actuator(outcome.metrics.actuators[1], run.actuator("elbow"));
      check_spring(outcome.metrics.springs[0], run.spring("lift"));
      check_spring(outcome.metrics.springs[1], run.spring("help"));
      const auto parameters = ready.evaluator.parameters();
      const auto value = [&](const char* name) {
        return parameters[ready.study.model->find_parameter(name)];
      };
      CHECK(value("rate") == rate);
      CHECK(value("free") == Approx(level == 0 ? 0.05 : 0.2));
      CHECK(value("doubled") == 4.0);
    }
}

TEST_CASE("several motions are combined by duration and weight") {
  Ready ready(rate_and_free + one_objective, both_motions);
  const CaseOutcome outcome = ready.at({400.0, 1.0});
  const Run first(arm_with(400.0, 0.2), swing), second(arm_with(400.0, 0.2), fold);
  for (const std::size_t i : {0u, 1u}) {
    const char* name = i == 0 ? "shoulder" : "elbow";
    const Plain a = first.actuator(name), b = second.actuator(name);
    const double share = 2.0 * 1.0 / (2.0 * 1.0 + 1.0 * 3.0);
    Plain all;
    all.max = std::max(a.max, b.max);
    all.peak_power = std::max(a.peak_power, b.peak_power);
    all.mean = share * a.mean + (1.0 - share) * b.mean;
    all.rms = std::sqrt(share * a.rms * a.rms + (1.0 - share) * b.rms * b.rms);
    all.energy = a.energy + b.energy;
    check_actuator(outcome.metrics.actuators[i], all);

    const char* spring = i == 0 ? "lift" : "help";
    const Plain c = first.spring(spring), d = second.spring(spring);
    all.min_length = std::min(c.min_length, d.min_length);
    all.max_length = std::max(c.max_length, d.max_length);
    all.max_tension = std::max(c.max_tension, d.max_tension);
    all.min_tension = std::min(c.min_tension, d.min_tension);
    check_spring(outcome.metrics.springs[i], all);
  }
}

TEST_CASE("objectives are statistics over actuators and expressions with the baselines") {
  const std::string of = R"(, "of": ["shoulder", "elbow"]})";
  Ready ready(rate_and_free + R"("baseline": {"rate": 500}, "objectives": [
{"name": "a", "minimize": "max")" +
                  of + R"(, {"name": "b", "minimize": "mean")" + of +
                  R"(, {"name": "c", "minimize": "rms")" + of +
                  R"(, {"name": "d", "minimize": "energy")" + of +
                  R"(, {"name": "e", "minimize": "peak_power")" + of + R"(,
{"name": "f", "minimize": "mean", "of": ["elbow"]},
{"name": "g", "expression": "shoulder.max / baseline.shoulder.max + rate*doubled"},
{"name": "h", "expression": "elbow.rms / without_springs.elbow.rms - baseline.lift.max_tension"}])",
              one_motion);
  const CaseOutcome outcome = ready.at({700.0, 0.0});
  const Run run(arm_with(700.0, 0.05), swing), base(arm_with(500.0, 0.1), swing),
      bare(arm_with_springs, swing, false);
  const Plain s = run.actuator("shoulder"), e = run.actuator("elbow");
  const std::vector<double> expected = {
      std::max(s.max, e.max),
      (s.mean + e.mean) / 2.0,
      (s.rms + e.rms) / 2.0,
      s.energy + e.energy,
      std::max(s.peak_power, e.peak_power),
      e.mean,
      s.max / base.actuator("shoulder").max + 700.0 * 4.0,
      e.rms / bare.actuator("elbow").rms - base.spring("lift").max_tension};
  REQUIRE(outcome.objectives.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(outcome.objectives[i] == Approx(expected[i]).epsilon(summation));

  const Baselines::Pair& pair = ready.baselines->pairs.at(0);
  check_actuator(pair.baseline.metrics.actuators[0], base.actuator("shoulder"));
  check_actuator(pair.without_springs.metrics.actuators[1], bare.actuator("elbow"));
  // compared with itself
  CHECK(pair.baseline.objectives[6] == Approx(1.0 + 500.0 * 4.0).epsilon(summation));
  CHECK(pair.without_springs.objectives[7] ==
        Approx(1.0 - base.spring("lift").max_tension).epsilon(summation));
}

TEST_CASE("parameters of a load case hold for its motion alone") {
  const std::string members = R"("variables": {"rate": {"range": [100, 900]},
"load": {"values": [1, 3]}}, "sampling": {"method": "random", "count": 4}, )" +
                              one_objective;
  Ready ready(members, R"({"light": "swing.json",
"heavy": {"file": "swing.json", "parameters": {"load": 4, "tension": 7}}, "last": "fold.json"})");
  const auto arm = [](double load, double tension) {
    return with(
        with(arm_with(250.0, 0.1), "\"value\": 2,", "\"value\": " + std::to_string(load) + ","),
        "\"tension\": 5", "\"tension\": " + std::to_string(tension));
  };
  const CaseOutcome outcome = ready.at({250.0, 1.0});
  const std::vector<Run> runs = {Run(arm(3.0, 5.0), swing), Run(arm(4.0, 7.0), swing),
                                 Run(arm(3.0, 5.0), fold)};
  double energy = 0.0, mean = 0.0, longest = 0.0, tension = 0.0;
  for (std::size_t m = 0; m < 3; ++m) {
    energy += runs[m].actuator("elbow").energy;
    mean += (m < 2 ? 2.0 : 1.0) / 5.0 * runs[m].actuator("shoulder").mean;
    longest = std::max(longest, runs[m].spring("lift").max_length);
    tension = std::max(tension, runs[m].spring("lift").max_tension);
  }
  CHECK(outcome.metrics.actuators[1].energy == Approx(energy).epsilon(summation));
  CHECK(outcome.metrics.actuators[0].mean == Approx(mean).epsilon(summation));
  CHECK(outcome.metrics.springs[0].max_length == Approx(longest).epsilon(summation));
  CHECK(outcome.metrics.springs[0].max_tension == Approx(tension).epsilon(summation));
  const auto parameters = ready.evaluator.parameters();
  CHECK(parameters[0] == 3.0);
}

TEST_CASE("a motion follows the parameters of its case, its own load case's included") {
  const std::string moved = with(swing, "\"amplitude\": 0.6", "\"amplitude\": \"load/8\"");
  Files files = arm_files(arm_study(R"("variables": {"load": {"range": [1, 4]}},
"sampling": {"method": "random", "count": 4}, )" +
                                        one_objective,
                                    R"({"own": "swing.json",
"other": {"file": "swing.json", "parameters": {"load": 1.5}}})"));
  files["swing.json"] = moved;
  Ready ready(files);
  const auto energy = [&](double load) {
    return Run(with(arm_with_springs, "\"value\": 2,", "\"value\": " + std::to_string(load) + ","),
               moved)
        .actuator("shoulder")
        .energy;
  };
  for (const double load : {3.0, 2.0, 3.5})
    CHECK(ready.at({load}).metrics.actuators[0].energy ==
          Approx(energy(load) + energy(1.5)).epsilon(summation));
}

TEST_CASE("with a motion variable each case runs its own, against the baselines of that motion") {
  Ready ready(R"("variables": {"rate": {"values": [200, 600]},
"path": {"motion": ["fold", "swing"]}}, "sampling": {"method": "grid"}, "objectives":
[{"name": "o", "expression": "shoulder.mean / baseline.shoulder.mean + 1000 * shoulder.mean / without_springs.shoulder.mean"}])",
              both_motions);
  REQUIRE(ready.baselines->pairs.size() == 2);
  for (const int level : {0, 1}) {
    const std::string& motion = level == 0 ? fold : swing;
    const CaseOutcome outcome = ready.at({1.0, static_cast<double>(level)});
    const double mean = Run(arm_with(600.0, 0.1), motion).actuator("shoulder").mean;
    const double base = Run(arm_with_springs, motion).actuator("shoulder").mean;
    const double bare = Run(arm_with_springs, motion, false).actuator("shoulder").mean;
    CHECK(outcome.metrics.actuators[0].mean == Approx(mean).epsilon(summation));
    CHECK(outcome.objectives.at(0) ==
          Approx(mean / base + 1000.0 * mean / bare).epsilon(summation));
  }
}

TEST_CASE("the order of cases changes no bit of their outcome") {
  Ready ready(rate_and_free + one_objective, both_motions);
  const std::vector<std::vector<double>> points = {{100, 0}, {900, 1}, {333, 0}, {100, 1}};
  std::vector<double> forth, back;
  for (const auto& point : points) forth.push_back(ready.at(point).metrics.actuators[0].rms);
  for (auto point = points.rbegin(); point != points.rend(); ++point)
    back.insert(back.begin(), ready.at(*point).metrics.actuators[0].rms);
  CHECK(forth == back);
}
