#pragma once

#include <memory>
#include <span>
#include <vector>

#include "cases/case_outcome.hpp"
#include "input/definition/study.hpp"

namespace counterpoise {

/// Whether a constraint holds, up to rounding (see slack_of()), with these values of
/// Study::metric_scope.
bool holds(const Constraint& constraint, const double* values);

/// Evaluates objectives and constraints of a study. One per thread; `study` must outlive it. It
/// reads only those parameters and metrics that an expression names.
class CaseJudge {
 public:
  explicit CaseJudge(const Study& study);

  /// Sets the baselines that expressions compare with. Without baselines their values are NaN.
  void set_baselines(const std::shared_ptr<const Baselines>& baselines);

  /// Takes the numbers of an outcome that has its metrics, of a design with these parameters, to be
  /// judged against a pair of baselines.
  void take(std::span<const double> parameters, std::size_t pair, const CaseOutcome& out);
  /// Refuses the outcome if a constraint is not met that no metric of a scenario is part of. Such
  /// metrics need not be known yet. Call it after take().
  void hold_against_cheap_constraints(CaseOutcome& out) const;
  /// Takes the numbers, and sets the objectives. Refuses the outcome, with the reason, where one
  /// has no finite value.
  void judge(std::span<const double> parameters, std::size_t pair, CaseOutcome& out);
  /// Refuses the outcome if a constraint is not met, except those that
  /// hold_against_cheap_constraints() looks at if `cheap_hold` says so. Call it after judge().
  void hold_against_constraints(CaseOutcome& out, bool cheap_hold = false) const;

  /// The value of a constraint for the numbers that were taken last.
  [[nodiscard]] double constraint_value(std::size_t constraint) const {
    return study_.constraints[constraint].expression.evaluate(values_[pair_].data());
  }

 private:
  /// A metric that an expression reads, and its index in the vector of values.
  struct UsedMetric {
    std::size_t value;
    MetricPlace place;
  };
  void note_used(const Expression& expression, std::vector<bool>& used) const;
  void hold_against(std::size_t constraint, CaseOutcome& out) const;

  const Study& study_;
  std::vector<std::vector<MetricPlace>> statistics_;  // for each objective without an expression
  std::vector<std::size_t> parameters_;               // parameters that expressions read
  std::vector<UsedMetric> metrics_, baseline_, without_springs_;
  std::vector<bool> cheap_;                  // per constraint: reads no metric of a scenario
  std::vector<std::vector<double>> values_;  // of Study::metric_scope, for each pair of baselines
  std::size_t pair_ = 0;                     // of the last take()
};

}  // namespace counterpoise
