#include "engine/kinematics/chains/plane_chain.hpp"

#include "engine/math/pack.hpp"

namespace counterpoise {
namespace {

/// A vector turned by a right angle about the normal.
template <class S>
Vec2<S> upright(const Vec2<S>& x) {
  return {-x(1), x(0)};
}

template <class S>
Vec2<S> turned_in_plane(const Vec2<double>& x, const S& sine, const S& cosine) {
  return {cosine * x(0) - sine * x(1), sine * x(0) + cosine * x(1)};
}

}  // namespace

void PlaneChain::set(const DesignGeometry& geometry, const Path& path, std::size_t end,
                     const PlaneAxes& plane, const JointView<double>& at_zero,
                     Trace<double>& trace) {
  trace_end(geometry, path, end, at_zero, trace);
  const auto in_plane = [&](const Vec3d& x) {
    return Vec2<double>(plane.e1.dot(x), plane.e2.dot(x));
  };
  joints.clear();
  const std::vector<BodyIndex>& bodies = path.chains[end];
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const JointType type = geometry.type_of(bodies[k]);
    if (type == JointType::fixed) continue;
    const double sign = plane.normal.dot(trace.axis[k]) < 0.0 ? -1.0 : 1.0;
    joints.push_back({bodies[k], k, type == JointType::revolute, sign, in_plane(trace.axis[k]),
                      Vec2<double>::Zero()});
  }
  height = plane.normal.dot(trace.p);
  Vec2<double> next = in_plane(trace.p);
  for (std::size_t i = joints.size(); i-- > 0;) {
    const Vec2<double> origin = in_plane(trace.origin[joints[i].position]);
    joints[i].way = next - origin;
    next = origin;
  }
  start = next;
}

template <class S>
void PlaneTrace<S>::follow(const PlaneChain& chain, const JointView<S>& state) {
  const std::size_t count = chain.joints.size();
  origin.resize(count);
  column.resize(count);
  S sine(0.0), cosine(1.0);  // of the turn so far
  Vec2<S> at(S(chain.start(0)), S(chain.start(1)));
  for (std::size_t i = 0; i < count; ++i) {
    const PlaneChain::PlaneJoint& joint = chain.joints[i];
    const auto b = static_cast<std::size_t>(joint.body);
    if (joint.turns) {
      const S s = state.sine[b] * joint.sign, c = state.cosine[b];
      const S before = sine;
      sine = sine * c + cosine * s;
      cosine = cosine * c - before * s;
    } else {
      const Vec2<S> along = turned_in_plane(joint.along, sine, cosine);
      column[i] = along;
      at += along * state.q[b];
    }
    origin[i] = at;
    at += turned_in_plane(joint.way, sine, cosine);
  }
  for (std::size_t i = 0; i < count; ++i)
    if (chain.joints[i].turns)
      column[i] = upright(Vec2<S>(at - origin[i])) * S(chain.joints[i].sign);
  p = at;
}

template <class S>
Vec2<S> PlaneTrace<S>::acceleration(const PlaneChain& chain, const JointView<S>& state) const {
  S omega(0.0), alpha(0.0);
  Vec2<S> sum(S(0.0), S(0.0));
  const auto carry = [&](const Vec2<S>& r) { sum += upright(r) * alpha - r * S(omega * omega); };
  for (std::size_t i = 0; i < chain.joints.size(); ++i) {
    const PlaneChain::PlaneJoint& joint = chain.joints[i];
    const auto b = static_cast<std::size_t>(joint.body);
    if (i > 0) carry(origin[i] - origin[i - 1]);
    if (joint.turns) {
      omega += state.v[b] * joint.sign;
      alpha += state.a[b] * joint.sign;
    } else {
      sum += column[i] * state.a[b] + upright(column[i]) * S(omega * state.v[b] * 2.0);
    }
  }
  if (!chain.joints.empty()) carry(p - origin.back());
  return sum;
}

template struct PlaneTrace<double>;
template struct PlaneTrace<Pack>;

}  // namespace counterpoise
