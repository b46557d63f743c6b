#include "studies/reports/robustness/deviated_case.hpp"

#include <algorithm>

namespace counterpoise {

DeviatedCase::DeviatedCase(const Study& study, const std::shared_ptr<const Baselines>& baselines,
                           const Interruption& interrupted)
    : study_(&study), interrupted_(interrupted), design_(study), judge_(study), falls_(study) {
  judge_.set_baselines(baselines);
  for (const LoadCase& load_case : study.motions)
    evaluators_.push_back({Evaluator(study.model->nominal, load_case.motion.nominal), 0});
}

void DeviatedCase::set_point(std::span<const double> point) {
  point_.assign(point.begin(), point.end());
  const int selected = design_.set_point(point);
  pair_ = selected < 0 ? 0 : static_cast<std::size_t>(selected);
  motions_.clear();
  for (std::size_t m = 0; m < study_->motions.size(); ++m)
    if (selected < 0 || m == static_cast<std::size_t>(selected)) motions_.push_back(m);
  mechanisms_.assign(motions_.size(), study_->model->nominal);
  metrics_.assign(motions_.size(), {});
  parts_.clear();
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    const LoadCase& load_case = study_->motions[motions_[i]];
    parts_.push_back({&metrics_[i], load_case.motion.nominal.duration, load_case.weight});
  }
}

std::string DeviatedCase::in_motion(std::size_t of_design) const {
  return study_->motions.size() > 1 ? " in motion " + study_->motions[motions_[of_design]].name
                                    : std::string();
}

bool DeviatedCase::bind(std::span<const ParameterSetting> besides, CaseOutcome& out) {
  interrupted_.poll();
  out.begin();
  design_.set_point(point_);
  design_.set_besides(besides);
  const auto reason = design_.bind();
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    const std::size_t m = motions_[i];
    // what no motion runs cannot be against a case
    if (reason && study_->motions[m].settings.empty()) {
      out.refuse(*reason, 1.0);
      return false;
    }
    if (const auto own_reason = design_.bind_motion(m)) {
      out.refuse(*own_reason + in_motion(i), 1.0);
      return false;
    }
    OwnMotion& own = evaluators_[m];
    if (own.revision != design_.motion_revision(m)) {
      own.revision = design_.motion_revision(m);
      own.evaluator.set_motion(design_.motion(m));
    }
    mechanisms_[i] = design_.mechanism(m);
  }
  return falls_.bind(design_, out);
}

bool DeviatedCase::refused(const std::optional<Finding>& finding, std::size_t of_design,
                           CaseOutcome& out) {
  if (!finding) return false;
  out.refuse(describe(*finding, mechanisms_[of_design]) + in_motion(of_design), finding->violation);
  return true;
}

void DeviatedCase::evaluate(CaseOutcome& out) {
  out.begin();
  falls_.forget(out);
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    const Evaluator::Options options{.springs = true, .limits = true, .first_finding_only = true};
    Evaluator& evaluator = evaluators_[motions_[i]].evaluator;
    if (refused(evaluator.evaluate(mechanisms_[i], options, metrics_[i]), i, out)) return;
    parts_[i].metrics = &metrics_[i];
  }
  combine(parts_, out.metrics);
  out.computable = true;
  if (falls_.any()) {
    judge_.take(design_.parameters(), pair_, out);
    judge_.hold_against_cheap_constraints(out);
    out.computable = out.status == CaseStatus::feasible && falls_.run(design_, out);
    if (!out.computable) return;
  }
  judge(out);
}

bool DeviatedCase::take_apart(std::vector<AffineLoads>& loads, CaseOutcome& out) {
  loads.resize(motions_.size());
  for (std::size_t i = 0; i < motions_.size(); ++i)
    if (refused(evaluators_[motions_[i]].evaluator.take_apart(mechanisms_[i], loads[i]), i, out))
      return false;
  return true;
}

void DeviatedCase::judge(CaseOutcome& out) {
  judge_.judge(design_.parameters(), pair_, out);
  judge_.hold_against_constraints(out);
}

}  // namespace counterpoise
