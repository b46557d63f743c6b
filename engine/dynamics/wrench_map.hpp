#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "engine/kinematics/closure/joint_frame.hpp"
#include "engine/kinematics/closure/path.hpp"

namespace counterpoise {

/// Loops and couplings whose forces equilibrium, a sharing rule or a common body ties together, so
/// that they have to be found together, and apart from those of all other groups. The bodies and
/// the loops whose components they may change are its owners: a body by its index, a loop by its
/// index plus the number of bodies.
struct WrenchGroup {
  std::vector<std::size_t> loops, couplings;
  std::vector<std::size_t> rules;     // sharing rules of its owners
  std::vector<BodyIndex> balanced;    // moving bodies in its loops or couplings
  std::vector<Eigen::Index> owners;   // in ascending order
  std::vector<Eigen::Index> weighed;  // places among the owners of loops and of bodies in them
  Eigen::MatrixXd slopes;             // six rows per owner, a column per unknown
  // of a large group in place of these, for each loop: six rows for its closure and for each body
  // of its chains, a column per unknown of the loop
  std::vector<Eigen::MatrixXd> slopes_of_loops;
  Eigen::Index count = 0;  // of unknowns

  [[nodiscard]] Eigen::Index unknowns() const { return count; }
  /// Whether the slopes are so many that most of them are zero.
  [[nodiscard]] bool is_large() const { return couplings.empty() && count > 96; }
};

/// The wrenches through all joints and loop closures as functions of what equilibrium alone does
/// not determine: the constraint forces and moments in the closures and the forces in the
/// couplings. For the owners of each group
///
///   components = base + slopes * x
///
/// with six components per owner (see WrenchComponent); x holds per loop of the group the force in
/// the second body's axes (3) and the moments that it can carry (0 to 3), then one number per
/// coupling. `base`, with six entries per body and then per loop, is what the joints of the open
/// tree would carry. Components without a group are those of `base`.
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
  /// The same of a known moment [N m, world axes].
  void apply_moment(BodyIndex body, const Vec3d& moment);
  /// Takes a known force or moment along the axis of a body's joint, in body axes, out of that
  /// joint.
  void apply_to_joint(BodyIndex body, JointType type, const Vec3d& along);
  /// Computes the slopes at the poses given to `begin`. Cost: proportional to the number of bodies
  /// in loops, times the unknowns of a loop.
  void close(const Mechanism& mechanism);

  [[nodiscard]] std::span<const WrenchGroup> groups() const { return groups_; }
  /// The first component of a loop in `base`.
  [[nodiscard]] Eigen::Index row_of_loop(std::size_t loop) const {
    return static_cast<Eigen::Index>(6 * (bodies_ + loop));
  }
  /// The first row of an owner in the slopes of its group.
  [[nodiscard]] Eigen::Index row_in_group(Eigen::Index owner) const {
    return 6 * places_[static_cast<std::size_t>(owner)];
  }
  /// The places in its group of a loop's closure and of the bodies of its chains, in the order of
  /// its slopes.
  [[nodiscard]] std::vector<Eigen::Index> places_of_loop(std::size_t loop) const;
  /// The first column of a loop in its group.
  [[nodiscard]] Eigen::Index column_of_loop(std::size_t loop) const { return columns_[loop]; }
  /// The slopes of all owners of a group together.
  [[nodiscard]] Eigen::MatrixXd slopes_of(const WrenchGroup& group) const;
  /// The column of a coupling's force in its group, which acts on the coupling's joint with
  /// slope 1.
  [[nodiscard]] Eigen::Index column_of_coupling(std::size_t coupling) const {
    return columns_of_couplings_[coupling];
  }
  /// The length of the lever arms [m]: the largest distance between two joints or closures of a
  /// loop.
  [[nodiscard]] double reach() const { return reach_; }

  Eigen::VectorXd base;

 private:
  void find_groups(const Mechanism& mechanism);
  /// Writes the slopes of a loop, from column `x` on, into the rows of its owners.
  void close_loop(const Mechanism& mechanism, std::size_t loop, Eigen::Index x,
                  std::span<const Eigen::Index> rows, Eigen::MatrixXd& slopes);
  /// Adds a unit wrench at `place` between the bodies of a loop, in world axes, as column `x`.
  void add_column(std::size_t loop, Eigen::Index x, const Vec3d& place, const Vec3d& force,
                  const Vec3d& moment, std::span<const Eigen::Index> rows, Eigen::MatrixXd& slopes);
  [[nodiscard]] const Pose& pose(BodyIndex body) const;

  std::vector<BodyIndex> parents_;
  std::vector<Path> loops_;
  std::vector<BodyIndex> second_bodies_;                  // second body of each loop
  std::vector<std::vector<Eigen::Index>> rows_of_loops_;  // of its owners, in its slopes
  std::vector<WrenchGroup> groups_;
  std::vector<Eigen::Index> columns_;  // first column of each loop in its group
  std::vector<Eigen::Index> columns_of_couplings_;
  std::vector<Eigen::Index> places_;  // of each owner among those of its group
  std::size_t bodies_ = 0;
  std::span<const Pose> poses_;
  double reach_ = 0.0;
};

}  // namespace counterpoise
