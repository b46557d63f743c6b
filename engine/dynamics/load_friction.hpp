#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "engine/dynamics/reactions.hpp"

namespace counterpoise {

/// Friction of joints that grows with their reactions. What overcomes that of joint b, along its
/// +axis, is
///   phi_b = s_b (f_b + c_b R_b)
/// with s_b the sign of its velocity, c_b its load_coefficient, f_b dry friction that the loads do
/// not have yet, and R_b the size of the force through the joint; of a sliding joint, of the part
/// of that force across its axis. Moments do not count.
///
/// Loads of actuators, and with them all wrenches, are affine in the phi: the force of joint b that
/// counts is a_b + sum of B_bk phi_k. So these are equations for phi, in which friction feeds back
/// on itself by K_bk = c_b |B_bk|. They have exactly one solution where the largest eigenvalue of K
/// is below 1, as their right side is a contraction then (in the maximum norm weighted by the
/// eigenvector); else there may be none, or several. K is 0 where neither loops nor actuators
/// between two points carry what the joint's friction adds to the loads.
class LoadFriction {
 public:
  explicit LoadFriction(const Mechanism& mechanism) : reactions_(mechanism) {}

  /// Takes over the friction of a design.
  void set_design(const Mechanism& mechanism);
  /// Moving joints with dry friction, constant or growing with the reaction, ascending.
  [[nodiscard]] std::span<const BodyIndex> joints() const { return joints_; }

  /// What the reactions at one sample are computed from, see Reactions::compute(). Loads have all
  /// but the friction looked for.
  struct Sample {
    const DesignGeometry& geometry;
    const TreeModel& tree;
    JointState<const double> state;
    std::span<const double> loads, tensions, factors;
  };
  /// Computes the forces through the joints without the friction looked for, and what it changes in
  /// them. `slopes`: for each of the joints, by actuator, the load per force on the joint; a joint
  /// whose slopes are all 0, as at a dead centre, may still change forces through others. Returns
  /// whether all of that is finite. Throws MechanismError as Reactions::compute() does.
  bool linearise(const Sample& sample, std::span<const double> slopes);

  /// Whether the friction of a joint changes that of others at the sample last linearised.
  [[nodiscard]] bool changes_others(std::size_t joint) const;

  /// Adds to `sample`, which was linearised last, a pull of 1 N of one spring, which changes the
  /// loads of actuators by `slopes`: `changes` are those in the forces through the joints that
  /// count. Costs as Reactions::compute(). Returns whether the friction of a joint changes by it.
  bool respond_to_spring(const Sample& sample, std::size_t spring, std::span<const double> slopes,
                         std::vector<Vec3d>& changes);

  /// The joints that take part in one set of equations, and what is known of them.
  struct Signs {
    std::vector<double> sign;  // s of each joint; 0: phi is 0
    std::vector<double> dry;   // f of each joint
    std::vector<Vec3d> added;  // to the force through each joint that counts; empty: nothing
  };
  /// A feedback of 1 or more, and the joint that has most of it.
  struct Lock {
    BodyIndex joint;
    double feedback = 0.0;
  };
  /// Solves for phi at the sample last linearised, to rounding. Returns why it is not known where
  /// friction feeds back too much; `phi` is then unspecified. Cost: some small systems.
  std::optional<Lock> solve(const Signs& signs, std::vector<double>& phi);

 private:
  [[nodiscard]] Vec3d counted(std::size_t joint, const DesignGeometry& geometry) const;
  [[nodiscard]] Vec3d force(const Signs& signs, std::size_t joint,
                            const std::vector<double>& phi) const;
  double misfit(const Signs& signs, const std::vector<double>& phi);
  void step(const Signs& signs, std::vector<double>& phi);
  [[nodiscard]] std::optional<Lock> find_lock(const Signs& signs);

  Reactions reactions_;
  std::vector<BodyIndex> joints_;
  std::vector<double> coefficients_;  // c of each joint
  std::vector<Vec3d> start_;          // a of each joint
  std::vector<Vec3d> changes_;        // B, joint by joint
  std::vector<double> pulled_loads_, pulled_tensions_;
  std::vector<double> start_sizes_, change_sizes_;
  Eigen::VectorXd residual_;  // phi - s (f + c R)
  Eigen::MatrixXd jacobian_, feedback_;
};

}  // namespace counterpoise
