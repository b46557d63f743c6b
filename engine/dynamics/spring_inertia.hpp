#pragma once

#include <span>

#include "engine/kinematics/closure/path.hpp"

namespace counterpoise {

/// Inertia and weight of springs between two points that have mass of their own. Each is a uniform
/// line between its ends, on which every piece stays at the same share of the length, so that
/// velocities and accelerations change linearly from one end to the other. By virtual work the
/// first end must then get, with gravity g and accelerations a and b of the ends,
///   m (a - g) / 3 + m (b - g) / 6
/// and the second in the same way: half of the weight each, and a third of the mass where the other
/// end stands still.
template <class S>
class SpringInertia {
 public:
  explicit SpringInertia(const Mechanism& mechanism);

  struct Coil {
    std::size_t spring;
    Path path;                      // both chains begin at the world
    std::vector<BodyIndex> movers;  // the bodies of both chains, ascending
  };
  /// The springs that may have mass (see Spring::heavy).
  [[nodiscard]] std::span<const Coil> coils() const { return coils_; }

  /// The forces [N] that both ends of a coil of this mass [kg] must get at the state's q, v and a,
  /// in world axes. Cost: one walk along both chains from the world, no allocation.
  std::array<Vec3<S>, 2> end_forces(std::size_t coil, double mass, const DesignGeometry& geometry,
                                    const JointView<S>& state);
  /// Adds to `tau` the joint forces of a coil of this mass, at the state's q, v and a.
  void add(std::size_t coil, double mass, const DesignGeometry& geometry, const JointView<S>& state,
           std::span<S> tau);

 private:
  std::vector<Coil> coils_;
  std::vector<Line<S>> lines_;  // per coil
};

}  // namespace counterpoise
