#include "studies/reports/robustness/worst_case.hpp"

#include <algorithm>

namespace counterpoise {
namespace {

/// One design on its way through the box.
class BoxWalk {
 public:
  BoxWalk(const Study& study, const ToleranceBox& box, std::span<const ToleranceInterval> intervals,
          std::size_t objective, DeviatedCase& at)
      : objective_(study.objectives[objective]),
        index_(objective),
        box_(box),
        intervals_(intervals),
        case_(at) {}

  /// Evaluates the design with these parameters over all springs. Returns false, with the reason,
  /// where it is infeasible.
  bool look(std::span<const ParameterSetting> settings) {
    return case_.bind(settings, outcome_) && inside() && over_springs();
  }

  [[nodiscard]] WorstCase result() const {
    WorstCase worst;
    worst.infeasible = outcome_.status != CaseStatus::feasible;
    worst.reason = outcome_.reason;
    worst.value = found_.value_or(0.0);
    worst.upper_bound = upper_bound_;
    return worst;
  }

 private:
  /// The springs as they are.
  bool inside() {
    case_.evaluate(outcome_);
    return take();
  }

  bool take() {
    if (outcome_.status != CaseStatus::feasible) return false;
    const double value = outcome_.objectives[index_];
    found_ = std::max(found_.value_or(value), value);
    return true;
  }

  bool over_springs() {
    if (box_.spring_parts().empty() || case_.falls()) return true;
    if (!case_.take_apart(loads_, outcome_)) return false;
    const std::span<const Mechanism> mechanisms = case_.mechanisms();
    motions_.resize(loads_.size());
    for (std::size_t i = 0; i < loads_.size(); ++i) {
      motions_[i].corners = corners_of(mechanisms[i], box_, intervals_);
      std::swap(motions_[i].loads, loads_[i]);
      if (const auto finding =
              first_broken_limit(mechanisms[i], motions_[i].loads, motions_[i].corners)) {
        outcome_.refuse(describe(*finding, mechanisms[i]) + case_.in_motion(i), finding->violation);
        return false;
      }
    }
    BoxMetrics metrics(motions_, case_.parts(), outcome_.metrics, most_corners);
    upper_bound_ = upper_bound_ || !is_attained(metrics);
    for (std::size_t corner = 0; corner < metrics.count(); ++corner) {
      outcome_.begin();
      static_cast<Metrics&>(outcome_.metrics) = metrics.at(corner);
      case_.judge(outcome_);
      if (!take()) return false;
    }
    return true;
  }

  /// Whether the largest value found is one that the objective can have.
  [[nodiscard]] bool is_attained(const BoxMetrics& metrics) const {
    if (metrics.every_corner()) return true;
    if (objective_.expression) return false;
    if (objective_.statistic == Statistic::max || objective_.statistic == Statistic::peak_power)
      return true;
    return objective_.actuators.size() == 1 &&
           metrics.attained(static_cast<std::size_t>(objective_.actuators.front()));
  }

  const Objective& objective_;
  std::size_t index_;
  const ToleranceBox& box_;
  std::span<const ToleranceInterval> intervals_;
  DeviatedCase& case_;
  CaseOutcome outcome_;
  std::vector<AffineLoads> loads_;
  std::vector<BoxMotion> motions_;
  std::optional<double> found_;
  bool upper_bound_ = false;
};

}  // namespace

WorstCase worst_case(const Study& study, const ToleranceBox& box,
                     std::span<const ToleranceInterval> intervals,
                     std::span<const std::vector<double>> samples, std::size_t objective,
                     DeviatedCase& at) {
  BoxWalk walk(study, box, intervals, objective, at);
  std::vector<ParameterSetting> settings;
  bool feasible = walk.look(settings);
  for (std::size_t i = 0; feasible && i < samples.size(); ++i) {
    box.settings(intervals, samples[i], settings);
    feasible = walk.look(settings);
  }
  return walk.result();
}

}  // namespace counterpoise
