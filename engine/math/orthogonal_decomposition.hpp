#pragma once

#include <Eigen/QR>
#include <span>
#include <vector>

#include "engine/math/pack.hpp"

namespace counterpoise {

/// A complete orthogonal decomposition A P = Q [T 0; 0 0] Z of a matrix of any rank, for
/// least-squares solutions of least norm. It is Eigen's, compiled in one place. Allocates only
/// where the size of the matrix changes.
class OrthogonalDecomposition {
 public:
  OrthogonalDecomposition() = default;
  OrthogonalDecomposition(Eigen::Index rows, Eigen::Index columns) : factor_(rows, columns) {}

  /// Pivots below this share of the largest count as zero. Without this call Eigen's own rule
  /// holds.
  void set_threshold(double threshold) { factor_.setThreshold(threshold); }
  void compute(const Eigen::MatrixXd& matrix);

  /// Sets `x` to the least-norm minimiser of |A x - right|.
  void solve(const Eigen::VectorXd& right, Eigen::VectorXd& x) const;
  [[nodiscard]] Eigen::Index rank() const { return factor_.rank(); }
  /// The absolute values of the pivots, as many as A has columns.
  [[nodiscard]] auto pivots() const {
    return factor_.matrixQTZ().diagonal().head(factor_.cols()).cwiseAbs();
  }
  /// Returns an orthonormal basis of the x with A x = 0, one column each.
  [[nodiscard]] Eigen::MatrixXd kernel() const;
  /// Replaces `matrix` by Q matrix; `scratch` must be as long as `matrix` has columns.
  void apply_rotation(Eigen::MatrixXd& matrix, Eigen::RowVectorXd& scratch) const;

 private:
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor_;
};

/// The singular value decomposition A = U diag(values) V', values in descending order. It is
/// Eigen's, compiled in one place.
struct SingularValueDecomposition {
  Eigen::VectorXd values;
  Eigen::MatrixXd u, v;  // thin: as many columns as values; empty where only values were asked for

  /// Returns the least-norm minimiser of |A x - right|; values up to `threshold` of the largest
  /// count as zero. Needs u and v.
  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& right, double threshold) const;
};
SingularValueDecomposition singular_value_decomposition(const Eigen::MatrixXd& matrix);
/// Returns the singular values alone.
Eigen::VectorXd singular_values(const Eigen::MatrixXd& matrix);

/// Returns the rank of a matrix: the number of pivots above `threshold` of the largest, or 0 where
/// no pivot is above `least`.
int rank_of(const Eigen::MatrixXd& matrix, double threshold, double least);
/// The same of the matrix whose diagonal has these matrices as its blocks and that is zero
/// elsewhere: a pivot is compared with the largest one of all blocks.
int rank_of(const std::vector<Eigen::MatrixXd>& blocks, double threshold, double least);

/// Decompositions A = Q R of as many matrices of one size as a Pack has lanes, with no more columns
/// than rows, by Householder's reflections in the columns' own order. Without pivots no lane has to
/// wait for another. A rank is not found; `conditioning` says how far off a loss of rank is.
/// Nothing is allocated after construction.
class PackDecomposition {
 public:
  PackDecomposition(int rows, int columns);

  /// The entries of column `j`, to be written before `compute`, which replaces them.
  [[nodiscard]] std::span<Pack> column(int j) {
    return std::span(entries_).subspan(index(0, j), static_cast<std::size_t>(rows_));
  }
  /// Decomposes the matrices. Cost: columns^2 (rows - columns / 3) multiplications and additions.
  void compute();

  /// Sets `x` to the x that makes |A x - right| least. `right` is used as workspace.
  void solve(std::span<Pack> right, std::span<Pack> x) const;

  /// At most the least singular value over the largest, and no less than a share of it of one over
  /// the number of columns: one over the Frobenius norms of A and its inverse. Not a number where a
  /// pivot is zero. Cost: columns^3 / 6 multiplications and additions.
  [[nodiscard]] Pack conditioning();
  /// The determinant of A if it is square. Otherwise the volume that its columns span, with a sign
  /// that means nothing.
  [[nodiscard]] Pack determinant() const;

 private:
  [[nodiscard]] std::size_t index(int i, int j) const {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(rows_) +
           static_cast<std::size_t>(i);
  }
  void reflect(int k, Pack* right) const;

  int rows_, columns_;
  // the vectors of the reflections from the diagonal down, R above it, column by column
  std::vector<Pack> entries_;
  std::vector<Pack> diagonal_, inverse_;  // of R, and one over each
  std::vector<Pack> share_;               // reflection k adds share * (v . x) v
  std::vector<Pack> work_;                // a column of the inverse of R
};

}  // namespace counterpoise
