#pragma once

#include <array>
#include <vector>

#include "engine/kinematics/chains/joint_frame.hpp"
#include "engine/kinematics/chains/joint_motion.hpp"

namespace counterpoise {

/// The way between two points over their bodies' nearest common ancestor A. DesignGeometry between
/// the points is computed in A's axes, so it does not depend on anything below A.
struct Path {
  std::array<PointIndex, 2> points = {-1, -1};   // indices into Mechanism::points
  std::array<std::vector<BodyIndex>, 2> chains;  // bodies from A (excluded) to each point's body

  [[nodiscard]] bool contains(BodyIndex body) const;
};

Path path_between(const Mechanism& mechanism, std::array<PointIndex, 2> points);
/// The same with the world in place of the nearest ancestor.
Path path_from_world(const Mechanism& mechanism, std::array<PointIndex, 2> points);

/// A path's end in A's axes: position, velocity and acceleration relative to A, and the angular
/// velocity and acceleration of its last body.
template <class S>
struct EndState {
  Vec3<S> p, v, a;
  Vec3<S> omega, alpha;
};

/// One end of a path with its slopes.
template <class S>
struct Trace {
  std::vector<Vec3<S>> origin;  // of each body of the chain
  std::vector<Vec3<S>> axis;    // of each joint of the chain
  std::vector<Vec3<S>> column;  // dp/dq of each joint of the chain, zero if fixed
  Mat3<S> rotation;             // of the last body
  Vec3<S> p;                    // the end point

  void resize(std::size_t joints) {
    origin.resize(joints);
    axis.resize(joints);
    column.resize(joints);
  }
};

/// Forward recursion along one chain to the point `tip` of its last body, positions and slopes
/// (paper 000, eqs. 15-19; eq. 19 prints A''_{i-1} where the point A''_i of the body being placed
/// is meant). `trace` is sized for the chain. Cost: one rotation product a joint, no allocation.
template <class S>
void trace_positions(std::span<const JointFrame> frames, const std::vector<BodyIndex>& chain,
                     const Vec3d& tip, const JointView<S>& state, Trace<S>& trace);
/// The same along one of the chains of a path, to its point.
template <class S>
void trace_end(const DesignGeometry& geometry, const Path& path, std::size_t end,
               const JointView<S>& state, Trace<S>& trace) {
  const Point& point = geometry.mechanism.points[path.points[end]];
  trace_positions(geometry.frames, path.chains[end], point.position, state, trace);
}

/// Velocity and acceleration of the end, from a trace at the same state.
template <class S>
EndState<S> trace_motion(std::span<const JointFrame> frames, const std::vector<BodyIndex>& chain,
                         const JointView<S>& state, const Trace<S>& trace);

}  // namespace counterpoise
