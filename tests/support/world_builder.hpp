#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "engine/mechanism/mechanism.hpp"
#include "tests/support/random.hpp"

namespace counterpoise::test {

/// Builds a mechanism from where everything is in the world at a reference configuration, so that
/// loops are closed there by construction. Body frames are turned at random, joint positions at the
/// reference are random, guesses are the reference.
class WorldBuilder {
 public:
  explicit WorldBuilder(Random& random) : random_(&random) {}

  /// A body whose joint axis goes through `origin` along `axis`; massless unless asked for.
  int add_body(int parent, JointType type, const Vec3d& axis, const Vec3d& origin, bool massive);
  int add_point(int body, const Vec3d& place);
  /// A loop that makes the two bodies meet at `place`.
  void add_loop(int first, int second, const Vec3d& place);
  /// The last loop also keeps these directions of the world, each fixed to its body, parallel or
  /// perpendicular.
  void keep_axes(LoopKeep keep, const Vec3d& first, const Vec3d& second);
  /// The last loop welds its bodies as they stand.
  void keep_orientation();
  /// joint = ratio * of + offset, with the offset that the reference asks for.
  void add_coupling(int joint, int of, double ratio);
  int add_joint_actuator(int joint);
  /// With a tube and a rod that have mass now and then.
  int add_line_actuator(int first_point, int second_point);
  void add_spring(SpringType type, int first_point, int second_point);
  void add_torsion_spring(int joint);

  [[nodiscard]] Vec3d place(int point) const;
  [[nodiscard]] Vec3d origin(int body) const;
  [[nodiscard]] Vec3d axis(int body) const;
  [[nodiscard]] double distance(int first_point, int second_point) const;
  /// Position of an actuator at the reference.
  [[nodiscard]] double reference(int actuator) const;

  Mechanism mechanism;

 private:
  [[nodiscard]] Eigen::Isometry3d pose(int body) const;

  Random* random_;
  std::vector<Eigen::Isometry3d> poses_;
};

}  // namespace counterpoise::test
