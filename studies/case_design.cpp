#include "studies/case_design.hpp"

#include <algorithm>

namespace counterpoise {

CaseDesign::CaseDesign(const Study& study)
    : study_(&study), binder_(*study.model), motion_binder_(*study.model) {
  for (const LoadCase& load_case : study.motions) motions_.emplace_back(load_case.motion);
  for (const Variable& variable : study.variables) {
    std::vector<Expression>& own = targets_.emplace_back();
    for (const VariableTarget& target : variable.targets)
      if (target.expression) own.push_back(*target.expression);
  }
}

int CaseDesign::set_point(std::span<const double> point) {
  settings_.clear();
  int motion = -1;
  for (std::size_t v = 0; v < study_->variables.size(); ++v) {
    const Variable& variable = study_->variables[v];
    if (variable.kind == VariableKind::motion)
      motion = variable.motions[static_cast<std::size_t>(point[v])];
    std::size_t next = 0;
    for (const VariableTarget& target : variable.targets) {
      double value = point[v];
      if (variable.discrete())
        value = target.by_level[static_cast<std::size_t>(point[v])];
      else if (target.expression)
        value = targets_[v][next++].evaluate(&point[v]);
      settings_.push_back({target.parameter, value});
    }
  }
  return motion;
}

std::optional<std::string> CaseDesign::bind() {
  return binder_.bind(settings_, mechanism_);
}

std::optional<std::string> CaseDesign::bind_motion(std::size_t m, Mechanism& mechanism,
                                                   Motion& motion) {
  const LoadCase& load_case = study_->motions[m];
  std::span<const double> parameters = binder_.values();
  if (load_case.settings.empty()) {
    mechanism = mechanism_;
  } else {
    motion_settings_ = load_case.settings;
    for (const ParameterSetting& setting : settings_) {
      const bool overridden =
          std::any_of(load_case.settings.begin(), load_case.settings.end(),
                      [&](const auto& own) { return own.parameter == setting.parameter; });
      if (!overridden) motion_settings_.push_back(setting);
    }
    if (auto reason = motion_binder_.bind(motion_settings_, mechanism)) return reason;
    parameters = motion_binder_.values();
  }
  if (!load_case.motion.depends_on_parameters()) return std::nullopt;
  return motions_[m].bind(parameters, motion);
}

}  // namespace counterpoise
