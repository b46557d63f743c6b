#pragma once

#include <optional>

#include "engine/mechanism/mechanism.hpp"
#include "engine/mechanism/motion.hpp"
#include "tests/support/linkage.hpp"
#include "tests/support/random.hpp"

namespace counterpoise::test {

/// A mechanism and a motion it can follow: small sines about a closed configuration, well away from
/// singular poses as an independent solver sees them.
struct Sample {
  Mechanism mechanism;
  Motion motion;
};

struct SampleOptions {
  int tree_bodies = 4;                            // at most; at least one unless there is a linkage
  bool motors_only = false;                       // every tree joint has its own motor
  std::optional<Linkage> linkage = std::nullopt;  // placed on some body, or on the world
  int more_linkages = 0;  // of any kind, each on some body of those before it
  bool springs = true;
  bool inertia = true;
  double duration = 0.4;
  double step = 0.004;
};

Sample random_sample(Random& random, const SampleOptions& options);

/// Adds up to three forces and moments from outside at random points of the bodies, in the axes of
/// the world or of the body. Some of them swell and fade in the course of the motion.
void add_forces(Random& random, Sample& sample);
/// Gives about two thirds of the joints that move dry friction, viscous friction or both.
void add_friction(Random& random, Mechanism& mechanism);
/// Gives about two thirds of the joints that move friction that grows with their reactions, by
/// little: some millimetres, or up to a seventh.
void add_load_friction(Random& random, Mechanism& mechanism);
/// A force from outside as it acts at time t.
AppliedForce force_at(const Sample& sample, std::size_t force, double t);

}  // namespace counterpoise::test
