#pragma once

#include "engine/kinematics/closure/equation_system.hpp"
#include "engine/kinematics/closure/path.hpp"

namespace counterpoise {

/// The Jacobian columns of one loop closure or actuator line over a motion: for every joint
/// on the path between its two points, the velocity of the end of the joint's chain per unit rate
/// of the joint, in the ancestor's axes. The step that poses the joints of the closure leaves the
/// columns here, so that later stages do not compute them again.
template <class S>
class ClosureColumns {
 public:
  explicit ClosureColumns(const Path& path);

  /// Marks the columns as out of date. Once this was called, columns are kept until it is called
  /// again: the caller then calls it whenever the poses on the path change.
  void forget() {
    kept_ = true;
    current_ = false;
  }
  /// Marks the columns as out of date, this time only.
  void outdate() { current_ = false; }
  /// Marks the columns as completely written.
  void finish() { current_ = true; }

  /// Makes room for all blocks of a motion.
  void resize(int blocks);
  void write(int block, const Line<S>& line);
  /// Sets one column, so that columns of fixed joints need not be written.
  void write(int block, std::size_t end, std::size_t position, const Vec3<S>& column) {
    columns_[index(block, end, position)] = column;
  }
  /// Computes the columns of all blocks of the motion, unless current ones are kept.
  void require(const DesignGeometry& geometry, const JointMotion<S>& motion);

  /// The column dp/dq of the joint at `position` of chain `end`, with p the point at that chain's
  /// end.
  [[nodiscard]] const Vec3<S>& column(int block, std::size_t end, std::size_t position) const {
    return columns_[index(block, end, position)];
  }
  /// The length of the line between the points; unspecified where only the ends were written.
  [[nodiscard]] const S& length(int block) const { return lengths_[block]; }
  /// The slope of the line's length by the joint at `position` of chain `end`.
  [[nodiscard]] S length_slope(int block, std::size_t end, std::size_t position) const {
    const S slope = directions_[block].dot(column(block, end, position));
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

/// The Jacobian columns of all loops and actuator lines of a mechanism.
template <class S>
struct ClosureJacobian {
  explicit ClosureJacobian(const Paths& paths);
  std::vector<ClosureColumns<S>> loops;
  std::vector<ClosureColumns<S>> actuators;  // have no joints where the actuator drives a joint

  /// Returns the columns of a loop or of an actuator's line; null for other equations.
  [[nodiscard]] ClosureColumns<S>* of(const Equation& equation);
};

}  // namespace counterpoise
