#include "studies/exchange/mjcf/mjcf_bodies.hpp"

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

MjcfBodies::MjcfBodies(const mjModel& model, const MjcfPlaces& places, const ImportOptions& options)
    : m_(model),
      places_(places),
      options_(options),
      draft_(places.whole),
      names_(static_cast<std::size_t>(model.nbody)),
      shifts_(static_cast<std::size_t>(model.nbody), Vec3d::Zero()),
      points_(static_cast<std::size_t>(model.nbody)) {
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

/// MuJoCo makes NaN of quaternions and directions of length 0, and takes over what is not finite.
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

/// The bodies between those that loops connect.
void MjcfBodies::find_loop_bodies() {
  for (int e = 0; e < m_.neq; ++e) {
    if (!keeps(e) || (m_.eq_type[e] != mjEQ_CONNECT && m_.eq_type[e] != mjEQ_WELD)) continue;
    std::set<int> way;
    for (int body : {m_.eq_obj1id[e], m_.eq_obj2id[e]})
      for (; body > 0; body = m_.body_parentid[body])
        if (!way.insert(body).second) way.erase(body);  // above both, or one of the two
    loop_bodies_.insert(way.begin(), way.end());
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

/// `name` begins with the kind of what the point is of, which may have one name with another kind.
void MjcfBodies::add_point(const std::string& name, int body, const double* position) {
  const std::string valid = point_names_.valid(name.substr(name.find('/') + 1));
  points_[at(body)][valid] = vector_json(vector_at(position, 0) - shifts_[at(body)]);
  point_at_[name] = names_[at(body)] + "." + valid;
}

/// Points that springs and loops are attached to.
void MjcfBodies::add_points() {
  for (int t = 0; t < m_.ntendon; ++t) {
    if (m_.tendon_stiffness[t] <= 0.0) continue;
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
      draft_.note(place_of(mjOBJ_BODY, b, "body"),
                  "the free joint stands still; --base floating lets it move");
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
    draft_.note(
        place_of(mjOBJ_JOINT, j, "joint"),
        "the ball joint turns about x, y, z in turn, which is singular at 90 degrees about y");
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
  draft_.note(place_of(mjOBJ_BODY, b, "body"),
              "the free joint moves along x, y, z and about z, y, x in turn, on massless bodies; a "
              "pitch of 90 degrees is singular");
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
  body["source"] = places_.with_inertial.contains(old) ? "mjcf" : "inferred";
  note_name(body, "body", old, name);
  draft_.add("bodies", std::move(body), place_of(mjOBJ_BODY, b, "body"));
}

}  // namespace counterpoise
