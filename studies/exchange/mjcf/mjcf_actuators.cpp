#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "studies/exchange/mjcf/mjcf_bodies.hpp"

namespace counterpoise {

/// Says of a motor of MJCF that drives a joint here what is not carried over, or, where it drives
/// none, why.
void MjcfBodies::note_motor(int motor, const std::string& why_not) {
  const std::string name = name_of(mjOBJ_ACTUATOR, motor, "actuator");
  const bool on_joint = m_.actuator_trntype[motor] == mjTRN_JOINT;
  const Location& where =
      on_joint ? place_of(mjOBJ_JOINT, m_.actuator_trnid[2 * motor], "joint") : places_.whole;
  if (!why_not.empty()) {
    draft_.note(where, fmt::format("the actuator {} is left out: {}", name, why_not));
    return;
  }
  const double gear = m_.actuator_gear[6 * motor];
  if (gear != 1.0)
    draft_.note(where,
                fmt::format("{} has a gear of {}: its load here is that at the joint", name, gear));
  const double* range = m_.actuator_forcerange + 2 * motor;
  if (m_.actuator_forcelimited[motor] != 0 && range[0] != -range[1])
    draft_.note(where, fmt::format("{} gives from {} to {}: the larger size is its limit here both "
                                   "ways",
                                   name, range[0], range[1]));
  if (m_.actuator_ctrllimited[motor] != 0)
    draft_.note(where, fmt::format("the range of the control of {} is left out", name));
  if (m_.actuator_biastype[motor] != mjBIAS_NONE || m_.actuator_dyntype[motor] != mjDYN_NONE)
    draft_.note(where, fmt::format("{} is taken as a motor: its own dynamics are left out", name));
}

/// Joints that nothing else determines have an actuator: where loops leave a choice, those that
/// have a motor.
void MjcfBodies::add_actuators() {
  std::map<std::string, int> motors;  // of MJCF, by the joint that they drive
  for (int a = 0; a < m_.nu; ++a) {
    const int joint = m_.actuator_trnid[2 * a];
    if (m_.actuator_trntype[a] != mjTRN_JOINT)
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
  const std::string name = motor < 0 ? joint : name_of(mjOBJ_ACTUATOR, motor, "actuator");
  Json actuator;
  actuator["name"] = actuator_names_.valid(name);
  actuator["joint"] = at_.at(joint).front();
  if (j >= 0 && m_.jnt_limited[j] != 0 && m_.jnt_type[j] != mjJNT_BALL) {
    actuator["min_position"] = m_.jnt_range[2 * j];
    actuator["max_position"] = m_.jnt_range[2 * j + 1];
  }
  if (motor >= 0 && m_.actuator_forcelimited[motor] != 0) {
    const double* range = m_.actuator_forcerange + 2 * motor;
    actuator["max_load"] =
        std::max(std::abs(range[0]), std::abs(range[1])) * std::abs(m_.actuator_gear[6 * motor]);
  }
  if (motor >= 0) note_motor(motor, "");
  actuator["source"] = motor >= 0 ? "mjcf" : "inferred";
  note_name(actuator, "actuator", name, actuator["name"]);
  draft_.add("actuators", std::move(actuator), places_.of("joint", joint));
}

void MjcfBodies::note_left_out() {
  note_joints();
  note_elements();
}

void MjcfBodies::note_joints() {
  for (int j = 0; j < m_.njnt; ++j) {
    const int dof = m_.jnt_dofadr[j];
    const std::string name = name_of(mjOBJ_JOINT, j, "joint");
    std::string what;
    const auto add = [&](const char* word, double value) {
      if (value != 0.0) what += fmt::format("{}{} {}", what.empty() ? "" : ", ", word, value);
    };
    add("armature", m_.dof_armature[dof]);
    add("damping", m_.dof_damping[dof]);
    add("friction loss", m_.dof_frictionloss[dof]);
    if (m_.jnt_limited[j] != 0 && (!at_.contains(name) || followers_.contains(name)))
      what += (what.empty() ? "" : ", ") + std::string("the range");
    if (!what.empty())
      draft_.note(place_of(mjOBJ_JOINT, j, "joint"), fmt::format("left out of {}: {}", name, what));
  }
}

void MjcfBodies::note_elements() {
  const auto touches = [&](int g) {
    return m_.geom_contype[g] != 0 || m_.geom_conaffinity[g] != 0;
  };
  int contacts = 0;
  for (int g = 0; g < m_.ngeom; ++g) contacts += touches(g) ? 1 : 0;
  const auto note = [&](int count, const char* what) {
    if (count > 0) draft_.note(places_.whole, fmt::format("{} left out: {}", what, count));
  };
  if (contacts > 0)
    draft_.note(places_.whole, fmt::format("contacts of {} geoms are left out", contacts));
  note(m_.ngeom - contacts, "geoms that only look are");
  note(m_.nsensor, "sensors are");
  note(m_.nkey, "key frames are");
  note(m_.nexclude + m_.npair, "pairs of contacts are");
  note(m_.ncam + m_.nlight, "cameras and lights are");
  note(m_.nnumeric + m_.ntext + m_.ntuple, "custom elements are");
  if (m_.nmocap > 0)
    draft_.note(places_.whole, fmt::format("{} bodies of motion capture stand still", m_.nmocap));
  if (m_.opt.viscosity != 0.0 || m_.opt.density != 0.0)
    draft_.note(places_.whole, "the medium is left out");
}

}  // namespace counterpoise
