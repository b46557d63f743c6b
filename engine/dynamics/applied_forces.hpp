#pragma once

#include <span>

#include "engine/kinematics/closure/path.hpp"

namespace counterpoise {

/// Forces and moments that act on bodies from outside (see AppliedForce), as forces of joints: with
/// the columns J of the slopes of a point and of its body's turning, a force f and a moment m act
/// on the joints as J^T (f, m).
template <class S>
class AppliedForces {
 public:
  explicit AppliedForces(const Mechanism& mechanism);

  [[nodiscard]] std::size_t size() const { return paths_.size(); }
  /// The bodies from the world to the point of a force.
  [[nodiscard]] const std::vector<BodyIndex>& chain(std::size_t force) const {
    return paths_[force].chains[1];
  }
  /// Adds to `tau` what the force, times `factor`, does on the joints at the state's q. Cost: one
  /// walk along the chain, no allocation.
  void add(std::size_t force, const DesignGeometry& geometry, const JointView<S>& state,
           const S& factor, std::span<S> tau);

 private:
  std::vector<Path> paths_;
  std::vector<Trace<S>> traces_;
};

}  // namespace counterpoise
