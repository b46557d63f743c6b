#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "engine/mechanism/finding.hpp"
#include "input/definition/study.hpp"

namespace counterpoise {

/// What is against a case. The first kinds are those of FindingKind, with the same numbers.
enum class FailureKind {
  parameter_not_finite = 1000,
  parameter_below_min,
  parameter_above_max,
  objective_not_finite,
  constraint_not_finite,
  constraint_below_min,
  constraint_above_max,
  other,  // told in words only: a number no mechanism can have, springs that do not exist
  // of scenarios; those of falls are in the order of FallStop::Kind
  scenario_impossible,
  fall_open_start,
  fall_start_in_contact,
  fall_start_not_followed,
  fall_singular_mass,
  fall_singular_pose,
  fall_jammed,
  fall_too_many_events,
  fall_not_integrated,
};
inline FailureKind kind_of(FindingKind kind) {
  return static_cast<FailureKind>(static_cast<int>(kind));
}

/// One thing that is against a case, as numbers. Those that it does not have are NaN or -1.
struct Failure {
  FailureKind kind = FailureKind::other;
  int of = -1;      // index of the loop, coupling, spring, actuator, parameter, objective,
                    // constraint, scenario
  int motion = -1;  // index of Study::motions
  double time = std::numeric_limits<double>::quiet_NaN();   // of the first sample concerned [s]
  double value = std::numeric_limits<double>::quiet_NaN();  // found then
  double bound = std::numeric_limits<double>::quiet_NaN();  // that the value is beyond
  double violation = 1.0;  // largest over the motion, relative to the bound's size
};

Failure failure_of(const Finding& finding, int motion);

/// Whether the robot can do the motion and only breaks a limit, so that its metrics are known.
bool breaks_limit_only(FindingKind kind);

/// How a kind of failure of one element is called.
struct FailureName {
  FailureKind kind = FailureKind::other;
  int of = -1;
  std::string element = {};  // "lean_spring"; empty where no element is to blame
  std::string what = {};     // "max_length", "singular pose"
  std::string unit = {};     // of value and bound, SI; empty if they have none
  bool upper = false;        // of a limit: whether values above the bound break it
  bool limit = false;        // a bound that the user states, and that could be another

  /// "lean_spring max_length".
  [[nodiscard]] std::string words() const;
};

FailureName name_of(const Study& study, FailureKind kind, int of);

/// The names of all failures that a case of this study can have.
std::vector<FailureName> failure_names(const Study& study);

/// Limits that the model states by one expression are one to the designer: "max_length":
/// "lift_max_length" of a left and a right spring is loosened for both or for none. Finds for a
/// failure the first element whose limit is that expression, and names all of them together.
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

/// How far a failure's worst value is beyond its bound, in the bound's unit: loosened by so much,
/// the bound holds.
double excess_of(const Failure& failure);

}  // namespace counterpoise
