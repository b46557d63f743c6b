#pragma once

#include <array>
#include <vector>

#include "engine/kinematics/closure/joint_frame.hpp"
#include "engine/kinematics/closure/joint_motion.hpp"

namespace counterpoise {

/// The path between two points through the nearest common ancestor A of their bodies. Geometry
/// between the points is computed in A's axes, so it does not depend on the joints between A and
/// the world.
struct Path {
  std::array<PointIndex, 2> points = {-1, -1};   // indices into Mechanism::points
  std::array<std::vector<BodyIndex>, 2> chains;  // bodies from A (excluded) to each point's body

  [[nodiscard]] bool contains(BodyIndex body) const;
};

/// The sign with which an end counts in the difference p_first - p_second of a path's ends.
/// Multiplying Packs by it is cheaper than choosing between x and -x: g++ copies the chosen value
/// in halves, and a read of the whole then waits for both.
constexpr double sign_of_end(std::size_t end) {
  return end == 0 ? 1.0 : -1.0;
}

Path path_between(const Mechanism& mechanism, std::array<PointIndex, 2> points);
/// Returns the path between two points with the world in place of their nearest common ancestor.
Path path_from_world(const Mechanism& mechanism, std::array<PointIndex, 2> points);

/// Returns the path from the world's origin, which no point marks, to a point of a body; without a
/// point (-1) to the body's origin.
Path path_to(const Mechanism& mechanism, BodyIndex body, PointIndex point);

/// The motion of a path's end in the axes of its ancestor A: position, velocity and acceleration
/// relative to A, and the angular velocity and acceleration of the last body.
template <class S>
struct EndState {
  Vec3<S> p, v, a;
  Vec3<S> omega, alpha;
};

/// The position of one end of a path in the ancestor's axes, with its slopes.
template <class S>
struct Trace {
  std::vector<Vec3<S>> origin;  // origin of each body of the chain
  std::vector<Vec3<S>> axis;    // axis of each joint of the chain
  std::vector<Vec3<S>> column;  // dp/dq of each joint of the chain, zero if fixed
  Mat3<S> rotation;             // of the last body's axes
  Vec3<S> p;                    // the end point

  void resize(std::size_t joints) {
    origin.resize(joints);
    axis.resize(joints);
    column.resize(joints);
  }
};

/// Computes positions and slopes by forward recursion along one chain, to the point `tip` of its
/// last body (paper 000, eqs. 15-19; eq. 19 prints A''_{i-1} where the point A''_i of the body
/// being placed is meant). `trace` must be sized for the chain. Cost: one rotation product per
/// joint, no allocation.
template <class S>
void trace_positions(std::span<const JointFrame> frames, const std::vector<BodyIndex>& chain,
                     const Vec3d& tip, const JointView<S>& state, Trace<S>& trace);
/// Computes positions and slopes along chain `end` of a path, to the path's point at that end.
template <class S>
void trace_end(const DesignGeometry& geometry, const Path& path, std::size_t end,
               const JointView<S>& state, Trace<S>& trace) {
  const Point& point = geometry.mechanism.points[path.points[end]];
  trace_positions(geometry.frames, path.chains[end], point.position, state, trace);
}

/// Returns the motion of the end of a chain, from a trace made at the same state.
template <class S>
EndState<S> trace_motion(std::span<const JointFrame> frames, const std::vector<BodyIndex>& chain,
                         const JointView<S>& state, const Trace<S>& trace);

/// The line between the ends of a path (paper 000, eq. 20): its length, its unit direction from the
/// first point to the second in the ancestor's axes, and the traces of both ends.
template <class S>
struct Line {
  std::array<Trace<S>, 2> ends;
  Vec3<S> direction;
  S length;

  void resize(const Path& path) {
    ends[0].resize(path.chains[0].size());
    ends[1].resize(path.chains[1].size());
  }
  /// Sets direction and length from the ends. A line of zero length gets a zero direction.
  void join_ends() {
    const Vec3<S> d = ends[1].p - ends[0].p;
    length = sqrt(d.dot(d));
    direction = d * (S(1.0) / larger(length, S(1e-300)));
  }
};

/// Sets the ends, direction and length of `line` at a state.
template <class S>
void trace_line(const DesignGeometry& geometry, const Path& path, const JointView<S>& state,
                Line<S>& line) {
  for (std::size_t end : {0u, 1u}) trace_end(geometry, path, end, state, line.ends[end]);
  line.join_ends();
}

/// The slope dL/dq of the length by the joint at `position` of chain `end`.
template <class S>
S length_slope(const Line<S>& line, std::size_t end, std::size_t position) {
  const S slope = line.direction.dot(line.ends[end].column[position]);
  return end == 0 ? S(-slope) : slope;
}

/// Returns the second time derivative of the length at the state's velocities and accelerations,
/// and sets `rate` to the first.
template <class S>
S length_acceleration(std::span<const JointFrame> frames, const Path& path,
                      const JointView<S>& state, const Line<S>& line, S& rate) {
  const EndState<S> first = trace_motion(frames, path.chains[0], state, line.ends[0]);
  const EndState<S> second = trace_motion(frames, path.chains[1], state, line.ends[1]);
  const Vec3<S> v = second.v - first.v;
  rate = line.direction.dot(v);
  const S across = v.dot(v) - rate * rate;
  return line.direction.dot(second.a - first.a) + across / larger(line.length, S(1e-300));
}

}  // namespace counterpoise
