#pragma once

#include <cstddef>
#include <vector>

namespace counterpoise {

/// Triangular factors of a small dense square matrix, with rows exchanged for the largest pivots.
/// Its buffers are kept from one matrix to the next of the same size.
class SmallLu {
 public:
  void resize(int size);
  /// A row of the matrix that is factored next, to be filled in.
  [[nodiscard]] double* row(int i) { return matrix_.data() + place(i, 0); }
  [[nodiscard]] const double* row(int i) const { return matrix_.data() + place(i, 0); }

  /// Returns false where the matrix is singular to rounding. Cost: size^3 / 3 products.
  bool factor();
  /// Replaces b by the solution x of matrix * x = b, and of matrix' * x = b.
  void solve(std::vector<double>& b) const;
  void solve_transposed(std::vector<double>& b) const;
  /// Solves again for the residual of an answer x, which makes it exact to rounding.
  void refine(const std::vector<double>& b, std::vector<double>& x) const;
  void refine_transposed(const std::vector<double>& b, std::vector<double>& x) const;

 private:
  [[nodiscard]] std::size_t place(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(size_) +
           static_cast<std::size_t>(j);
  }

  int size_ = 0;
  std::vector<double> matrix_, factors_;  // row-major
  std::vector<double> inverse_pivots_;
  std::vector<int> order_;  // the row of the matrix that each row of the factors is
  mutable std::vector<double> work_, residual_;
};

}  // namespace counterpoise
