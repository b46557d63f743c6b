#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "engine/mechanism/mechanism.hpp"

namespace counterpoise {

/// The stages of an evaluation, slowest and earliest first. Each reads its own group of numbers and
/// what the ones before it left; a stage whose numbers did not change is not run again.
enum class Stage {
  coordinates,      // motion, geometry of joints, loops and actuators -> motion of all joints
  tree_forces,      // joint motion, masses, gravity -> joint forces of the bare tree
  transmission,     // joint motion, geometry -> loads without springs, what a joint force adds
  spring_geometry,  // joint motion, mounts of one spring -> its length, load per tension
  loads,            // springs' laws, limits -> loads with springs, metrics
};
inline constexpr std::size_t stage_count = 5;
std::string_view name_of(Stage stage);

/// A group of numbers of one element of a mechanism.
enum class Quantity {
  gravity,
  joint_geometry,  // axis, origin, rotation, guess of the joint of a body
  inertia,         // mass, centre of mass, inertia of a body
  point,
  coupling,
  spring_law,  // everything of a spring but its points
  actuator_limits,
};

/// The earliest stage that reads this quantity of this element (index into the mechanism's list).
Stage first_reader(const Mechanism& mechanism, Quantity quantity, int element);

/// How often a stage ran and how often its remembered result served, in its own units: a step of
/// the closure, a spring, an actuator; and the time its runs took.
struct StageCount {
  std::int64_t runs = 0;
  std::int64_t reused = 0;
  double seconds = 0.0;
};
using StageCounts = std::array<StageCount, stage_count>;

}  // namespace counterpoise
