#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/falls/fall.hpp"
#include "input/definition/model.hpp"
#include "input/definition/scenario.hpp"

namespace counterpoise {

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
