#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "engine/mechanism/index.hpp"
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
    if (!keeps(e)) {
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
    loop["connect"] = {point_at_.at("loop/" + name + "_1"), point_at_.at("loop/" + name + "_2")};
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
    if (m_.tendon_stiffness[t] <= 0.0 || disabled(mjDSBL_PASSIVE)) {
      draft_.note(where, fmt::format("the tendon {} is left out: its stiffness is {}", name,
                                     disabled(mjDSBL_PASSIVE) ? "disabled" : "not above 0"));
      continue;
    }
    if (m_.tendon_limited[t] != 0 || m_.tendon_damping[t] != 0.0 ||
        m_.tendon_frictionloss[t] != 0.0)
      draft_.note(where, fmt::format("limits, damping and friction loss of the tendon {} are left "
                                     "out",
                                     name));
    const int first = m_.tendon_adr[t], parts = m_.tendon_num[t];
    if (parts != 2 || m_.wrap_type[first] != mjWRAP_SITE || m_.wrap_type[first + 1] != mjWRAP_SITE)
      throw InputError(where,
                       fmt::format("found the tendon {} with {} parts, expected two sites: a "
                                   "spring goes straight, over no pulley and around nothing",
                                   in_quotes(name), parts));
    Json spring;
    spring["name"] = spring_names_.valid(name);
    const auto point_at = [&](int part) {
      return point_at_.at("site/" + name_of(mjOBJ_SITE, m_.wrap_objid[part], "site"));
    };
    spring["connect"] = {point_at(first), point_at(first + 1)};
    spring["rate"] = m_.tendon_stiffness[t];
    spring["free_length"] = m_.tendon_lengthspring[t];
    spring["source"] = "mjcf";
    note_name(spring, "tendon", name, spring["name"]);
    draft_.add("springs", std::move(spring), where);
  }
  for (int j = 0; j < m_.njnt; ++j) {
    const std::string name = name_of(mjOBJ_JOINT, j, "joint");
    if (m_.jnt_stiffness[j] == 0.0) continue;
    if (m_.jnt_stiffness[j] < 0.0 || disabled(mjDSBL_PASSIVE)) {
      draft_.note(place_of(mjOBJ_JOINT, j, "joint"),
                  fmt::format("the stiffness of {} is left out: it is {}", name,
                              disabled(mjDSBL_PASSIVE) ? "disabled" : "negative"));
      continue;
    }
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

ImportedModel MjcfBodies::finish(const std::string& name, const std::string& description) {
  try {
    ImportedModel model = draft_.finish(name, description, options_);
    for (int b = 1; b < m_.nbody; ++b)
      model.body_names.emplace(name_of(mjOBJ_BODY, b, "body"), names_[at(b)]);
    model.files = places_.files;
    return model;
  } catch (const InputError& error) {
    if (m_.neq == 0) throw;
    throw InputError(error.where(), error.message() + "; --actuate names the joints to drive");
  }
}

}  // namespace counterpoise
