#include "engine/math/orthogonal_decomposition.hpp"

#include <Eigen/SVD>

namespace counterpoise {

void OrthogonalDecomposition::compute(const Eigen::MatrixXd& matrix) {
  factor_.compute(matrix);
}

void OrthogonalDecomposition::solve(const Eigen::VectorXd& right, Eigen::VectorXd& x) const {
  x = factor_.solve(right);
}

void OrthogonalDecomposition::apply_rotation(Eigen::MatrixXd& matrix,
                                             Eigen::RowVectorXd& scratch) const {
  factor_.householderQ().applyThisOnTheLeft(matrix, scratch);
}

Eigen::MatrixXd OrthogonalDecomposition::kernel() const {
  const Eigen::Index open = factor_.cols() - factor_.rank();
  if (open == 0) return Eigen::MatrixXd(factor_.cols(), 0);
  return factor_.colsPermutation() * factor_.matrixZ().adjoint().rightCols(open);
}

/// Applies the k-th reflection of Q.
void ColumnDecomposition::reflect(Eigen::Index k, Eigen::Ref<Eigen::MatrixXd> right) {
  const Eigen::Index rest = factor_.rows() - k;
  right.bottomRows(rest).applyHouseholderOnTheLeft(factor_.matrixQR().col(k).tail(rest - 1),
                                                   factor_.hCoeffs()(k), work_.data());
}

void ColumnDecomposition::solve(Eigen::Ref<Eigen::MatrixXd> right, Eigen::Ref<Eigen::MatrixXd> x) {
  const Eigen::Index n = factor_.cols();
  if (work_.size() < right.cols()) work_.resize(right.cols());
  for (Eigen::Index k = 0; k < n; ++k) reflect(k, right);
  const auto triangle = factor_.matrixQR().topRows(n).triangularView<Eigen::Upper>();
  for (Eigen::Index j = 0; j < right.cols(); ++j) {
    triangle.solveInPlace(right.col(j).head(n));
    for (Eigen::Index k = 0; k < n; ++k) x(factor_.colsPermutation().indices()(k), j) = right(k, j);
  }
}

void ColumnDecomposition::solve_transposed(const Eigen::VectorXd& right, Eigen::VectorXd& x) {
  const Eigen::Index n = factor_.cols();
  if (work_.size() < 1) work_.resize(1);
  x.setZero(factor_.rows());
  for (Eigen::Index k = 0; k < n; ++k) x(k) = right(factor_.colsPermutation().indices()(k));
  factor_.matrixQR().topRows(n).triangularView<Eigen::Upper>().transpose().solveInPlace(x.head(n));
  for (Eigen::Index k = n; k-- > 0;) reflect(k, x);
}

Eigen::VectorXd SingularValueDecomposition::solve(const Eigen::VectorXd& right,
                                                  double threshold) const {
  Eigen::VectorXd shares = u.transpose() * right;
  for (Eigen::Index i = 0; i < shares.size(); ++i)
    shares[i] = values[i] > threshold * values[0] ? shares[i] / values[i] : 0.0;
  return v * shares;
}

SingularValueDecomposition singular_value_decomposition(const Eigen::MatrixXd& matrix) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(matrix, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return {svd.singularValues(), svd.matrixU(), svd.matrixV()};
}

Eigen::VectorXd singular_values(const Eigen::MatrixXd& matrix) {
  return Eigen::JacobiSVD<Eigen::MatrixXd>(matrix).singularValues();
}

int rank_of(const Eigen::MatrixXd& matrix, double threshold, double least) {
  if (matrix.size() == 0) return 0;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factor(matrix);
  factor.setThreshold(threshold);
  return factor.maxPivot() > least ? static_cast<int>(factor.rank()) : 0;
}

}  // namespace counterpoise
