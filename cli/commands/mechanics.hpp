#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/evaluation/simulation.hpp"
#include "engine/falls/fall.hpp"
#include "input/definition/model.hpp"
#include "input/definition/parametric_motion.hpp"
#include "input/definition/scenario.hpp"

namespace counterpoise {

/// What `simulate` does, without reading and printing: a design of a model that follows a motion.
/// Model and motion must outlive it.
class MotionRun {
 public:
  struct Options {
    std::vector<std::string> settings;  // "parameter=value", as --set takes them
    bool springs = true;
    bool reactions = false;
  };

  /// Throws InputError where there is no such design or motion; `model_file` names the model.
  MotionRun(const Model& model, const std::string& model_file, const ParametricMotion& motion,
            const Options& options);
  MotionRun(const MotionRun&) = delete;
  MotionRun& operator=(const MotionRun&) = delete;

  /// Goes through the motion. Returns in words why the mechanism cannot follow it, or nothing.
  /// Throws InputError where actuators, coordinates or rules of sharing do not fit the mechanism.
  std::optional<std::string> follow(const SimulationRun::Take& take);
  /// The same once more, after follow() returned nothing.
  void read(const SimulationRun::Take& take) { run_->read(take); }

  [[nodiscard]] const Mechanism& mechanism() const { return binder_.mechanism(); }
  [[nodiscard]] const Motion& motion() const { return motion_binder_.motion(); }
  /// The limits that a motion breaks which the mechanism follows.
  [[nodiscard]] const std::vector<Finding>& broken_limits() const {
    return simulation_.broken_limits;
  }
  /// Notes about the run: broken limits, springs that act against what they are built for, and
  /// reactions that equilibrium leaves open.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  const Model* model_;
  const ParametricMotion* parametric_;
  Options options_;
  ModelBinder binder_;
  MotionBinder motion_binder_;
  std::optional<SimulationRun> run_;
  Simulation simulation_;
};

/// What `forward` does, without reading and printing: a design of a model that is let go. Model and
/// scenario must outlive it.
class FallRun {
 public:
  /// `set`: "parameter=value", as --set takes them. Throws InputError where there is no such design
  /// or scenario; `scenario_file` names the scenario.
  FallRun(const Model& model, const ParametricScenario& scenario, const std::string& scenario_file,
          const std::vector<std::string>& set);
  FallRun(const FallRun&) = delete;
  FallRun& operator=(const FallRun&) = delete;

  /// Lets the mechanism go. Returns in words why the fall cannot begin, or nothing; a fall that
  /// ends early says so itself. Throws InputError where coordinates are too few or too many.
  std::optional<std::string> let_go(const FallOptions& options);

  [[nodiscard]] const Mechanism& mechanism() const { return model_.mechanism(); }
  [[nodiscard]] const Scenario& scenario() const { return binder_.scenario(); }
  [[nodiscard]] const Fall& fall() const { return fall_; }
  [[nodiscard]] Fall& fall() { return fall_; }
  /// What is to be said of the fall.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  const ParametricScenario* parametric_;
  ModelBinder model_;
  ScenarioBinder binder_;
  Fall fall_;
};

/// Why a fall ended before its time, in words; nothing if it did not.
std::optional<std::string> why_it_ended(const Fall& fall);

/// Throws InputError where a scenario has several instants, which are for studies.
void require_one_instant(const ParametricScenario& scenario);

}  // namespace counterpoise
