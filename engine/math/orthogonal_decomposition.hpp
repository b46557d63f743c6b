#pragma once

#include <Eigen/QR>

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

  /// Sets `x` to the x of least norm among those that make |A x - right| least.
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

/// A pivoted decomposition A P = Q R of a matrix with no more columns than rows and of full rank,
/// for systems that are solved again and again. It is Eigen's; its solutions allocate only where
/// the size of the matrix or the number of right sides grows, which Eigen's own always do.
class ColumnDecomposition {
 public:
  void compute(const Eigen::MatrixXd& matrix) { factor_.compute(matrix); }
  /// The absolute value of the smallest pivot; the matrix must have a column.
  [[nodiscard]] double least_pivot() const {
    return factor_.matrixQR().diagonal().cwiseAbs().minCoeff();
  }

  /// Sets each column of `x` to the x that makes |A x - right| least. `right` is used as workspace.
  void solve(Eigen::Ref<Eigen::MatrixXd> right, Eigen::Ref<Eigen::MatrixXd> x);
  /// Sets `x` to the x of least norm with A' x = right.
  void solve_transposed(const Eigen::VectorXd& right, Eigen::VectorXd& x);

 private:
  void reflect(Eigen::Index k, Eigen::Ref<Eigen::MatrixXd> right);

  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factor_;
  Eigen::RowVectorXd work_;
};

/// The singular value decomposition A = U diag(values) V', values in descending order. It is
/// Eigen's, compiled in one place.
struct SingularValueDecomposition {
  Eigen::VectorXd values;
  Eigen::MatrixXd u, v;  // thin: as many columns as values; empty where only values were asked for

  /// Returns the x of least norm among those that make |A x - right| least; values up to
  /// `threshold` of the largest count as zero. Needs u and v.
  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& right, double threshold) const;
};
SingularValueDecomposition singular_value_decomposition(const Eigen::MatrixXd& matrix);
/// Returns the singular values alone.
Eigen::VectorXd singular_values(const Eigen::MatrixXd& matrix);

/// Returns the rank of a matrix: the number of pivots above `threshold` of the largest, or 0 where
/// no pivot is above `least`.
int rank_of(const Eigen::MatrixXd& matrix, double threshold, double least);

}  // namespace counterpoise
