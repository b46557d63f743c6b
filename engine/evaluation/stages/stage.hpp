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
  transmission,     // joint motion, geometry -> load of each actuator per force on each joint
  bare_loads,       // tree forces, transmission -> loads without springs
  spring_geometry,  // joint motion, mounts, transmission -> a spring's length, load per tension
  loads,            // bare loads, spring geometry, springs' laws -> loads, metrics
};
inline constexpr std::size_t stage_count = 6;
std::string_view name_of(Stage stage);

/// Whether stages remember their results. Either way gives the same bits.
enum class Reuse { remember, recompute };

/// A group of numbers of one element of a mechanism.
enum class Quantity {
  gravity,
  joint_geometry,  // axis, origin, rotation, guess of the joint of a body
  inertia,         // mass, centre of mass, inertia of a body
  point,
  loop_axes,  // axes and rotation of a loop
  coupling,
  spring_law,  // what a spring's tension depends on but its points
  spring_limits,
  actuator_limits,
  leg_inertia,  // tube and rod of an actuator
};

/// How many results stages remember of one unit (see StageCount), oldest replaced first: of a
/// spring its shapes, one a pair of mounts; of an actuator that springs load its metrics, one a set
/// of shapes and laws. All others remember the last one.
inline constexpr std::size_t remembered_shapes = 4;
inline constexpr std::size_t remembered_loads = 16;

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
