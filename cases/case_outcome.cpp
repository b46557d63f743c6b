#include "cases/case_outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "cases/study_units.hpp"

namespace counterpoise {

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

void CaseOutcome::begin() {
  status = CaseStatus::feasible;
  reason.clear();
  failures.clear();
  computable = false;
  violation = 0.0;
}

void CaseOutcome::refuse(const Failure& failure, std::string why) {
  if (status == CaseStatus::feasible) {
    status = CaseStatus::infeasible;
    reason = std::move(why);
  }
  failures.push_back(failure);
  violation += failure.violation;
}

void CaseOutcome::refuse(std::string why, double excess) {
  Failure failure;
  failure.violation = excess;
  refuse(failure, std::move(why));
}

BrokenLimits broken_limits_of(const CaseOutcome& outcome) {
  std::map<std::pair<FailureKind, int>, Failure> worst;
  for (const Failure& failure : outcome.failures) {
    const auto [at, fresh] = worst.try_emplace({failure.kind, failure.of}, failure);
    if (!fresh && excess_of(failure) > excess_of(at->second)) at->second = failure;
  }
  BrokenLimits broken;
  broken.whole = outcome.computable;
  for (const auto& [key, failure] : worst) broken.failures.push_back(failure);
  return broken;
}

Failure failure_of(const ModelBinder::Fault& fault, int motion) {
  using Kind = ModelBinder::Fault::Kind;
  Failure failure;
  failure.kind = fault.kind == Kind::not_finite  ? FailureKind::parameter_not_finite
                 : fault.kind == Kind::below_min ? FailureKind::parameter_below_min
                                                 : FailureKind::parameter_above_max;
  failure.of = fault.parameter;
  failure.motion = motion;
  failure.value = fault.value;
  failure.bound = fault.bound;
  if (fault.kind != Kind::not_finite)
    failure.violation =
        std::abs(fault.value - fault.bound) / (fault.bound == 0.0 ? 1.0 : std::abs(fault.bound));
  return failure;
}

namespace {

constexpr int first_of_studies = static_cast<int>(FailureKind::parameter_not_finite);

bool is_angle(const Mechanism& mechanism, const Actuator& actuator) {
  return load_unit(mechanism, actuator) == "N*m";
}

FailureName of_loop(const Mechanism& mechanism, int of, const char* what) {
  return {.of = of, .element = of < 0 ? "" : mechanism.loops[at(of)].name, .what = what};
}

FailureName of_spring(const Mechanism& mechanism, int of, const char* what, const char* unit,
                      const char* angular_unit, bool upper) {
  const Spring& spring = mechanism.springs[at(of)];
  const bool angular = turns(mechanism, spring);
  return {.of = of,
          .element = spring.name,
          .what = what,
          .unit = angular ? angular_unit : unit,
          .upper = upper,
          .limit = true};
}

FailureName of_actuator(const Mechanism& mechanism, int of, const char* what) {
  return {.of = of, .element = mechanism.actuators[at(of)].name, .what = what};
}

FailureName of_point(const Mechanism& mechanism, int of, const char* what) {
  return {.of = of, .element = of < 0 ? "" : mechanism.points[at(of)].name, .what = what};
}

FailureName of_actuator_limit(const Mechanism& mechanism, int of, const char* what,
                              const char* unit, const char* angle_unit, bool upper) {
  FailureName name = of_actuator(mechanism, of, what);
  name.unit = is_angle(mechanism, mechanism.actuators[at(of)]) ? angle_unit : unit;
  name.upper = upper;
  name.limit = true;
  return name;
}

FailureName name_of_finding(const Mechanism& mechanism, FindingKind kind, int of) {
  switch (kind) {
    case FindingKind::loop_open:
    case FindingKind::loop_askew:
      return of_loop(mechanism, of, "cannot close");
    case FindingKind::singular_loop:
    case FindingKind::singular_loop_passed:
      return of_loop(mechanism, of, "singular pose");
    case FindingKind::loop_jump:
      return of_loop(mechanism, of, "jumps to another branch");
    case FindingKind::actuator_unreachable:
      return of_actuator(mechanism, of, "cannot reach its length");
    case FindingKind::singular_actuator:
    case FindingKind::singular_actuator_passed:
      return of_actuator(mechanism, of, "singular pose");
    case FindingKind::actuator_jump:
      return of_actuator(mechanism, of, "jumps to another branch");
    case FindingKind::coupling_open:
      return {.of = of, .element = mechanism.couplings[at(of)].name, .what = "cannot be met"};
    case FindingKind::point_unreachable:
      return of_point(mechanism, of, "cannot be reached on its branch");
    case FindingKind::turn_unreachable:
      return {.of = of,
              .element = mechanism.bodies[at(of)].name,
              .what = "cannot be turned as the motion has it"};
    case FindingKind::singular_tool:
    case FindingKind::singular_tool_passed:
      return of_point(mechanism, of, "singular pose of the arm");
    case FindingKind::tool_jump:
      return of_point(mechanism, of, "jumps to another branch");
    case FindingKind::transmission_singular:
    case FindingKind::transmission_loop_passed:
      return of_loop(mechanism, of, "the actuators cannot hold the mechanism");
    case FindingKind::transmission_actuator_passed:
      return of_actuator(mechanism, of, "the actuators cannot hold the mechanism");
    case FindingKind::spring_too_short:
      return of_spring(mechanism, of, "min_length", "m", "rad", false);
    case FindingKind::spring_too_long:
      return of_spring(mechanism, of, "max_length", "m", "rad", true);
    case FindingKind::spring_overloaded:
      return of_spring(mechanism, of, "max_load", "N", "N*m", true);
    case FindingKind::spring_too_near:
      return of_spring(mechanism, of, "min_clearance", "m", "m", false);
    case FindingKind::spring_pushes:
      return {.of = of, .element = mechanism.springs[at(of)].name, .what = "would have to push"};
    case FindingKind::spring_pulls:
      return {.of = of, .element = mechanism.springs[at(of)].name, .what = "would have to pull"};
    case FindingKind::spring_below_free_length:
      return of_spring(mechanism, of, "shorter than free_length", "m", "rad", false);
    case FindingKind::spring_above_free_length:
      return of_spring(mechanism, of, "longer than free_length", "m", "rad", true);
    case FindingKind::spring_without_direction:
      return {.of = of, .element = mechanism.springs[at(of)].name, .what = "no direction"};
    case FindingKind::cable_in_pulley:
      return {.of = of, .element = mechanism.springs[at(of)].name, .what = "cable inside a pulley"};
    case FindingKind::cable_askew:
      return {.of = of, .element = mechanism.springs[at(of)].name, .what = "pulleys not parallel"};
    case FindingKind::cable_without_course:
      return {
          .of = of, .element = mechanism.springs[at(of)].name, .what = "cable without a course"};
    case FindingKind::cable_off_cam:
      return {.of = of, .element = mechanism.springs[at(of)].name, .what = "cable off its cam"};
    case FindingKind::position_too_small:
      return of_actuator_limit(mechanism, of, "min_position", "m", "rad", false);
    case FindingKind::position_too_large:
      return of_actuator_limit(mechanism, of, "max_position", "m", "rad", true);
    case FindingKind::actuator_overloaded:
      return of_actuator_limit(mechanism, of, "max_load", "N", "N*m", true);
    case FindingKind::actuator_too_fast:
      return of_actuator_limit(mechanism, of, "max_speed", "m/s", "rad/s", true);
    case FindingKind::joint_locks:
      return {.of = of, .element = mechanism.bodies[at(of)].name, .what = "friction may lock it"};
    case FindingKind::sharing_contradicted:
      return {.of = of,
              .element = fmt::format("rule {} of \"reactions\"", of + 1),
              .what = "cannot hold"};
    case FindingKind::not_finite:
      if (of < 0) return {.what = "a load is not a finite number"};
      return of_actuator(mechanism, of, "not a finite number");
  }
  return {};
}

FailureName of_parameter(const Study& study, int of, const char* what, bool upper, bool limit) {
  const Parameter& parameter = study.model->parameters[at(of)];
  return {.of = of,
          .element = parameter.name,
          .what = what,
          .unit = std::string(si_unit(parameter.unit)),
          .upper = upper,
          .limit = limit};
}

FailureName of_constraint(const Study& study, int of, const char* what, bool upper, bool limit) {
  const Constraint& constraint = study.constraints[at(of)];
  return {.of = of,
          .element = constraint.name,
          .what = what,
          .unit = constraint.unit,
          .upper = upper,
          .limit = limit};
}

FailureName of_drive(const Study& study, int of, FailureKind kind) {
  const auto demand = static_cast<DriveDemand>(static_cast<int>(kind) -
                                               static_cast<int>(FailureKind::drive_peak_torque));
  const int actuator = study.drives[at(of)].actuator;
  return {.of = of,
          .element = study.model->nominal.actuators[actuator].name,
          .what = fmt::format("drive, {}", words_of(demand)),
          .unit = "1",
          .upper = true};
}

const char* words_of_fall(FailureKind kind) {
  switch (kind) {
    case FailureKind::scenario_impossible:
      return "is impossible";
    case FailureKind::fall_open_start:
      return "start cannot close";
    case FailureKind::fall_start_in_contact:
      return "start in contact";
    case FailureKind::fall_start_not_followed:
      return "start not on the followed profile";
    case FailureKind::fall_singular_mass:
      return "a motion moves no mass";
    case FailureKind::fall_singular_pose:
      return "singular pose";
    case FailureKind::fall_jammed:
      return "jammed between contacts";
    case FailureKind::fall_too_many_events:
      return "too many events";
    default:
      return "cannot be integrated";
  }
}

}  // namespace

std::string FailureName::words() const {
  std::string text = element;
  if (!element.empty()) text += ' ';
  return text += what;
}

bool breaks_limit_only(FindingKind kind) {
  switch (kind) {
    case FindingKind::spring_too_short:
    case FindingKind::spring_too_long:
    case FindingKind::spring_overloaded:
    case FindingKind::spring_pushes:
    case FindingKind::spring_pulls:
    case FindingKind::spring_below_free_length:
    case FindingKind::spring_above_free_length:
    case FindingKind::spring_too_near:
    case FindingKind::position_too_small:
    case FindingKind::position_too_large:
    case FindingKind::actuator_overloaded:
    case FindingKind::actuator_too_fast:
      return true;
    default:
      return false;
  }
}

Failure failure_of(const Finding& finding, int motion) {
  Failure failure;
  failure.kind = kind_of(finding.kind);
  failure.of = finding.element;
  failure.motion = motion;
  failure.time = finding.time;
  failure.value = finding.value;
  failure.bound = finding.limit;
  failure.violation = finding.violation;
  return failure;
}

FailureName name_of(const Study& study, FailureKind kind, int of) {
  FailureName name;
  switch (kind) {
    case FailureKind::parameter_not_finite:
      name = of_parameter(study, of, "not a finite number", false, false);
      break;
    case FailureKind::parameter_below_min:
      name = of_parameter(study, of, "min", false, true);
      break;
    case FailureKind::parameter_above_max:
      name = of_parameter(study, of, "max", true, true);
      break;
    case FailureKind::objective_not_finite:
      name = {.of = of, .element = study.objectives[at(of)].name, .what = "not a finite number"};
      break;
    case FailureKind::constraint_not_finite:
      name = of_constraint(study, of, "not a finite number", false, false);
      break;
    case FailureKind::constraint_below_min:
      name = of_constraint(study, of, "min", false, true);
      break;
    case FailureKind::constraint_above_max:
      name = of_constraint(study, of, "max", true, true);
      break;
    case FailureKind::other:
      name = {.what = "told in words"};
      break;
    case FailureKind::scenario_impossible:
    case FailureKind::fall_open_start:
    case FailureKind::fall_start_in_contact:
    case FailureKind::fall_start_not_followed:
    case FailureKind::fall_singular_mass:
    case FailureKind::fall_singular_pose:
    case FailureKind::fall_jammed:
    case FailureKind::fall_too_many_events:
    case FailureKind::fall_not_integrated:
      name = {.of = of, .element = study.scenarios[at(of)].name, .what = words_of_fall(kind)};
      break;
    case FailureKind::drive_peak_torque:
    case FailureKind::drive_rated_torque:
    case FailureKind::drive_speed:
    case FailureKind::drive_torque_speed:
    case FailureKind::drive_gearbox_peak:
    case FailureKind::drive_gearbox_rated:
    case FailureKind::drive_gearbox_speed:
      name = of_drive(study, of, kind);
      break;
    default:
      name = name_of_finding(study.model->nominal, static_cast<FindingKind>(static_cast<int>(kind)),
                             of);
  }
  const bool jumps =
      kind == kind_of(FindingKind::loop_jump) || kind == kind_of(FindingKind::actuator_jump);
  const auto of_poses = [](const LoadCase& load_case) { return load_case.motion.nominal.poses; };
  if (jumps && std::any_of(study.motions.begin(), study.motions.end(), of_poses))
    name.what = "may jump to another branch";  // steps may be too coarse to know
  name.kind = kind;
  return name;
}

namespace {

/// What may go wrong with the points and orientations that motions of a study give, each once.
std::set<std::pair<FailureKind, int>> failures_of_tools(const Study& study) {
  std::set<std::pair<FailureKind, int>> failures;
  using enum FindingKind;
  for (const LoadCase& load_case : study.motions)
    for (const Drive& drive : load_case.motion.nominal.drives) {
      if (!drive.is_of_tool()) continue;
      failures.insert({kind_of(drive.point >= 0 ? point_unreachable : turn_unreachable),
                       drive.point >= 0 ? int(drive.point) : int(drive.turned)});
      for (const FindingKind kind : {singular_tool, singular_tool_passed, tool_jump})
        failures.insert({kind_of(kind), drive.point});
    }
  return failures;
}

}  // namespace

std::vector<FailureName> failure_names(const Study& study) {
  const Mechanism& mechanism = study.model->nominal;
  std::vector<FailureName> names;
  const auto add = [&](FailureKind kind, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      names.push_back(name_of(study, kind, static_cast<int>(i)));
  };
  using enum FindingKind;
  for (const FindingKind kind : {loop_open, loop_askew, singular_loop, singular_loop_passed,
                                 loop_jump, transmission_singular, transmission_loop_passed})
    add(kind_of(kind), mechanism.loops.size());
  for (const FindingKind kind :
       {actuator_unreachable, singular_actuator, singular_actuator_passed, actuator_jump,
        transmission_actuator_passed, position_too_small, position_too_large, actuator_overloaded,
        actuator_too_fast, not_finite})
    add(kind_of(kind), mechanism.actuators.size());
  add(kind_of(coupling_open), mechanism.couplings.size());
  for (const auto& [kind, of] : failures_of_tools(study)) names.push_back(name_of(study, kind, of));
  for (const FindingKind kind :
       {spring_too_short, spring_too_long, spring_overloaded, spring_pushes, spring_pulls,
        spring_below_free_length, spring_above_free_length, spring_without_direction})
    add(kind_of(kind), mechanism.springs.size());
  for (const FindingKind kind : {cable_in_pulley, cable_askew, cable_without_course})
    for (std::size_t s = 0; s < mechanism.springs.size(); ++s)
      if (mechanism.springs[s].is_cable())
        names.push_back(name_of(study, kind_of(kind), static_cast<int>(s)));
  for (std::size_t s = 0; s < mechanism.springs.size(); ++s)
    if (mechanism.springs[s].on_cam)
      names.push_back(name_of(study, kind_of(cable_off_cam), static_cast<int>(s)));
  for (std::size_t s = 0; s < mechanism.springs.size(); ++s)
    if (!mechanism.springs[s].clear_of.empty())
      names.push_back(name_of(study, kind_of(spring_too_near), static_cast<int>(s)));
  if (study.model->load_friction_joint() >= 0) {
    add(kind_of(joint_locks), mechanism.bodies.size());
    add(kind_of(sharing_contradicted), mechanism.sharing.size());
  }
  for (const FindingKind kind : {transmission_singular, not_finite})
    names.push_back(name_of(study, kind_of(kind), -1));
  for (const FailureKind kind :
       {FailureKind::parameter_not_finite, FailureKind::parameter_below_min,
        FailureKind::parameter_above_max})
    add(kind, study.model->parameters.size());
  add(FailureKind::objective_not_finite, study.objectives.size());
  for (const FailureKind kind :
       {FailureKind::constraint_not_finite, FailureKind::constraint_below_min,
        FailureKind::constraint_above_max})
    add(kind, study.constraints.size());
  names.push_back(name_of(study, FailureKind::other, -1));
  using enum FailureKind;
  for (const FailureKind kind : {scenario_impossible, fall_open_start, fall_start_in_contact,
                                 fall_start_not_followed, fall_singular_mass, fall_singular_pose,
                                 fall_jammed, fall_too_many_events, fall_not_integrated})
    add(kind, study.scenarios.size());
  for (std::size_t d = 0; d < study.drives.size(); ++d)
    for (std::size_t demand = 0; demand < drive_demand_count && study.drives[d].chosen(); ++demand)
      names.push_back(name_of(
          study,
          static_cast<FailureKind>(static_cast<int>(drive_peak_torque) + static_cast<int>(demand)),
          static_cast<int>(d)));
  return names;
}

StatedLimits::StatedLimits(const Study& study) : study_(&study) {
  std::map<std::pair<FailureKind, std::string>, int> first;  // by the text of the expression
  for (const FailureName& name : failure_names(study)) {
    const bool free_length = name.kind == kind_of(FindingKind::spring_below_free_length) ||
                             name.kind == kind_of(FindingKind::spring_above_free_length);
    const bool spring = free_length || name.kind == kind_of(FindingKind::spring_too_near) ||
                        (kind_of(FindingKind::spring_too_short) <= name.kind &&
                         name.kind <= kind_of(FindingKind::spring_overloaded));
    if (!name.limit || static_cast<int>(name.kind) >= first_of_studies) continue;
    const std::string pointer = fmt::format("/{}/{}/{}", spring ? "springs" : "actuators", name.of,
                                            free_length ? "free_length" : name.what);
    const JsonValue& stated = study.model->document.at_or_above(pointer);
    if (stated.location().pointer != pointer || stated.kind != JsonValue::Kind::string) continue;
    const auto [at, fresh] = first.try_emplace({name.kind, stated.text}, name.of);
    first_[{name.kind, name.of}] = at->second;
  }
}

int StatedLimits::first_of(FailureKind kind, int of) const {
  const auto found = first_.find({kind, of});
  return found == first_.end() ? of : found->second;
}

FailureName StatedLimits::name_of(FailureKind kind, int of) const {
  const int first = first_of(kind, of);
  FailureName name = counterpoise::name_of(*study_, kind, first);
  for (const auto& [key, stands_for] : first_)
    if (key.first == kind && stands_for == first && key.second != first)
      name.element += ", " + counterpoise::name_of(*study_, kind, key.second).element;
  return name;
}

double excess_of(const Failure& failure) {
  const double excess = failure.violation * (failure.bound == 0.0 ? 1.0 : std::abs(failure.bound));
  if (failure.kind != FailureKind::parameter_below_min &&
      failure.kind != FailureKind::parameter_above_max)
    return excess;
  // bounds of parameters are held to the last bit: so much has to reach the value
  const double direction = failure.value > failure.bound ? 1.0 : -1.0;
  double enough = std::abs(failure.value - failure.bound);
  while (direction * (failure.bound + direction * enough) < direction * failure.value)
    enough = std::nextafter(enough, INFINITY);
  return enough;
}

namespace {

// in the order of Statistic and of SpringStatistic
constexpr std::array actuator_statistics = {&ActuatorMetrics::max,        &ActuatorMetrics::mean,
                                            &ActuatorMetrics::rms,        &ActuatorMetrics::energy,
                                            &ActuatorMetrics::peak_power, &ActuatorMetrics::holds};
constexpr std::array spring_statistics = {&SpringMetrics::min_length, &SpringMetrics::max_length,
                                          &SpringMetrics::max_tension, &SpringMetrics::min_tension,
                                          &SpringMetrics::clearance};

}  // namespace

MetricPlace::MetricPlace(MetricOf of, int element, int statistic)
    : of_(of),
      element_(static_cast<std::size_t>(element)),
      of_actuator_(of == MetricOf::actuator
                       ? actuator_statistics[static_cast<std::size_t>(statistic)]
                       : nullptr),
      of_spring_(of == MetricOf::spring ? spring_statistics[static_cast<std::size_t>(statistic)]
                                        : nullptr) {}

double combined_statistic(const CaseMetrics& metrics, Statistic statistic,
                          std::span<const MetricPlace> actuators) {
  double largest = 0.0, sum = 0.0;
  for (const MetricPlace& place : actuators) {
    const double value = place.of(metrics);
    largest = std::max(largest, value);
    sum += value;
  }
  switch (statistic) {
    case Statistic::max:
    case Statistic::peak_power:
      return largest;
    case Statistic::mean:
    case Statistic::rms:
      return sum / static_cast<double>(actuators.size());
    case Statistic::energy:
      return sum;
    case Statistic::holds:
      break;  // never an objective by itself
  }
  return 0.0;
}

}  // namespace counterpoise
