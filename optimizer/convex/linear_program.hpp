#pragma once

#include <Eigen/Core>
#include <memory>

#include "optimizer/convex/epigraph_simplex.hpp"
#include "optimizer/convex/linear_rows.hpp"

namespace counterpoise {

/// Minimises cost'x within bounds of x, under rows a'x >= lower that are added one after the other.
///
/// EpigraphSimplex continues from the last basis, in double; where rounding stops it, the same
/// method in long double takes over. The caller has to scale the problem: numbers of x, costs and
/// rows should be about 1. Deterministic; nothing is shared between two programs, so each thread
/// may have its own.
class LinearProgram {
 public:
  using Outcome = LinearOutcome;

  /// Bounds must be finite where the cost is not 0.
  explicit LinearProgram(LinearColumns columns);
  LinearProgram(const LinearProgram&) = delete;  // its simplex refers to its rows
  LinearProgram& operator=(const LinearProgram&) = delete;

  /// Adds a row and returns its index, from 0. Its entries are added with entry(), in any order of
  /// columns.
  int add_row(double lower);
  /// Adds an entry to the last row; each column at most once.
  void entry(int column, double coefficient);

  /// Afterwards x and multipliers agree with the equations of the last basis to rounding.
  Outcome solve();

  [[nodiscard]] double objective() const { return objective_; }
  [[nodiscard]] const Eigen::VectorXd& x() const { return x_; }  // 0 before the first answer
  /// The dual multiplier of a row, >= 0: the objective rises by so much per unit of the row's lower
  /// bound. It is 0 for a row that is newer than the last answer.
  [[nodiscard]] double multiplier(int row) const {
    return row < multipliers_.size() ? multipliers_[row] : 0.0;
  }

 private:
  template <class S>
  LinearOutcome solve(EpigraphSimplex<S>& simplex);

  const LinearColumns columns_;
  LinearRows rows_;
  EpigraphSimplex<double> simplex_;
  std::unique_ptr<EpigraphSimplex<long double>> longer_;  // once it has taken over
  double objective_ = 0.0;
  Eigen::VectorXd x_, multipliers_;
};

}  // namespace counterpoise
