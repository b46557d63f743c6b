#include "tests/engine/falls/random_fall.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/oracles/closure.hpp"
#include "tests/oracles/energy.hpp"
#include "tests/support/linkage.hpp"
#include "tests/support/numbered.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/world_builder.hpp"

namespace counterpoise::test {
namespace {

/// A tree of bodies that all have mass; some start with a slider along gravity.
void make_tree(Random& random, RandomFall& fall) {
  WorldBuilder builder(random);
  builder.mechanism.gravity = random.chance(0.6) ? Vec3d(0.0, 0.0, -9.81) : random.vector(10.0);
  const int count = 1 + random.below(6);
  for (int i = 0; i < count; ++i) {
    const int parent = random.chance(0.7) ? i - 1 : random.below(i + 1) - 1;
    const Vec3d near = parent == world_body ? Vec3d(0.0, 0.0, 0.0) : builder.origin(parent);
    const bool sinks = i == 0 && random.chance(0.5);
    const JointType type = sinks || random.chance(0.3) ? JointType::prismatic : JointType::revolute;
    builder.add_body(parent, type,
                     sinks ? builder.mechanism.gravity.normalized() : random.direction(),
                     near + random.vector(0.5), true);
    if (random.chance(0.4)) builder.add_joint_actuator(i);
    if (random.chance(0.2)) builder.add_torsion_spring(i);
  }
  if (random.chance(0.5)) {
    const int body = random.below(count);
    const int a = builder.add_point(body, builder.origin(body) + random.vector(0.3));
    const int b = builder.add_point(world_body, builder.place(a) + 0.6 * random.direction());
    builder.add_spring(SpringType::extension, a, b);
  }
  fall.mechanism = builder.mechanism;
  for (const Body& body : fall.mechanism.bodies) {
    fall.start.q.push_back(body.joint.guess);
    fall.start.v.push_back(random.uniform(-2.0, 2.0));
  }
}

void make_linkage(Random& random, int trial, RandomFall& fall) {
  const Sample sample =
      random_sample(random, {.tree_bodies = trial % 2,
                             .linkage = static_cast<Linkage>(trial / 3 % linkage_count),
                             .duration = 0.02,
                             .step = 0.02});
  const Simulation simulation = run(sample.mechanism, sample.motion);
  fall.mechanism = sample.mechanism;
  fall.start = {joint_samples(simulation, sample.mechanism, ".q").front(),
                joint_samples(simulation, sample.mechanism, ".qd").front()};
  for (Body& body : fall.mechanism.bodies) {
    if (body.mass > 0.0) continue;
    body.mass = random.uniform(0.1, 1.0);
    body.com = random.vector(0.1);
    body.inertia = random.inertia(body.mass, 0.2);
  }
}

/// The distances of places from a centre, or from an axis through it.
std::vector<double> distances(const std::vector<Vec3d>& places, const Surface& surface) {
  std::vector<double> all;
  for (const Vec3d& place : places) {
    const Vec3d d = place - surface.point;
    all.push_back(surface.kind == Surface::Kind::sphere ? d.norm()
                                                        : d.cross(surface.direction).norm());
  }
  return all;
}

/// A surface in the world with all the places on its free side.
Surface surface_beside(Random& random, const std::vector<Vec3d>& places, const Vec3d& up) {
  Surface surface;
  Vec3d mean = Vec3d::Zero();
  for (const Vec3d& place : places) mean += place / static_cast<double>(places.size());
  surface.kind = static_cast<Surface::Kind>(random.below(3));
  surface.inside = random.chance(0.5);
  const double away = random.uniform(0.01, 0.2);
  const Vec3d normal = random.chance(0.6) ? up : random.direction();
  if (surface.kind == Surface::Kind::plane) {
    surface.direction = normal;
    double least = no_limit;
    for (const Vec3d& place : places) least = std::min(least, normal.dot(place));
    surface.point = (least - away) * normal;
    return surface;
  }
  // an axis across the normal, so that the places are beside it
  surface.direction = normal.cross(random.direction()).normalized();
  surface.radius = random.uniform(0.3, 1.0);
  surface.point = mean + random.vector(0.1);
  if (surface.inside) {
    const std::vector<double> all = distances(places, surface);
    surface.radius = std::max(surface.radius, *std::max_element(all.begin(), all.end()) + away);
    return surface;
  }
  for (;;) {
    surface.point -= 0.05 * normal;
    const std::vector<double> all = distances(places, surface);
    if (*std::min_element(all.begin(), all.end()) > surface.radius + away) return surface;
  }
}

/// Points of a body about its origin, at one height if they are level.
std::vector<PointIndex> add_points(Random& random, RandomFall& fall, int body, int count,
                                   bool level) {
  Mechanism& mechanism = fall.mechanism;
  const Vec3d up = -mechanism.gravity.normalized();
  const Mat3d turn = oracle::world_poses(mechanism, fall.start.q)[at(body)].topLeftCorner<3, 3>();
  std::vector<PointIndex> added;
  for (; count > 0; --count) {
    Vec3d arm = random.vector(0.4);
    if (level) arm -= up.dot(arm) * up;
    added.emplace_back(mechanism.points.size());
    mechanism.points.push_back(
        {numbered("touch", mechanism.points.size()), body, turn.transpose() * arm});
  }
  return added;
}

/// Feet of a body that sinks without turning, over a floor: they land together.
void add_feet(Random& random, RandomFall& fall) {
  Mechanism& mechanism = fall.mechanism;
  Contact contact{.name = numbered("contact", fall.scenario.contacts.size())};
  contact.points = add_points(random, fall, 0, 2 + random.below(4), true);
  const Vec3d up = -mechanism.gravity.normalized();
  const auto poses = oracle::world_poses(mechanism, fall.start.q);
  contact.surface.direction = up;
  contact.surface.point = oracle::world_point(mechanism, poses, contact.points.front()) -
                          random.uniform(0.01, 0.2) * up;
  Contact half = contact;  // of another restitution
  half.name = numbered("contact", fall.scenario.contacts.size() + 1);
  half.points.pop_back();
  contact.points.erase(contact.points.begin(), contact.points.end() - 1);
  fall.scenario.contacts.push_back(contact);
  fall.scenario.contacts.push_back(half);
}

void add_contacts(Random& random, RandomFall& fall) {
  Mechanism& mechanism = fall.mechanism;
  const auto poses = oracle::world_poses(mechanism, fall.start.q);
  const Vec3d up = -mechanism.gravity.normalized();
  for (int i = 1 + random.below(3); i > 0; --i) {
    Contact contact{.name = numbered("contact", fall.scenario.contacts.size())};
    std::vector<bool> used(mechanism.bodies.size());
    std::vector<Vec3d> places;
    for (int k = 1 + random.below(3); k > 0; --k) {
      const int body = random.below(mechanism.body_count());
      used[at(body)] = true;
      for (const PointIndex p :
           add_points(random, fall, body, 1 + random.below(3), random.chance(0.3))) {
        contact.points.push_back(p);
        places.push_back(oracle::world_point(mechanism, poses, p));
      }
    }
    contact.surface = surface_beside(random, places, up);
    const int carrier = random.below(mechanism.body_count());
    if (random.chance(0.25) && !used[at(carrier)]) {
      const Eigen::Matrix4d to_body = poses[at(carrier)].inverse();
      contact.surface.body = carrier;
      contact.surface.point = (to_body * contact.surface.point.homogeneous()).head<3>();
      contact.surface.direction = to_body.topLeftCorner<3, 3>() * contact.surface.direction;
    }
    fall.scenario.contacts.push_back(contact);
  }
}

void add_stops(Random& random, RandomFall& fall) {
  const Mechanism& mechanism = fall.mechanism;
  const auto add = [&](Stop::Of of, int element, double position, double way) {
    Stop stop{.name = numbered("stop", fall.scenario.stops.size()), .of = of, .element = element};
    const int ends = random.below(3);
    if (ends != 0) stop.min = position - random.uniform(0.05, 1.0) * way;
    if (ends != 1) stop.max = position + random.uniform(0.05, 1.0) * way;
    fall.scenario.stops.push_back(stop);
  };
  for (int b = 0; b < mechanism.body_count(); ++b)
    if (mechanism.moves(b) && random.chance(0.4)) add(Stop::Of::joint, b, fall.start.q[at(b)], 0.5);
  for (int a = 0; a < static_cast<int>(mechanism.actuators.size()); ++a)
    if (mechanism.actuators[at(a)].linear() && random.chance(0.3))
      add(Stop::Of::actuator, a, oracle::actuator_position(mechanism, fall.start.q, a), 0.1);
  const auto poses = oracle::world_poses(mechanism, fall.start.q);
  for (int s = 0; s < static_cast<int>(mechanism.springs.size()); ++s) {
    const Spring& spring = mechanism.springs[at(s)];
    if (spring.type == SpringType::torsion || !random.chance(0.4)) continue;
    const Vec3d along = oracle::world_point(mechanism, poses, spring.points[1]) -
                        oracle::world_point(mechanism, poses, spring.points[0]);
    add(Stop::Of::spring, s, along.norm(), 0.15);
  }
}

/// A profile that begins with this position, velocity and acceleration.
Profile beginning_with(double position, double velocity, double acceleration) {
  return Sine{position + acceleration, std::hypot(velocity, acceleration), 2.0 * std::numbers::pi,
              std::atan2(-acceleration, velocity)};
}

void add_rules(Random& random, RandomFall& fall) {
  for (const Actuator& actuator : fall.mechanism.actuators) {
    ActuatorRule rule;
    const double choice = random.uniform(0.0, 1.0);
    if (choice < 0.2) {
      rule.mode = ActuatorMode::held;
    } else if (choice < 0.35) {
      rule = {ActuatorMode::load, Hold{random.uniform(-5.0, 5.0)}, 1.0};
    } else if (choice < 0.45 && !actuator.linear()) {
      const std::size_t joint = at(actuator.joint);
      rule = {ActuatorMode::follow,
              beginning_with(fall.start.q[joint], fall.start.v[joint], random.uniform(-3.0, 3.0)),
              100.0};
    }
    fall.scenario.actuators.push_back(rule);
  }
}

}  // namespace

RandomFall random_fall(Random& random, int trial) {
  RandomFall fall;
  fall.scenario = {.duration = 0.6, .step = 0.03, .max_events = 5000};
  if (trial % 3 == 2)
    make_linkage(random, trial, fall);
  else
    make_tree(random, fall);
  add_contacts(random, fall);
  if (fall.mechanism.bodies.front().joint.type == JointType::prismatic) add_feet(random, fall);
  add_stops(random, fall);
  add_rules(random, fall);
  const int kind = (trial / 3 + trial / 36) % 4;  // not always with the same linkage
  const double one = random.uniform(0.1, 0.9);
  const auto restitution = [&] {
    return kind == 0 ? 1.0 : kind == 1 ? 0.0 : kind == 2 ? one : random.uniform(0.0, 1.0);
  };
  for (Contact& contact : fall.scenario.contacts) contact.restitution = restitution();
  for (Stop& stop : fall.scenario.stops) stop.restitution = restitution();
  return fall;
}

}  // namespace counterpoise::test
