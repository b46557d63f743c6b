#pragma once

#include "engine/dynamics/inverse_dynamics.hpp"
#include "engine/dynamics/leg_forces.hpp"
#include "engine/evaluation/kinematics.hpp"

namespace counterpoise {

/// The joint forces of the bare tree, and of linear actuators that have mass, over a stretch of
/// a motion, and the loads of the actuators that they lead to.
template <class S>
class TreeForces {
 public:
  explicit TreeForces(const EvaluationPlan& plan);

  /// Computes the joint forces. Returns whether the set of bodies that have or carry mass has
  /// changed, so that other numbers must be compared for the next designs.
  bool run(const Mechanism& mechanism, bool inertia, const Kinematics<S>& kinematics);

  /// Computes the load of one actuator without springs from the joint forces of `run`.
  void add_up(std::size_t actuator, const Transmission<S>& transmission);

  [[nodiscard]] std::span<const S> bare_load(std::size_t actuator) const {
    return std::span<const S>(bare_loads_).subspan(actuator * blocks_, blocks_);
  }
  [[nodiscard]] const TreeModel& tree() const { return tree_; }

 private:
  /// A force on a joint that loads an actuator.
  struct Part {
    BodyIndex body;
    ForceShare share;
  };

  bool find_carriers(const Mechanism& mechanism);
  void find_parts();

  const std::vector<std::vector<ForceShare>>* shares_;  // per body

  TreeModel tree_;
  LegForces<S> legs_;
  std::vector<std::size_t> heavy_;   // legs that have mass
  std::vector<BodyIndex> carriers_;  // bodies whose joints get forces, ascending
  std::vector<BodyIndex> carriers_before_;
  std::vector<std::size_t> heavy_before_;
  InverseDynamicsScratch<S> scratch_;
  S no_motion_ = S(0.0);  // velocity of all joints in motions without inertia
  std::vector<S> tau_;    // joint forces of one block
  std::size_t blocks_ = 0;
  std::vector<std::vector<Part>> parts_;  // per actuator, by ascending body
  std::vector<S> joint_forces_;           // joint by joint
  std::vector<S> bare_loads_;             // actuator by actuator
};

}  // namespace counterpoise
