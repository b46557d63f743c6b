#include "studies/case_evaluator.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "studies/case_design.hpp"
#include "studies/metric_values.hpp"

namespace counterpoise {
namespace {

constexpr double not_set = std::numeric_limits<double>::quiet_NaN();

bool breaks_limit_only(FindingKind kind) {
  switch (kind) {
    case FindingKind::spring_too_short:
    case FindingKind::spring_too_long:
    case FindingKind::spring_overloaded:
    case FindingKind::position_too_small:
    case FindingKind::position_too_large:
    case FindingKind::actuator_overloaded:
    case FindingKind::actuator_too_fast:
      return true;
    default:
      return false;
  }
}

void refuse_outcome(CaseOutcome& out, std::string reason, double violation) {
  if (out.status == CaseStatus::feasible) {
    out.status = CaseStatus::infeasible;
    out.reason = std::move(reason);
  }
  out.violation += violation;
}

}  // namespace

std::string_view status_name(CaseStatus status) {
  switch (status) {
    case CaseStatus::feasible:
      return "feasible";
    case CaseStatus::infeasible:
      return "infeasible";
    case CaseStatus::failed:
      return "failed";
  }
  return "failed";
}

struct CaseEvaluator::Impl {
  struct PerMotion {
    Evaluator evaluator;
    Motion motion;
    Mechanism mechanism;
    Metrics metrics;
  };

  const Study& study;
  CaseDesign design;
  std::vector<PerMotion> motions;
  std::vector<Expression> objectives;  // own copies: expressions serve one thread
  std::vector<Expression> constraints;
  std::shared_ptr<const Baselines> baselines;
  std::vector<double> values;  // of Study::metric_scope
  std::vector<std::size_t> chosen;
  std::vector<MotionMetrics> parts;

  explicit Impl(const Study& s) : study(s), design(s) {
    for (const LoadCase& load_case : study.motions) add_motion(load_case);
    for (const Objective& objective : study.objectives)
      if (objective.expression) objectives.push_back(*objective.expression);
    for (const Constraint& constraint : study.constraints)
      constraints.push_back(constraint.expression);
    values.assign(study.metric_scope.names().size(), not_set);
  }

  void add_motion(const LoadCase& load_case) {
    const Mechanism& nominal = study.model->nominal;
    const Motion& motion = load_case.motion.nominal;
    try {
      motions.push_back({Evaluator(nominal, motion), motion, nominal, {}});
    } catch (const MechanismError& error) {
      throw InputError(load_case.where, error.what());
    }
  }

  void choose_motions(int only) {
    chosen.clear();
    for (std::size_t m = 0; m < motions.size(); ++m)
      if (only < 0 || m == static_cast<std::size_t>(only)) chosen.push_back(m);
  }

  /// Which baseline pairs there are: one, or that of each motion some case runs.
  [[nodiscard]] std::vector<std::size_t> baseline_pairs() const {
    if (study.motion_variable < 0) return {0};
    const auto& chosen_by = study.variables[static_cast<std::size_t>(study.motion_variable)];
    return {chosen_by.motions.begin(), chosen_by.motions.end()};
  }

  Design design_for(std::size_t m);
  void run(bool springs, bool limits, CaseOutcome& out);
  void judge(std::size_t pair, bool springs, CaseOutcome& out);
  void fill_metrics(int offset, const CaseOutcome& outcome, bool actuators_only);
};

CaseEvaluator::Design CaseEvaluator::Impl::design_for(std::size_t m) {
  Design result{{}, study.motions[m].motion.nominal};
  auto reason = design.bind();
  if (!reason) reason = design.bind_motion(m, result.mechanism, result.motion);
  if (reason) throw InputError(study.motions[m].where, *reason);
  return result;
}

void CaseEvaluator::Impl::run(bool springs, bool limits, CaseOutcome& out) {
  out.status = CaseStatus::feasible;
  out.reason.clear();
  out.computable = false;
  out.violation = 0.0;
  if (auto reason = design.bind()) {
    refuse_outcome(out, std::move(*reason), 1.0);
    return;
  }
  const bool one_finding = study.search() == nullptr;
  bool computable = true;
  parts.clear();
  for (std::size_t m : chosen) {
    PerMotion& own = motions[m];
    const auto in_motion = [&] {
      return study.motions.size() > 1 ? " in motion " + study.motions[m].name : std::string();
    };
    if (auto reason = design.bind_motion(m, own.mechanism, own.motion)) {
      refuse_outcome(out, *reason + in_motion(), 1.0);
      return;
    }
    if (study.motions[m].motion.depends_on_parameters()) own.evaluator.set_motion(own.motion);
    const auto finding = own.evaluator.evaluate(own.mechanism, {springs, limits}, own.metrics);
    parts.push_back({&own.metrics, own.motion.duration, study.motions[m].weight});
    if (!finding) continue;
    refuse_outcome(out, describe(*finding, own.mechanism) + in_motion(), finding->violation);
    if (finding->kind == FindingKind::not_finite) out.status = CaseStatus::failed;
    computable = computable && breaks_limit_only(finding->kind);
    if (one_finding) return;
  }
  if (!computable) return;
  combine(parts, out.metrics);
  out.computable = true;
}

void CaseEvaluator::Impl::fill_metrics(int offset, const CaseOutcome& outcome,
                                       bool actuators_only) {
  for (std::size_t i = 0; i < study.metrics.size(); ++i) {
    if (actuators_only && study.metrics[i].spring) break;
    values[static_cast<std::size_t>(offset) + i] =
        outcome.computable ? value_of(outcome.metrics, study.metrics[i]) : not_set;
  }
}

/// Objectives and constraints of a computable outcome, against baseline pair `pair`.
void CaseEvaluator::Impl::judge(std::size_t pair, bool springs, CaseOutcome& out) {
  const std::span<const double> parameters = design.parameters();
  std::copy(parameters.begin(), parameters.end(), values.begin());
  fill_metrics(study.metric_offset(), out, false);
  if (baselines) {
    fill_metrics(study.baseline_offset(), baselines->pairs[pair].baseline, false);
    fill_metrics(study.without_springs_offset(), baselines->pairs[pair].without_springs, true);
  }
  out.objectives.resize(study.objectives.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < study.objectives.size(); ++i) {
    const Objective& objective = study.objectives[i];
    out.objectives[i] = objective.expression ? objectives[next++].evaluate(values.data())
                                             : combined_statistic(out.metrics, objective.statistic,
                                                                  objective.actuators);
    if (!std::isfinite(out.objectives[i])) {
      refuse_outcome(out, fmt::format("objective {} is not a finite number", objective.name), 1.0);
      out.computable = false;
    }
  }
  if (!springs) return;
  for (std::size_t i = 0; i < study.constraints.size(); ++i) {
    const Constraint& constraint = study.constraints[i];
    const double value = constraints[i].evaluate(values.data());
    const double bound = value < constraint.min ? constraint.min : constraint.max;
    if (value >= constraint.min && value <= constraint.max) continue;
    const double size = bound == 0.0 ? 1.0 : std::abs(bound);
    const double excess = std::isfinite(value) ? std::abs(value - bound) / size : 1.0;
    refuse_outcome(out,
                   std::isfinite(value)
                       ? fmt::format("constraint {} is {:.6g}, {} {:.6g}", constraint.name, value,
                                     value < constraint.min ? "below" : "above", bound)
                       : fmt::format("constraint {} is not a finite number", constraint.name),
                   excess);
  }
}

CaseEvaluator::CaseEvaluator(const Study& study) : impl_(new Impl(study)) {}
CaseEvaluator::~CaseEvaluator() = default;
CaseEvaluator::CaseEvaluator(CaseEvaluator&&) noexcept = default;

Baselines CaseEvaluator::evaluate_baselines() {
  Impl& own = *impl_;
  const Study& study = own.study;
  const bool per_motion = study.motion_variable >= 0;
  const std::size_t count = per_motion ? study.motions.size() : 1;
  own.design.set_baseline();
  auto result = std::make_shared<Baselines>();
  result->pairs.resize(count);
  const std::vector<std::size_t> selected = own.baseline_pairs();
  for (std::size_t p : selected) {
    Baselines::Pair& pair = result->pairs[p];
    own.choose_motions(per_motion ? static_cast<int>(p) : -1);
    own.run(true, true, pair.baseline);
    pair.baseline.computable = pair.baseline.status == CaseStatus::feasible;
    own.run(false, true, pair.without_springs);
    pair.without_springs.computable = pair.without_springs.status == CaseStatus::feasible;
  }
  // what the expressions of objectives and constraints compare with has to exist
  const auto needs = [&](const Expression& expression, const Location& where) {
    for (int used : expression.used())
      for (std::size_t p : selected) {
        const Baselines::Pair& pair = result->pairs[p];
        const bool springless = used >= study.without_springs_offset();
        const CaseOutcome& outcome = springless ? pair.without_springs : pair.baseline;
        if (used >= study.baseline_offset() && !outcome.computable)
          throw InputError(where,
                           fmt::format("uses {}, but {} is infeasible: {}",
                                       study.metric_scope.names()[static_cast<std::size_t>(used)],
                                       springless ? "the robot without springs" : "the baseline",
                                       outcome.reason));
      }
  };
  for (const Objective& objective : study.objectives)
    if (objective.expression) needs(*objective.expression, objective.where);
  for (const Constraint& constraint : study.constraints)
    needs(constraint.expression, constraint.where);

  own.baselines = result;
  for (std::size_t p : selected)
    for (const bool springs : {true, false}) {
      Baselines::Pair& pair = result->pairs[p];
      CaseOutcome& outcome = springs ? pair.baseline : pair.without_springs;
      own.design.bind();
      if (outcome.computable) own.judge(p, springs, outcome);
    }
  return *result;
}

void CaseEvaluator::set_baselines(std::shared_ptr<const Baselines> baselines) {
  impl_->baselines = std::move(baselines);
}

void CaseEvaluator::evaluate(std::span<const double> point, CaseOutcome& out) {
  Impl& own = *impl_;
  const int motion = own.design.set_point(point);
  own.choose_motions(motion);
  own.run(true, true, out);
  if (out.computable) own.judge(motion < 0 ? 0 : static_cast<std::size_t>(motion), true, out);
}

std::span<const double> CaseEvaluator::parameters() const {
  return impl_->design.parameters();
}

CaseEvaluator::Design CaseEvaluator::design(std::span<const double> point, std::size_t motion) {
  impl_->design.set_point(point);
  return impl_->design_for(motion);
}

CaseEvaluator::Design CaseEvaluator::baseline_design(std::size_t motion) {
  impl_->design.set_baseline();
  return impl_->design_for(motion);
}

}  // namespace counterpoise
