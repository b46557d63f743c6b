#pragma once

#include "engine/dynamics/inverse_dynamics.hpp"
#include "engine/kinematics/poses.hpp"

namespace counterpoise {

/// Force and moment at a body's origin, in its axes  [N], [N m].
struct Wrench {
  Vec3d force = Vec3d::Zero();
  Vec3d moment = Vec3d::Zero();
};

/// Wrenches through the joints alone, as the preceding body applies them: constraint forces plus
/// the load of an actuator on that joint. Springs and two-point actuators act on their own and are
/// taken out. Defined for bodies that one joint holds; those whose joint lies in a loop need
/// sharing rules (paper 000, section 5.2) and are left out.
class Reactions {
 public:
  explicit Reactions(const Mechanism& mechanism);

  /// The bodies that have one.
  [[nodiscard]] const std::vector<int>& bodies() const { return bodies_; }

  /// At one sample. `loads` of all actuators, `tensions` of all springs (empty: none), both as in
  /// FORMATS. `state`'s v and a as they enter the dynamics.
  void compute(const Mechanism& mechanism, const TreeModel& tree,
               std::span<const JointFrame> frames, const JointState<double>& state,
               std::span<const double> loads, std::span<const double> tensions);

  [[nodiscard]] const Wrench& of(int body) const {
    return wrenches_[static_cast<std::size_t>(body)];
  }

 private:
  /// Adds the force `pull` on the first point towards the second, and its opposite.
  void add_line_force(const Mechanism& mechanism, std::array<int, 2> points, double pull);
  [[nodiscard]] bool carried_by(int body, int ancestor) const;

  std::vector<int> parents_;
  std::vector<int> bodies_;
  std::vector<Pose> poses_;
  std::vector<Wrench> wrenches_;
  InverseDynamicsScratch<double> scratch_;
  std::vector<double> tau_;
};

}  // namespace counterpoise
