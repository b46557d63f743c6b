#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <span>

#include "engine/math/rotation.hpp"
#include "exchange/robot/urdf_elements.hpp"

namespace counterpoise {
namespace {

using Type = RobotJoint::Type;

constexpr std::array<std::string_view, 6> joint_types = {"fixed",     "revolute", "continuous",
                                                         "prismatic", "planar",   "floating"};

RobotInertial inertial_of(const XmlElement& element) {
  check_once(element, std::array<std::string_view, 3>{"origin", "mass", "inertia"});
  const RobotPose pose = origin_of(element);
  const XmlElement& mass =
      required_child(element, "mass", "<mass value=\"...\"/> [kg] in <inertial>");
  const XmlElement& inertia =
      required_child(element, "inertia", "<inertia ixx=\"...\" ... izz=\"...\"/> [kg m^2]");
  RobotInertial inertial{.mass = number_of(mass, "value"),
                         .com = pose.position,
                         .where = element.where,
                         .mass_where = mass.where};
  if (inertial.mass < 0.0)
    throw InputError(mass.where, fmt::format("found a mass of {} kg, expected 0 or more",
                                             *mass.attribute("value")));
  const double xx = number_of(inertia, "ixx"), yy = number_of(inertia, "iyy"),
               zz = number_of(inertia, "izz"), xy = number_of(inertia, "ixy"),
               xz = number_of(inertia, "ixz"), yz = number_of(inertia, "iyz");
  inertial.inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  if (pose.rpy) inertial.inertia = pose.rotation * inertial.inertia * pose.rotation.transpose();
  return inertial;
}

std::string_view joint_type_name(Type type) {
  return joint_types[static_cast<std::size_t>(type)];
}

class UrdfReader {
 public:
  UrdfReader(const XmlElement& root, bool open_loops) : root_(root), open_loops_(open_loops) {
    robot_.format = "urdf";
    robot_.where = root.where;
    if (const std::string* name = root.attribute("name")) robot_.name = *name;
  }

  RobotDescription read() {
    const std::vector<const XmlElement*> links = root_.children_named("link");
    const std::vector<const XmlElement*> joints = root_.children_named("joint");
    Mistakes mistakes;
    mistakes.attempt([&] { collect(links, links_, link_names_); });
    mistakes.attempt([&] { collect(joints, joints_, joint_names_); });
    mistakes.raise();
    if (links.empty()) throw InputError(root_.where, "found no <link>, expected at least one");
    robot_.links.resize(links.size());
    robot_.joints.resize(joints.size());
    child_joints_.resize(links.size(), nullptr);
    mistakes.attempt([&] { read_each(links, [&](const XmlElement* link) { read_link(*link); }); });
    mistakes.attempt(
        [&] { read_each(joints, [&](const XmlElement* joint) { read_joint(*joint); }); });
    mistakes.raise();
    read_each(joints, [&](const XmlElement* joint) { read_mimic(*joint); });
    check_tree(robot_);
    read_each(root_.children, [&](const XmlElement& element) { read_other(element); });
    check_mimics(robot_);
    return std::move(robot_);
  }

 private:
  /// The named elements of a kind; a name may be given once.
  static void collect(const std::vector<const XmlElement*>& elements,
                      std::map<std::string, std::size_t>& by_name,
                      std::vector<std::string>& names) {
    read_each(elements, [&](const XmlElement* element) {
      const std::string& name = required(*element, "name");
      if (!by_name.emplace(name, by_name.size()).second)
        throw InputError(element->where, fmt::format("found a second {} {}, expected another name",
                                                     element->name, in_quotes(name)));
      names.push_back(name);
    });
  }

  void note(const Location& where, std::string text) {
    robot_.remarks.push_back({where, std::move(text)});
  }
  void count(const Location& where, std::string thing, std::string text) {
    robot_.remarks.push_back({where, std::move(text), std::move(thing)});
  }

  void read_link(const XmlElement& element) {
    check_once(element, std::array<std::string_view, 1>{"inertial"});
    RobotLink& link = robot_.links[links_.at(*element.attribute("name"))];
    link.name = *element.attribute("name");
    link.where = element.where;
    if (const XmlElement* inertial = element.child("inertial"))
      link.inertial = inertial_of(*inertial);
    for (const XmlElement* visual : element.children_named("visual"))
      read_shape(*visual, link.visuals);
    for (const XmlElement* collision : element.children_named("collision"))
      read_shape(*collision, link.collisions);
    note_unknown(element, link.name);
  }

  static Shape shape_of(const XmlElement& kind) {
    if (kind.name == "box") return BoxShape{vector_of(kind, "size", Vec3d::Zero())};
    if (kind.name == "cylinder")
      return CylinderShape{number_of(kind, "radius"), number_of(kind, "length")};
    if (kind.name == "capsule")
      return CapsuleShape{number_of(kind, "radius"), number_of(kind, "length")};
    if (kind.name == "sphere") return SphereShape{number_of(kind, "radius")};
    if (kind.name == "mesh")
      return MeshShape{required(kind, "filename"), vector_of(kind, "scale", Vec3d::Ones())};
    throw InputError(kind.where,
                     fmt::format("found the shape <{}>, expected a box, cylinder, capsule, "
                                 "sphere or mesh",
                                 kind.name));
  }

  /// Looks change no number, so that one which cannot be read is left out and noted.
  void read_shape(const XmlElement& element, std::vector<RobotShape>& shapes) {
    const bool visual = element.name == "visual";
    try {
      const XmlElement& geometry = required_child(element, "geometry", "what the shape is");
      if (geometry.children.empty())
        throw InputError(geometry.where, "found <geometry> without a shape, expected one");
      RobotShape shape{.shape = shape_of(geometry.children.front()),
                       .pose = origin_of(element),
                       .where = element.where};
      if (const XmlElement* material = element.child("material"))
        shape.colour = colour_of(*material);
      shapes.push_back(std::move(shape));
    } catch (const InputError& error) {
      if (visual)
        count(error.where(), "look that cannot be read",
              fmt::format("a look is left out: {}", error.message()));
    }
  }

  [[nodiscard]] std::optional<Colour> colour_of(const XmlElement& material) const {
    const XmlElement* colour = material.child("color");
    if (const std::string* name = material.attribute("name"); colour == nullptr && name != nullptr)
      for (const XmlElement* shared : root_.children_named("material"))
        if (const std::string* other = shared->attribute("name");
            other != nullptr && *other == *name)
          if (const XmlElement* found = shared->child("color")) colour = found;
    if (colour == nullptr || colour->attribute("rgba") == nullptr) return std::nullopt;
    const std::vector<double> rgba = xml_numbers(*colour->attribute("rgba"));
    if (!has_finite(rgba, 4)) return std::nullopt;
    return Colour(rgba[0], rgba[1], rgba[2]).cwiseMax(0.0).cwiseMin(1.0).eval();
  }

  std::size_t link_named(const XmlElement& element, const std::string& name) const {
    const auto found = links_.find(name);
    if (found == links_.end())
      throw InputError(element.where,
                       fmt::format("found {}, expected the name of a link{}", in_quotes(name),
                                   did_you_mean(name, link_names_)));
    return found->second;
  }

  std::size_t link_of(const XmlElement& joint, std::string_view end) const {
    const XmlElement& element = required_child(joint, end, fmt::format("<{} link=\"...\"/>", end));
    return link_named(element, required(element, "link"));
  }

  void read_joint(const XmlElement& element) {
    const std::string& name = *element.attribute("name");
    RobotJoint& joint = robot_.joints[joints_.at(name)];
    joint.name = name;
    joint.where = element.where;
    const std::string& type = required(element, "type");
    const auto known = std::find(joint_types.begin(), joint_types.end(), type);
    if (known == joint_types.end()) {
      const std::vector<std::string> names(joint_types.begin(), joint_types.end());
      throw InputError(element.where,
                       fmt::format("found the joint type {}, expected one of {}{}", in_quotes(type),
                                   listed(joint_types), did_you_mean(type, names)));
    }
    joint.type = static_cast<Type>(known - joint_types.begin());
    check_once(element, std::array<std::string_view, 7>{"origin", "parent", "child", "axis",
                                                        "limit", "dynamics", "mimic"});
    joint.origin = origin_of(element);
    const std::size_t child = link_of(element, "child"), parent = link_of(element, "parent");
    joint.child = static_cast<LinkIndex>(child);
    joint.parent = static_cast<LinkIndex>(parent);
    if (child == parent)
      throw InputError(element.where,
                       fmt::format("found {} as parent and child, expected two links",
                                   in_quotes(link_names_[child])));
    if (child_joints_[child] != nullptr)
      throw InputError(element.where,
                       fmt::format("found a second joint of the link {}, expected one: the joint "
                                   "{} has it already; URDF holds trees only",
                                   in_quotes(link_names_[child]),
                                   in_quotes(*child_joints_[child]->attribute("name"))));
    child_joints_[child] = &element;
    note_unknown(element, name);
    if (const std::string* independent = element.attribute("independent")) {  // URDF+
      joint.has_motor = *independent == "true" || *independent == "True";
      joint.dependent = !joint.has_motor;
    }
    if (joint.type == Type::fixed || joint.type == Type::floating) return;
    if (const XmlElement* axis = element.child("axis")) joint.axis = axis_of(*axis);
    read_limit(element, joint);
    if (const XmlElement* dynamics = element.child("dynamics")) {
      joint.damping = number_of(*dynamics, "damping", 0.0);
      joint.friction = number_of(*dynamics, "friction", 0.0);
    }
  }

  static Vec3d axis_of(const XmlElement& element) {
    required(element, "xyz");
    const Vec3d axis = vector_of(element, "xyz", Vec3d::UnitX());
    if (axis.isZero(0.0))
      throw InputError(element.where, "found an axis of length 0, expected a direction");
    return axis;
  }

  void read_limit(const XmlElement& element, RobotJoint& joint) {
    const XmlElement* limit = element.child("limit");
    const bool bounded = joint.type == Type::revolute || joint.type == Type::prismatic;
    if (limit == nullptr) {
      if (bounded)
        throw InputError(
            element.where,
            fmt::format("found a {} joint without <limit>, expected <limit lower=\"...\" "
                        "upper=\"...\" effort=\"...\" velocity=\"...\"/>{}",
                        joint_type_name(joint.type),
                        joint.type == Type::revolute ? ", or the type continuous" : ""));
      return;
    }
    joint.limit = RobotJoint::Limit{.lower = number_of(*limit, "lower", 0.0),
                                    .upper = number_of(*limit, "upper", 0.0),
                                    .effort = number_of(*limit, "effort"),
                                    .velocity = number_of(*limit, "velocity"),
                                    .where = limit->where};
    if (bounded && joint.limit->lower > joint.limit->upper)
      throw InputError(limit->where, fmt::format("found lower {} above upper {}, expected it below",
                                                 joint.limit->lower, joint.limit->upper));
  }

  void read_mimic(const XmlElement& element) {
    const XmlElement* mimic = element.child("mimic");
    if (mimic == nullptr) return;
    RobotJoint& joint = robot_.joints[joints_.at(*element.attribute("name"))];
    const std::string& name = required(*mimic, "joint");
    const auto found = joints_.find(name);
    if (found == joints_.end())
      throw InputError(mimic->where,
                       fmt::format("found {}, expected the name of a joint{}", in_quotes(name),
                                   did_you_mean(name, joint_names_)));
    if (joint.type == Type::fixed) {
      count(mimic->where, "<mimic> of a fixed joint",
            fmt::format("<mimic> is left out: the joint {} is fixed", joint.name));
      return;
    }
    const RobotJoint& other = robot_.joints[found->second];
    for (const RobotJoint* one : {&std::as_const(joint), &other})
      if (!one->moves_by_one())
        throw InputError(mimic->where,
                         fmt::format("found the {} joint {}, expected a revolute, continuous or "
                                     "prismatic one on both sides of a mimic",
                                     joint_type_name(one->type), in_quotes(one->name)));
    joint.mimic =
        RobotJoint::Mimic{.terms = {{found->second, number_of(*mimic, "multiplier", 1.0)}},
                          .offset = number_of(*mimic, "offset", 0.0),
                          .where = mimic->where};
  }

  /// Everything beside links and joints.
  void read_other(const XmlElement& element) {
    if (element.name == "link" || element.name == "joint" || element.name == "material") return;
    const bool loop =
        element.name == "loop" || element.name == "loop_joint" || element.name == "constraint";
    if (open_loops_ && (loop || element.name == "coupling")) {
      note(element.where, fmt::format("<{}> is left out (--open-loops)", element.name));
    } else if (loop) {
      read_loop(element);
    } else if (element.name == "coupling") {
      read_coupling(element);
    } else if (is_constraint(element.name)) {
      throw InputError(element.where,
                       fmt::format("found <{}>, which holds links together, expected none: a model "
                                   "would move as if it were not there; <loop>, <coupling> and "
                                   "<mimic> are read",
                                   element.name));
    } else if (element.name == "transmission") {
      tell_unheld(element, owner_of(element), robot_);
      for (const XmlElement* joint : element.children_named("joint"))
        if (const std::string* name = joint->attribute("name"); name != nullptr)
          if (const auto found = joints_.find(*name); found != joints_.end())
            robot_.joints[found->second].has_motor = true;
      count(element.where, "transmission",
            "the transmission is left out: loads are those at the joint");
    } else if (element.name == "gazebo") {
      read_gazebo(element);
    } else {
      tell_unheld(element, owner_of(element), robot_);
      count(element.where, fmt::format("<{}>", element.name),
            fmt::format("<{}> is left out", element.name));
    }
  }

  /// What an element is of, for the reader of a note.
  static std::string owner_of(const XmlElement& element) {
    for (const char* by : {"name", "reference"})
      if (const std::string* name = element.attribute(by); name != nullptr && !name->empty())
        return *name;
    return fmt::format("<{}>", element.name);
  }

  /// Drake's constraints between links, which are no part of URDF.
  static bool is_constraint(std::string_view name) {
    return name.starts_with("drake:") && name.ends_with("_constraint");
  }

  /// A coupling of URDF+, of all joints between two links.
  void read_coupling(const XmlElement& element) {
    const auto link = [&](std::string_view end) {
      return static_cast<LinkIndex>(link_of(element, end));
    };
    const std::array<LinkIndex, 2> links = {link("predecessor"), link("successor")};
    const XmlElement& ratio = required_child(
        element, "ratio", "<ratio value=\"...\"/>, how far the successor moves per predecessor");
    couple_joints(robot_, links, number_of(ratio, "value"), required(element, "name"),
                  element.where);
  }

  /// One end of a loop: a link, and a frame in it that stands in the end, or beside it in an
  /// element such as <parent_origin>.
  std::pair<LinkIndex, RobotPose> loop_end(const XmlElement& loop,
                                           std::span<const std::string_view> names) const {
    for (const std::string_view name : names) {
      const XmlElement* end = loop.child(name);
      if (end == nullptr) continue;
      const auto link = static_cast<LinkIndex>(link_named(*end, required(*end, "link")));
      if (const XmlElement* beside = loop.child(fmt::format("{}_origin", name)))
        return {link, pose_in(*beside)};
      return {link, end->child("origin") != nullptr ? origin_of(*end) : pose_in(*end)};
    }
    throw InputError(loop.where, fmt::format("found <{}> without <{}>, expected the link and the "
                                             "frame at which the loop closes",
                                             loop.name, names.front()));
  }

  void read_loop(const XmlElement& element) {
    constexpr std::array<std::string_view, 3> firsts = {"predecessor", "parent", "link1"};
    constexpr std::array<std::string_view, 3> seconds = {"successor", "child", "link2"};
    RobotLoop loop{.name = required(element, "name"), .where = element.where};
    tell_unheld(element, loop.name, robot_);
    const std::string& type = required(element, "type");
    const auto [first, first_pose] = loop_end(element, firsts);
    const auto [second, second_pose] = loop_end(element, seconds);
    loop.links = {first, second};
    loop.points = {first_pose.position, second_pose.position};
    if (type == "revolute" || type == "continuous") {
      const XmlElement& axis = required_child(
          element, "axis", "<axis xyz=\"...\"/>, the direction about which the loop's joint turns");
      const Vec3d direction = axis_of(axis);
      const std::string* frame = axis.attribute("frame");
      const bool in_link = frame != nullptr && *frame == "parent";
      loop.keep = LoopKeep::parallel;
      loop.axes[0] = in_link ? direction : Vec3d(first_pose.rotation * direction);
      // <loop> gives both frames; others give points, and the axes agree in the zero configuration
      loop.axes[1] = element.name == "loop"
                         ? Vec3d(second_pose.rotation * direction)
                         : Vec3d(pose_in_link(first, second).rotation * loop.axes[0]);
      for (Vec3d& one : loop.axes) one.normalize();
    } else if (type == "fixed") {
      loop.keep = LoopKeep::weld;
      loop.rotation = first_pose.rotation * second_pose.rotation.transpose();
    } else if (type != "ball" && type != "spherical") {
      throw InputError(element.where,
                       fmt::format("found a loop of the type {}, expected revolute, continuous, "
                                   "fixed or ball: a model closes loops by these; --open-loops "
                                   "takes the tree without its loops",
                                   in_quotes(type)));
    }
    robot_.loops.push_back(std::move(loop));
  }

  /// Where a link's frame stands in another link's, at joint positions 0.
  [[nodiscard]] RobotPose pose_in_link(LinkIndex link, LinkIndex other) const {
    return zero_pose(other).inverse().times(zero_pose(link));
  }

  /// Where a link's frame stands in the root's, at joint positions 0.
  [[nodiscard]] RobotPose zero_pose(LinkIndex link) const {
    const std::vector<const RobotJoint*> above = robot_.joints_above();
    RobotPose pose;
    for (const RobotJoint* joint = above[link]; joint != nullptr; joint = above[joint->parent])
      pose = joint->origin.times(pose);
    return pose;
  }

  /// A joint of SDF that Gazebo adds to a URDF file.
  void read_gazebo_joint(const XmlElement& element) {
    const auto link = [&](std::string_view end) {
      const XmlElement& child = required_child(element, end, "the name of a link in it");
      return static_cast<LinkIndex>(link_named(child, xml_trimmed(child.text)));
    };
    const LinkIndex parent = link("parent"), child = link("child");
    const RobotPose joint = sdf_pose(element);
    tell_unheld(element, owner_of(element), robot_);
    robot_.loops.push_back(loop_of_sdf_joint(
        element, {parent, child}, joint, pose_in_link(child, parent), [&](std::string_view axis) {
          return Vec3d(joint.rotation * sdf_direction(element, axis));
        }));
  }

  /// Gazebo's additions: springs of joints and joints that close loops change the mechanism,
  /// everything else does not.
  void read_gazebo(const XmlElement& element) {
    const std::string* reference = element.attribute("reference");
    for (const XmlElement* joint : element.children_named("joint")) {
      if (open_loops_)
        note(joint->where, "the joint that closes a loop is left out (--open-loops)");
      else
        read_gazebo_joint(*joint);
    }
    const auto value = [&](std::string_view name) {
      const XmlElement* child = element.child(name);
      if (child == nullptr) return 0.0;
      const double number = xml_number(child->text);
      if (!std::isfinite(number))
        throw InputError(child->where, fmt::format("found {}, expected a number",
                                                   in_quotes(xml_trimmed(child->text))));
      return number;
    };
    if (element.child("springStiffness") != nullptr && reference != nullptr) {
      const auto joint = joints_.find(*reference);
      if (joint == joints_.end())
        throw InputError(
            element.where,
            fmt::format("found a spring of {}, expected the name of a joint{}",
                        in_quotes(*reference), did_you_mean(*reference, joint_names_)));
      robot_.joints[joint->second].spring_rate = value("springStiffness");
      robot_.joints[joint->second].spring_angle = value("springReference");
    }
    for (const XmlElement& child : element.children)
      if ((child.name == "turnGravityOff" && xml_trimmed(child.text) == "true") ||
          (child.name == "gravity" &&
           (xml_trimmed(child.text) == "false" || xml_trimmed(child.text) == "0")))
        note(child.where, fmt::format("Gazebo lets no gravity act on {}; here it does",
                                      reference == nullptr ? "the robot" : *reference));
    constexpr std::array<std::string_view, 3> read = {"joint", "springStiffness",
                                                      "springReference"};
    bool all_read = true;
    for (const XmlElement& child : element.children) {
      if (std::find(read.begin(), read.end(), child.name) != read.end() &&
          (reference != nullptr || child.name == "joint"))
        continue;
      all_read = false;
      tell_unheld(child, owner_of(element), robot_);
    }
    if (!all_read) count(element.where, "<gazebo>", "<gazebo> is left out");
  }

  /// An element unknown to URDF is reported if it may be misspelt, and else counted.
  void count_or_note(const XmlElement& element, const std::string& owner,
                     const std::string& suggestion) {
    tell_unheld(element, owner, robot_);
    const std::string text = fmt::format("<{}> is left out{}", element.name, suggestion);
    if (suggestion.empty())
      count(element.where, fmt::format("<{}>", element.name), text);
    else
      note(element.where, text);
  }

  /// Notes what stands in an element and is not of URDF; it may be misspelt. `owner` is the link or
  /// joint that it is of.
  void note_unknown(const XmlElement& element, const std::string& owner) {
    static const std::map<std::string, std::vector<std::string>, std::less<>> parts = {
        {"link", {"inertial", "visual", "collision"}},
        {"inertial", {"origin", "mass", "inertia"}},
        {"joint",
         {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "safety_controller",
          "calibration"}}};
    static const std::map<std::string, std::vector<std::string>, std::less<>> attributes = {
        {"link", {"name", "type"}},
        {"mass", {"value"}},
        {"inertia", {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}},
        {"joint", {"name", "type", "independent"}},
        {"origin", {"xyz", "rpy"}},
        {"parent", {"link"}},
        {"child", {"link"}},
        {"axis", {"xyz"}},
        {"limit", {"lower", "upper", "effort", "velocity"}},
        {"dynamics", {"damping", "friction"}},
        {"mimic", {"joint", "multiplier", "offset"}}};
    const auto contains = [](const std::vector<std::string>& names, const std::string& name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (const auto known = attributes.find(element.name); known != attributes.end())
      for (const XmlAttribute& attribute : element.attributes)
        if (!contains(known->second, attribute.name))
          note(element.where,
               fmt::format("{}={} is left out{}", attribute.name, in_quotes(attribute.value),
                           did_you_mean(attribute.name, known->second)));
    const auto known = parts.find(element.name);
    for (const XmlElement& part : element.children) {
      if (known == parts.end())
        count_or_note(part, owner, "");
      else if (!contains(known->second, part.name))
        count_or_note(part, owner, did_you_mean(part.name, known->second));
      else if (part.name == "collision")
        count(part.where, "collision shape", "the collision shape is left out");
      else if (part.name == "safety_controller" || part.name == "calibration")
        count(part.where, fmt::format("<{}>", part.name),
              fmt::format("<{}> is left out", part.name));
      else if (part.name != "visual")
        note_unknown(part, owner);
    }
  }

  const XmlElement& root_;
  bool open_loops_;  // whether what closes loops is left out
  RobotDescription robot_;
  std::map<std::string, std::size_t> links_, joints_;  // places in the description, by name
  std::vector<std::string> link_names_, joint_names_;
  std::vector<const XmlElement*> child_joints_;  // the joint above each link
};

}  // namespace

std::vector<const RobotJoint*> RobotDescription::joints_above() const {
  std::vector<const RobotJoint*> above(links.size(), nullptr);
  for (const RobotJoint& joint : joints) above[joint.child] = &joint;
  return above;
}

void check_tree(const RobotDescription& robot) {
  const std::vector<const RobotJoint*> above = robot.joints_above();
  const RobotLink* root = nullptr;
  for (std::size_t l = 0; l < above.size(); ++l) {
    if (above[l] != nullptr) continue;
    if (root != nullptr)
      throw InputError(robot.links[l].where,
                       fmt::format("found the link {} that no joint holds, beside {}, expected one "
                                   "root link",
                                   in_quotes(robot.links[l].name), in_quotes(root->name)));
    root = &robot.links[l];
  }
  std::vector<bool> rooted(above.size(), false);  // whether a way to the root is known
  std::vector<bool> on_way(above.size(), false);
  for (std::size_t l = 0; l < above.size(); ++l) {
    std::vector<std::size_t> way;
    for (std::size_t at = l; !rooted[at];) {
      way.push_back(at);
      on_way[at] = true;
      if (above[at] == nullptr || above[at]->parent == world_link) break;
      const std::size_t next = above[at]->parent;
      if (on_way[next])
        throw InputError(above[at]->where,
                         fmt::format("found the link {} below itself, expected a tree",
                                     in_quotes(robot.links[next].name)));
      at = next;
    }
    for (const std::size_t at : way) {
      rooted[at] = true;
      on_way[at] = false;
    }
  }
}

RobotDescription read_urdf(const XmlElement& root, bool open_loops) {
  return UrdfReader(root, open_loops).read();
}

}  // namespace counterpoise
