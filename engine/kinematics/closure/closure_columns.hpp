#pragma once

#include "engine/kinematics/chains/two_point.hpp"
#include "engine/kinematics/closure/equations.hpp"

namespace counterpoise {

/// The columns of the Jacobian of one loop or actuator line over a whole motion: for every joint on
/// the way between its two points how fast the end of the joint's chain moves per rate of the
/// joint, in the ancestor's axes. Whoever poses the joints of the closure leaves them here, and
/// whoever needs them later does not compute them again.
template <class S>
class ClosureColumns {
 public:
  explicit ClosureColumns(const Path& path);

  /// What was written does not hold any longer.
  void forget() { current_ = false; }
  /// Everything was written.
  void finish() { current_ = true; }
  /// Somebody forgets the columns whenever the poses on the path change, so that they may be kept.
  void keep() { kept_ = true; }

  /// Makes room for all blocks of a motion.
  void resize(int blocks);
  void write(int block, const Line<S>& line);
  void write(int block, const std::array<Trace<S>, 2>& ends);
  /// Traces all blocks of the motion, unless what was written is current.
  void require(const DesignGeometry& geometry, const JointMotion<S>& motion);

  /// dp/dq of the joint at `position` of chain `end`, p the point at that chain's end.
  [[nodiscard]] const Vec3<S>& column(int block, std::size_t end, std::size_t position) const {
    return columns_[index(block, end, position)];
  }
  /// Of the line between the points; unspecified where only ends were written.
  [[nodiscard]] const S& length(int block) const {
    return lengths_[static_cast<std::size_t>(block)];
  }
  /// The slope of that length by the joint at `position` of chain `end`.
  [[nodiscard]] S length_slope(int block, std::size_t end, std::size_t position) const {
    const S slope = directions_[static_cast<std::size_t>(block)].dot(column(block, end, position));
    return end == 0 ? S(-slope) : slope;
  }

 private:
  [[nodiscard]] std::size_t index(int block, std::size_t end, std::size_t position) const {
    return static_cast<std::size_t>(block) * joints_ + end * line_.ends[0].column.size() + position;
  }

  const Path* path_;
  std::size_t joints_;
  bool kept_ = false, current_ = false;
  std::vector<Vec3<S>> columns_;     // block by block, both chains of a block together
  std::vector<Vec3<S>> directions_;  // per block
  std::vector<S> lengths_;           // per block
  Line<S> line_;
};

/// The columns of all loops and actuator lines of a mechanism.
template <class S>
struct ClosureJacobian {
  explicit ClosureJacobian(const Paths& paths);
  std::vector<ClosureColumns<S>> loops;
  std::vector<ClosureColumns<S>> actuators;  // without joints for actuators on joints

  /// Those of a loop or an actuator's line; null of other equations.
  [[nodiscard]] ClosureColumns<S>* of(const Equation& equation);
};

}  // namespace counterpoise
