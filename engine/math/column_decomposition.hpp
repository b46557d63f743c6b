#pragma once

#include <Eigen/Core>

namespace counterpoise {

/// A pivoted decomposition A P = Q R of a matrix with no more columns than rows and of full rank,
/// for small systems that are solved again and again, by Householder's reflections. Allocates only
/// where the size of the matrix grows. Cost: columns^2 (rows - columns / 3) multiplications and
/// additions, of which four columns at a time go on beside each other.
class ColumnDecomposition {
 public:
  void compute(const Eigen::MatrixXd& matrix);
  /// The absolute value of the smallest pivot; the matrix must have a column.
  [[nodiscard]] double least_pivot() const;

  /// Sets each column of `x` to the x that makes |A x - right| least. `right` is used as workspace.
  void solve(Eigen::Ref<Eigen::MatrixXd> right, Eigen::Ref<Eigen::MatrixXd> x) const;
  /// Sets `x` to the x of least norm with A' x = right.
  void solve_transposed(const Eigen::VectorXd& right, Eigen::VectorXd& x) const;

 private:
  void exchange(Eigen::Index a, Eigen::Index b);

  Eigen::MatrixXd factor_;  // R, and below it the vectors of the reflections without their first 1
  Eigen::VectorXd share_;   // reflection k takes share * (v . x) v away
  Eigen::VectorX<Eigen::Index> place_;  // of the k-th column of R in A
  Eigen::VectorXd whole_, left_;        // squares of the columns' norms, and what is left of them
};

}  // namespace counterpoise
