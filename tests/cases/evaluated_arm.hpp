#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "cases/case_evaluator.hpp"
#include "engine/evaluation/simulation.hpp"
#include "input/reading/read.hpp"
#include "tests/support/arm_study.hpp"

namespace counterpoise::test {

/// Sums over hundreds of samples in another order of adding.
inline constexpr double summation = 1e-12;

/// The numbers of one actuator or spring, by plain loops over the columns of a simulation.
struct Plain {
  double max = 0.0, mean = 0.0, rms = 0.0, energy = 0.0, peak_power = 0.0;
  double min_length = 0.0, max_length = 0.0, max_tension = 0.0, min_tension = 0.0;
};

/// One robot in one motion, written out as texts; nothing of the study is used.
class Run {
 public:
  Run(const std::string& model_text, const std::string& motion_text, bool springs = true) {
    const Model model = model_of(model_text);
    const ParametricMotion motion =
        read_motion("motion.json", model, texts({{"motion.json", motion_text}}));
    SimulationOptions options;
    options.springs = springs;
    auto result = simulate(model.nominal, motion.nominal, options);
    REQUIRE(std::holds_alternative<Simulation>(result));
    columns_ = std::get<Simulation>(std::move(result)).columns;
  }

  [[nodiscard]] Plain actuator(const std::string& name) const {
    const auto& t = column("t");
    const auto& load = column(name + ".load");
    const auto& speed = column(name + ".velocity");
    Plain plain;
    for (std::size_t k = 0; k < t.size(); ++k) {
      plain.max = std::max(plain.max, std::abs(load[k]));
      plain.peak_power = std::max(plain.peak_power, std::abs(load[k] * speed[k]));
      if (k == 0) continue;
      const double h = (t[k] - t[k - 1]) / 2.0;
      plain.mean += h * (std::abs(load[k]) + std::abs(load[k - 1]));
      plain.rms += h * (load[k] * load[k] + load[k - 1] * load[k - 1]);
      plain.energy += h * (std::abs(load[k] * speed[k]) + std::abs(load[k - 1] * speed[k - 1]));
    }
    plain.mean /= t.back();
    plain.rms = std::sqrt(plain.rms / t.back());
    return plain;
  }

  [[nodiscard]] Plain spring(const std::string& name) const {
    const auto& length = column(name + ".length");
    Plain plain;
    plain.min_length = *std::min_element(length.begin(), length.end());
    plain.max_length = *std::max_element(length.begin(), length.end());
    const auto& tensions = column(name + ".tension");
    for (double tension : tensions)
      plain.max_tension = std::max(plain.max_tension, std::abs(tension));
    plain.min_tension = *std::min_element(tensions.begin(), tensions.end());
    return plain;
  }

 private:
  [[nodiscard]] const std::vector<double>& column(const std::string& name) const {
    for (const Series& series : columns_)
      if (series.name == name) return series.values;
    throw std::logic_error("no column " + name);
  }

  std::vector<Series> columns_;
};

inline void check_actuator(const ActuatorMetrics& found, const Plain& expected) {
  CHECK(found.max == Approx(expected.max).epsilon(summation));
  CHECK(found.mean == Approx(expected.mean).epsilon(summation));
  CHECK(found.rms == Approx(expected.rms).epsilon(summation));
  CHECK(found.energy == Approx(expected.energy).epsilon(summation));
  CHECK(found.peak_power == Approx(expected.peak_power).epsilon(summation));
}

inline void check_spring(const SpringMetrics& found, const Plain& expected) {
  CHECK(found.min_length == Approx(expected.min_length).epsilon(summation));
  CHECK(found.max_length == Approx(expected.max_length).epsilon(summation));
  CHECK(found.max_tension == Approx(expected.max_tension).epsilon(summation));
  CHECK(found.min_tension == Approx(expected.min_tension).epsilon(summation).margin(summation));
}

/// A study with its evaluator, baselines set.
struct Ready {
  explicit Ready(const Files& files, const EvaluationOptions& options = {})
      : study(study_of(files)), evaluator(study, options) {
    baselines = std::make_shared<const Baselines>(evaluator.evaluate_baselines());
    evaluator.set_baselines(baselines);
  }
  Ready(const std::string& members, const std::string& motions)
      : Ready(arm_files(arm_study(members, motions))) {}

  CaseOutcome at(const std::vector<double>& point) {
    CaseOutcome outcome;
    evaluator.evaluate(point, outcome);
    return outcome;
  }

  Study study;
  CaseEvaluator evaluator;
  std::shared_ptr<const Baselines> baselines;
};

inline const std::string one_motion = R"({"swing": "swing.json"})";
inline const std::string both_motions =
    R"({"swing": "swing.json", "fold": {"file": "fold.json", "weight": 3}})";
inline const std::string rate_and_free = R"("variables": {"rate": {"range": [100, 900]},
"length": {"values": [50, 200], "sets": {"free": "length/1000"}}},
"sampling": {"method": "random", "count": 4}, )";

inline std::string arm_with(double rate, double free) {
  return with(with(arm_with_springs, "\"rate\": 300", "\"rate\": " + std::to_string(rate)),
              "\"free\": 0.1", "\"free\": " + std::to_string(free));
}

}  // namespace counterpoise::test
