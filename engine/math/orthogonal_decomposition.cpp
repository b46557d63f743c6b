#include "engine/math/orthogonal_decomposition.hpp"

namespace counterpoise {

void OrthogonalDecomposition::compute(const Eigen::MatrixXd& matrix) {
  factor_.compute(matrix);
}

void OrthogonalDecomposition::compute_transposed(const Eigen::MatrixXd& matrix) {
  factor_.compute(matrix.transpose());
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
  return factor_.colsPermutation() * factor_.matrixZ().adjoint().rightCols(open);
}

int rank_of(const Eigen::MatrixXd& matrix, double threshold, double least) {
  if (matrix.size() == 0) return 0;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factor(matrix);
  factor.setThreshold(threshold);
  return factor.maxPivot() > least ? static_cast<int>(factor.rank()) : 0;
}

}  // namespace counterpoise
