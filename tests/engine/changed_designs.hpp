#pragma once

#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

#include "engine/evaluation/evaluator.hpp"
#include "engine/math/rotation.hpp"
#include "engine/mechanism/finding.hpp"
#include "tests/support/random_mechanism.hpp"

namespace counterpoise::test {

/// What one evaluation gave, to be compared bit by bit.
struct Outcome {
  std::optional<Finding> finding;
  Metrics metrics;
};

inline Outcome outcome_of(Evaluator& evaluator, const Mechanism& mechanism,
                          const Evaluator::Options& options = {}) {
  Outcome outcome;
  outcome.finding = evaluator.evaluate(mechanism, options, outcome.metrics);
  return outcome;
}

template <class Numbers>
bool equal_bits(const std::vector<Numbers>& a, const std::vector<Numbers>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Numbers)) == 0);
}

inline void check_same(const Outcome& a, const Outcome& b) {
  REQUIRE(a.finding.has_value() == b.finding.has_value());
  if (a.finding) {
    CHECK(a.finding->kind == b.finding->kind);
    CHECK(a.finding->element == b.finding->element);
    CHECK(a.finding->time == b.finding->time);
    CHECK(a.finding->value == b.finding->value);
    CHECK(a.finding->violation == b.finding->violation);
    return;
  }
  CHECK(equal_bits(a.metrics.actuators, b.metrics.actuators));
  CHECK(equal_bits(a.metrics.springs, b.metrics.springs));
}

template <class Element>
Element* any(Random& random, std::vector<Element>& elements) {
  if (elements.empty()) return nullptr;
  return &elements[random.below(static_cast<int>(elements.size()))];
}

/// Changes one number or one group of numbers of the mechanism, each kind now and then; some
/// designs can no longer follow their motion.
inline void change_something(Random& random, Mechanism& mechanism) {
  const auto near = [&](double x, double by) { return x + random.uniform(-by, by); };
  switch (random.below(12)) {
    case 0:
      if (Spring* spring = any(random, mechanism.springs))
        spring->rate = random.uniform(0.0, 900.0);
      return;
    case 1:
      if (Spring* spring = any(random, mechanism.springs))
        spring->max_length = random.chance(0.5) ? 1e-3 : no_limit;
      return;
    case 2:
      if (Spring* spring = any(random, mechanism.springs))
        if (spring->type != SpringType::torsion) {
          Vec3d& mount = mechanism.points[spring->points[0]].position;
          mount.x() = near(mount.x(), 0.02);
        }
      return;
    case 3:
      if (Body* body = any(random, mechanism.bodies))
        if (body->mass > 0.0) body->mass = random.uniform(0.5, 2.0);
      return;
    case 4:
      if (Body* body = any(random, mechanism.bodies)) body->com.y() = near(body->com.y(), 0.05);
      return;
    case 5:
      if (Body* body = any(random, mechanism.bodies))
        body->joint.origin.z() = near(body->joint.origin.z(), 0.003);
      return;
    case 6:
      if (Point* point = any(random, mechanism.points))
        point->position.y() = near(point->position.y(), 0.003);
      return;
    case 7:
      if (Coupling* coupling = any(random, mechanism.couplings))
        coupling->terms[0].ratio = near(coupling->terms[0].ratio, 0.1);
      return;
    case 8:  // another branch, perhaps
      if (Body* body = any(random, mechanism.bodies)) body->joint.guess = random.uniform(-2.0, 2.0);
      return;
    case 9:
      if (Loop* loop = any(random, mechanism.loops)) {
        loop->axes[1] = (loop->axes[1] + random.vector(0.1)).normalized();
        loop->rotation = rotation_from_zxz(0.05, random.uniform(-0.05, 0.05), 0.0) * loop->rotation;
      }
      return;
    case 10:
      if (Actuator* actuator = any(random, mechanism.actuators))
        if (actuator->linear()) actuator->rod = {random.uniform(0.0, 1.0), 0.1, 0.01, 0.0};
      return;
    default:
      mechanism.gravity.z() = random.uniform(-10.0, -9.0);
  }
}

}  // namespace counterpoise::test
