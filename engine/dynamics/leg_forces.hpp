#pragma once

#include <span>

#include "engine/kinematics/closure/path.hpp"

namespace counterpoise {

/// Inertia and weight of the linear actuators that have mass. Tube and rod turn with the line of
/// the actuator's two points, without spin: omega = e x v / l with v the velocity of the second
/// point relative to the first (paper 004, eqs. 20-26). By virtual work, one force on each end
/// moves both parts.
template <class S>
class LegForces {
 public:
  explicit LegForces(const Mechanism& mechanism);

  struct Leg {
    std::size_t actuator;
    Path path;  // both chains begin at the world
  };
  /// All linear actuators, with mass or without.
  [[nodiscard]] std::span<const Leg> legs() const { return legs_; }
  [[nodiscard]] static bool has_mass(const Actuator& actuator) {
    return !actuator.tube.massless() || !actuator.rod.massless();
  }

  /// The forces [N] that the first and the second end of a leg must get at the state's q, v and a,
  /// in world axes, without the actuator's own load. Cost: one walk along both chains from the
  /// world, no allocation.
  std::array<Vec3<S>, 2> end_forces(std::size_t leg, const DesignGeometry& geometry,
                                    const JointView<S>& state);
  /// Adds to `tau` the joint forces of a leg that has mass, at the state's q, v and a.
  void add(std::size_t leg, const DesignGeometry& geometry, const JointView<S>& state,
           std::span<S> tau);

 private:
  std::vector<Leg> legs_;
  std::vector<Line<S>> lines_;  // per leg
};

}  // namespace counterpoise
