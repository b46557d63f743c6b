#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "engine/kinematics/chains/path.hpp"
#include "engine/kinematics/poses.hpp"

namespace counterpoise {

/// The wrenches through all joints and loop closures as functions of what equilibrium alone does
/// not determine: the constraint forces and moments in the closures and the forces in the
/// couplings.
///
///   components = base + slopes * x
///
/// Six components per body (see WrenchComponent), then six per loop; x holds per loop the force in
/// the second body's axes (3) and the moments that it can carry (0 to 3), then one number per
/// coupling. `base` is what the joints of the open tree would carry.
class WrenchMap {
 public:
  explicit WrenchMap(const Mechanism& mechanism);

  /// Begins a sample with all closures open. The wrenches through the joints of the bare tree
  /// follow by `set_joint`, in body axes.
  void begin(std::span<const Pose> poses);
  void set_joint(BodyIndex body, const Vec3d& force, const Vec3d& moment);
  /// Applies a known force [N, world axes] at `place` on a body, which the joints from the body to
  /// the world carry no longer.
  void apply(BodyIndex body, const Vec3d& place, const Vec3d& force);
  /// Takes a known force or moment along the axis of a body's joint, in body axes, out of that
  /// joint.
  void apply_to_joint(BodyIndex body, JointType type, const Vec3d& along);
  /// Computes the slopes at the poses given to `begin`.
  void close(const Mechanism& mechanism);

  [[nodiscard]] Eigen::Index unknowns() const { return slopes.cols(); }
  [[nodiscard]] Eigen::Index row_of_loop(std::size_t loop) const {
    return static_cast<Eigen::Index>(6 * (bodies_ + loop));
  }
  /// The column of a coupling's force, which acts on the coupling's joint with slope 1.
  [[nodiscard]] Eigen::Index column_of_coupling(std::size_t coupling) const {
    return first_coupling_ + static_cast<Eigen::Index>(coupling);
  }
  /// The length of the lever arms [m]: the largest distance between two joints or closures of a
  /// loop.
  [[nodiscard]] double reach() const { return reach_; }

  Eigen::VectorXd base;
  Eigen::MatrixXd slopes;

 private:
  void close_loop(const Mechanism& mechanism, std::size_t loop);
  /// Adds a unit wrench at `place` between the bodies of a loop, in world axes, as column `x`.
  void add_column(std::size_t loop, Eigen::Index x, const Vec3d& place, const Vec3d& force,
                  const Vec3d& moment);
  [[nodiscard]] const Pose& pose(BodyIndex body) const;

  std::vector<BodyIndex> parents_;
  std::vector<Path> loops_;
  std::vector<BodyIndex> second_bodies_;  // second body of each loop
  std::vector<Eigen::Index> columns_;     // first column of each loop
  std::size_t bodies_ = 0;
  Eigen::Index first_coupling_ = 0;
  std::span<const Pose> poses_;
  double reach_ = 0.0;
};

}  // namespace counterpoise
