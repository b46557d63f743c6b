#pragma once

#include "engine/dynamics/inverse_dynamics.hpp"
#include "engine/kinematics/coordinates.hpp"
#include "engine/kinematics/transmission.hpp"

namespace counterpoise {

/// What every evaluation of one mechanism over one motion needs and no number of a design changes:
/// paths, mobility, and the order in which coordinates and actuators determine the joints.
struct EvaluationPlan {
  /// Throws MechanismError when the motion's coordinates or the actuators are too few or too many.
  EvaluationPlan(const Mechanism& nominal, const Motion& motion, Closure closure);
  EvaluationPlan(const EvaluationPlan&) = delete;
  EvaluationPlan& operator=(const EvaluationPlan&) = delete;

  Mechanism nominal;
  Paths paths;
  Freedom freedom;
  Plan actuator_plan;
  DriveSelection drives;
  Plan motion_plan;
};

/// The stages from a design to its loads, each reading what the ones before it left:
///   coordinates    motion, geometry of joints and loops     -> joint motion
///   tree forces    joint motion, masses                     -> joint forces of the bare tree
///   bare loads     tree forces, transmission                -> actuator loads without springs
///   springs        joint positions, mounts, transmission    -> lengths, influence on loads
/// and load(t) = bare(t) + sum of influence(t) * tension(length(t)), exactly.
template <class S>
class Pipeline {
 public:
  explicit Pipeline(std::shared_ptr<const EvaluationPlan> plan);

  /// A load that a spring can change.
  struct Influence {
    std::size_t spring;
    std::size_t actuator;
  };

  /// Runs all stages. On a finding the results are unspecified. `springs`: whether their lengths
  /// and influences are wanted. Allocates in the first call for a motion's length only.
  std::optional<Finding> run(const Mechanism& mechanism, const Motion& motion, bool springs);

  [[nodiscard]] const EvaluationPlan& plan() const { return *plan_; }
  [[nodiscard]] int samples() const { return joints_.samples(); }
  [[nodiscard]] int blocks() const { return joints_.blocks(); }
  [[nodiscard]] JointState<S> joints(int block) { return joints_.block(block); }
  [[nodiscard]] std::span<const JointFrame> frames() const { return frames_; }
  [[nodiscard]] const TreeModel& tree() const { return tree_; }
  [[nodiscard]] const std::vector<Influence>& influences() const { return influences_; }

  // one value per actuator, actuator, actuator, spring, influence
  [[nodiscard]] std::span<const S> bare_loads(int block) const { return row(bare_loads_, block); }
  [[nodiscard]] std::span<const S> positions(int block) const { return row(positions_, block); }
  [[nodiscard]] std::span<const S> velocities(int block) const { return row(velocities_, block); }
  [[nodiscard]] std::span<const S> lengths(int block) const { return row(lengths_, block); }
  [[nodiscard]] std::span<const S> influence(int block) const { return row(influence_, block); }

 private:
  [[nodiscard]] std::span<const S> row(const std::vector<S>& values, int block) const {
    const std::size_t width = values.size() / static_cast<std::size_t>(blocks());
    return std::span<const S>(values).subspan(static_cast<std::size_t>(block) * width, width);
  }
  std::span<S> row(std::vector<S>& values, int block) const {
    const std::size_t width = values.size() / static_cast<std::size_t>(blocks());
    return std::span<S>(values).subspan(static_cast<std::size_t>(block) * width, width);
  }
  void find_influences();
  void resize(bool springs);
  void tree_forces(const Motion& motion, int block);
  void actuator_motion(const Mechanism& mechanism, int block);
  void spring_geometry(const Mechanism& mechanism, int block);

  std::shared_ptr<const EvaluationPlan> plan_;
  std::vector<Influence> influences_;

  ZeroConfiguration zero_;
  Coordinates<S> coordinates_;
  Transmission<S> transmission_;

  std::vector<JointFrame> frames_;
  TreeModel tree_;
  JointMotion<S> joints_;
  InverseDynamicsScratch<S> scratch_;
  std::vector<S> no_motion_;  // zero velocities, for motions without inertia
  std::vector<S> joint_forces_, loads_;
  std::vector<Line<S>> actuator_lines_, spring_lines_;
  std::vector<S> bare_loads_, positions_, velocities_, lengths_, influence_;
};

}  // namespace counterpoise
