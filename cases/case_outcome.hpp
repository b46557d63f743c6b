#pragma once

#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/evaluation/metrics.hpp"
#include "engine/mechanism/finding.hpp"
#include "input/definition/study.hpp"

namespace counterpoise {

/// Why a case is not feasible. The first kinds are the FindingKinds, with the same numbers.
enum class FailureKind {
  parameter_not_finite = 1000,
  parameter_below_min,
  parameter_above_max,
  objective_not_finite,
  constraint_not_finite,
  constraint_below_min,
  constraint_above_max,
  other,  // described in words only, such as a number that no mechanism can have
  // in scenarios; the fall_ kinds are in the order of FallStop::Kind
  scenario_impossible,
  fall_open_start,
  fall_start_in_contact,
  fall_start_not_followed,
  fall_singular_mass,
  fall_singular_pose,
  fall_jammed,
  fall_too_many_events,
  fall_not_integrated,
  // no pair of a catalogue suffices; in the order of DriveDemand, of the nearest pair
  drive_peak_torque,
  drive_rated_torque,
  drive_speed,
  drive_torque_speed,
  drive_gearbox_peak,
  drive_gearbox_rated,
  drive_gearbox_speed,
};
inline FailureKind kind_of(FindingKind kind) {
  return static_cast<FailureKind>(static_cast<int>(kind));
}

/// One reason why a case is not feasible, as numbers. Numbers that the reason does not have are NaN
/// or -1.
struct Failure {
  FailureKind kind = FailureKind::other;
  int of = -1;      // index of the loop, coupling, spring, actuator, parameter, objective,
                    // constraint, scenario, drive
  int motion = -1;  // index of Study::motions
  double time = std::numeric_limits<double>::quiet_NaN();   // of the first sample concerned [s]
  double value = std::numeric_limits<double>::quiet_NaN();  // at that time
  double bound = std::numeric_limits<double>::quiet_NaN();  // that the value breaks
  double violation = 1.0;  // largest over the motion, relative to the bound's size
};

Failure failure_of(const Finding& finding, int motion);

/// Whether the robot can do the motion and only breaks a limit, so that its metrics are known.
bool breaks_limit_only(FindingKind kind);

/// The name of one kind of failure of one element.
struct FailureName {
  FailureKind kind = FailureKind::other;
  int of = -1;
  std::string element = {};  // "lean_spring"; empty where no element is to blame
  std::string what = {};     // "max_length", "singular pose"
  std::string unit = {};     // of value and bound, SI; empty if they have none
  bool upper = false;        // of a limit: whether values above the bound break it
  bool limit = false;        // whether the user states the bound and could change it

  /// "lean_spring max_length".
  [[nodiscard]] std::string words() const;
};

FailureName name_of(const Study& study, FailureKind kind, int of);

/// The names of all failures that a case of this study can have.
std::vector<FailureName> failure_names(const Study& study);

/// Several elements may state the same expression as a limit, such as "max_length":
/// "lift_max_length" of a left and a right spring. The designer can loosen this limit for all of
/// them or for none. Finds for a failure the first element with that limit, and names all together.
class StatedLimits {
 public:
  /// `study` must outlive this object.
  explicit StatedLimits(const Study& study);

  /// The element that stands for all with the same limit; `of` itself if it is alone.
  [[nodiscard]] int first_of(FailureKind kind, int of) const;
  /// The name of all of them: "left_spring, right_spring max_length".
  [[nodiscard]] FailureName name_of(FailureKind kind, int of) const;

 private:
  const Study* study_;
  std::map<std::pair<FailureKind, int>, int> first_;
};

/// How far a failure's worst value is beyond its bound, in the bound's unit. If the bound is
/// loosened by this much, the value keeps it.
double excess_of(const Failure& failure);

/// The metrics of a case over its motions and over the scenarios that the study reads.
struct CaseMetrics : Metrics {
  std::vector<double> motors;  // one per Study::motor_metrics; NaN where no drive suffices
  std::vector<double> falls;   // one per Study::fall_metrics; NaN of scenarios that were not run
};

/// The place of a metric in CaseMetrics, found once and read many times.
class MetricPlace {
 public:
  /// `element` and `statistic` as in MetricName.
  MetricPlace(MetricOf of, int element, int statistic);
  explicit MetricPlace(const MetricName& name)
      : MetricPlace(name.of, name.element, name.statistic) {}

  [[nodiscard]] double of(const CaseMetrics& metrics) const {
    if (of_ == MetricOf::scenario) return metrics.falls[element_];
    if (of_ == MetricOf::motor) return metrics.motors[element_];
    if (of_ == MetricOf::poses) return static_cast<double>(metrics.left_out);
    return of_ == MetricOf::spring ? metrics.springs[element_].*of_spring_
                                   : metrics.actuators[element_].*of_actuator_;
  }

 private:
  MetricOf of_;
  std::size_t element_;
  double ActuatorMetrics::*of_actuator_;
  double SpringMetrics::*of_spring_;
};

/// The number a metric's name stands for.
inline double value_of(const CaseMetrics& metrics, const MetricName& name) {
  return MetricPlace(name).of(metrics);
}

/// A statistic over some actuators: the largest for max and peak_power, the average for mean and
/// rms, the sum for energy. `actuators` holds the statistic's place for each actuator and is not
/// empty.
double combined_statistic(const CaseMetrics& metrics, Statistic statistic,
                          std::span<const MetricPlace> actuators);

enum class CaseStatus { feasible, infeasible, failed };
std::string_view status_name(CaseStatus status);

/// The result of evaluating one case.
struct CaseOutcome {
  CaseStatus status = CaseStatus::failed;
  std::string reason;             // in words, empty if feasible
  std::vector<Failure> failures;  // all known reasons against the case; `reason` is the first
  bool computable = false;        // whether metrics and objectives below are set
  double violation =
      0.0;  // sum of relative violations of limits and constraints, or of the loops' residual
  CaseMetrics metrics;             // combined over the case's motions
  std::vector<double> objectives;  // one per Study::objectives

  /// Sets the outcome to feasible with nothing computed.
  void begin();
  /// Makes the outcome infeasible. The first reason stays; the failure's violation is added.
  void refuse(const Failure& failure, std::string why);
  /// The same for a failure that is described in words only.
  void refuse(std::string why, double excess);
};

/// Everything that is against one case. Each kind of failure of an element is listed once, as it is
/// in the motion where it is worst.
struct BrokenLimits {
  std::vector<Failure> failures;  // by kind and element; empty if the case is feasible
  bool whole = false;  // whether the case could be evaluated to its end, so that these are all
};
/// The broken limits of a case that was evaluated on after the first limit that it breaks.
BrokenLimits broken_limits_of(const CaseOutcome& outcome);

/// What is wrong with a parameter of a design for one motion, or (-1) for all.
Failure failure_of(const ModelBinder::Fault& fault, int motion);

/// The two robots that every case is compared with: the baseline, and the baseline without springs.
/// There is one pair, or one pair per motion when the study has a motion variable.
struct Baselines {
  struct Pair {
    CaseOutcome baseline;
    CaseOutcome without_springs;
  };
  std::vector<Pair> pairs;
};

/// A case that was evaluated again to explain it.
struct ExplainedCase {
  std::span<const double> point;       // of the study
  std::span<const double> parameters;  // of the model
  const CaseOutcome* outcome = nullptr;
  const Baselines::Pair* baselines = nullptr;
};

}  // namespace counterpoise
