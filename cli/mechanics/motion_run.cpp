#include "cli/mechanics/motion_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
    return describe(*finding, mechanism());
  simulation_ = std::move(std::get<Simulation>(result));
  return std::nullopt;
}

std::vector<std::string> MotionRun::notes() const {
  std::vector<std::string> said;
  for (const Finding& finding : simulation_.broken_limits)
    said.push_back("note: " + describe(finding, mechanism()));
  for (const Finding& finding : simulation_.wrong_senses)
    said.push_back(wrong_sense(*model_, mechanism(), finding, "").warning);
  if (simulation_.open_reactions > 0)
    said.push_back(
        fmt::format("note: equilibrium leaves {} numbers of the reactions of {} open and no rule "
                    "in \"reactions\" settles them: shared by the least sum of squares",
                    simulation_.open_reactions, fmt::join(simulation_.open_joints, ", ")));
  return said;
}

}  // namespace counterpoise
