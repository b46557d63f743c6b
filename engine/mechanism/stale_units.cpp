#include "engine/mechanism/stale_units.hpp"

#include <algorithm>

#include "engine/math/same_bits.hpp"

namespace counterpoise {
namespace {

bool same(double a, double b) {
  return same_bits<1>(&a, &b);
}

bool same(const Vec3d& a, const Vec3d& b) {
  return same_bits<3>(a.data(), b.data());
}

/// Compares joints bit by bit: axis, origin, rotation and guess lie side by side after the type.
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

bool same(const Friction& a, const Friction& b) {
  static_assert(sizeof(Friction) == 3 * sizeof(double));
  return same_bits<3>(&a.coulomb, &b.coulomb);
}

bool same_law(const Spring& a, const Spring& b) {
  return same(a.rate, b.rate) && same(a.free_length, b.free_length) &&
         same(a.initial_tension, b.initial_tension) && same(a.friction, b.friction) &&
         same(a.mass, b.mass) && (a.group.empty() || a.group_law == b.group_law);
}

bool same(const Obstacle& a, const Obstacle& b) {
  return same(a.places[0], b.places[0]) && same(a.places[1], b.places[1]) &&
         same(a.radius, b.radius);
}

}  // namespace

StaleUnits::StaleUnits(const StageUnits& units, const Mechanism& nominal, std::size_t slots,
                       std::size_t drives)
    : downstream_(units.units.size() + 2),
      stale_(units.units.size() + 2, 1),
      inputs_(stale_.size(), last_stamp_) {
  const auto elements = [&](Quantity quantity) {
    switch (quantity) {
      case Quantity::gravity:
        return std::size_t{1};
      case Quantity::joint_geometry:
      case Quantity::inertia:
      case Quantity::friction:
      case Quantity::zero_position:
        return nominal.bodies.size();
      case Quantity::point:
      case Quantity::pulley:
        return nominal.points.size();
      case Quantity::loop_axes:
        return nominal.loops.size();
      case Quantity::coupling:
        return nominal.couplings.size();
      case Quantity::spring_law:
      case Quantity::spring_limits:
        return nominal.springs.size();
      case Quantity::actuator_limits:
      case Quantity::leg_inertia:
      case Quantity::motor:
        return nominal.actuators.size();
      case Quantity::applied_force:
        return nominal.forces.size();
      case Quantity::obstacle:
        return nominal.obstacles.size();
      case Quantity::held_coordinate:
        return slots;
    }
    return std::size_t{0};
  };
  for (std::size_t q = 0; q < quantity_count; ++q) {
    first_[q] = first_drive_;
    first_drive_ += elements(static_cast<Quantity>(q));
  }
  readers_.resize(first_drive_ + drives);
  for (std::size_t u = 0; u < units.units.size(); ++u) declare(u, units.units[u]);
  declare(units.zero_index(), units.zero_configuration);
  declare(units.held_index(), units.held_coordinates);
}

void StaleUnits::declare(std::size_t unit, const StageUnit& declaration) {
  for (std::vector<Readers>* lists : {&readers_, &downstream_})
    for (Readers& units : *lists) std::erase(units, unit);
  for (const NumberGroup& group : declaration.reads) readers_[place_of(group)].push_back(unit);
  for (const int drive : declaration.drives)
    readers_[first_drive_ + static_cast<std::size_t>(drive)].push_back(unit);
  for (const std::size_t upstream : declaration.upstream) downstream_[upstream].push_back(unit);
}

void StaleUnits::touch_everything() {
  for (std::size_t unit = 0; unit < stale_.size(); ++unit) touch_unit(unit);
}

void StaleUnits::touch_samples() {
  for (std::size_t unit = 0; unit + 2 < stale_.size(); ++unit) touch_unit(unit);
}

void StaleUnits::settle(std::size_t unit) {
  stale_[unit] = 0;
  touch_all_in(downstream_[unit]);
}

void Revisions::see(const Mechanism& mechanism, StaleUnits& stale) {
  if (!known_) {
    known_ = true;
    last_ = mechanism;
    stale.touch_everything();
    return;
  }
  const auto changed = [&](Quantity quantity, std::size_t element) {
    stale.touch({quantity, static_cast<int>(element)});
  };
  if (varying_.gravity && !same(mechanism.gravity, last_.gravity)) {
    changed(Quantity::gravity, 0);
    last_.gravity = mechanism.gravity;
  }
  for (const std::size_t b : varying_.bodies) {
    const Body& body = mechanism.bodies[b];
    Body& last = last_.bodies[b];
    if (!same(body.joint, last.joint)) {
      changed(Quantity::joint_geometry, b);
      last.joint = body.joint;
    }
    if (!same_inertia(body, last)) {
      changed(Quantity::inertia, b);
      last.mass = body.mass;
      last.com = body.com;
      last.inertia = body.inertia;
    }
    if (!same(body.friction, last.friction)) {
      changed(Quantity::friction, b);
      last.friction = body.friction;
    }
  }
  for (const std::size_t i : varying_.points) {
    const Point& point = mechanism.points[i];
    Point& last = last_.points[i];
    if (point.is_pulley && !(same(point.axis, last.axis) && same(point.radius, last.radius) &&
                             same(point.zero, last.zero) && point.cam == last.cam)) {
      changed(Quantity::pulley, i);
      last.axis = point.axis;
      last.zero = point.zero;
      last.cam = point.cam;
      last.radius = point.radius;
    }
    if (same(point.position, last.position)) continue;
    changed(Quantity::point, i);
    last.position = point.position;
  }
  for (const std::size_t i : varying_.loops) {
    if (same(mechanism.loops[i], last_.loops[i])) continue;
    changed(Quantity::loop_axes, i);
    last_.loops[i].axes = mechanism.loops[i].axes;
    last_.loops[i].rotation = mechanism.loops[i].rotation;
  }
  for (const std::size_t i : varying_.couplings) {
    if (same(mechanism.couplings[i], last_.couplings[i])) continue;
    changed(Quantity::coupling, i);
    last_.couplings[i].terms = mechanism.couplings[i].terms;
    last_.couplings[i].offset = mechanism.couplings[i].offset;
  }
  for (const std::size_t i : varying_.springs) {
    const Spring& spring = mechanism.springs[i];
    Spring& last = last_.springs[i];
    if (same_law(spring, last)) continue;
    changed(Quantity::spring_law, i);
    last.rate = spring.rate;
    last.free_length = spring.free_length;
    last.initial_tension = spring.initial_tension;
    last.friction = spring.friction;
    last.mass = spring.mass;
    if (!spring.group.empty()) last.group_law = spring.group_law;
  }
  for (const std::size_t i : varying_.actuators) {
    const Actuator& actuator = mechanism.actuators[i];
    Actuator& last = last_.actuators[i];
    if (same(actuator.tube, last.tube) && same(actuator.rod, last.rod)) continue;
    changed(Quantity::leg_inertia, i);
    last.tube = actuator.tube;
    last.rod = actuator.rod;
  }
  for (const std::size_t i : varying_.forces) {
    const AppliedForce& force = mechanism.forces[i];
    AppliedForce& last = last_.forces[i];
    if (same(force.force, last.force) && same(force.moment, last.moment)) continue;
    changed(Quantity::applied_force, i);
    last.force = force.force;
    last.moment = force.moment;
  }
  for (const std::size_t i : varying_.obstacles) {
    const Obstacle& obstacle = mechanism.obstacles[i];
    Obstacle& last = last_.obstacles[i];
    if (same(obstacle, last)) continue;
    changed(Quantity::obstacle, i);
    last.places = obstacle.places;
    last.radius = obstacle.radius;
  }
}

}  // namespace counterpoise
