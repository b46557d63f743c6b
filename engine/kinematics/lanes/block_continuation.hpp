#pragma once

#include "engine/kinematics/lanes/watch_lanes.hpp"

namespace counterpoise {

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
  JointMotion<Pack> at_;  // one block, of which only the joints in the equations are used
  std::vector<Start> start_;
};

}  // namespace counterpoise
