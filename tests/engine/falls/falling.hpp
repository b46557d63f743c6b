#pragma once

#include <catch2/catch.hpp>

#include "engine/falls/fall.hpp"
#include "tests/support/random.hpp"

namespace counterpoise::test {

inline void add_body(Mechanism& mechanism, const std::string& name, BodyIndex parent,
                     JointType type, const Vec3d& axis, double mass) {
  Body body;
  body.name = name;
  body.parent = parent;
  body.joint.type = type;
  body.joint.axis = axis;
  body.mass = mass;
  mechanism.bodies.push_back(body);
}

inline void add_slider(Mechanism& mechanism, const std::string& name, BodyIndex parent,
                       const Vec3d& axis, double mass) {
  add_body(mechanism, name, parent, JointType::prismatic, axis, mass);
}

inline void add_hinge(Mechanism& mechanism, const std::string& name, BodyIndex parent,
                      const Vec3d& axis, double mass, const Vec3d& com, const Vec3d& inertia) {
  add_body(mechanism, name, parent, JointType::revolute, axis, mass);
  mechanism.bodies.back().com = com;
  mechanism.bodies.back().inertia = inertia.asDiagonal();
}

inline constexpr double gravity_here = 9.81, lift_mass = 20.0,
                        lift_weight = lift_mass * gravity_here;

/// A carriage of 20 kg on a vertical guide, moved by a screw on its joint, or between two points
/// from the floor 1 m below.
inline Mechanism lift(const MotorSide& motor, bool by_line = false) {
  Mechanism mechanism;
  mechanism.gravity = Vec3d(0.0, 0.0, -gravity_here);
  add_slider(mechanism, "carriage", world_body, Vec3d::UnitZ(), lift_mass);
  Actuator screw;
  screw.name = "screw";
  screw.motor = motor;
  if (by_line) {
    mechanism.points.push_back({"floor", world_body, Vec3d(0.0, 0.0, -1.0)});
    mechanism.points.push_back({"plate", 0, Vec3d::Zero()});
    screw.points = {0, 1};
  } else {
    screw.joint = 0;
  }
  mechanism.actuators.push_back(screw);
  return mechanism;
}

/// The plane z = 0, with the points above it.
inline Contact floor_contact(std::vector<PointIndex> points, double restitution) {
  Contact contact;
  contact.name = "floor";
  contact.points = std::move(points);
  contact.restitution = restitution;
  return contact;
}

/// The fall, which must begin and end as it should.
inline Fall let_go(const Mechanism& mechanism, Scenario scenario, const JointStart& start) {
  scenario.actuators.resize(mechanism.actuators.size());
  auto result = simulate_fall(mechanism, scenario, start, {});
  if (const auto* stopped = std::get_if<FallStop>(&result)) FAIL(stopped->words);
  Fall fall = std::get<Fall>(std::move(result));
  if (fall.stopped) FAIL(fall.stopped->words);
  return fall;
}

inline const std::vector<double>& values(const Fall& fall, const std::string& name) {
  for (const Series& series : fall.columns)
    if (series.name == name) return series.values;
  FAIL("no column " << name);
  throw std::out_of_range(name);
}

inline double last(const Fall& fall, const std::string& name) {
  return values(fall, name).back();
}

/// The largest change of energy.total - energy.work + energy.lost over a fall, which should be
/// none.
inline double energy_drift(const Fall& fall) {
  double drift = 0.0, first = 0.0;
  for (std::size_t k = 0; k < values(fall, "t").size(); ++k) {
    const double sum = values(fall, "energy.total")[k] - values(fall, "energy.work")[k] +
                       values(fall, "energy.lost")[k];
    if (k == 0) first = sum;
    drift = std::max(drift, std::abs(sum - first));
  }
  return drift;
}

}  // namespace counterpoise::test
