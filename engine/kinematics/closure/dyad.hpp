#pragma once

#include <optional>

#include "engine/kinematics/chains/path.hpp"
#include "engine/kinematics/closure/sample_state.hpp"

namespace counterpoise {

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
};

/// Returns the two unknown joints of the loop's path as a dyad. Returns nothing unless there are
/// exactly two and the loop keeps no more than its points together or its axes parallel.
std::optional<Dyad> make_dyad(const Loop& loop, const Path& path,
                              std::span<const BodyIndex> unknowns);

/// The plane of a planar path: its normal and two axes in it, in the axes of the path's ancestor.
struct DyadPlane {
  Vec3d normal, e1, e2;
};

/// Returns the plane in which every moving joint of the loop's path keeps it, normal to any axes
/// that the loop keeps parallel; nothing if there is none. `state` may be any state (the normal is
/// the same in all), `ends` is scratch, sized for the path.
std::optional<DyadPlane> find_plane(const DesignGeometry& geometry, const Loop& loop,
                                    const Path& path, const Dyad& dyad,
                                    const JointView<double>& state,
                                    std::array<Trace<double>, 2>& ends);

/// The solution of a dyad on one branch.
template <class S>
struct DyadSolution {
  std::array<S, 2> q;  // positions of the dyad's joints; angles within (-pi, pi]
  S gap;               // [m] if positive, by how much the pin is out of reach; else the loop closes
  S sine;              // sine of the angle at the pin, 0 where the pose is singular, at most 1
};

/// Solves for both joints of a dyad with all other joints on the path as in `state`; the entries of
/// `state` for the two joints are overwritten. `branch` is +1 or -1; two prismatic joints have one
/// solution, which both branches give. `ends` is scratch, sized for the path. A loop that cannot
/// close gets the nearest pose.
template <class S>
DyadSolution<S> solve_dyad(const DesignGeometry& geometry, const Path& path, const Dyad& dyad,
                           const DyadPlane& plane, double branch, const JointState<S>& state,
                           std::array<Trace<S>, 2>& ends);

}  // namespace counterpoise
