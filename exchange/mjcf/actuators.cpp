// Actuators of a robot in MJCF: motors on joints and between two sites, and forces that do not
// depend on anything, which belong to springs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "exchange/mjcf/bodies.hpp"

namespace counterpoise {

bool MjcfBodies::is_constant(int a) const {
  const double* gain = m_.actuator_gainprm + static_cast<std::ptrdiff_t>(mjNGAIN) * a;
  const double* bias = m_.actuator_biasprm + static_cast<std::ptrdiff_t>(mjNBIAS) * a;
  return m_.actuator_gaintype[a] == mjGAIN_FIXED && gain[0] == 0.0 &&
         m_.actuator_biastype[a] == mjBIAS_AFFINE && bias[1] == 0.0 && bias[2] == 0.0 &&
         m_.actuator_dyntype[a] == mjDYN_NONE && m_.actuator_forcelimited[a] == 0 &&
         !disabled(mjDSBL_ACTUATION);
}

/// Springs with a part that does not depend on their length or angle are written so.
void MjcfBodies::find_constant_forces() {
  for (int a = 0; a < m_.nu; ++a) {
    if (!is_constant(a)) continue;
    const int on = m_.actuator_trnid[2 * a];
    const double force =
        m_.actuator_gear[6 * a] * m_.actuator_biasprm[static_cast<std::ptrdiff_t>(mjNBIAS) * a];
    if (m_.actuator_trntype[a] == mjTRN_JOINT &&
        (m_.jnt_type[on] == mjJNT_HINGE || m_.jnt_type[on] == mjJNT_SLIDE))
      joint_forces_[on] += force;
    else if (m_.actuator_trntype[a] == mjTRN_TENDON && goes_straight(on))
      tendon_forces_[on] += force;
  }
}

/// Whether an actuator of MJCF is the constant part of a spring here.
bool MjcfBodies::is_of_spring(int a) const {
  const int on = m_.actuator_trnid[2 * a];
  return is_constant(a) && (m_.actuator_trntype[a] == mjTRN_JOINT    ? joint_forces_.contains(on)
                            : m_.actuator_trntype[a] == mjTRN_TENDON ? tendon_forces_.contains(on)
                                                                     : false);
}

/// The first motor of each straight tendon that has one.
void MjcfBodies::find_lines() {
  if (!takes_lines_) return;
  for (int a = 0; a < m_.nu; ++a) {
    const int tendon = m_.actuator_trnid[2 * a];
    if (m_.actuator_trntype[a] == mjTRN_TENDON && goes_straight(tendon) && !is_constant(a) &&
        m_.actuator_gear[6 * a] != 0.0)
      lines_.emplace(tendon, a);
  }
}

Location MjcfBodies::place_of_motor(int motor) const {
  const int on = m_.actuator_trnid[2 * motor];
  if (m_.actuator_trntype[motor] == mjTRN_JOINT) return place_of(mjOBJ_JOINT, on, "joint");
  if (m_.actuator_trntype[motor] == mjTRN_TENDON)
    return places_.of("spatial", name_of(mjOBJ_TENDON, on, "tendon"));
  return places_.whole;
}

/// Says of a motor of MJCF that drives a joint or a line here what is not carried over, or, where
/// it drives none, why.
void MjcfBodies::note_motor(int motor, const std::string& why_not) {
  const std::string name = name_of(mjOBJ_ACTUATOR, motor, "actuator");
  const Location where = place_of_motor(motor);
  if (!why_not.empty()) {
    note(where, fmt::format("the actuator {} is left out: {}", name, why_not),
         "# actuators are left out: " + why_not);
    return;
  }
  const double gear = m_.actuator_gear[6 * motor];
  if (gear != 1.0)
    note(where,
         fmt::format("{} has a gear of {}: its load here is that at the {}", name, gear,
                     m_.actuator_trntype[motor] == mjTRN_TENDON ? "tendon" : "joint"),
         "# actuators have gears: their loads here are those at the joint or tendon");
  const double* range = m_.actuator_forcerange + 2 * motor;
  if (m_.actuator_forcelimited[motor] != 0 && range[0] != -range[1])
    note(where,
         fmt::format("{} gives from {} to {}: the larger size is its limit here both ways", name,
                     range[0], range[1]),
         "# actuators give more one way: the larger size is their limit here both ways");
  if (m_.actuator_biastype[motor] != mjBIAS_NONE || m_.actuator_dyntype[motor] != mjDYN_NONE)
    note(where, fmt::format("{} is taken as a motor: its own dynamics are left out", name),
         "# actuators are taken as motors: their own dynamics are left out");
}

/// Joints that nothing else determines have an actuator: where loops and driven lines leave a
/// choice, those that have a motor.
void MjcfBodies::add_actuators() {
  std::map<std::string, int> motors;  // of MJCF, by the joint that they drive
  for (int a = 0; a < m_.nu; ++a) {
    const int joint = m_.actuator_trnid[2 * a];
    const bool on_tendon = m_.actuator_trntype[a] == mjTRN_TENDON;
    if (is_of_spring(a)) continue;
    if (on_tendon && lines_.contains(joint) && lines_.at(joint) == a)
      add_line(joint, a);
    else if (on_tendon && goes_straight(joint) && options_.actuate.empty())
      note_motor(a, takes_lines_
                        ? "its tendon has another"
                        : "with it, as many actuators as degrees of freedom are not found");
    else if (m_.actuator_trntype[a] != mjTRN_JOINT)
      note_motor(a, "it is on no joint");
    else if (!at_.contains(name_of(mjOBJ_JOINT, joint, "joint")))
      note_motor(a, "its joint moves in several ways");
    else if (m_.actuator_gear[6 * a] == 0.0)
      note_motor(a, "its gear is 0");
    else if (!motors.emplace(name_of(mjOBJ_JOINT, joint, "joint"), a).second)
      note_motor(a, "its joint has another");
  }
  const auto motor_of = [&](const std::string& joint) {
    const auto motor = motors.find(joint);
    return motor == motors.end() ? -1 : motor->second;
  };
  const auto in_loop = [&](const std::string& joint) {
    const int j = mj_name2id(&m_, mjOBJ_JOINT, joint.c_str());
    return j >= 0 && loop_bodies_.contains(m_.jnt_bodyid[j]);
  };
  const bool loops_have_motors =
      !lines_.empty() ||
      std::any_of(motors.begin(), motors.end(), [&](const auto& m) { return in_loop(m.first); });
  for (const std::string& joint : moving_) {
    const bool named = std::find(options_.actuate.begin(), options_.actuate.end(), joint) !=
                       options_.actuate.end();
    const int motor = motor_of(joint);
    const bool chosen = !options_.actuate.empty()             ? named
                        : in_loop(joint) && loops_have_motors ? motor >= 0
                                                              : !followers_.contains(joint);
    if (chosen)
      add_actuator(joint, motor);
    else if (motor >= 0)
      note_motor(motor, options_.actuate.empty() ? "its joint follows another"
                                                 : "--actuate does not name its joint");
  }
  for (const std::string& asked : options_.actuate)
    if (std::find(moving_.begin(), moving_.end(), asked) == moving_.end())
      throw InputError({.file = "--actuate " + asked},
                       fmt::format("expected a joint that moves{}", did_you_mean(asked, moving_)));
}

void MjcfBodies::add_actuator(const std::string& joint, int motor) {
  const int j = mj_name2id(&m_, mjOBJ_JOINT, joint.c_str());
  Json actuator;
  const std::string name = motor < 0 ? joint : name_of(mjOBJ_ACTUATOR, motor, "actuator");
  actuator["name"] = actuator_names_.valid(name);
  actuator["joint"] = at_.at(joint).front();
  if (j >= 0 && m_.jnt_limited[j] != 0 && m_.jnt_type[j] != mjJNT_BALL) {
    actuator["min_position"] = m_.jnt_range[2 * j];
    actuator["max_position"] = m_.jnt_range[2 * j + 1];
  }
  give_largest_load(actuator, motor, places_.besides.joint_limits, joint);
  add_motor(std::move(actuator), motor, name, places_.of("joint", joint));
}

void MjcfBodies::add_line(int tendon, int motor) {
  Json actuator;
  const std::string name = name_of(mjOBJ_ACTUATOR, motor, "actuator");
  actuator["name"] = actuator_names_.valid(name);
  actuator["connect"] = ends_of(tendon);
  if (m_.tendon_limited[tendon] != 0) {
    actuator["min_position"] = m_.tendon_range[2 * tendon];
    actuator["max_position"] = m_.tendon_range[2 * tendon + 1];
  }
  give_largest_load(actuator, motor, places_.besides.tendon_limits,
                    name_of(mjOBJ_TENDON, tendon, "tendon"));
  add_motor(std::move(actuator), motor, name, place_of_motor(motor));
}

/// The smaller of the motor's own limit, if any, and the limit of its joint or tendon for all
/// motors.
void MjcfBodies::give_largest_load(Json& actuator, int motor,
                                   const std::map<std::string, double>& limits,
                                   const std::string& on) const {
  double largest = std::numeric_limits<double>::infinity();
  if (const auto limit = limits.find(on); limit != limits.end()) largest = limit->second;
  if (motor >= 0 && m_.actuator_forcelimited[motor] != 0) {
    const double* range = m_.actuator_forcerange + 2 * motor;
    largest = std::min(largest, std::max(std::abs(range[0]), std::abs(range[1])) *
                                    std::abs(m_.actuator_gear[6 * motor]));
  }
  if (std::isfinite(largest)) actuator["max_load"] = largest;
}

/// Completes an actuator with its motor's data, if it has one.
void MjcfBodies::add_motor(Json actuator, int motor, const std::string& name,
                           const Location& where) {
  if (motor >= 0) note_motor(motor, "");
  actuator["source"] = motor >= 0 ? "mjcf" : "inferred";
  note_name(actuator, "actuator", name, actuator["name"]);
  draft_.add("actuators", std::move(actuator), where);
}

}  // namespace counterpoise
