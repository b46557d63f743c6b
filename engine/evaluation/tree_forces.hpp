#pragma once

#include "engine/dynamics/applied_forces.hpp"
#include "engine/dynamics/inverse_dynamics.hpp"
#include "engine/dynamics/leg_forces.hpp"
#include "engine/dynamics/spring_inertia.hpp"
#include "engine/evaluation/kinematics.hpp"

namespace counterpoise {

/// The joint forces of the bare tree under gravity, friction and forces from outside, and of linear
/// actuators that have mass, over a stretch of a motion, and the loads of the actuators that they
/// lead to.
template <class S>
class TreeForces {
 public:
  explicit TreeForces(const EvaluationPlan& plan);

  /// Takes over the courses of the motion's forces. Returns whether they changed.
  bool set_motion(const Motion& motion);

  /// Computes the joint forces. Returns whether the set of bodies that have or carry mass has
  /// changed, so that other numbers must be compared for the next designs.
  bool run(const Mechanism& mechanism, bool inertia, const Kinematics<S>& kinematics);

  /// Computes the load of one actuator without springs from the joint forces of `run`.
  void add_up(std::size_t actuator, const Transmission<S>& transmission);

  [[nodiscard]] std::span<const S> bare_load(std::size_t actuator) const {
    return std::span<const S>(bare_loads_).subspan(actuator * blocks_, blocks_);
  }
  /// The springs that may have mass.
  [[nodiscard]] std::span<const typename SpringInertia<S>::Coil> coils() const {
    return coils_.coils();
  }
  /// Computes what one kilogram of a coil's own mass adds to the loads of actuators. Cost: one walk
  /// along both chains from the world, and one product for each joint and actuator, per block.
  void weigh(std::size_t coil, const Mechanism& mechanism, bool inertia,
             const Kinematics<S>& kinematics, const Transmission<S>& transmission);
  /// What the last weigh() of a coil found for one of the actuators that its mass can load.
  [[nodiscard]] std::span<const S> load_per_mass(std::size_t coil, std::size_t share) const {
    const std::vector<S>& all = coil_loads_[coil];
    const std::size_t blocks = all.size() / (*weighed_)[coils()[coil].spring].size();
    return std::span<const S>(all).subspan(share * blocks, blocks);
  }
  [[nodiscard]] const TreeModel& tree() const { return tree_; }
  /// By how much the load of one actuator may be more or less in this block where joints are at
  /// rest, because of their dry friction. `joints` are those of the last run.
  [[nodiscard]] S play(std::size_t actuator, std::size_t block, const Mechanism& mechanism,
                       const JointView<S>& joints, const Transmission<S>& transmission) const;
  /// What the motion multiplies a force from outside by.
  [[nodiscard]] const S& factor(std::size_t force, std::size_t block) const {
    return factors_[force * blocks_ + block];
  }

 private:
  /// A force on a joint that loads an actuator.
  struct Part {
    BodyIndex body;
    ForceShare share;
  };

  bool find_carriers(const Mechanism& mechanism);
  void sample_factors(const Stretch& stretch);
  void find_parts();

  const std::vector<std::vector<ForceShare>>* shares_;      // per body
  const std::vector<std::vector<ActuatorIndex>>* weighed_;  // per spring

  TreeModel tree_;
  LegForces<S> legs_;
  AppliedForces<S> forces_;
  SpringInertia<S> coils_;
  std::vector<ForceCourse> courses_;
  double duration_ = 0.0, step_ = 0.0;  // of the motion
  std::vector<S> factors_;              // force by force
  int sampled_ = -1;                 // first sample of the stretch that these are of; -1: of none
  std::vector<std::size_t> heavy_;   // legs that have mass
  std::vector<BodyIndex> rubbing_;   // bodies whose joints have friction
  std::vector<BodyIndex> carriers_;  // bodies whose joints get forces, ascending
  std::vector<BodyIndex> carriers_before_;
  std::vector<std::size_t> heavy_before_;
  InverseDynamicsScratch<S> scratch_;
  bool inertia_ = true;   // whether the last run was of a motion with inertia
  S no_motion_ = S(0.0);  // velocity of all joints in motions without inertia
  std::vector<S> tau_;    // joint forces of one block
  std::size_t blocks_ = 0;
  std::vector<std::vector<Part>> parts_;    // per actuator, by ascending body
  std::vector<S> joint_forces_;             // joint by joint
  std::vector<S> bare_loads_;               // actuator by actuator
  std::vector<S> coil_tau_;                 // joint forces of one block by one coil
  std::vector<std::vector<S>> coil_loads_;  // per coil, actuator by actuator
};

}  // namespace counterpoise
