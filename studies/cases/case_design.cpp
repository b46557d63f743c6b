#include "studies/cases/case_design.hpp"

#include <algorithm>

namespace counterpoise {

CaseDesign::CaseDesign(const Study& study) : study_(&study), binder_(*study.model) {
  for (const LoadCase& load_case : study.motions)
    motions_.push_back({MotionBinder(load_case.motion), own_model(load_case.settings)});
  for (const ScenarioCase& scenario_case : study.scenarios)
    scenarios_.push_back(
        {ScenarioBinder(scenario_case.scenario), own_model(scenario_case.scenario.settings)});
}

auto CaseDesign::own_model(std::span<const ParameterSetting> settings) const -> OwnModel {
  OwnModel own;
  if (settings.empty()) return own;
  own.binder = std::make_unique<ModelBinder>(*study_->model);
  own.overridden.assign(study_->model->parameters.size(), 0);
  for (const ParameterSetting& setting : settings)
    own.overridden[static_cast<std::size_t>(setting.parameter)] = 1;
  return own;
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

std::optional<std::string> CaseDesign::bind_own(OwnModel& own,
                                                std::span<const ParameterSetting> settings) {
  if (!own.binder) return std::nullopt;
  own_settings_.assign(settings.begin(), settings.end());
  for (const ParameterSetting& setting : settings_)
    if (own.overridden[static_cast<std::size_t>(setting.parameter)] == 0)
      own_settings_.push_back(setting);
  return own.binder->bind(own_settings_);
}

std::optional<std::string> CaseDesign::bind_motion(std::size_t m) {
  OwnMotion& own = motions_[m];
  if (auto reason = bind_own(own.model, study_->motions[m].settings)) return reason;
  return own.motion.bind(parameters(m));
}

bool CaseDesign::runs_plain(int motion) const {
  const auto plain = [](const LoadCase& load_case) { return load_case.settings.empty(); };
  if (motion >= 0) return plain(study_->motions[static_cast<std::size_t>(motion)]);
  return std::any_of(study_->motions.begin(), study_->motions.end(), plain);
}

MotionDesign CaseDesign::in_motion(std::size_t m) {
  auto reason = bind();
  if (!reason || !runs_plain(static_cast<int>(m))) reason = bind_motion(m);
  if (reason) throw InputError(study_->motions[m].where, *reason);
  return {mechanism(m), motion(m)};
}

MotionDesign CaseDesign::of(std::span<const double> point, std::size_t motion) {
  set_point(point);
  return in_motion(motion);
}

MotionDesign CaseDesign::of_baseline(std::size_t motion) {
  set_baseline();
  return in_motion(motion);
}

std::optional<std::string> CaseDesign::bind_scenario(std::size_t s, std::size_t instant) {
  OwnScenario& own = scenarios_[s];
  if (auto reason = bind_own(own.model, study_->scenarios[s].scenario.settings)) return reason;
  return own.scenario.bind(bound(own.model).values(), instant);
}

}  // namespace counterpoise
