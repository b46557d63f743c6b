#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <vector>

namespace counterpoise {

/// Triangular factors of a small dense square matrix, with rows exchanged for the largest pivots.
/// Its buffers are kept from one matrix to the next of the same size.
class SmallLu {
 public:
  void resize(int size);
  /// A row of the matrix that is factored next, to be filled in.
  [[nodiscard]] double* row(int i) { return matrix_.row(i).data(); }

  /// Returns false where the matrix is singular to rounding. Cost: size^3 / 3 products.
  bool factor();
  /// Replaces b by the solution x of matrix * x = b, and of matrix' * x = b.
  void solve(std::vector<double>& b);
  void solve_transposed(std::vector<double>& b);
  /// Solves again for the residual of an answer x, which makes it exact to rounding.
  void refine(const std::vector<double>& b, std::vector<double>& x);
  void refine_transposed(const std::vector<double>& b, std::vector<double>& x);

 private:
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  Matrix matrix_;
  Eigen::PartialPivLU<Matrix> factors_;
  Eigen::VectorXd work_, residual_;
};

}  // namespace counterpoise
