#pragma once

#include <optional>

#include "engine/kinematics/closure/path.hpp"
#include "engine/kinematics/closure/sample_state.hpp"

namespace counterpoise {

/// Three axes at right angles in the ancestor's axes of a path that moves in one plane.
struct PlaneAxes {
  Vec3d normal, e1, e2;
};

/// One chain of a path whose moving joints keep it in one plane, in the coordinates along e1 and e2
/// of that plane: a turn is one angle, and every vector has two components. Made once per design
/// from a trace in space with all joints of the chain at zero; fixed joints are gone.
struct PlaneChain {
  struct PlaneJoint {
    BodyIndex body;
    std::size_t position;  // in the chain
    bool turns;            // else it slides
    double sign;           // of a turn about the normal
    Vec2<double> along;    // direction of a slide
    Vec2<double> way;      // from the joint's origin to that of the next one, or to the end
  };

  Vec2<double> start;  // origin of the first moving joint, or the end
  std::vector<PlaneJoint> joints;
  double height = 0.0;  // of the end along the normal

  /// Takes over the numbers of a design. `trace` is scratch, sized for the chain. Allocates at the
  /// first call only.
  void set(const DesignGeometry& geometry, const Path& path, std::size_t end,
           const PlaneAxes& plane, const JointView<double>& at_zero, Trace<double>& trace);
};

/// The positions of a planar chain with their slopes, as Trace has them.
template <class S>
struct PlaneTrace {
  std::vector<Vec2<S>> origin;  // of each moving joint
  std::vector<Vec2<S>> column;  // dp/dq of each moving joint
  Vec2<S> p;                    // the end point

  /// Computes all of them at a state. Cost: one turn of two vectors per joint.
  void follow(const PlaneChain& chain, const JointView<S>& state);
  /// Returns the acceleration of the end, from positions computed at the same state.
  [[nodiscard]] Vec2<S> acceleration(const PlaneChain& chain, const JointView<S>& state) const;
};

/// A joint on a path: its body, which of the two chains it is in, and its position in that chain.
struct PathJoint {
  BodyIndex body = -1;
  std::size_t end = 0;
  std::size_t position = 0;
};

std::optional<PathJoint> find_on_path(const Path& path, BodyIndex body);

/// A planar dyad: two joints that hold the pin of a loop, which determines their positions. They
/// are revolute or prismatic in any combination (RRR, RRP, PRP with the pin as a revolute joint).
/// CHARMIE's crank and slider form one (paper 000, eqs. 22-27; eq. 25 should read
/// B_4slc.x = B_4sla.x).
struct Dyad {
  std::array<PathJoint, 2> joints;  // if both are on one chain: the upper one first

  [[nodiscard]] bool same_chain() const { return joints[0].end == joints[1].end; }
  [[nodiscard]] bool is_on(std::size_t end) const {
    return joints[0].end == end || joints[1].end == end;
  }
};

/// Returns the two unknown joints of the loop's path as a dyad. Returns nothing unless there are
/// exactly two and the loop keeps no more than its points together or its axes parallel.
std::optional<Dyad> make_dyad(const Loop& loop, const Path& path,
                              std::span<const BodyIndex> unknowns);

/// Returns the plane in which every moving joint of the loop's path keeps it, normal to any axes
/// that the loop keeps parallel; nothing if there is none. `state` may be any state (the normal is
/// the same in all), `ends` is scratch, sized for the path.
std::optional<PlaneAxes> find_plane(const DesignGeometry& geometry, const Loop& loop,
                                    const Path& path, const Dyad& dyad,
                                    const JointView<double>& state,
                                    std::array<Trace<double>, 2>& ends);

/// The solution of a dyad on one branch.
template <class S>
struct DyadSolution {
  std::array<Angle<S>, 2> joints;  // positions; angles within (-pi, pi]. Slides have no sine
  S gap;   // [m] if positive, by how much the pin is out of reach; else the loop closes
  S sine;  // sine of the angle at the pin, 0 where the pose is singular, at most 1
};

/// The loop of a dyad in its plane, made once per design.
struct PlanarLoop {
  std::array<PlaneChain, 2> chains;
  // which of the joints of their planar chains are the dyad's, in the dyad's order
  std::array<std::size_t, 2> joints;
  std::array<bool, 2> alone;  // whether a chain has no other joints than the dyad's
  double extent = 0.0;        // the longest distance between joints that follow each other [m]

  /// How far apart the ends are along the plane's normal, in any pose [m].
  [[nodiscard]] double aside() const { return std::abs(chains[0].height - chains[1].height); }

  /// Takes over the numbers of a design. `at_zero` is a state with all joints at zero, `ends` is
  /// scratch, sized for the path.
  void set(const DesignGeometry& geometry, const Path& path, const Dyad& dyad,
           const PlaneAxes& plane, const JointView<double>& at_zero,
           std::array<Trace<double>, 2>& ends);
};

/// The planar chains of a loop at one state.
template <class S>
struct DyadEnds {
  std::array<PlaneTrace<S>, 2> at_zero;  // with the dyad's joints at zero, all others as they are
  std::array<PlaneTrace<S>, 2> solved;   // of the chains that have some of the dyad's joints

  /// Computes what is the same at all states of a design: the chains that have no other joints.
  /// `state` is used up for that.
  void begin(const PlanarLoop& loop, const Dyad& dyad, const JointState<S>& state);
  /// Computes the chains with the joints of the dyad as in `state`.
  void follow(const PlanarLoop& loop, const Dyad& dyad, const JointView<S>& state);
  /// A chain with the joints of the dyad as they were followed last.
  [[nodiscard]] const PlaneTrace<S>& at(std::size_t end, const Dyad& dyad) const {
    return dyad.is_on(end) ? solved[end] : at_zero[end];
  }
};

/// Solves for both joints of a dyad with all other joints on the path as in `state`; the entries of
/// `state` for the two joints are overwritten. `branch` is +1 or -1; two prismatic joints have one
/// solution, which both branches give. `ends` must have begun with the loop. A loop that cannot
/// close gets the nearest pose.
template <class S>
DyadSolution<S> solve_dyad(const PlanarLoop& loop, const Dyad& dyad, double branch,
                           const JointState<S>& state, DyadEnds<S>& ends);

/// The joint position, on one branch, that gives the line between two points a prescribed length.
template <class S>
struct LineJointSolution {
  Angle<S> joint;  // position; an angle is within (-pi, pi]. A slide has no sine
  S gap;           // [m] if positive, by how much the length is out of reach; else it is reached
  S sine;          // |dL/dq| relative to its largest possible value, 0 where the pose is singular
};

/// Solves for one revolute or prismatic joint on a two-point path in the general case: by the law
/// of cosines about any axis, or by Pythagoras along it, with all other joints on the path as in
/// `state`; the entries of `state` for the joint are overwritten. This covers both indirectly
/// driven joints of CHARMIE (paper 000, eqs. 5-14; eq. 14 prints its second sign reversed).
/// `branch` is +1 or -1.
template <class S>
LineJointSolution<S> solve_line_joint(const DesignGeometry& geometry, const Path& path,
                                      const PathJoint& joint, double branch, const S& length,
                                      const JointState<S>& state, Line<S>& line);

}  // namespace counterpoise
