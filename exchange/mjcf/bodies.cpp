#include "exchange/mjcf/bodies.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "engine/math/rotation.hpp"
#include "engine/mechanism/index.hpp"

namespace counterpoise {
namespace {

Vec3d vector_at(const double* numbers, int index) {
  return {numbers[3 * index], numbers[3 * index + 1], numbers[3 * index + 2]};
}

Mat3d rotation_at(const double* quaternions, int index) {
  const double* q = quaternions + 4 * index;
  return rotation_from_quaternion(q[0], q[1], q[2], q[3]);
}

ModelDraft::Json joint_json(const char* type, const Vec3d& axis, const Vec3d& origin,
                            const Mat3d& rotation, double guess) {
  ModelDraft::Json joint;
  joint["type"] = type;
  if (std::string(type) != "fixed") joint["axis"] = vector_json(axis);
  if (!origin.isZero(0.0)) joint["origin"] = vector_json(origin);
  if (!rotation.isIdentity(0.0)) {
    const Eigen::Quaterniond q(rotation);
    joint["rotation"] = {{"quaternion", {q.w(), q.x(), q.y(), q.z()}}};
  }
  if (guess != 0.0) joint["guess"] = guess;
  return joint;
}

}  // namespace

MjcfBodies::MjcfBodies(const mjModel& model, const MjcfPlaces& places, const ImportOptions& options,
                       bool lines)
    : m_(model),
      places_(places),
      options_(options),
      takes_lines_(lines && options.actuate.empty()),
      draft_(places.whole),
      names_(model.nbody),
      shifts_(model.nbody, Vec3d::Zero()),
      points_(model.nbody) {
  draft_.set_gravity(disabled(mjDSBL_GRAVITY) ? Vec3d::Zero().eval()
                                              : vector_at(model.opt.gravity, 0));
}

std::string MjcfBodies::name_of(int kind, int id, const char* otherwise) const {
  const char* name = mj_id2name(&m_, kind, id);
  if (name != nullptr && *name != '\0') return name;
  std::string made = fmt::format("{}_{}", otherwise, id);
  while (mj_name2id(&m_, kind, made.c_str()) >= 0) made += '_';
  return made;
}

/// The name of a joint that stands for a part of another.
std::string MjcfBodies::part_name(int joint, const char* part) const {
  std::string made = name_of(mjOBJ_JOINT, joint, "joint") + part;
  while (mj_name2id(&m_, mjOBJ_JOINT, made.c_str()) >= 0) made += '_';
  return made;
}

/// Throws on numbers that are not finite: MuJoCo accepts them, and turns quaternions and directions
/// of length 0 into NaN.
void MjcfBodies::check_numbers() const {
  const auto require = [](const double* numbers, int count, const Location& where,
                          const std::string& what) {
    const bool directed = count < 4 || Eigen::Map<const Eigen::Vector4d>(numbers).norm() > 0.0;
    if (directed &&
        std::all_of(numbers, numbers + count, [](double x) { return std::isfinite(x); }))
      return;
    throw InputError(where, fmt::format("found {} that is not finite, or a quaternion or direction "
                                        "of length 0, expected numbers",
                                        what));
  };
  require(m_.opt.gravity, 3, places_.whole, "gravity");
  for (int b = 1; b < m_.nbody; ++b) {
    const Location where = place_of(mjOBJ_BODY, b, "body");
    require(m_.body_pos + 3 * b, 3, where, "a position");
    require(m_.body_quat + 4 * b, 4, where, "an orientation");
    require(m_.body_ipos + 3 * b, 3, where, "a centre of mass");
    require(m_.body_iquat + 4 * b, 4, where, "an orientation of the inertia");
    require(m_.body_inertia + 3 * b, 3, where, "an inertia");
    require(m_.body_mass + b, 1, where, "a mass");
  }
  for (int j = 0; j < m_.njnt; ++j) {
    const Location where = place_of(mjOBJ_JOINT, j, "joint");
    require(m_.jnt_axis + 3 * j, 3, where, "an axis");
    require(m_.jnt_pos + 3 * j, 3, where, "an anchor");
    require(m_.qpos0 + m_.jnt_qposadr[j], 1, where, "a reference");
    require(m_.qpos_spring + m_.jnt_qposadr[j], 1, where, "a reference of its spring");
    require(m_.jnt_stiffness + j, 1, where, "a stiffness");
  }
  for (int e = 0; e < m_.neq; ++e)
    for (int i = 0; i < mjNEQDATA; ++i)
      require(m_.eq_data + static_cast<std::ptrdiff_t>(mjNEQDATA) * e + i, 1, places_.whole,
              "a number of the constraint " + name_of(mjOBJ_EQUALITY, e, "loop"));
}

/// The bodies between those that loops and driven lines connect.
void MjcfBodies::find_loop_bodies() {
  const auto add_way = [&](int first, int second) {
    std::set<int> way;
    for (int body : {first, second})
      for (; body > 0; body = m_.body_parentid[body])
        if (!way.insert(body).second) way.erase(body);  // above both, or one of the two
    loop_bodies_.insert(way.begin(), way.end());
  };
  for (int e = 0; e < m_.neq; ++e)
    if (keeps(e) && (m_.eq_type[e] == mjEQ_CONNECT || m_.eq_type[e] == mjEQ_WELD))
      add_way(m_.eq_obj1id[e], m_.eq_obj2id[e]);
  for (const auto& [tendon, motor] : lines_) {
    const int* sites = m_.wrap_objid + m_.tendon_adr[tendon];
    add_way(m_.site_bodyid[sites[0]], m_.site_bodyid[sites[1]]);
  }
}

Location MjcfBodies::place_of(int kind, int id, const char* element) const {
  return places_.of(element, name_of(kind, id, ""));
}

void MjcfBodies::name_bodies() {
  names_[0] = "world";
  for (int b = 1; b < m_.nbody; ++b) {
    names_[at(b)] = body_names_.valid(name_of(mjOBJ_BODY, b, "body"));
    const int joints = m_.body_jntnum[b], last = m_.body_jntadr[b] + joints - 1;
    if (joints > 0 && m_.jnt_type[last] != mjJNT_FREE) shifts_[at(b)] = vector_at(m_.jnt_pos, last);
  }
}

/// `name` begins with the kind of element ("site/..."), as elements of two kinds may share a name.
void MjcfBodies::add_point(const std::string& name, int body, const double* position) {
  const std::string valid = point_names_.valid(name.substr(name.find('/') + 1));
  points_[at(body)][valid] = vector_json(vector_at(position, 0) - shifts_[at(body)]);
  point_at_[name] = names_[at(body)] + "." + valid;
}

/// Points that springs, linear actuators and loops are attached to.
void MjcfBodies::add_points() {
  for (int t = 0; t < m_.ntendon; ++t) {
    if (m_.tendon_stiffness[t] <= 0.0 && !tendon_forces_.contains(t) && !lines_.contains(t))
      continue;
    for (int w = m_.tendon_adr[t]; w < m_.tendon_adr[t] + m_.tendon_num[t]; ++w) {
      if (m_.wrap_type[w] != mjWRAP_SITE) continue;
      const int site = m_.wrap_objid[w];
      const std::string name = "site/" + name_of(mjOBJ_SITE, site, "site");
      if (!point_at_.contains(name)) add_point(name, m_.site_bodyid[site], m_.site_pos + 3 * site);
    }
  }
  for (int e = 0; e < m_.neq; ++e) {
    const int type = m_.eq_type[e];
    if (!keeps(e) || (type != mjEQ_CONNECT && type != mjEQ_WELD)) continue;
    const std::string name = "loop/" + name_of(mjOBJ_EQUALITY, e, "loop");
    // connect: its own point of each body; weld: the first body's point stands second
    const double* data = m_.eq_data + static_cast<std::ptrdiff_t>(mjNEQDATA) * e;
    const bool weld = type == mjEQ_WELD;
    add_point(name + "_1", m_.eq_obj1id[e], data + (weld ? 3 : 0));
    add_point(name + "_2", m_.eq_obj2id[e], data + (weld ? 0 : 3));
  }
}

void MjcfBodies::add_all() {
  check_numbers();
  find_constant_forces();
  find_lines();
  find_loop_bodies();
  name_bodies();
  add_points();
  for (const auto& [name, point] : points_[0].items())
    draft_.add("world_points", {{name, point}}, places_.whole);
  for (int b = 1; b < m_.nbody; ++b) add_body(b);
  add_loops();
  add_springs();
  add_actuators();
  note_left_out();
}

void MjcfBodies::add_body(int b) {
  Json body;
  body["parent"] = names_[at(m_.body_parentid[b])];
  const int first = m_.body_jntadr[b], joints = m_.body_jntnum[b];
  const bool free = joints > 0 && m_.jnt_type[first] == mjJNT_FREE;
  if (joints == 0 || (free && options_.base == Base::fixed)) {
    add_fixed(b, body);
    if (free)
      note(place_of(mjOBJ_BODY, b, "body"),
           "the free joint stands still; --base floating lets it move",
           "# free joints stand still; --base floating lets them move");
  } else if (free) {
    add_free(b, first, body);
  } else {
    for (int j = first; j < first + joints; ++j) add_joint(b, j, body);
  }
  close(b, std::move(body));
}

void MjcfBodies::add_fixed(int b, Json& body) {
  const Vec3d origin = vector_at(m_.body_pos, b) - shifts_[at(m_.body_parentid[b])];
  body["joint"] = joint_json("fixed", Vec3d::UnitZ(), origin, rotation_at(m_.body_quat, b), 0.0);
}

/// Ends a body of a chain with this joint, and begins the next; the last one stays open.
void MjcfBodies::link(Json& body, const std::string& name, Json joint, int mujoco_joint) {
  if (body.contains("joint")) {  // the one before was not the last
    const std::string before = body["name"];
    body["source"] = "inferred";
    draft_.add("bodies", std::move(body), place_of(mjOBJ_JOINT, mujoco_joint, "joint"));
    body = Json{{"parent", before}};
  }
  body["name"] = name;
  body["joint"] = std::move(joint);
}

void MjcfBodies::add_joint(int b, int j, Json& body) {
  const std::string name = name_of(mjOBJ_JOINT, j, "joint");
  const bool first = j == m_.body_jntadr[b];
  const bool last = j == m_.body_jntadr[b] + m_.body_jntnum[b] - 1;
  const Vec3d anchor = vector_at(m_.jnt_pos, j);
  // the first joint's frame lies in the parent, those behind it each in the one before
  const Mat3d turned = first ? rotation_at(m_.body_quat, b) : Mat3d::Identity();
  const Vec3d origin =
      first ? Vec3d(vector_at(m_.body_pos, b) + turned * anchor - shifts_[at(m_.body_parentid[b])])
            : Vec3d(anchor - vector_at(m_.jnt_pos, j - 1));
  const auto body_name = [&](const std::string& part, bool is_last) {
    return is_last && last ? names_[at(b)] : body_names_.valid(name + part);
  };
  if (m_.jnt_type[j] == mjJNT_BALL) {
    constexpr const char* parts[] = {"_x", "_y", "_z"};
    for (int i = 0; i < 3; ++i) {
      const std::string made = body_name(i == 2 ? "" : parts[i], i == 2);
      link(body, made,
           joint_json("revolute", Vec3d::Unit(i), i == 0 ? origin : Vec3d::Zero(),
                      i == 0 ? turned : Mat3d::Identity(), 0.0),
           j);
      moving_.push_back(part_name(j, parts[i]));
      at_[moving_.back()] = {made};
    }
    note(place_of(mjOBJ_JOINT, j, "joint"),
         "the ball joint turns about x, y, z in turn, which is singular at 90 degrees about y",
         "# ball joints turn about x, y, z in turn, which is singular at 90 degrees about y");
    return;
  }
  const Vec3d axis = vector_at(m_.jnt_axis, j);
  const double reference = m_.qpos0[m_.jnt_qposadr[j]];
  const std::string made = body_name("", true);
  if (m_.jnt_type[j] == mjJNT_HINGE)
    link(body, made,
         joint_json("revolute", axis, origin, turned * rotation_about(axis, -reference), reference),
         j);
  else
    link(body, made,
         joint_json("prismatic", axis, origin - turned * axis * reference, turned, reference), j);
  moving_.push_back(name);
  at_[name] = {made};
}

void MjcfBodies::add_free(int b, int j, Json& body) {
  constexpr const char* parts[] = {"_x", "_y", "_z", "_yaw", "_pitch", "_roll"};
  const Mat3d r = rotation_at(m_.body_quat, b);
  const Vec3d at_first = vector_at(m_.body_pos, b);
  const double pitch = std::atan2(-r(2, 0), std::hypot(r(0, 0), r(1, 0)));
  const double guesses[] = {at_first.x(), at_first.y(),
                            at_first.z(), std::atan2(r(1, 0), r(0, 0)),
                            pitch,        std::atan2(r(2, 1), r(2, 2))};
  for (int i = 0; i < 6; ++i) {
    const bool turns = i >= 3;
    const std::string made = i == 5 ? names_[at(b)] : body_names_.valid(names_[at(b)] + parts[i]);
    link(body, made,
         joint_json(turns ? "revolute" : "prismatic", Vec3d::Unit(turns ? 5 - i : i), Vec3d::Zero(),
                    Mat3d::Identity(), guesses[i]),
         j);
    moving_.push_back(part_name(j, parts[i]));
    at_[moving_.back()] = {made};
  }
  note(place_of(mjOBJ_BODY, b, "body"),
       "the free joint moves along x, y, z and about z, y, x in turn, on massless bodies; a pitch "
       "of "
       "90 degrees is singular",
       "# free joints move along x, y, z and about z, y, x in turn, on massless bodies; a pitch of "
       "90 degrees is singular");
}

/// The body with the mass, behind all joints of its chain.
void MjcfBodies::close(int b, Json open) {
  const std::string& name = names_[at(b)];
  Json body;
  body["name"] = name;
  body["parent"] = open["parent"];
  body["joint"] = open["joint"];
  if (m_.body_mass[b] > 0.0 || !vector_at(m_.body_inertia, b).isZero(0.0)) {
    const Mat3d axes = rotation_at(m_.body_iquat, b);
    const Mat3d inertia = axes * vector_at(m_.body_inertia, b).asDiagonal() * axes.transpose();
    body["mass"] = m_.body_mass[b];
    body["com"] = vector_json(vector_at(m_.body_ipos, b) - shifts_[at(b)]);
    body["inertia"] = inertia_json(0.5 * (inertia + inertia.transpose()));
  }
  if (!points_[at(b)].is_null()) body["points"] = std::move(points_[at(b)]);
  const std::string old = name_of(mjOBJ_BODY, b, "body");
  body["source"] = places_.besides.with_inertial.contains(old) ? "mjcf" : "inferred";
  note_name(body, "body", old, name);
  draft_.add("bodies", std::move(body), place_of(mjOBJ_BODY, b, "body"));
}

/// Notes of one kind become one; in its text `many`, # stands for their number.
void MjcfBodies::note(const Location& where, std::string one, const std::string& many) {
  notes_[many].push_back({where, std::move(one)});
}

void MjcfBodies::note_left_out() {
  for (const Remark& remark : places_.besides.remarks) draft_.note(remark.where, remark.text);
  note_joints();
  for (const auto& [many, notes] : notes_) {
    std::string text = notes.front().text;
    if (notes.size() > 1) {
      text = many;
      text.replace(text.find('#'), 1, std::to_string(notes.size()));
    }
    draft_.note(notes.front().where, text);
  }
  if (m_.nmocap > 0)
    draft_.note(places_.whole, fmt::format("{} bodies of motion capture stand still", m_.nmocap));
  if (m_.opt.viscosity != 0.0 || m_.opt.density != 0.0)
    draft_.note(places_.whole, "the medium is left out");
}

/// Notes, once for all joints, what joints have that models cannot hold.
void MjcfBodies::note_joints() {
  std::map<std::string, double> largest;
  std::vector<int> joints;
  for (int j = 0; j < m_.njnt; ++j) {
    const int dof = m_.jnt_dofadr[j];
    const std::string name = name_of(mjOBJ_JOINT, j, "joint");
    bool has = false;
    const auto add = [&](const char* word, double value) {
      if (value == 0.0) return;
      largest[word] = std::max(largest[word], std::abs(value));
      has = true;
    };
    add("armature", m_.dof_armature[dof]);
    add("damping", m_.dof_damping[dof]);
    add("friction loss", m_.dof_frictionloss[dof]);
    if (m_.jnt_limited[j] != 0 && (!at_.contains(name) || followers_.contains(name))) {
      largest["the range"];
      has = true;
    }
    if (has) joints.push_back(j);
  }
  if (joints.empty()) return;
  std::string what;
  for (const auto& [word, value] : largest) {
    what += what.empty() ? word : ", " + word;
    if (value != 0.0) what += fmt::format(" {}{}", joints.size() > 1 ? "up to " : "", value);
  }
  draft_.note(place_of(mjOBJ_JOINT, joints.front(), "joint"),
              fmt::format("left out of {}: {}",
                          joints.size() == 1 ? name_of(mjOBJ_JOINT, joints.front(), "joint")
                                             : fmt::format("{} joints", joints.size()),
                          what));
}

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
      note(where, fmt::format("the constraint {} is left out: it is not active", name),
           "# constraints are left out: they are not active");
      continue;
    }
    if (type == mjEQ_JOINT) {
      add_coupling(e);
      continue;
    }
    if (type != mjEQ_CONNECT && type != mjEQ_WELD) {
      add_sum(e);
      continue;
    }
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

/// A constraint of a fixed tendon: sum of coefficient * (joint - its reference) = a0.
void MjcfBodies::add_sum(int e) {
  const std::string name = name_of(mjOBJ_EQUALITY, e, "coupling");
  const Location& where = places_.of("tendon", name);
  const int tendon = m_.eq_obj1id[e], first = m_.tendon_adr[tendon];
  const int terms = m_.tendon_num[tendon];
  const double* coefficients = m_.wrap_prm + first;
  const bool of_joints = m_.wrap_type[first] == mjWRAP_JOINT && terms > 1 && coefficients[0] != 0.0;
  if (m_.eq_obj2id[e] >= 0 || !of_joints)
    throw InputError(where,
                     fmt::format("found a constraint of tendons, {}, expected connect, weld, "
                                 "joint, or tendon with one fixed tendon of several joints: "
                                 "models have no other",
                                 in_quotes(name)));
  const auto joint_at = [&](int term) { return m_.wrap_objid[first + term]; };
  const auto body_at = [&](int term) {
    return at_.at(name_of(mjOBJ_JOINT, joint_at(term), "joint")).front();
  };
  followers_.insert(name_of(mjOBJ_JOINT, joint_at(0), "joint"));
  coupled_tendons_.insert(tendon);
  double sum = m_.eq_data[static_cast<std::ptrdiff_t>(mjNEQDATA) * e];
  Json ratios = Json::array(), of = Json::array();
  for (int term = 0; term < terms; ++term) {
    sum += coefficients[term] * m_.qpos0[m_.jnt_qposadr[joint_at(term)]];
    if (term == 0) continue;
    ratios.push_back(-coefficients[term] / coefficients[0]);
    of.push_back(body_at(term));
  }
  Json coupling;
  coupling["name"] = loop_names_.valid(name);
  coupling["joint"] = body_at(0);
  coupling["ratio"] = std::move(ratios);
  coupling["of"] = std::move(of);
  coupling["offset"] = sum / coefficients[0];
  coupling["source"] = "mjcf";
  note_name(coupling, "constraint", name, coupling["name"]);
  draft_.add("couplings", std::move(coupling), where);
}

bool MjcfBodies::goes_straight(int tendon) const {
  const int first = m_.tendon_adr[tendon];
  return m_.tendon_num[tendon] == 2 && m_.wrap_type[first] == mjWRAP_SITE &&
         m_.wrap_type[first + 1] == mjWRAP_SITE;
}

/// The two points between which a tendon goes straight.
MjcfBodies::Json MjcfBodies::ends_of(int tendon) const {
  const int* sites = m_.wrap_objid + m_.tendon_adr[tendon];
  const auto point_at = [&](int site) {
    return point_at_.at("site/" + name_of(mjOBJ_SITE, site, "site"));
  };
  return {point_at(sites[0]), point_at(sites[1])};
}

void MjcfBodies::add_springs() {
  for (int t = 0; t < m_.ntendon; ++t) {
    const std::string name = name_of(mjOBJ_TENDON, t, "tendon");
    const Location& where = places_.of("spatial", name);
    const auto force = tendon_forces_.find(t);
    const bool elastic = m_.tendon_stiffness[t] > 0.0 && !disabled(mjDSBL_PASSIVE);
    const bool spring_here = elastic || force != tendon_forces_.end();
    if (!spring_here && !lines_.contains(t) && !coupled_tendons_.contains(t))
      note(where,
           fmt::format("the tendon {} is left out: its stiffness is {}", name,
                       disabled(mjDSBL_PASSIVE) ? "disabled" : "not above 0"),
           "# tendons are left out: they have no stiffness");
    const bool limited = m_.tendon_limited[t] != 0 && !lines_.contains(t);
    if ((spring_here || lines_.contains(t) || coupled_tendons_.contains(t)) &&
        (limited || m_.tendon_damping[t] != 0.0 || m_.tendon_frictionloss[t] != 0.0))
      note(where,
           fmt::format("limits, damping and friction loss of the tendon {} are left out", name),
           "limits, damping and friction loss of # tendons are left out");
    if (!spring_here) continue;
    if (!goes_straight(t))
      throw InputError(where,
                       fmt::format("found the tendon {} with {} parts, expected two sites: a "
                                   "spring goes straight, over no pulley and around nothing",
                                   in_quotes(name), m_.tendon_num[t]));
    Json spring;
    spring["name"] = spring_names_.valid(name);
    if (!elastic) spring["type"] = "gas";
    spring["connect"] = ends_of(t);
    if (elastic) {
      spring["rate"] = m_.tendon_stiffness[t];
      spring["free_length"] = m_.tendon_lengthspring[t];
    }
    if (force != tendon_forces_.end()) spring["initial_tension"] = -force->second;
    spring["source"] = "mjcf";
    note_name(spring, "tendon", name, spring["name"]);
    draft_.add("springs", std::move(spring), where);
  }
  add_torsion_springs();
}

void MjcfBodies::add_torsion_springs() {
  for (int j = 0; j < m_.njnt; ++j) {
    const std::string name = name_of(mjOBJ_JOINT, j, "joint");
    const auto force = joint_forces_.find(j);
    const bool elastic = m_.jnt_stiffness[j] > 0.0 && !disabled(mjDSBL_PASSIVE);
    if (force != joint_forces_.end()) {
      add_torsion_spring(j, elastic ? m_.jnt_stiffness[j] : 0.0, -force->second);
      if (elastic) continue;
    }
    if (m_.jnt_stiffness[j] == 0.0) continue;
    if (m_.jnt_stiffness[j] < 0.0 || disabled(mjDSBL_PASSIVE)) {
      note(place_of(mjOBJ_JOINT, j, "joint"),
           fmt::format("the stiffness of {} is left out: it is {}", name,
                       disabled(mjDSBL_PASSIVE) ? "disabled" : "negative"),
           "the stiffness of # joints is left out: it is negative or disabled");
      continue;
    }
    if (!at_.contains(name)) {
      note(place_of(mjOBJ_JOINT, j, "joint"),
           fmt::format("the stiffness of {} is left out: it turns about several axes", name),
           "the stiffness of # joints is left out: they turn about several axes");
      continue;
    }
    add_torsion_spring(j, m_.jnt_stiffness[j], 0.0);
  }
}

void MjcfBodies::add_torsion_spring(int j, double rate, double preload) {
  const std::string name = name_of(mjOBJ_JOINT, j, "joint");
  Json spring;
  spring["name"] = spring_names_.valid(name + "_spring");
  spring["type"] = "torsion";
  spring["joint"] = at_.at(name).front();
  if (rate != 0.0) {
    spring["rate"] = rate;
    spring["free_angle"] = m_.qpos_spring[m_.jnt_qposadr[j]];
  }
  if (preload != 0.0) spring["preload"] = preload;
  spring["source"] = "mjcf";
  draft_.add("springs", std::move(spring), place_of(mjOBJ_JOINT, j, "joint"));
}

ImportedModel MjcfBodies::finish(const std::string& name, const std::string& description) {
  try {
    ImportedModel model = draft_.finish(name, description, options_);
    for (int b = 1; b < m_.nbody; ++b)
      model.body_names.emplace(name_of(mjOBJ_BODY, b, "body"), names_[at(b)]);
    model.files = places_.besides.files;
    return model;
  } catch (const InputError& error) {
    if (m_.neq == 0) throw;
    throw InputError(error.where(), error.message() + "; --actuate names the joints to drive");
  }
}

}  // namespace counterpoise
