#pragma once

#include <fmt/format.h>

#include <array>
#include <bit>

#include "optimizer/sampling/box_samples.hpp"
#include "studies/robustness.hpp"
#include "tests/cases/evaluated_arm.hpp"

namespace counterpoise::test {

/// The arm of arm_study.hpp whose second spring, a part of the same type as the first, loads the
/// shoulder too; its own tension is no parameter.
inline std::string shared_arm() {
  return with(
      arm_with_springs,
      R"("connect": ["upper.back", "lower.front"], "rate": 200, "free_length": 0.2)",
      R"("connect": ["world.anchor", "lower.front"], "rate": "rate", "free_length": "free")");
}

/// What a made arm deviates in.
struct Made {
  double lift_rate = 300.0, lift_free = 0.1, lift_tension = 5.0;
  double help_rate = 300.0, help_free = 0.1;
  double height = 0.5;
};

/// The arm with these numbers written out: no parameter, no tolerance is left in it.
inline std::string written_out(const Made& made) {
  const auto number = [](double x) { return fmt::format("{}", x); };
  std::string text = shared_arm();
  text = with(text, R"("upper.mount"], "rate": "rate",)",
              R"("upper.mount"], "rate": )" + number(made.lift_rate) + ",");
  text = with(text, R"( "free_length": "free", "initial_tension": "tension",)",
              R"( "free_length": )" + number(made.lift_free) + R"(, "initial_tension": )" +
                  number(made.lift_tension) + ",");
  text = with(text, R"("lower.front"], "rate": "rate", "free_length": "free")",
              R"("lower.front"], "rate": )" + number(made.help_rate) + R"(, "free_length": )" +
                  number(made.help_free));
  return with(text, R"("anchor": [0, 0, "height"])",
              R"("anchor": [0, 0, )" + number(made.height) + "]");
}

/// Half widths of the intervals of `arm_tolerances`.
inline constexpr double rate_share = 0.1, free_width = 0.005, tension_width = 1.5,
                        height_width = 0.01;

inline const std::string spring_tolerances = R"("rate": {"percent": 10},
"free": {"plus_minus": 5, "unit": "mm"}, "tension": {"plus_minus": 1.5})";
inline const std::string height_tolerance = R"("height": {"plus_minus": 0.01})";

inline std::string tolerances_of(const std::string& of, int samples = 4) {
  return fmt::format(R"(, "tolerances": {{"samples": {}, "seed": 3, "of": {{{}}}}})", samples, of);
}

/// At shares of the intervals, 0 to 1: rate and free length of both springs, tension, height.
inline Made made_at(const std::array<double, 6>& at, const Made& nominal = {}) {
  const auto moved = [](double value, double half, double share) {
    return value + half * (2.0 * share - 1.0);
  };
  Made made;
  made.lift_rate = moved(nominal.lift_rate, rate_share * nominal.lift_rate, at[0]);
  made.help_rate = moved(nominal.help_rate, rate_share * nominal.help_rate, at[1]);
  made.lift_free = moved(nominal.lift_free, free_width, at[2]);
  made.help_free = moved(nominal.help_free, free_width, at[3]);
  made.lift_tension = moved(nominal.lift_tension, tension_width, at[4]);
  made.height = moved(nominal.height, height_width, at[5]);
  return made;
}

/// A study of that arm whose case is its own.
inline Study toleranced(const std::string& members, const std::string& motions = one_motion) {
  Files files = arm_files(arm_study(
      R"("variables": {"load": {"values": [2]}}, "sampling": {"method": "grid"}, )" + members,
      motions));
  files["model.json"] = shared_arm();
  return study_of(files);
}

/// A design of a study at its worst.
struct WorstOf {
  explicit WorstOf(const Study& of, const std::vector<double>& point = {0.0},
                   std::size_t objective = 0)
      : study(of), box(of, *of.tolerances) {
    const auto baselines =
        std::make_shared<const Baselines>(CaseEvaluator(of).evaluate_baselines());
    DeviatedCase at(of, baselines);
    at.set_point(point);
    CaseOutcome outcome;
    REQUIRE(at.bind({}, outcome));
    intervals = box.intervals(point, at.parameters());
    samples = box_samples(box.sampled().size(), of.tolerances->samples, of.tolerances->seed);
    worst = worst_case(of, box, intervals, samples, objective, at);
  }

  const Study& study;
  ToleranceBox box;
  std::vector<ToleranceInterval> intervals;
  std::vector<std::vector<double>> samples;
  WorstCase worst;
};

}  // namespace counterpoise::test
