#pragma once

#include "engine/kinematics/closure/group_solver.hpp"

namespace counterpoise {

/// All joints and driven values at one sample, as far as a group of equations needs them.
struct GroupSample {
  GroupSample(const Mechanism& mechanism, std::size_t driven_values)
      : joints(mechanism.body_count()),
        driven(driven_values),
        driven_velocity(driven_values),
        driven_acceleration(driven_values) {}

  /// Copies positions, velocities and accelerations of everything.
  void copy(const GroupSample& from);
  /// Everything at rest.
  void stop();

  SampleState joints;
  std::vector<double> driven, driven_velocity, driven_acceleration;
};

/// Follows the unknowns of a group from a solved sample to the next, so that they stay on their
/// branch: Newton starts from where their velocities lead, and a step that does not end where the
/// velocities at both its ends say is taken again in smaller parts, with everything known moving on
/// cubics in between.
class Continuation {
 public:
  Continuation(const Mechanism& mechanism, std::size_t driven_values);

  enum class Result { arrived, open, singular, jumped };

  /// `to` holds what is known at the end, `h` seconds after `from`; on `arrived` its unknowns are
  /// solved, velocities and accelerations too. Begins with `parts` equal parts. A result other than
  /// `arrived` is that of parts of a thousandth; on `open` the group is left in the nearest pose
  /// found at the end of the step, if there is none that closes there.
  Result follow(const DesignGeometry& geometry, GroupSolver& group, const GroupSample& from,
                GroupSample& to, double h, int parts);

  /// Gives `to` the unknowns' positions of `from`, in the same pose, and solves their velocities
  /// and accelerations there.
  static void set_in_motion(const DesignGeometry& geometry, GroupSolver& group,
                            const GroupSample& from, GroupSample& to);

 private:
  struct Start {
    double q, v;
  };

  Result follow_in_parts(const DesignGeometry& geometry, GroupSolver& group,
                         const GroupSample& from, const GroupSample& to, double h, int parts);
  void place_known(std::span<const JointFrame> frames, const GroupSolver& group,
                   const GroupSample& from, const GroupSample& to, double h, double u);
  [[nodiscard]] bool smooth(const GroupSolver& group, double dt) const;

  GroupSample at_;
  std::vector<Start> start_;  // of the unknowns, at the beginning of a part
};

}  // namespace counterpoise
