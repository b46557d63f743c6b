#include "engine/math/orthogonal_decomposition.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

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
  return rank_of(std::vector<Eigen::MatrixXd>{matrix}, threshold, least);
}

int rank_of(const std::vector<Eigen::MatrixXd>& blocks, double threshold, double least) {
  std::vector<double> pivots;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factor;
  for (const Eigen::MatrixXd& block : blocks) {
    if (block.size() == 0) continue;
    factor.compute(block);
    for (Eigen::Index i = 0; i < factor.nonzeroPivots(); ++i)
      pivots.push_back(std::abs(factor.matrixQR()(i, i)));
  }
  const double largest = pivots.empty() ? 0.0 : *std::max_element(pivots.begin(), pivots.end());
  if (!(largest > least)) return 0;
  return static_cast<int>(std::count_if(pivots.begin(), pivots.end(),
                                        [&](double pivot) { return pivot > largest * threshold; }));
}

namespace {

/// Adds share * (v . x) v to each of `count` columns x of a matrix, from entry `first` on. Several
/// columns at once hide the time from one addition of a sum to the next.
template <int count>
void reflect_columns(const Pack* v, const Pack& share, int first, int rows, Pack* x) {
  Pack sum[count];
  for (int i = first; i < rows; ++i)
    for (int c = 0; c < count; ++c) sum[c] += v[i] * x[c * rows + i];
  for (int c = 0; c < count; ++c) sum[c] *= share;
  for (int i = first; i < rows; ++i)
    for (int c = 0; c < count; ++c) x[c * rows + i] += v[i] * sum[c];
}

}  // namespace

PackDecomposition::PackDecomposition(int rows, int columns)
    : rows_(rows),
      columns_(columns),
      entries_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)),
      diagonal_(static_cast<std::size_t>(columns)),
      inverse_(static_cast<std::size_t>(columns)),
      share_(static_cast<std::size_t>(columns)),
      work_(static_cast<std::size_t>(columns)) {}

void PackDecomposition::compute() {
  for (int k = 0; k < columns_; ++k) {
    const auto at = static_cast<std::size_t>(k);
    Pack* v = &entries_[index(0, k)];
    Pack even(0.0), odd(0.0);
    int i = k;
    for (; i + 1 < rows_; i += 2) {
      even += v[i] * v[i];
      odd += v[i + 1] * v[i + 1];
    }
    if (i < rows_) even += v[i] * v[i];
    const Pack norm = sqrt(even + odd);
    diagonal_[at] = select(v[k] > Pack(0.0), -norm, norm);
    inverse_[at] = Pack(1.0) / diagonal_[at];
    v[k] -= diagonal_[at];
    share_[at] = inverse_[at] / v[k];
    int j = k + 1;
    for (; j + 3 < columns_; j += 4)
      reflect_columns<4>(v, share_[at], k, rows_, &entries_[index(0, j)]);
    for (; j < columns_; ++j) reflect_columns<1>(v, share_[at], k, rows_, &entries_[index(0, j)]);
  }
}

/// Applies the k-th reflection of Q.
void PackDecomposition::reflect(int k, Pack* right) const {
  reflect_columns<1>(&entries_[index(0, k)], share_[k], k, rows_, right);
}

void PackDecomposition::solve(std::span<Pack> right, std::span<Pack> x) const {
  for (int k = 0; k < columns_; ++k) reflect(k, right.data());
  for (int k = columns_; k-- > 0;) {
    const auto at = static_cast<std::size_t>(k);
    x[at] = right[at] * inverse_[at];
    const Pack* above = &entries_[index(0, k)];
    for (std::size_t i = 0; i < at; ++i) right[i] -= above[i] * x[at];
  }
}

Pack PackDecomposition::conditioning() {
  Pack squares(0.0), squares_of_inverse(0.0);
  for (int j = 0; j < columns_; ++j) {
    const auto last = static_cast<std::size_t>(j);
    squares += diagonal_[last] * diagonal_[last];
    for (int i = 0; i < j; ++i) squares += entries_[index(i, j)] * entries_[index(i, j)];
    // column j of the inverse, from its end on
    work_[last] = inverse_[last];
    for (int i = 0; i < j; ++i) work_[i] = -entries_[index(i, j)] * inverse_[last];
    for (int k = j; k-- > 0;) {
      const auto at = static_cast<std::size_t>(k);
      work_[at] *= inverse_[at];
      const Pack* above = &entries_[index(0, k)];
      for (std::size_t i = 0; i < at; ++i) work_[i] -= above[i] * work_[at];
    }
    for (std::size_t i = 0; i <= last; ++i) squares_of_inverse += work_[i] * work_[i];
  }
  return Pack(1.0) / sqrt(squares * squares_of_inverse);
}

Pack PackDecomposition::determinant() const {
  Pack product(1.0);
  for (const Pack& pivot : diagonal_) product *= -pivot;
  return product;
}

}  // namespace counterpoise
