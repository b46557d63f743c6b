#pragma once

#include "engine/kinematics/chains/path.hpp"

namespace counterpoise {

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
