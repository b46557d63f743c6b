#include "studies/cases/case_design.hpp"

#include <algorithm>

namespace counterpoise {

CaseDesign::CaseDesign(const Study& study) : study_(&study), binder_(*study.model) {
  for (const LoadCase& load_case : study.motions) {
    OwnMotion& own = motions_.emplace_back(OwnMotion{MotionBinder(load_case.motion), {}, {}});
    if (load_case.settings.empty()) continue;
    own.binder = std::make_unique<ModelBinder>(*study.model);
    own.overridden.assign(study.model->parameters.size(), 0);
    for (const ParameterSetting& setting : load_case.settings)
      own.overridden[static_cast<std::size_t>(setting.parameter)] = 1;
  }
}

int CaseDesign::set_point(std::span<const double> point) {
  settings_.clear();
  int motion = -1;
  for (std::size_t v = 0; v < study_->variables.size(); ++v) {
    const Variable& variable = study_->variables[v];
    if (variable.kind == VariableKind::motion)
      motion = variable.motions[static_cast<std::size_t>(point[v])];
    for (const VariableTarget& target : variable.targets) {
      double value = point[v];
      if (variable.discrete())
        value = target.by_level[static_cast<std::size_t>(point[v])];
      else if (target.expression)
        value = target.expression->evaluate(&point[v]);
      settings_.push_back({target.parameter, value});
    }
  }
  return motion;
}

void CaseDesign::set_besides(std::span<const ParameterSetting> settings) {
  for (const ParameterSetting& setting : settings) {
    const auto same = [&](const ParameterSetting& other) {
      return other.parameter == setting.parameter;
    };
    const auto at = std::find_if(settings_.begin(), settings_.end(), same);
    if (at == settings_.end())
      settings_.push_back(setting);
    else
      at->value = setting.value;
  }
}

std::optional<std::string> CaseDesign::bind() {
  return binder_.bind(settings_);
}

std::optional<std::string> CaseDesign::bind_motion(std::size_t m) {
  OwnMotion& own = motions_[m];
  if (own.binder) {
    motion_settings_ = study_->motions[m].settings;
    for (const ParameterSetting& setting : settings_)
      if (own.overridden[static_cast<std::size_t>(setting.parameter)] == 0)
        motion_settings_.push_back(setting);
    if (auto reason = own.binder->bind(motion_settings_)) return reason;
  }
  return own.motion.bind(parameters(m));
}

const Mechanism& CaseDesign::mechanism(std::size_t m) const {
  return motions_[m].binder ? motions_[m].binder->mechanism() : binder_.mechanism();
}

}  // namespace counterpoise
