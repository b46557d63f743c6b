#include "cli/commands/mechanics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "cli/arguments.hpp"
#include "input/reading/read.hpp"
#include "studies/warnings.hpp"

namespace counterpoise {

MotionRun::MotionRun(const Model& model, const std::string& model_file,
                     const ParametricMotion& motion, const Options& options)
    : model_(&model),
      parametric_(&motion),
      options_(options),
      binder_(model),
      motion_binder_(motion) {
  const std::vector<ParameterSetting> settings = with_settings({}, options.settings, model);
  require_values(motion, settings);
  if (const auto reason = binder_.bind(settings))
    throw InputError({.file = settings.empty() ? model_file : "--set"}, *reason);
  if (const auto reason = motion_binder_.bind(binder_.values()))
    throw InputError(motion.where, *reason);
}

std::optional<std::string> MotionRun::follow(const SimulationRun::Take& take) {
  std::variant<Simulation, Finding> result;
  try {
    run_.emplace(mechanism(), motion(), SimulationOptions{options_.springs, options_.reactions});
    result = run_->check(take);
  } catch (const MechanismError& error) {
    if (error.part == MechanismError::Part::loops || error.part == MechanismError::Part::couplings)
      return error.what();  // caused by the settings: the model itself closes
    const bool of_model = error.part == MechanismError::Part::sharing;
    throw InputError(of_model ? model_->location(pointer_to(error)) : parametric_->where,
                     error.what());
  }
  if (const Finding* finding = std::get_if<Finding>(&result))
    return describe(*finding, mechanism(), motion());
  simulation_ = std::move(std::get<Simulation>(result));
  return std::nullopt;
}

std::vector<std::string> MotionRun::notes() const {
  std::vector<std::string> said;
  for (const Finding& finding : simulation_.broken_limits)
    said.push_back("note: " + describe(finding, mechanism(), motion()));
  if (!motion().inertia && !motion().poses) {
    const auto limited = [](const Actuator& actuator) { return std::isfinite(actuator.max_speed); };
    const auto& actuators = mechanism().actuators;
    if (std::any_of(actuators.begin(), actuators.end(), limited))
      said.emplace_back(
          "note: no max_speed is judged, as times only order poses where \"inertia\" is false");
  }
  for (const Finding& finding : simulation_.wrong_senses)
    said.push_back(wrong_sense(*model_, mechanism(), motion(), finding, "").warning);
  if (simulation_.open_reactions > 0)
    said.push_back(fmt::format(
        "note: equilibrium leaves {} of the numbers of the reactions of {} open and no rule "
        "in \"reactions\" settles them: shared by the least sum of squares",
        simulation_.open_reactions, fmt::join(simulation_.open_joints, ", ")));
  return said;
}

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
