#include "cli/mechanics/fall_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "cli/arguments.hpp"

namespace counterpoise {

FallRun::FallRun(const Model& model, const ParametricScenario& scenario,
                 const std::string& scenario_file, const std::vector<std::string>& set)
    : parametric_(&scenario), model_(model), binder_(scenario) {
  const std::vector<ParameterSetting> settings = with_settings(scenario.settings, set, model);
  const Location where{.file = set.empty() ? scenario_file : "--set"};
  if (const auto reason = model_.bind(settings)) throw InputError(where, *reason);
  if (const auto reason = binder_.bind(model_.values())) throw InputError(where, *reason);
}

std::optional<std::string> FallRun::let_go(const FallOptions& options) {
  const ScenarioStart& start = parametric_->start;
  std::variant<JointStart, Finding> found;
  try {
    found = binder_.start(mechanism());
  } catch (const MechanismError& error) {
    if (error.part != MechanismError::Part::loops && error.part != MechanismError::Part::couplings)
      throw InputError(start.motion ? start.motion->where : start.where, error.what());
    return error.what();  // caused by the settings: the model itself closes
  }
  if (const Finding* finding = std::get_if<Finding>(&found))
    return "the fall cannot begin: " + describe(*finding, mechanism());
  auto result = simulate_fall(mechanism(), scenario(), std::get<JointStart>(found), options);
  if (const FallStop* stop = std::get_if<FallStop>(&result))
    return "the fall cannot begin: " + stop->words;
  fall_ = std::move(std::get<Fall>(result));
  return std::nullopt;
}

std::vector<std::string> FallRun::notes() const {
  const auto lowered =
      std::find_if(fall_.events.begin(), fall_.events.end(),
                   [](const FallEvent& event) { return event.restitution_lowered; });
  if (lowered == fall_.events.end()) return {};
  return {
      fmt::format("note: contacts of one instant have different restitutions, and the smallest was "
                  "taken, first at t={:.6g} s",
                  lowered->time)};
}

std::optional<std::string> why_it_ended(const Fall& fall) {
  if (!fall.stopped) return std::nullopt;
  return fmt::format("the fall ends at t={:.6g} s, before its time: {}", fall.stopped->time,
                     fall.stopped->words);
}

void require_one_instant(const ParametricScenario& scenario) {
  if (scenario.start.several)
    throw InputError(scenario.start.times_where,
                     "found several instants, which are for studies; give one \"time\"");
}

}  // namespace counterpoise
