#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/math/vector.hpp"
#include "engine/mechanism/elements.hpp"
#include "exchange/imported_model.hpp"
#include "exchange/shapes/shape.hpp"
#include "exchange/xml_document.hpp"

namespace counterpoise {

/// Where a frame stands in another: R_AB and p_AB.
struct RobotPose {
  Vec3d position = Vec3d::Zero();  // [m]
  Mat3d rotation = Mat3d::Identity();
  std::optional<Vec3d> rpy{};  // [rad], where the file has these and they are not 0

  [[nodiscard]] Vec3d apply(const Vec3d& point) const { return position + rotation * point; }
  [[nodiscard]] RobotPose times(const RobotPose& next) const {
    return {apply(next.position), rotation * next.rotation, {}};
  }
  [[nodiscard]] RobotPose inverse() const {
    return {-rotation.transpose() * position, rotation.transpose(), {}};
  }
};

/// What a link looks like, or what it collides with. A mesh has its name in the file for a path.
struct RobotShape {
  Shape shape{};
  RobotPose pose{};  // in the link's frame
  std::optional<Colour> colour{};
  Location where{};
};

struct RobotInertial {
  double mass = 0.0;              // [kg]
  Vec3d com = Vec3d::Zero();      // [m], in the link's frame
  Mat3d inertia = Mat3d::Zero();  // [kg m^2], about the centre of mass, in the link's axes
  Location where{}, mass_where{};
};

struct RobotLink {
  std::string name;
  Location where{};
  std::optional<RobotInertial> inertial{};
  std::vector<RobotShape> visuals{}, collisions{};
};

/// The place of a link in RobotDescription::links; `world_link` is the world.
using LinkIndex = int;
inline constexpr LinkIndex world_link = -1;

/// A joint moves its child against its parent. The child's frame lies on the joint's axis; at joint
/// position 0 it stands at `origin` in the parent's frame.
struct RobotJoint {
  enum class Type { fixed, revolute, continuous, prismatic, planar, floating, ball, universal };
  struct Limit {
    double lower = 0.0, upper = 0.0;      // [rad] or [m]; both 0: none
    double effort = 0.0, velocity = 0.0;  // 0: none
    Location where{};
  };
  /// The joint is at the sum of all multiplier * q[joint], plus offset.
  struct Mimic {
    struct Term {
      std::size_t joint = 0;
      double multiplier = 1.0;
    };
    std::vector<Term> terms{};
    double offset = 0.0;
    Location where{};
    std::string name{};  // of what couples the joints, where it has a name of its own
  };

  std::string name;
  Location where{};
  Type type = Type::fixed;
  LinkIndex parent = world_link, child = world_link;
  RobotPose origin{};
  Vec3d axis = Vec3d::UnitX(), second_axis = Vec3d::UnitY();  // in the child's axes
  std::optional<Limit> limit{};
  std::optional<Mimic> mimic{};
  double damping = 0.0, friction = 0.0;          // [N m s/rad], [N m]; or [N s/m], [N]
  double spring_rate = 0.0, spring_angle = 0.0;  // [N m/rad], [rad]; or [N/m], [m]
  bool has_motor = false;                        // whether the file says what drives it
  bool dependent = false;                        // whether the file says that it follows others

  [[nodiscard]] bool moves_by_one() const {
    return type == Type::revolute || type == Type::continuous || type == Type::prismatic;
  }
};

/// A joint that closes a loop of the tree of joints.
struct RobotLoop {
  std::string name;
  Location where{};
  std::array<LinkIndex, 2> links = {world_link, world_link};
  std::array<Vec3d, 2> points = {Vec3d::Zero(), Vec3d::Zero()};  // each in its link's frame
  LoopKeep keep = LoopKeep::point;
  std::array<Vec3d, 2> axes = {Vec3d::UnitX(), Vec3d::UnitX()};  // each in its link's axes
  Mat3d rotation = Mat3d::Identity();  // from the second link's axes to the first's; weld only
};

/// A robot as URDF or SDF describes it: a tree of links and joints, and joints that close loops.
struct RobotDescription {
  std::string name, format;  // format: "urdf" or "sdf"
  Location where{};
  std::vector<RobotLink> links{};    // in the order of the file
  std::vector<RobotJoint> joints{};  // of the tree, in the order of the file
  std::vector<RobotLoop> loops{};
  RobotPose root_pose{};           // where the link without a joint above it stands in the world
  std::optional<Vec3d> gravity{};  // [m/s^2], where the file says it
  std::vector<Remark> remarks{};   // on what is left out
  std::vector<Remark> unheld{};    // what loads depend on and models do not hold, in words

  /// The joint above each link, or nothing for those that stand on no joint.
  [[nodiscard]] std::vector<const RobotJoint*> joints_above() const;
};

/// Reads an XML tree of URDF or SDF; with `open_loops` what closes loops is left out. Throws
/// InputError with all independent mistakes of the file, each at its place.
RobotDescription read_urdf(const XmlElement& root, bool open_loops);
RobotDescription read_sdf(const XmlElement& root, bool open_loops);

/// The <pose> of an element of SDF: x, y, z, roll, pitch, yaw, or a quaternion.
RobotPose sdf_pose(const XmlElement& element);

/// A joint of SDF that closes a loop between its parent and its child; `joint_in_child` is where
/// its frame stands in the child, `child_in_parent` where the child stands in the parent in the
/// zero configuration. Throws InputError for a type by which models close no loop. `axis_in_child`
/// gives the direction of its <axis> or <axis2> in the child's axes.
RobotLoop loop_of_sdf_joint(const XmlElement& element, const std::array<LinkIndex, 2>& links,
                            const RobotPose& joint_in_child, const RobotPose& child_in_parent,
                            const std::function<Vec3d(std::string_view)>& axis_in_child);

/// The direction of an <axis> or <axis2> of SDF, as the element has it.
Vec3d sdf_direction(const XmlElement& joint, std::string_view axis);

/// The joints must make one tree: throws InputError where a link is below itself, or where there
/// are several links without a joint above them.
void check_tree(const RobotDescription& robot);

/// Adds to `unheld` what an element that is left out says of loads, each with its number:
/// stiffness, damping, friction, and inertias of motors. What touches or only looks is not meant.
void tell_unheld(const XmlElement& element, const std::string& owner, RobotDescription& robot);

/// Throws InputError where joints mimic each other in a circle.
void check_mimics(const RobotDescription& robot);

/// Couples the joints between two links as <coupling> of URDF+ does: `ratio` times the sum of the
/// positions of all joints from the nearest link above both to the first is the sum of those to the
/// second. One of the joints then mimics the others. Throws InputError if none can.
void couple_joints(RobotDescription& robot, const std::array<LinkIndex, 2>& links, double ratio,
                   const std::string& name, const Location& where);

}  // namespace counterpoise
