#include "engine/kinematics/closure/path.hpp"

#include <algorithm>

#include "engine/math/pack.hpp"

namespace counterpoise {
namespace {

std::vector<BodyIndex> chain_from_world(const Mechanism& mechanism, BodyIndex body) {
  std::vector<BodyIndex> chain;
  for (int b = body; b != world_body; b = mechanism.bodies[b].parent) chain.push_back(b);
  std::reverse(chain.begin(), chain.end());
  return chain;
}

}  // namespace

bool Path::contains(BodyIndex body) const {
  return std::any_of(chains.begin(), chains.end(), [body](const std::vector<BodyIndex>& chain) {
    return std::find(chain.begin(), chain.end(), body) != chain.end();
  });
}

Path path_from_world(const Mechanism& mechanism, std::array<PointIndex, 2> points) {
  Path path;
  path.points = points;
  for (std::size_t end : {0u, 1u})
    path.chains[end] = chain_from_world(mechanism, mechanism.points[points[end]].body);
  return path;
}

Path path_to(const Mechanism& mechanism, BodyIndex body, PointIndex point) {
  Path path;
  path.points[1] = point;
  path.chains[1] = chain_from_world(mechanism, body);
  return path;
}

Path path_between(const Mechanism& mechanism, std::array<PointIndex, 2> points) {
  Path path = path_from_world(mechanism, points);
  const auto& [first, second] = path.chains;
  const auto split = std::mismatch(first.begin(), first.end(), second.begin(), second.end());
  const auto shared = split.first - first.begin();
  for (std::vector<BodyIndex>& chain : path.chains)
    chain.erase(chain.begin(), chain.begin() + shared);
  return path;
}

template <class S>
void trace_positions(std::span<const JointFrame> frames, const std::vector<BodyIndex>& chain,
                     const Vec3d& tip, const JointView<S>& state, Trace<S>& trace) {
  const auto turned = [&](const Vec3d& r) {
    Vec3<S> result;
    for (int i = 0; i < 3; ++i)
      result(i) =
          trace.rotation(i, 0) * r(0) + trace.rotation(i, 1) * r(1) + trace.rotation(i, 2) * r(2);
    return result;
  };
  trace.rotation = Mat3d::Identity().cast<S>();
  trace.p = Vec3<S>::Constant(S(0.0));
  bool aligned = true;  // no turn yet: axes and origins are the design's own numbers
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const auto b = static_cast<std::size_t>(chain[i]);
    const JointFrame& frame = frames[b];
    trace.axis[i] = aligned ? Vec3<S>(frame.axis_P.cast<S>()) : turned(frame.axis_P);
    trace.p += aligned ? Vec3<S>(frame.origin.cast<S>()) : turned(frame.origin);
    if (frame.type == JointType::prismatic) trace.p += trace.axis[i] * state.q[b];
    turn_to_body(frame, state.sine[b], state.cosine[b], trace.rotation);
    aligned = aligned && frame.straight && frame.type != JointType::revolute;
    trace.origin[i] = trace.p;
  }
  trace.p += aligned ? Vec3<S>(tip.cast<S>()) : turned(tip);

  for (std::size_t i = 0; i < chain.size(); ++i) {
    switch (frames[chain[i]].type) {
      case JointType::revolute:
        trace.column[i] = trace.axis[i].cross(trace.p - trace.origin[i]);
        break;
      case JointType::prismatic:
        trace.column[i] = trace.axis[i];
        break;
      case JointType::fixed:
        trace.column[i].setConstant(S(0.0));
        break;
    }
  }
}

template <class S>
EndState<S> trace_motion(std::span<const JointFrame> frames, const std::vector<BodyIndex>& chain,
                         const JointView<S>& state, const Trace<S>& trace) {
  const Vec3<S> zero = Vec3<S>::Constant(S(0.0));
  Vec3<S> omega = zero, alpha = zero, velocity = zero, acceleration = zero, from = zero;
  const auto carry = [&](const Vec3<S>& to) {
    const Vec3<S> r = to - from;
    const Vec3<S> swing = omega.cross(r);
    velocity += swing;
    acceleration += alpha.cross(r) + omega.cross(swing);
    from = to;
  };
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const auto b = static_cast<std::size_t>(chain[i]);
    const Vec3<S>& z = trace.axis[i];
    carry(trace.origin[i]);
    if (frames[b].type == JointType::prismatic) {
      acceleration += z * state.a[b] + omega.cross(z) * (state.v[b] * 2.0);
      velocity += z * state.v[b];
    } else if (frames[b].type == JointType::revolute) {
      alpha += z * state.a[b] + omega.cross(z) * state.v[b];
      omega += z * state.v[b];
    }
  }
  carry(trace.p);
  return {trace.p, velocity, acceleration, omega, alpha};
}

template void trace_positions(std::span<const JointFrame>, const std::vector<BodyIndex>&,
                              const Vec3d&, const JointView<double>&, Trace<double>&);
template void trace_positions(std::span<const JointFrame>, const std::vector<BodyIndex>&,
                              const Vec3d&, const JointView<Pack>&, Trace<Pack>&);
template EndState<double> trace_motion(std::span<const JointFrame>, const std::vector<BodyIndex>&,
                                       const JointView<double>&, const Trace<double>&);
template EndState<Pack> trace_motion(std::span<const JointFrame>, const std::vector<BodyIndex>&,
                                     const JointView<Pack>&, const Trace<Pack>&);

}  // namespace counterpoise
