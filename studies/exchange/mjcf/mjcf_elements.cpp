#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "studies/exchange/mjcf/mjcf_bodies.hpp"

namespace counterpoise {

void MjcfBodies::add_loops() {
  for (int e = 0; e < m_.neq; ++e) {
    const int type = m_.eq_type[e];
    const char* element = type == mjEQ_CONNECT ? "connect"
                          : type == mjEQ_WELD  ? "weld"
                          : type == mjEQ_JOINT ? "joint"
                                               : "tendon";
    const std::string name = name_of(mjOBJ_EQUALITY, e, "loop");
    const Location& where = places_.of(element, name);
    if (m_.eq_active[e] == 0) {
      draft_.note(where, fmt::format("the constraint {} is left out: it is not active", name));
      continue;
    }
    if (type == mjEQ_JOINT) {
      add_coupling(e);
      continue;
    }
    if (type != mjEQ_CONNECT && type != mjEQ_WELD)
      throw InputError(where,
                       fmt::format("found a constraint of tendons, {}, expected connect, weld "
                                   "or joint: models have no other",
                                   in_quotes(name)));
    Json loop;
    loop["name"] = loop_names_.valid(name);
    loop["connect"] = {point_at_.at(name + "_1"), point_at_.at(name + "_2")};
    if (type == mjEQ_WELD) {
      const double* q = m_.eq_data + static_cast<std::ptrdiff_t>(mjNEQDATA) * e + 6;
      loop["keep"] = "weld";
      loop["rotation"] = {{"quaternion", {q[0], q[1], q[2], q[3]}}};
    }
    loop["source"] = "mjcf";
    note_name(loop, "constraint", name, loop["name"]);
    draft_.add("loops", std::move(loop), where);
  }
}

/// joint1 - its reference = a0 + a1 (joint2 - its reference).
void MjcfBodies::add_coupling(int e) {
  const std::string name = name_of(mjOBJ_EQUALITY, e, "coupling");
  const Location& where = places_.of("joint", name);
  const int follower = m_.eq_obj1id[e], leader = m_.eq_obj2id[e];
  const double* a = m_.eq_data + static_cast<std::ptrdiff_t>(mjNEQDATA) * e;
  if (leader < 0 || a[2] != 0.0 || a[3] != 0.0 || a[4] != 0.0 || a[1] == 0.0)
    throw InputError(where, fmt::format("found the constraint {} that is not linear between two "
                                        "joints, expected polycoef=\"a0 a1 0 0 0\"",
                                        in_quotes(name)));
  const auto reference = [&](int j) { return m_.qpos0[m_.jnt_qposadr[j]]; };
  const std::string follows = name_of(mjOBJ_JOINT, follower, "joint");
  followers_.insert(follows);
  Json coupling;
  coupling["name"] = loop_names_.valid(name);
  coupling["joint"] = at_.at(follows).front();
  coupling["ratio"] = a[1];
  coupling["of"] = at_.at(name_of(mjOBJ_JOINT, leader, "joint")).front();
  coupling["offset"] = reference(follower) + a[0] - a[1] * reference(leader);
  coupling["source"] = "mjcf";
  note_name(coupling, "constraint", name, coupling["name"]);
  draft_.add("couplings", std::move(coupling), where);
}

void MjcfBodies::add_springs() {
  for (int t = 0; t < m_.ntendon; ++t) {
    const std::string name = name_of(mjOBJ_TENDON, t, "tendon");
    const Location& where = places_.of("spatial", name);
    if (m_.tendon_stiffness[t] <= 0.0) {
      draft_.note(where, fmt::format("the tendon {} is left out: it has no stiffness", name));
      continue;
    }
    const int first = m_.tendon_adr[t], parts = m_.tendon_num[t];
    if (parts != 2 || m_.wrap_type[first] != mjWRAP_SITE || m_.wrap_type[first + 1] != mjWRAP_SITE)
      throw InputError(where,
                       fmt::format("found the tendon {} with {} parts, expected two sites: a "
                                   "spring goes straight, over no pulley and around nothing",
                                   in_quotes(name), parts));
    Json spring;
    spring["name"] = spring_names_.valid(name);
    spring["connect"] = {point_at_.at(name_of(mjOBJ_SITE, m_.wrap_objid[first], "site")),
                         point_at_.at(name_of(mjOBJ_SITE, m_.wrap_objid[first + 1], "site"))};
    spring["rate"] = m_.tendon_stiffness[t];
    spring["free_length"] = m_.tendon_lengthspring[t];
    spring["source"] = "mjcf";
    note_name(spring, "tendon", name, spring["name"]);
    draft_.add("springs", std::move(spring), where);
  }
  for (int j = 0; j < m_.njnt; ++j) {
    const std::string name = name_of(mjOBJ_JOINT, j, "joint");
    if (m_.jnt_stiffness[j] <= 0.0) continue;
    if (!at_.contains(name)) {
      draft_.note(
          place_of(mjOBJ_JOINT, j, "joint"),
          fmt::format("the stiffness of {} is left out: it turns about several axes", name));
      continue;
    }
    Json spring;
    spring["name"] = spring_names_.valid(name + "_spring");
    spring["type"] = "torsion";
    spring["joint"] = at_.at(name).front();
    spring["rate"] = m_.jnt_stiffness[j];
    spring["free_angle"] = m_.qpos_spring[m_.jnt_qposadr[j]];
    spring["source"] = "mjcf";
    draft_.add("springs", std::move(spring), place_of(mjOBJ_JOINT, j, "joint"));
  }
}

void MjcfBodies::add_actuators() {
  std::map<std::string, int> motors;  // of MJCF, by the joint that they drive
  for (int a = 0; a < m_.nu; ++a) {
    const std::string name = name_of(mjOBJ_ACTUATOR, a, "actuator");
    const bool on_joint = m_.actuator_trntype[a] == mjTRN_JOINT;
    if (on_joint)
      motors.emplace(name_of(mjOBJ_JOINT, m_.actuator_trnid[2 * a], "joint"), a);
    else
      draft_.note(places_.of("motor", name),
                  fmt::format("the actuator {} is left out: it is on no joint", name));
  }
  const bool loops =
      std::any_of(m_.eq_type, m_.eq_type + m_.neq, [](int type) { return type != mjEQ_JOINT; });
  for (const std::string& joint : moving_) {
    const auto motor = motors.find(joint);
    const bool named = std::find(options_.actuate.begin(), options_.actuate.end(), joint) !=
                       options_.actuate.end();
    const bool chosen = !options_.actuate.empty()  ? named
                        : loops && !motors.empty() ? motor != motors.end()
                                                   : !followers_.contains(joint);
    if (!chosen) continue;
    const int j = mj_name2id(&m_, mjOBJ_JOINT, joint.c_str());
    std::string name = joint;
    Json actuator;
    if (motor != motors.end()) {
      name = name_of(mjOBJ_ACTUATOR, motor->second, "actuator");
      const double gear = m_.actuator_gear[6 * motor->second];
      if (gear != 1.0)
        draft_.note(
            places_.of("joint", joint),
            fmt::format("{} has a gear of {}: its load here is that at the joint", name, gear));
    }
    actuator["name"] = actuator_names_.valid(name);
    actuator["joint"] = at_.at(joint).front();
    if (j >= 0 && m_.jnt_limited[j] != 0 && m_.jnt_type[j] != mjJNT_BALL) {
      actuator["min_position"] = m_.jnt_range[2 * j];
      actuator["max_position"] = m_.jnt_range[2 * j + 1];
    }
    if (motor != motors.end() && m_.actuator_forcelimited[motor->second] != 0) {
      const double* range = m_.actuator_forcerange + 2 * motor->second;
      actuator["max_load"] = std::max(std::abs(range[0]), std::abs(range[1])) *
                             std::abs(m_.actuator_gear[6 * motor->second]);
    }
    actuator["source"] = motor != motors.end() ? "mjcf" : "inferred";
    note_name(actuator, "actuator", name, actuator["name"]);
    draft_.add("actuators", std::move(actuator), places_.of("joint", joint));
  }
  for (const std::string& asked : options_.actuate)
    if (std::find(moving_.begin(), moving_.end(), asked) == moving_.end())
      throw InputError({.file = "--actuate " + asked},
                       fmt::format("expected a joint that moves{}", did_you_mean(asked, moving_)));
}

void MjcfBodies::note_left_out() {
  for (int j = 0; j < m_.njnt; ++j) {
    const int dof = m_.jnt_dofadr[j];
    std::string what;
    const auto add = [&](const char* word, double value) {
      if (value != 0.0) what += fmt::format("{}{} {}", what.empty() ? "" : ", ", word, value);
    };
    add("armature", m_.dof_armature[dof]);
    add("damping", m_.dof_damping[dof]);
    add("friction loss", m_.dof_frictionloss[dof]);
    if (!what.empty())
      draft_.note(place_of(mjOBJ_JOINT, j, "joint"),
                  fmt::format("left out of {}: {}", name_of(mjOBJ_JOINT, j, "joint"), what));
  }
  const auto touches = [&](int g) {
    return m_.geom_contype[g] != 0 || m_.geom_conaffinity[g] != 0;
  };
  int contacts = 0;
  for (int g = 0; g < m_.ngeom; ++g) contacts += touches(g) ? 1 : 0;
  if (contacts > 0)
    draft_.note(places_.whole, fmt::format("contacts of {} geoms are left out", contacts));
  if (m_.opt.viscosity != 0.0 || m_.opt.density != 0.0)
    draft_.note(places_.whole, "the medium is left out");
}

ImportedModel MjcfBodies::finish(const std::string& name, const std::string& description) {
  try {
    return draft_.finish(name, description, options_);
  } catch (const InputError& error) {
    if (m_.neq == 0) throw;
    throw InputError(error.where(), error.message() + "; --actuate names the joints to drive");
  }
}

}  // namespace counterpoise
