#pragma once

#include "engine/evaluation/stages/actuator_jacobian.hpp"

namespace counterpoise {

/// The shape of one spring on one pair of mounts over a whole motion.
template <class S>
struct SpringShape {
  Stamp id = 0;           // unique among the shapes of an evaluation
  double shortest = 0.0;  // least length over the samples
  double longest = 0.0;
  std::vector<S> length;     // [m]; torsion: the joint's angle [rad]
  std::vector<S> influence;  // load of each influenced actuator per tension, one after the other

  // what the shape was made from: stamp of the actuator Jacobian, which is never 0, and mounts
  Stamp map = 0;
  std::array<Vec3d, 2> mounts;
};

/// The stage from joint motion and mounts to the springs' lengths and what their tensions add to
/// the loads. Each spring remembers the last few pairs of mounts it was on.
template <class S>
class SpringGeometry {
 public:
  explicit SpringGeometry(const EvaluationPlan& plan);

  /// Computes the shape of one spring in this design. It comes from memory if the spring was on the
  /// same mounts under the same actuator Jacobian, which `map_stamp` tells from all others.
  void run(std::size_t spring, const Mechanism& mechanism, const ActuatorJacobian<S>& map,
           Stamp map_stamp, const Kinematics<S>& kinematics);
  void forget();

  [[nodiscard]] const SpringShape<S>& shape(std::size_t spring) const {
    return springs_[spring].shapes[springs_[spring].current];
  }
  /// How many shapes were computed, and how many came from memory, since construction.
  [[nodiscard]] std::int64_t runs() const { return runs_; }
  [[nodiscard]] std::int64_t reused() const { return reused_; }

 private:
  static constexpr std::size_t remembered = remembered_shapes;

  /// The part of a joint of the path in the load of one influenced actuator.
  struct Share {
    std::size_t end, position;  // place of the joint on the path
    ForceShare share;
    std::size_t influence;  // index among the actuators that the spring influences
  };
  struct OneSpring {
    const Path* path;
    const std::vector<BodyIndex>* joints;  // joints that move the spring
    std::size_t influenced;                // number of influenced actuators
    std::vector<Share> shares;
    Line<S> line;
    std::array<Trace<double>, 2> rest;
    std::array<SpringShape<S>, remembered> shapes;
    std::size_t current = 0;
    std::size_t next = 0;  // shape to be replaced next
  };

  [[nodiscard]] bool recall(const std::array<Vec3d, 2>& mounts, Stamp map_stamp, OneSpring& spring);
  void compute(const Mechanism& mechanism, const Spring& element, const ActuatorJacobian<S>& map,
               const Kinematics<S>& kinematics, OneSpring& spring, SpringShape<S>& shape);
  void across_one_joint(const Mechanism& mechanism, const ActuatorJacobian<S>& map,
                        const Kinematics<S>& kinematics, OneSpring& spring, SpringShape<S>& shape);
  void along_path(const Mechanism& mechanism, const ActuatorJacobian<S>& map,
                  const Kinematics<S>& kinematics, OneSpring& spring, SpringShape<S>& shape);
  void on_joint(const Spring& element, const ActuatorJacobian<S>& map,
                const Kinematics<S>& kinematics, const OneSpring& spring, SpringShape<S>& shape);

  std::vector<OneSpring> springs_;
  SampleState rest_;  // every joint at zero
  Stamp last_id_ = 0;
  std::int64_t runs_ = 0, reused_ = 0;
};

}  // namespace counterpoise
