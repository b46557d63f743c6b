#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <span>

#include "engine/math/rotation.hpp"
#include "exchange/robot/robot_description.hpp"

namespace counterpoise {
namespace {

using Type = RobotJoint::Type;

const std::string& required_name(const XmlElement& element) {
  const std::string* name = element.attribute("name");
  if (name == nullptr || name->empty())
    throw InputError(element.where,
                     fmt::format("found <{}> without name, expected <{} name=\"...\">",
                                 element.name, element.name));
  return *name;
}

double number_in(const XmlElement& element) {
  const double number = xml_number(element.text);
  if (!std::isfinite(number) && std::isnan(number))
    throw InputError(element.where, fmt::format("found {}, expected a number",
                                                in_quotes(xml_trimmed(element.text))));
  return number;
}

/// The number in a child of this name, which may be infinite, or another where there is none.
double number_in(const XmlElement* owner, std::string_view name, double otherwise) {
  const XmlElement* child = owner == nullptr ? nullptr : owner->child(name);
  return child == nullptr ? otherwise : number_in(*child);
}

Vec3d vector_in(const XmlElement& element) {
  const std::vector<double> numbers = xml_numbers(element.text);
  if (!has_finite(numbers, 3))
    throw InputError(element.where, fmt::format("found {}, expected three numbers",
                                                in_quotes(xml_trimmed(element.text))));
  return {numbers[0], numbers[1], numbers[2]};
}

Vec3d vector_in(const XmlElement* owner, std::string_view name, const Vec3d& otherwise) {
  const XmlElement* child = owner == nullptr ? nullptr : owner->child(name);
  return child == nullptr ? otherwise : vector_in(*child);
}

bool is_true(const XmlElement* element) {
  if (element == nullptr) return false;
  const std::string text = xml_trimmed(element->text);
  return text == "true" || text == "1";
}

struct NamedType {
  std::string_view name;
  Type type;
};
constexpr std::array<NamedType, 6> sdf_joint_types = {{{"revolute", Type::revolute},
                                                       {"continuous", Type::continuous},
                                                       {"prismatic", Type::prismatic},
                                                       {"fixed", Type::fixed},
                                                       {"ball", Type::ball},
                                                       {"universal", Type::universal}}};

Type type_of(const XmlElement& joint) {
  const std::string* type = joint.attribute("type");
  if (type == nullptr)
    throw InputError(joint.where, "found <joint> without type, expected <joint type=\"...\">");
  for (const NamedType& known : sdf_joint_types)
    if (known.name == *type) return known.type;
  std::vector<std::string_view> names;
  for (const NamedType& known : sdf_joint_types) names.push_back(known.name);
  const std::vector<std::string> candidates(names.begin(), names.end());
  throw InputError(joint.where,
                   fmt::format("found the joint type {}, expected one of {}{}{}", in_quotes(*type),
                               listed(names), did_you_mean(*type, candidates),
                               joint.where.pointer.find("/gazebo") == std::string::npos
                                   ? ""
                                   : "; --open-loops takes the tree without its loops"));
}

Vec3d direction_of(const XmlElement& axis) {
  const XmlElement* xyz = axis.child("xyz");
  if (xyz == nullptr) return Vec3d::UnitZ();
  const Vec3d direction = vector_in(*xyz);
  if (direction.isZero(0.0))
    throw InputError(xyz->where, "found an axis of length 0, expected a direction");
  return direction.normalized();
}

const XmlElement& required_axis(const XmlElement& joint, std::string_view name) {
  const XmlElement* axis = joint.child(name);
  if (axis == nullptr)
    throw InputError(joint.where, fmt::format("found <joint> without <{}>, expected the direction "
                                              "that its type asks for",
                                              name));
  return *axis;
}

/// Reads one <model>. Links, joints and frames may each stand in another of them ("relative_to");
/// everything is brought to the model's frame first.
class SdfReader {
 public:
  SdfReader(const XmlElement& sdf, const XmlElement& model, bool open_loops)
      : model_(model), open_loops_(open_loops) {
    robot_.format = "sdf";
    robot_.where = model.where;
    robot_.name = required_name(model);
    if (const std::string* version = sdf.attribute("version"); version != nullptr)
      axes_in_model_ = version->starts_with("1.") && xml_number(version->substr(2)) < 5.0;
  }

  RobotDescription read() {
    for (const char* what : {"model", "include"})
      if (const XmlElement* nested = model_.child(what))
        throw InputError(
            nested->where,
            fmt::format("found <{}> inside the model, expected links and joints alone; "
                        "`gz sdf -p FILE` writes the model in one piece",
                        what));
    read_each(model_.children, [&](const XmlElement& element) {
      if (element.name == "link" || element.name == "joint" || element.name == "frame") {
        auto& named = element.name == "joint" ? joints_ : framed_;
        if (!named.emplace(required_name(element), &element).second)
          throw InputError(element.where,
                           fmt::format("found a second {} {}, expected another name", element.name,
                                       in_quotes(required_name(element))));
      }
      if (element.name == "link") {
        links_.emplace(required_name(element), static_cast<LinkIndex>(robot_.links.size()));
        link_names_.push_back(required_name(element));
        robot_.links.push_back({.name = required_name(element), .where = element.where});
      } else if (element.name != "joint" && element.name != "frame" && element.name != "pose" &&
                 element.name != "static") {
        if (element.name.starts_with("drake:") && element.name.ends_with("_constraint"))
          throw InputError(element.where,
                           fmt::format("found <{}>, which holds links together, expected none: a "
                                       "model would move as if it were not there",
                                       element.name));
        tell_unheld(element, fmt::format("<{}>", element.name), robot_);
        count(element.where, fmt::format("<{}>", element.name),
              fmt::format("<{}> is left out", element.name));
      }
    });
    if (links_.empty()) throw InputError(model_.where, "found no <link>, expected at least one");
    placed_.resize(robot_.links.size());
    for (std::size_t l = 0; l < robot_.links.size(); ++l)
      placed_[l] = pose_of(robot_.links[l].name, robot_.links[l].where);
    read_each(model_.children_named("joint"), [&](const XmlElement* joint) { read_joint(*joint); });
    read_mimics();
    place_joints();
    read_each(model_.children_named("link"), [&](const XmlElement* link) { read_link(*link); });
    check_tree(robot_);
    return std::move(robot_);
  }

 private:
  void count(const Location& where, std::string thing, std::string text) {
    robot_.remarks.push_back({where, std::move(text), std::move(thing)});
  }

  /// Where the element of this name stands in the model's frame.
  RobotPose pose_of(const std::string& name, const Location& from) {
    if (name == "__model__") return {};
    if (name == "world") return world_pose().inverse();
    if (const auto framed = framed_.find(name); framed != framed_.end())
      return pose_of(*framed->second);
    if (const auto joint = joints_.find(name); joint != joints_.end())
      return pose_of(*joint->second);
    std::vector<std::string> names;
    for (const auto* kind : {&framed_, &joints_})
      for (const auto& [other, _] : *kind) names.push_back(other);
    throw InputError(from, fmt::format("found {}, expected the name of a link, joint or frame{}",
                                       in_quotes(name), did_you_mean(name, names)));
  }

  RobotPose pose_of(const XmlElement& framed) {
    if (const auto known = poses_.find(&framed); known != poses_.end()) return known->second;
    if (!open_.insert(&framed).second)
      throw InputError(framed.where,
                       fmt::format("found the frame {} relative to itself, expected one that leads "
                                   "to the model",
                                   in_quotes(required_name(framed))));
    const XmlElement* pose = framed.child("pose");
    const std::string* relative = pose == nullptr ? nullptr : pose->attribute("relative_to");
    std::string base = "__model__";
    if (relative != nullptr && !relative->empty())
      base = *relative;
    else if (const std::string* attached = framed.attribute("attached_to");
             framed.name == "frame" && attached != nullptr && !attached->empty())
      base = *attached;
    else if (const XmlElement* child = framed.child("child");
             framed.name == "joint" && child != nullptr)
      base = xml_trimmed(child->text);
    const RobotPose placed = pose_of(base, framed.where).times(sdf_pose(framed));
    open_.erase(&framed);
    return poses_[&framed] = placed;
  }

  [[nodiscard]] RobotPose world_pose() const { return sdf_pose(model_); }

  LinkIndex link_of(const XmlElement& joint, std::string_view end) {
    const XmlElement* element = joint.child(end);
    if (element == nullptr)
      throw InputError(
          joint.where,
          fmt::format("found <joint> without <{}>, expected the name of a link in it", end));
    std::string name = xml_trimmed(element->text);
    if (name == "world" && end == "parent") return world_link;
    std::set<std::string> seen;
    for (auto frame = framed_.find(name);  // a frame stands for the link that it is attached to
         frame != framed_.end() && frame->second->name == "frame" && seen.insert(name).second;
         frame = framed_.find(name)) {
      const std::string* attached = frame->second->attribute("attached_to");
      if (attached == nullptr) break;
      name = *attached;
    }
    const auto found = links_.find(name);
    if (found == links_.end())
      throw InputError(element->where,
                       fmt::format("found {}, expected the name of a link{}", in_quotes(name),
                                   did_you_mean(name, link_names_)));
    return found->second;
  }

  [[nodiscard]] RobotPose placed(LinkIndex link) const {
    return link == world_link ? world_pose().inverse() : placed_[link];
  }

  void read_joint(const XmlElement& element) {
    const std::string& name = required_name(element);
    const LinkIndex parent = link_of(element, "parent"), child = link_of(element, "child");
    if (child == parent)
      throw InputError(element.where,
                       fmt::format("found {} as parent and child, expected two links",
                                   in_quotes(link_names_[child])));
    const RobotPose frame = pose_of(element);
    const auto axis = [&](std::string_view which) {
      const XmlElement& given = required_axis(element, which);
      Vec3d direction = direction_of(given);
      const XmlElement* xyz = given.child("xyz");
      const std::string* expressed = xyz == nullptr ? nullptr : xyz->attribute("expressed_in");
      if (expressed != nullptr && !expressed->empty())
        direction = pose_of(*expressed, xyz->where).rotation * direction;
      else if (!axes_in_model_ && !is_true(given.child("use_parent_model_frame")))
        direction = frame.rotation * direction;
      return Vec3d(placed(child).rotation.transpose() * direction);  // in the child's axes
    };
    const bool second = std::any_of(robot_.joints.begin(), robot_.joints.end(),
                                    [&](const RobotJoint& j) { return j.child == child; });
    if (second || leads_to(parent, child)) {
      if (open_loops_) {
        robot_.remarks.push_back(
            {element.where, "the joint that closes a loop is left out (--open-loops)"});
        return;
      }
      tell_unheld(element, name, robot_);
      robot_.loops.push_back(
          loop_of_sdf_joint(element, {parent, child}, placed(child).inverse().times(frame),
                            placed(parent).inverse().times(placed(child)), axis));
      return;
    }
    RobotJoint joint{.name = name, .where = element.where, .type = type_of(element)};
    joint.parent = parent;
    joint.child = child;
    if (joint.type == Type::universal) {
      joint.axis = axis("axis");
      joint.second_axis = axis("axis2");
    } else if (joint.moves_by_one()) {
      joint.axis = axis("axis");
      read_axis(*element.child("axis"), joint);
    }
    for (const XmlElement& part : element.children)
      if (joint.type != Type::fixed && !(part.name == "axis" && joint.moves_by_one()))
        tell_unheld(part, name, robot_);
    // the body's frame lies at the joint, along the link's axes
    shifts_[child] = (placed(child).inverse().times(frame)).position;
    robot_.joints.push_back(std::move(joint));
  }

  /// Whether the joints read so far lead from `link` up to `above`.
  [[nodiscard]] bool leads_to(LinkIndex link, LinkIndex above) const {
    while (link != world_link && link != above) {
      const auto joint = std::find_if(robot_.joints.begin(), robot_.joints.end(),
                                      [&](const RobotJoint& j) { return j.child == link; });
      if (joint == robot_.joints.end()) return false;
      link = joint->parent;
    }
    return link == above;
  }

  static void read_axis(const XmlElement& axis, RobotJoint& joint) {
    if (const XmlElement* limit = axis.child("limit")) {
      const auto bound = [&](std::string_view name, double none) {
        const double value = number_in(limit, name, none);
        return std::abs(value) >= 1e16 ? none : value;  // SDF writes no limit so
      };
      RobotJoint::Limit read{.lower = bound("lower", -no_limit),
                             .upper = bound("upper", no_limit),
                             .effort = std::max(bound("effort", 0.0), 0.0),
                             .velocity = std::max(bound("velocity", 0.0), 0.0),
                             .where = limit->where};
      if (read.lower > read.upper)
        throw InputError(limit->where,
                         fmt::format("found lower {} above upper {}, expected it below", read.lower,
                                     read.upper));
      joint.limit = read;
    }
    if (const XmlElement* dynamics = axis.child("dynamics")) {
      joint.damping = number_in(dynamics, "damping", 0.0);
      joint.friction = number_in(dynamics, "friction", 0.0);
      joint.spring_rate = number_in(dynamics, "spring_stiffness", 0.0);
      joint.spring_angle = number_in(dynamics, "spring_reference", 0.0);
    }
  }

  /// q = multiplier * (q of the joint that leads - reference) + offset.
  void read_mimics() {
    for (RobotJoint& joint : robot_.joints) {
      const XmlElement* axis = joints_.at(joint.name)->child("axis");
      const XmlElement* mimic = axis == nullptr ? nullptr : axis->child("mimic");
      if (mimic == nullptr) continue;
      const std::string* leader = mimic->attribute("joint");
      const auto found =
          std::find_if(robot_.joints.begin(), robot_.joints.end(), [&](const auto& j) {
            return leader != nullptr && j.name == *leader && j.moves_by_one();
          });
      if (found == robot_.joints.end() || !joint.moves_by_one())
        throw InputError(
            mimic->where,
            fmt::format("found {}, expected the name of a joint of the tree that turns "
                        "or slides",
                        leader == nullptr ? "no joint" : in_quotes(*leader)));
      const double multiplier = number_in(mimic, "multiplier", 1.0);
      joint.mimic = RobotJoint::Mimic{
          .terms = {{static_cast<std::size_t>(found - robot_.joints.begin()), multiplier}},
          .offset =
              number_in(mimic, "offset", 0.0) - multiplier * number_in(mimic, "reference", 0.0),
          .where = mimic->where};
    }
    check_mimics(robot_);
  }

  /// Where each joint's child stands in its parent, between the frames of bodies, which lie at the
  /// joints along the links' axes.
  void place_joints() {
    for (RobotJoint& joint : robot_.joints) {
      RobotPose child = placed(joint.child), parent = placed(joint.parent);
      child.position = child.apply(shift_of(joint.child));
      parent.position = parent.apply(shift_of(joint.parent));
      joint.origin = parent.inverse().times(child);
    }
    for (std::size_t l = 0; l < robot_.links.size(); ++l)
      if (!shifts_.contains(static_cast<LinkIndex>(l)))  // the root
        robot_.root_pose = world_pose().times(placed_[l]);
    for (RobotLoop& loop : robot_.loops)
      for (std::size_t end : {std::size_t{0}, std::size_t{1}})
        loop.points[end] -= shift_of(loop.links[end]);
  }

  [[nodiscard]] Vec3d shift_of(LinkIndex link) const {
    const auto shift = shifts_.find(link);
    return shift == shifts_.end() ? Vec3d::Zero().eval() : shift->second;
  }

  void read_link(const XmlElement& element) {
    const LinkIndex index = links_.at(required_name(element));
    RobotLink& link = robot_.links[index];
    if (const XmlElement* inertial = element.child("inertial")) {
      link.inertial = inertial_of(*inertial);
      link.inertial->com -= shift_of(index);
    }
    for (const XmlElement& part : element.children) {
      if (part.name == "visual" || part.name == "collision") {
        if (std::optional<RobotShape> shape = shape_of(part)) {
          shape->pose.position -= shift_of(index);
          (part.name == "visual" ? link.visuals : link.collisions).push_back(std::move(*shape));
        }
        if (part.name == "collision")
          count(part.where, "collision shape", "the collision shape is left out");
      } else if (part.name == "gravity" && !is_true(&part)) {
        robot_.remarks.push_back({part.where, fmt::format("no gravity acts on {} in the file; here "
                                                          "it does",
                                                          link.name)});
      } else if (part.name != "inertial" && part.name != "pose") {
        tell_unheld(part, link.name, robot_);
        count(part.where, fmt::format("<{}>", part.name),
              fmt::format("<{}> is left out", part.name));
      }
    }
  }

  static RobotInertial inertial_of(const XmlElement& element) {
    const RobotPose pose = sdf_pose(element);
    const XmlElement* mass = element.child("mass");
    const XmlElement* inertia = element.child("inertia");
    RobotInertial inertial{.mass = number_in(&element, "mass", 1.0),
                           .com = pose.position,
                           .where = element.where,
                           .mass_where = mass == nullptr ? element.where : mass->where};
    if (!(inertial.mass >= 0.0) || !std::isfinite(inertial.mass))
      throw InputError(inertial.mass_where,
                       fmt::format("found a mass of {} kg, expected 0 or more", inertial.mass));
    const auto entry = [&](std::string_view name, double otherwise) {
      return number_in(inertia, name, otherwise);
    };
    const double xx = entry("ixx", 1.0), yy = entry("iyy", 1.0), zz = entry("izz", 1.0),
                 xy = entry("ixy", 0.0), xz = entry("ixz", 0.0), yz = entry("iyz", 0.0);
    inertial.inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
    if (!inertial.inertia.allFinite())
      throw InputError(inertia->where, "found an inertia that is not finite, expected numbers");
    inertial.inertia = pose.rotation * inertial.inertia * pose.rotation.transpose();
    return inertial;
  }

  /// Nothing for shapes that bodies do not have, such as planes and height maps.
  static std::optional<RobotShape> shape_of(const XmlElement& element) {
    RobotShape shape{.pose = sdf_pose(element), .where = element.where};
    const XmlElement* geometry = element.child("geometry");
    if (geometry == nullptr || geometry->children.empty()) return std::nullopt;
    const XmlElement& kind = geometry->children.front();
    const auto number = [&](std::string_view name, double otherwise) {
      return number_in(&kind, name, otherwise);
    };
    if (kind.name == "box") {
      shape.shape = BoxShape{vector_in(&kind, "size", Vec3d::Ones())};
    } else if (kind.name == "cylinder") {
      shape.shape = CylinderShape{number("radius", 1.0), number("length", 1.0)};
    } else if (kind.name == "capsule") {
      shape.shape = CapsuleShape{number("radius", 0.5), number("length", 1.0)};
    } else if (kind.name == "sphere") {
      shape.shape = SphereShape{number("radius", 1.0)};
    } else if (kind.name == "mesh" && kind.child("uri") != nullptr) {
      shape.shape =
          MeshShape{xml_trimmed(kind.child("uri")->text), vector_in(&kind, "scale", Vec3d::Ones())};
    } else {
      return std::nullopt;
    }
    const XmlElement* material = element.child("material");
    const XmlElement* diffuse = material == nullptr ? nullptr : material->child("diffuse");
    if (diffuse != nullptr)
      if (const std::vector<double> rgba = xml_numbers(diffuse->text);
          rgba.size() >= 3 && has_finite(rgba, rgba.size()))
        shape.colour = Colour(rgba[0], rgba[1], rgba[2]).cwiseMax(0.0).cwiseMin(1.0).eval();
    return shape;
  }

  const XmlElement& model_;
  bool open_loops_;  // whether joints that close loops are left out
  RobotDescription robot_;
  bool axes_in_model_ = false;  // before SDF 1.5, axes of joints are in the model's frame
  std::map<std::string, const XmlElement*> framed_;  // links and frames
  std::map<std::string, const XmlElement*> joints_;  // one may have the name of a link
  std::map<std::string, LinkIndex> links_;
  std::vector<std::string> link_names_;
  std::map<const XmlElement*, RobotPose> poses_;  // in the model's frame
  std::set<const XmlElement*> open_;              // whose pose is being found
  std::vector<RobotPose> placed_;                 // of the links, in the model's frame
  std::map<LinkIndex, Vec3d> shifts_;             // of bodies' frames from their links', in these
};

/// The one model of an SDF file.
const XmlElement& model_in(const XmlElement& sdf) {
  std::vector<const XmlElement*> models = sdf.children_named("model");
  for (const XmlElement* world : sdf.children_named("world"))
    for (const XmlElement* model : world->children_named("model")) models.push_back(model);
  if (models.size() != 1)
    throw InputError(models.empty() ? sdf.where : models[1]->where,
                     models.empty() ? "found no <model>, expected one"
                                    : fmt::format("found {} models, expected one: keep the robot's "
                                                  "<model> alone in the file",
                                                  models.size()));
  return *models.front();
}

}  // namespace

RobotPose sdf_pose(const XmlElement& element) {
  const XmlElement* pose = element.child("pose");
  if (pose == nullptr || xml_trimmed(pose->text).empty()) return {};
  std::vector<double> numbers = xml_numbers(pose->text);
  const std::string* format = pose->attribute("rotation_format");
  const std::string* degrees = pose->attribute("degrees");
  RobotPose read;
  if (format != nullptr && *format == "quat_xyzw") {
    if (!has_finite(numbers, 7))
      throw InputError(pose->where, "found a pose, expected x y z and the quaternion qx qy qz qw");
    read.rotation = rotation_from_quaternion(numbers[6], numbers[3], numbers[4], numbers[5]);
    if (!read.rotation.allFinite())
      throw InputError(pose->where, "found a quaternion of length 0, expected a rotation");
  } else {
    if (!has_finite(numbers, 6))
      throw InputError(pose->where, fmt::format("found the pose {}, expected six numbers: x y z "
                                                "roll pitch yaw",
                                                in_quotes(xml_trimmed(pose->text))));
    const double unit = degrees != nullptr && *degrees == "true" ? std::acos(-1.0) / 180.0 : 1.0;
    read.rotation = rotation_from_rpy(unit * numbers[3], unit * numbers[4], unit * numbers[5]);
  }
  read.position = {numbers[0], numbers[1], numbers[2]};
  return read;
}

RobotLoop loop_of_sdf_joint(const XmlElement& element, const std::array<LinkIndex, 2>& links,
                            const RobotPose& joint_in_child, const RobotPose& child_in_parent,
                            const std::function<Vec3d(std::string_view)>& axis_in_child) {
  RobotLoop loop{.name = required_name(element), .where = element.where, .links = links};
  loop.points = {child_in_parent.apply(joint_in_child.position), joint_in_child.position};
  switch (type_of(element)) {
    case Type::revolute:
    case Type::continuous:
      loop.keep = LoopKeep::parallel;
      loop.axes[1] = axis_in_child("axis");
      loop.axes[0] = child_in_parent.rotation * loop.axes[1];
      break;
    case Type::universal:  // the first axis belongs to the parent, the second to the child
      loop.keep = LoopKeep::perpendicular;
      loop.axes[1] = axis_in_child("axis2");
      loop.axes[0] = child_in_parent.rotation * axis_in_child("axis");
      break;
    case Type::fixed:
      loop.keep = LoopKeep::weld;
      loop.rotation = child_in_parent.rotation;
      break;
    case Type::ball:
      break;
    default:
      throw InputError(element.where,
                       "found a joint that slides and closes a loop, expected one that turns: let "
                       "another joint of the loop close it, or take the tree without its loops by "
                       "--open-loops");
  }
  return loop;
}

Vec3d sdf_direction(const XmlElement& joint, std::string_view axis) {
  return direction_of(required_axis(joint, axis));
}

RobotDescription read_sdf(const XmlElement& root, bool open_loops) {
  const XmlElement& model = model_in(root);
  RobotDescription robot = SdfReader(root, model, open_loops).read();
  for (const XmlElement* world : root.children_named("world"))
    if (const XmlElement* gravity = world->child("gravity")) robot.gravity = vector_in(*gravity);
  return robot;
}

}  // namespace counterpoise
