#include "exchange/robot/robot_bodies.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <set>

#include "engine/kinematics/closure/mobility.hpp"
#include "exchange/inertia.hpp"
#include "input/reading/read.hpp"

namespace counterpoise {
namespace {

using Json = ModelDraft::Json;
using Type = RobotJoint::Type;

/// Joints that become several of a model, or none.
bool moves_in_several_ways(const RobotJoint& joint) {
  return joint.type == Type::planar || joint.type == Type::floating || joint.type == Type::ball ||
         joint.type == Type::universal;
}

Json joint_json(std::string_view type, const RobotPose& origin, const Vec3d* axis) {
  Json made;
  made["type"] = type;
  if (axis != nullptr) made["axis"] = vector_json(*axis);
  if (!origin.position.isZero(0.0)) made["origin"] = vector_json(origin.position);
  if (origin.rpy) {
    made["rotation"] = {{"rpy", vector_json(*origin.rpy)}};
  } else if (!origin.rotation.isIdentity(0.0)) {
    const Eigen::Quaterniond q(origin.rotation);
    made["rotation"] = {{"quaternion", {q.w(), q.x(), q.y(), q.z()}}};
  }
  return made;
}

std::string counted(std::size_t count, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

}  // namespace

std::string first_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 3;
  if (names.size() <= most + 1) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format(
      "{} and {} more",
      fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(most), ", "),
      names.size() - most);
}

RobotBodies::RobotBodies(RobotDescription robot, const ImportOptions& options,
                         const FileProvider& files)
    : robot_(std::move(robot)),
      options_(options),
      above_(robot_.joints_above()),
      part_(robot_.links.size(), world_link),
      any_inertia_(robot_.links.size(), false),
      names_(robot_.links.size()),
      points_(robot_.links.size()),
      read_file_(files),
      draft_(robot_.where) {
  const bool own_base = std::any_of(robot_.joints.begin(), robot_.joints.end(), [](const auto& j) {
    return j.type == Type::planar || j.type == Type::floating;
  });
  root_floats_ = options.base == Base::floating && !own_base;
  if (robot_.gravity) draft_.set_gravity(*robot_.gravity);
}

const std::string& RobotBodies::body_of(LinkIndex link) const {
  static const std::string world = "world";
  return link == world_link ? world : names_[link];
}

/// Whether a link stays where its parent is; nullptr is the joint of the root.
bool RobotBodies::stands_still(const RobotJoint* joint) const {
  if (joint == nullptr) return !root_floats_;
  const bool base = joint->type == Type::planar || joint->type == Type::floating;
  return joint->type == Type::fixed || (base && options_.base == Base::fixed);
}

/// Links in the order of the tree, and which of them are fixed to each other.
void RobotBodies::find_parts() {
  std::vector<std::vector<LinkIndex>> behind(robot_.links.size() + 1);
  for (const RobotJoint& joint : robot_.joints) behind[joint.parent + 1].push_back(joint.child);
  for (std::size_t l = 0; l < robot_.links.size(); ++l)
    if (above_[l] == nullptr) behind[0].push_back(static_cast<LinkIndex>(l));
  std::vector<LinkIndex> open(behind[0].rbegin(), behind[0].rend());  // a stack: chains may be long
  while (!open.empty()) {
    const LinkIndex link = open.back();
    open.pop_back();
    order_.push_back(link);
    const RobotJoint* joint = above_[link];
    const bool on_world = joint == nullptr || joint->parent == world_link;
    part_[link] = !stands_still(joint) ? link : on_world ? world_link : part_[joint->parent];
    open.insert(open.end(), behind[link + 1].rbegin(), behind[link + 1].rend());
  }
}

void RobotBodies::add_all() {
  // names first, in the order of the file, so that they do not depend on the tree
  for (std::size_t l = 0; l < robot_.links.size(); ++l) {
    const RobotLink& link = robot_.links[l];
    const bool is_world = link.name == "world" && above_[l] == nullptr && !root_floats_ &&
                          !link.inertial && robot_.root_pose.position.isZero(0.0) &&
                          robot_.root_pose.rotation.isIdentity(0.0);
    names_[l] = is_world ? link.name : body_names_.valid(link.name);
  }
  find_parts();
  give_masses();
  check_masses();
  judge_inertias();
  add_loop_points();
  for (const LinkIndex link : order_) add_link(link);
  add_loops();
  drive_loops();
  for (auto& [actuator, where] : actuators_) draft_.add("actuators", std::move(actuator), where);
  note_friction();
  for (const Remark& remark : robot_.remarks) draft_.note(remark);
}

ImportedModel RobotBodies::finish(const std::string& description) {
  ImportedModel model = draft_.finish(robot_.name, description, options_);
  for (std::size_t l = 0; l < names_.size(); ++l)
    model.body_names.emplace(robot_.links[l].name, names_[l]);
  model.files = files_;
  model.meshes = std::move(meshes_);
  return model;
}

/// A robot whose moving parts have no mass loads no actuator, so it is refused unless asked for.
/// Single parts without mass are reported.
void RobotBodies::check_masses() {
  std::map<LinkIndex, double> masses;  // of the parts that move
  for (std::size_t l = 0; l < robot_.links.size(); ++l)
    if (part_[l] != world_link)
      masses[part_[l]] += robot_.links[l].inertial ? robot_.links[l].inertial->mass : 0.0;
  std::vector<std::string> without;
  for (const auto& [link, mass] : masses)
    if (mass == 0.0) without.push_back(robot_.links[link].name);
  if (without.empty()) return;
  const RobotLink& first =
      robot_.links[std::find_if(masses.begin(), masses.end(), [](const auto& m) {
                     return m.second == 0.0;
                   })->first];
  const bool all = without.size() == masses.size();
  if (all && !options_.massless)
    throw InputError(first.inertial ? first.inertial->mass_where : first.where,
                     "found no mass on anything that moves, expected masses: without them every "
                     "load is 0. Give them by --masses FILE, --total-mass KG or --density "
                     "KG_PER_M3, or take the robot as massless by --massless");
  draft_.note({first.where, all ? "nothing that moves has mass: all loads are 0 but for springs"
                                : fmt::format("{} no mass: {}",
                                              counted(without.size(), "link that moves has",
                                                      "links that move have"),
                                              first_of(without))});
}

/// An inertia that no real body has is kept where no pose can have a negative kinetic energy: the
/// inertia of every rigid part, of all links that are fixed to each other, has no negative
/// principal moment. Elsewhere the nearest takes its place.
void RobotBodies::judge_inertias() {
  constexpr double rounding = 1e-9;
  std::vector<RobotPose> in_part(robot_.links.size());  // the links' frames in their parts' frames
  std::map<LinkIndex, RigidSum> parts;
  for (const LinkIndex link : order_) {
    const std::size_t l = link;
    if (part_[l] == world_link) continue;
    if (part_[l] != link) in_part[l] = in_part[above_[l]->parent].times(above_[l]->origin);
    if (!robot_.links[l].inertial) continue;
    const RobotInertial& inertial = *robot_.links[l].inertial;
    const Mat3d& r = in_part[l].rotation;
    parts[part_[l]].add(inertial.mass, in_part[l].apply(inertial.com),
                        r * inertial.inertia * r.transpose());
  }
  struct Told {
    std::vector<std::string> names;
    double worst = 0.0;
    const RobotLink* worst_link = nullptr;

    void add(const RobotLink& link, double share) {
      names.push_back(link.name);
      if (share <= worst) return;
      worst = share;
      worst_link = &link;
    }
  };
  Told kept, changed;
  std::size_t still = 0;
  for (std::size_t l = 0; l < robot_.links.size(); ++l) {
    if (!robot_.links[l].inertial) continue;
    RobotInertial& inertial = *robot_.links[l].inertial;
    const double share = unphysical_share(inertial.inertia);
    if (share <= rounding) continue;
    if (part_[l] == world_link) {
      any_inertia_[l] = true;
      ++still;
      continue;
    }
    if (options_.inertia == InertiaRule::refuse)
      throw InputError(
          inertial.where,
          fmt::format("found an inertia that no real body has: its largest principal "
                      "moment is {:.3g} % too large beside the others; expected one of "
                      "a body; --inertia nearest takes the nearest",
                      100.0 * share));
    const Mat3d sum = parts.at(part_[l]).inertia();
    const bool safe = !has_negative_moment(sum);
    if (options_.inertia == InertiaRule::as_is && !safe)
      throw InputError(inertial.where,
                       "found an inertia with a negative principal moment, with which a motion of "
                       "the robot would have a negative kinetic energy; --inertia nearest takes "
                       "the nearest that a body can have");
    if (options_.inertia == InertiaRule::nearest || !safe) {
      inertial.inertia = nearest_physical(inertial.inertia);
      changed.add(robot_.links[l], share);
    } else {
      any_inertia_[l] = true;
      kept.add(robot_.links[l], share);
    }
  }
  if (still > 0)
    draft_.note({robot_.where,
                 fmt::format("{} that no real body has, on links that cannot move: no load depends "
                             "on it",
                             counted(still, "inertia", "inertias")),
                 "inertia of a link that cannot move"});
  const auto say = [&](const Told& told, const std::string& what) {
    if (!told.names.empty())
      draft_.note(
          {told.worst_link->inertial->where,
           fmt::format("no real body has the inertia of {} ({}; the worst is {}, by {:.2g} % of "
                       "its largest principal moment): {}",
                       counted(told.names.size(), "link", "links"), first_of(told.names),
                       told.worst_link->name, 100.0 * told.worst, what)});
  };
  say(kept,
      "kept as it is, as no motion then has a negative kinetic energy; --inertia nearest takes "
      "the nearest that a body can have");
  say(changed, "the nearest that a body can have takes its place");
}

void RobotBodies::add_link(LinkIndex link) {
  const RobotJoint* joint = above_[link];
  const std::string parent = joint == nullptr ? "world" : body_of(joint->parent);
  if (joint == nullptr && !root_floats_) {
    if (body_of(link) == "world") return;
    Json body;
    body["name"] = body_of(link);
    body["parent"] = parent;
    body["joint"] = joint_json("fixed", robot_.root_pose, nullptr);
    add_body(std::move(body), link);
    return;
  }
  if (joint == nullptr || (moves_in_several_ways(*joint) && !stands_still(joint))) {
    add_on_chain(link, joint, parent);
    return;
  }
  std::string_view type = "fixed";
  if (joint->type == Type::prismatic) type = "prismatic";
  if (joint->type == Type::revolute || joint->type == Type::continuous) type = "revolute";
  if (moves_in_several_ways(*joint))
    draft_.note(
        {joint->where,
         fmt::format("the {} joint stands still at position 0; --base floating lets it move",
                     joint->type == Type::planar ? "planar" : "floating")});
  Json body;
  body["name"] = body_of(link);
  body["parent"] = parent;
  body["joint"] = joint_json(type, joint->origin, type == "fixed" ? nullptr : &joint->axis);
  add_body(std::move(body), link);
  if (joint->spring_rate != 0.0) add_spring(*joint);
  if (type == "fixed") return;
  if (joint->mimic)
    add_coupling(*joint);
  else
    add_actuator(*joint);
}

void RobotBodies::add_body(Json body, LinkIndex index) {
  const RobotLink& link = robot_.links[index];
  if (link.inertial) {
    body["mass"] = link.inertial->mass;
    body["com"] = vector_json(link.inertial->com);
    body["inertia"] = inertia_json(link.inertial->inertia);
    if (any_inertia_[index]) body["any_inertia"] = true;
  }
  if (!points_[index].is_null()) body["points"] = std::move(points_[index]);
  if (options_.meshes)
    if (Json visual = visual_of(index); !visual.is_null()) body["visual"] = std::move(visual);
  body["source"] = robot_.format;
  note_name(body, "link", link.name, names_[index]);
  draft_.add("bodies", std::move(body), link.where);
}

std::vector<RobotBodies::Axis> RobotBodies::axes_of(const RobotJoint* joint) const {
  const Vec3d x = Vec3d::UnitX(), y = Vec3d::UnitY(), z = Vec3d::UnitZ();
  if (joint == nullptr || joint->type == Type::floating)
    return {{"x", "prismatic", x},  {"y", "prismatic", y},    {"z", "prismatic", z},
            {"yaw", "revolute", z}, {"pitch", "revolute", y}, {"roll", "revolute", x}};
  if (joint->type == Type::ball)
    return {{"first", "revolute", x}, {"second", "revolute", y}, {"third", "revolute", z}};
  if (joint->type == Type::universal)
    return {{"first", "revolute", joint->axis}, {"second", "revolute", joint->second_axis}};
  const Vec3d normal = joint->axis.normalized();
  Eigen::Index across = 0;
  normal.cwiseAbs().minCoeff(&across);
  const Vec3d unit = Vec3d::Unit(across);
  const Vec3d first = (unit - normal.dot(unit) * normal).normalized();
  return {{"first", "prismatic", first},
          {"second", "prismatic", normal.cross(first)},
          {"turn", "revolute", normal}};
}

void RobotBodies::add_on_chain(LinkIndex index, const RobotJoint* joint,
                               const std::string& parent) {
  const RobotLink& link = robot_.links[index];
  const std::string& name = names_[index];
  const std::string base = joint == nullptr ? name : joint->name;
  const Location& where = joint == nullptr ? link.where : joint->where;
  const std::vector<Axis> axes = axes_of(joint);
  std::string before = parent;
  for (const Axis& axis : axes) {
    const bool first = &axis == &axes.front(), last = &axis == &axes.back();
    const RobotPose origin = !first             ? RobotPose()
                             : joint == nullptr ? robot_.root_pose
                                                : joint->origin;
    Json body;
    body["name"] = last ? name : body_names_.valid(fmt::format("{}_{}", name, axis.name));
    body["parent"] = before;
    body["joint"] = joint_json(axis.type, origin, &axis.axis);
    before = body["name"];
    Json actuator;
    const std::string actuator_name = fmt::format("{}_{}", base, axis.name);
    actuator["name"] = actuator_names_.valid(actuator_name);
    note_name(actuator, "joint", actuator_name, actuator["name"]);
    actuator["joint"] = before;
    actuator["source"] = "inferred";
    if (last) {
      add_body(std::move(body), index);
    } else {
      body["source"] = "inferred";
      draft_.add("bodies", std::move(body), where);
    }
    actuators_.emplace_back(std::move(actuator), where);
  }
  if (axes.size() == 6)
    draft_.note(
        {where, fmt::format("{} moves along x, y, z and about z, y, x in turn, on massless bodies; "
                            "a pitch of 90 degrees is singular",
                            in_quotes(link.name))});
}

void RobotBodies::add_actuator(const RobotJoint& joint) {
  Json actuator;
  actuator["name"] = actuator_names_.valid(joint.name);
  actuator["joint"] = body_of(joint.child);
  if (joint.limit) {
    const RobotJoint::Limit& limit = *joint.limit;
    if (limit.lower == 0.0 && limit.upper == 0.0) {
      if (joint.type != Type::continuous)
        draft_.note({limit.where, "the limits 0 and 0 are taken as none", "limit of 0"});
    } else if (joint.type != Type::continuous) {
      if (std::isfinite(limit.lower)) actuator["min_position"] = limit.lower;
      if (std::isfinite(limit.upper)) actuator["max_position"] = limit.upper;
    }
    const auto give = [&](const char* key, const char* word, double number) {
      if (number > 0.0)
        actuator[key] = number;
      else if (robot_.format == "urdf")
        draft_.note(
            {limit.where, fmt::format("{} {} is taken as no limit", word, number), "limit of 0"});
    };
    give("max_load", "effort", limit.effort);
    give("max_speed", "velocity", limit.velocity);
  }
  actuator["source"] = robot_.format;
  note_name(actuator, "joint", joint.name, actuator["name"]);
  actuators_.emplace_back(std::move(actuator), joint.where);
}

void RobotBodies::add_coupling(const RobotJoint& joint) {
  Json coupling;
  const std::string& name = joint.mimic->name.empty() ? joint.name : joint.mimic->name;
  coupling["name"] = coupling_names_.valid(name);
  coupling["joint"] = body_of(joint.child);
  for (const RobotJoint::Mimic::Term& term : joint.mimic->terms) {
    coupling["ratio"].push_back(term.multiplier);
    coupling["of"].push_back(body_of(robot_.joints[term.joint].child));
  }
  if (joint.mimic->terms.size() == 1)
    for (const char* key : {"ratio", "of"}) coupling[key] = Json(coupling[key].front());
  if (joint.mimic->offset != 0.0) coupling["offset"] = joint.mimic->offset;
  coupling["source"] = robot_.format;
  note_name(coupling, "joint", name, coupling["name"]);
  draft_.add("couplings", std::move(coupling), joint.where);
  if (joint.limit)
    draft_.note({joint.where, "the limits are left out: the joint mimics another",
                 "limit of a joint that mimics another"});
}

void RobotBodies::add_spring(const RobotJoint& joint) {
  const std::string unit = joint.type == Type::prismatic ? "N/m" : "N m/rad";
  if (!joint.moves_by_one() || joint.spring_rate < 0.0) {
    draft_.note(
        {joint.where, fmt::format("the spring of {} is left out: {}", joint.name,
                                  joint.moves_by_one()
                                      ? fmt::format("its rate is {} {}", joint.spring_rate, unit)
                                      : "the joint stands still")});
    return;
  }
  Json spring;
  const std::string name = joint.name + "_spring";
  spring["name"] = spring_names_.valid(name);
  spring["type"] = "torsion";
  spring["joint"] = body_of(joint.child);
  spring["rate"] = joint.spring_rate;
  if (joint.spring_angle != 0.0) spring["free_angle"] = joint.spring_angle;
  spring["source"] = robot_.format;
  note_name(spring, "joint", name, spring["name"]);
  draft_.add("springs", std::move(spring), joint.where);
}

void RobotBodies::note_friction() {
  std::vector<std::string> told;
  const RobotJoint* first = nullptr;
  for (const RobotJoint& joint : robot_.joints) {
    if (joint.type == Type::fixed || (joint.damping == 0.0 && joint.friction == 0.0)) continue;
    if (first == nullptr) first = &joint;
    const bool slides = joint.type == Type::prismatic;
    std::vector<std::string> parts;
    if (joint.damping != 0.0)
      parts.push_back(fmt::format("damping {} {}", joint.damping, slides ? "N s/m" : "N m s/rad"));
    if (joint.friction != 0.0)
      parts.push_back(fmt::format("friction {} {}", joint.friction, slides ? "N" : "N m"));
    told.push_back(fmt::format("{} ({})", joint.name, fmt::join(parts, ", ")));
  }
  if (!told.empty())
    draft_.note({first->where,
                 fmt::format("left out, as it is seldom the robot's own: {}", first_of(told))});
  if (robot_.unheld.empty()) return;
  told.clear();
  for (const Remark& remark : robot_.unheld) told.push_back(remark.text);
  draft_.note({robot_.unheld.front().where,
               fmt::format("left out, though loads depend on it: {}", first_of(told))});
}

}  // namespace counterpoise
