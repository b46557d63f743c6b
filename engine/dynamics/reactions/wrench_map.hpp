#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "engine/kinematics/chains/path.hpp"
#include "engine/kinematics/poses.hpp"

namespace counterpoise {

/// How the wrenches through all joints and loop closures depend on what equilibrium alone does not
/// say: the constraint forces and moments in the closures and the forces in the couplings.
///
///   components = base + slopes * x
///
/// Six components per body (see WrenchComponent), then six per loop; x holds per loop the force in
/// the second body's axes (3) and the moments it can carry (0 to 3), then one number per coupling.
/// `base` is what the joints of the open tree would carry.
class WrenchMap {
 public:
  explicit WrenchMap(const Mechanism& mechanism);

  /// Everything open: begins with the wrenches through the joints of the bare tree, in body axes.
  void begin(std::span<const Pose> poses);
  void set_joint(BodyIndex body, const Vec3d& force, const Vec3d& moment);
  /// A known force [N, world axes] at `place` on a body: the joints from it to the world carry
  /// less.
  void apply(BodyIndex body, const Vec3d& place, const Vec3d& force);
  /// A known force or moment along the axis of a body's joint, in body axes, taken out of its
  /// joint.
  void apply_to_joint(BodyIndex body, JointType type, const Vec3d& along);
  /// The slopes, at the poses of `begin`.
  void close(const Mechanism& mechanism);

  [[nodiscard]] Eigen::Index unknowns() const { return slopes.cols(); }
  [[nodiscard]] Eigen::Index row_of_loop(std::size_t loop) const {
    return static_cast<Eigen::Index>(6 * (bodies_ + loop));
  }
  /// The column of a coupling's force; it acts on its joint with slope 1.
  [[nodiscard]] Eigen::Index column_of_coupling(std::size_t coupling) const {
    return first_coupling_ + static_cast<Eigen::Index>(coupling);
  }
  /// Length of the lever arms [m]: the largest distance between two joints or closures of a loop.
  [[nodiscard]] double reach() const { return reach_; }

  Eigen::VectorXd base;
  Eigen::MatrixXd slopes;

 private:
  void close_loop(const Mechanism& mechanism, std::size_t loop);
  /// A unit wrench at `place` in world axes as column `x`, between the bodies of a loop.
  void add_column(std::size_t loop, Eigen::Index x, const Vec3d& place, const Vec3d& force,
                  const Vec3d& moment);
  [[nodiscard]] const Pose& pose(BodyIndex body) const;

  std::vector<BodyIndex> parents_;
  std::vector<Path> loops_;
  std::vector<BodyIndex> second_bodies_;  // of each loop
  std::vector<Eigen::Index> columns_;     // first of each loop
  std::size_t bodies_ = 0;
  Eigen::Index first_coupling_ = 0;
  std::span<const Pose> poses_;
  double reach_ = 0.0;
};

}  // namespace counterpoise
