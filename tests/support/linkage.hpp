#pragma once

#include <string>

#include "tests/support/world_builder.hpp"

namespace counterpoise::test {

/// Closed linkages of one degree of freedom (two for the five-bar), placed on a body at random.
/// Planar loops are closed by points or by pins that keep axes parallel, at random.
enum class Linkage {
  four_bar,        // crank, coupler, rocker
  slider_crank,    // crank, connecting rod, slider
  scotch_yoke,     // crank pin in two slides at right angles or nearly
  slotted_rocker,  // crank pin in a slide on a rocker
  slide_and_rod,   // a rod on a slide meets a crank
  five_bar,        // two cranks, two rods
  six_bar,         // a four-bar whose rocker drives a second dyad
  spatial,         // crank and rocker about skew axes, rod on a universal joint (RSSR)
  watt,            // a four-bar whose coupler and rocker carry a second dyad
  stevenson,       // six bars driven from the far hinge: both loops only close together
  cardan,          // two shafts, universal joints, one of them the closure, and a telescope
  seven_bar,       // seven skew hinges in a ring, closed by a weld
};
inline constexpr int linkage_count = 12;

/// Adds the linkage to `base` with its actuators, on the crank or elsewhere. `place` is about where
/// in the world.
void add_linkage(WorldBuilder& builder, Random& random, Linkage kind, int base, const Vec3d& place);

/// A two-point actuator for a joint between points of its body and its parent; it has a good lever
/// at the reference.
void add_line_actuator_across(WorldBuilder& builder, Random& random, int joint, int other_body);

}  // namespace counterpoise::test
