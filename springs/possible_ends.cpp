#include "springs/possible_ends.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/study_units.hpp"

namespace counterpoise {
namespace {

Model without_bounds(Model model) {
  for (Parameter& parameter : model.parameters) {
    parameter.min.reset();
    parameter.max.reset();
  }
  return model;
}

/// Springs that may be extension springs and whose initial tension is negative.
int pushing_springs(const Mechanism& mechanism) {
  return static_cast<int>(
      std::count_if(mechanism.springs.begin(), mechanism.springs.end(), [](const Spring& spring) {
        const bool extends =
            spring.type == SpringType::extension || spring.type == SpringType::coil;
        return extends && spring.initial_tension < 0.0;
      }));
}

}  // namespace

PossibleEnds::PossibleEnds(const Study& study)
    : study_(study),
      unbounded_model_(without_bounds(*study.model)),
      design_(study),
      model_(*study.model),
      unbounded_(unbounded_model_) {}

std::string PossibleEnds::beyond(std::span<const double> point, std::size_t variable, bool upper) {
  const Variable& own = study_.variables[variable];
  if (own.discrete()) return "";
  const double end = upper ? own.high : own.low;
  const double step =
      binding_closeness * std::max(std::abs(end), small_step(unit_of(study_, own), 0.0));
  std::vector<double> moved(point.begin(), point.end());
  const auto refused = [&](ModelBinder& binder, double value) {
    moved[variable] = value;
    design_.set_point(moved);
    return binder.bind(design_.settings()).has_value();
  };
  if (refused(model_, end)) return "";  // whatever the variable is
  const int pushing = pushing_springs(model_.mechanism());
  const double further = upper ? end + step : end - step;
  const char* side = upper ? "more" : "less";
  if (refused(unbounded_, further) || pushing_springs(unbounded_.mechanism()) > pushing)
    return fmt::format("no {} is possible", side);
  if (!refused(model_, further)) return "";
  const auto parameter = static_cast<std::size_t>(model_.refused_parameter());
  return fmt::format("the model allows no {} (range of parameter {})", side,
                     study_.model->parameters[parameter].name);
}

}  // namespace counterpoise
