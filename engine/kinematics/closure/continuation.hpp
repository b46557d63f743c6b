#pragma once

#include "engine/kinematics/closure/group_lanes.hpp"
#include "engine/kinematics/closure/group_solver.hpp"

namespace counterpoise {

/// The state of all joints and driven values at one sample, as far as a group of equations needs
/// it.
struct GroupSample {
  GroupSample(const Mechanism& mechanism, std::size_t driven_values)
      : joints(mechanism.body_count()),
        driven(driven_values),
        driven_velocity(driven_values),
        driven_acceleration(driven_values) {}

  /// Copies positions, velocities and accelerations of all joints and driven values.
  void copy(const GroupSample& from);
  /// Sets all velocities and accelerations to zero.
  void stop();

  SampleState joints;
  std::vector<double> driven, driven_velocity, driven_acceleration;
};

/// Follows the unknowns of a group from a solved sample to the next, so that they stay on their
/// branch: Newton's method starts from where their velocities lead. A step whose end contradicts
/// the velocities at both its ends is repeated in smaller parts, with all known values moving on
/// cubics in between.
class Continuation {
 public:
  Continuation(const Mechanism& mechanism, std::size_t driven_values);

  enum class Result { arrived, open, singular, jumped };

  /// Solves for the unknowns at `to`, which is `h` seconds after `from` and holds the known values.
  /// On `arrived` positions, velocities and accelerations of its unknowns are solved. Begins with
  /// `parts` equal parts; any other result than `arrived` is that of parts of a thousandth. On
  /// `open` the group is left in the nearest pose found at the end of the step, if no pose closes
  /// there.
  Result follow(const DesignGeometry& geometry, GroupSolver& group, const GroupSample& from,
                GroupSample& to, double h, int parts);
  /// The same in a search for poses that can be reached, where it is no news that one cannot: goes
  /// on to parts of a thousandth only while the unknowns jump.
  Result try_to_follow(const DesignGeometry& geometry, GroupSolver& group, const GroupSample& from,
                       GroupSample& to, double h, int parts);

  /// Copies the unknowns' positions from `from` to `to`, which is in the same pose, and solves for
  /// their velocities and accelerations there.
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
  std::vector<Start> start_;  // states of the unknowns at the beginning of a part
};

/// Follows the unknowns of a group from a solved sample through a block of samples, all of them at
/// once. Newton's method starts in every lane from the cubic that leaves the last sample, which is
/// the Taylor series of the motion so far. A block is taken only if it is what Continuation would
/// find one sample after the other, by margins that rounding cannot close: Newton's steps shrank
/// fast in every lane, all rows are met, the redundant ones included, no pose is near a singular
/// one and none was passed, and from sample to sample the unknowns moved as their velocities say.
/// All other blocks, and all findings, are left to Continuation. Allocates only when made.
class BlockContinuation {
 public:
  BlockContinuation(std::vector<Equation> equations, std::vector<BodyIndex> unknowns,
                    const Mechanism& mechanism, const Paths& paths, std::size_t driven_values);

  /// The driven values, one entry per slot.
  struct Driven {
    std::vector<Pack> position, velocity, acceleration;
  };
  /// Where the caller writes the driven values of the block that `follow` is called for.
  Driven& driven() { return driven_; }

  /// Starts over at a solved sample, from which the next block follows.
  void begin(const DesignGeometry& geometry, const JointView<double>& last);
  /// Solves for the unknowns of a block whose first `used` lanes are samples `step` seconds apart,
  /// the first of them `first` seconds after the last sample. Returns whether it did; otherwise
  /// leaves the block alone. Spare lanes repeat the last sample.
  bool follow(const DesignGeometry& geometry, const JointState<Pack>& block, double first,
              double step, int used);

 private:
  /// The Taylor series of an unknown at the last sample.
  struct Start {
    double q, v, a, jerk;
  };

  void place(const DesignGeometry& geometry, std::size_t unknown, const Pack& q);
  bool solve_positions(const DesignGeometry& geometry);
  [[nodiscard]] bool smooth(double first, double step, int used);
  void write(const DesignGeometry& geometry, const JointState<Pack>& block, double step, int used);

  GroupLanes group_;
  WatchLanes watch_;
  Driven driven_;
  JointMotion<Pack> at_;  // one block; only the joints in the equations are used
  std::vector<Start> start_;
};

}  // namespace counterpoise
