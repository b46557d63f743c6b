#include "engine/mechanism/revisions.hpp"

#include "engine/math/same_bits.hpp"

namespace counterpoise {
namespace {

bool same(double a, double b) {
  return same_bits<1>(&a, &b);
}

bool same(const Vec3d& a, const Vec3d& b) {
  return same_bits<3>(a.data(), b.data());
}

/// Axis, origin, rotation and guess lie side by side behind the type.
bool same(const Joint& a, const Joint& b) {
  static_assert(sizeof(Joint) == 17 * sizeof(double));
  return same_bits<16>(a.axis.data(), b.axis.data());
}

bool same(const Loop& a, const Loop& b) {
  return same(a.axes[0], b.axes[0]) && same(a.axes[1], b.axes[1]) &&
         same_bits<9>(a.rotation.data(), b.rotation.data());
}

bool same(const Coupling& a, const Coupling& b) {
  for (std::size_t i = 0; i < a.terms.size(); ++i)
    if (!same(a.terms[i].ratio, b.terms[i].ratio)) return false;
  return same(a.offset, b.offset);
}

bool same(const LegPart& a, const LegPart& b) {
  static_assert(sizeof(LegPart) == 4 * sizeof(double));
  return same_bits<4>(&a.mass, &b.mass);
}

bool same_inertia(const Body& a, const Body& b) {
  return same(a.mass, b.mass) && same(a.com, b.com) &&
         same_bits<9>(a.inertia.data(), b.inertia.data());
}

}  // namespace

void Revisions::begin(const Mechanism& mechanism) {
  known_ = true;
  last_ = mechanism;
  kinematics_ = masses_ = now_;
  joints_.assign(mechanism.bodies.size(), now_);
  points_.assign(mechanism.points.size(), now_);
  loops_.assign(mechanism.loops.size(), now_);
  couplings_.assign(mechanism.couplings.size(), now_);
  closes_.assign(mechanism.points.size(), 0);
  const auto mark = [&](const auto& elements) {
    for (const auto& element : elements)
      for (int point : element.points)
        if (point >= 0) closes_[at(point)] = 1;
  };
  mark(mechanism.loops);
  mark(mechanism.actuators);
}

void Revisions::see(const Mechanism& mechanism) {
  ++now_;
  if (!known_) {
    begin(mechanism);
    return;
  }
  if (!same(mechanism.gravity, last_.gravity)) {
    masses_ = now_;
    last_.gravity = mechanism.gravity;
  }
  for (std::size_t b = 0; b < joints_.size(); ++b) {
    const Body& body = mechanism.bodies[b];
    Body& last = last_.bodies[b];
    if (!same(body.joint, last.joint)) {
      joints_[b] = kinematics_ = now_;
      last.joint = body.joint;
    }
    if (!same_inertia(body, last)) {
      masses_ = now_;
      last.mass = body.mass;
      last.com = body.com;
      last.inertia = body.inertia;
    }
  }
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (same(mechanism.points[i].position, last_.points[i].position)) continue;
    points_[i] = now_;
    if (closes_[i] != 0) kinematics_ = now_;
    last_.points[i].position = mechanism.points[i].position;
  }
  see_elements(mechanism);
}

void Revisions::see_elements(const Mechanism& mechanism) {
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    const Loop& loop = mechanism.loops[i];
    Loop& last = last_.loops[i];
    if (same(loop, last)) continue;
    loops_[i] = kinematics_ = now_;
    last.axes = loop.axes;
    last.rotation = loop.rotation;
  }
  for (std::size_t i = 0; i < couplings_.size(); ++i) {
    const Coupling& coupling = mechanism.couplings[i];
    Coupling& last = last_.couplings[i];
    if (same(coupling, last)) continue;
    couplings_[i] = kinematics_ = now_;
    last.terms = coupling.terms;
    last.offset = coupling.offset;
  }
  for (std::size_t i = 0; i < mechanism.actuators.size(); ++i) {
    const Actuator& actuator = mechanism.actuators[i];
    Actuator& last = last_.actuators[i];
    if (same(actuator.tube, last.tube) && same(actuator.rod, last.rod)) continue;
    masses_ = now_;
    last.tube = actuator.tube;
    last.rod = actuator.rod;
  }
}

}  // namespace counterpoise
