#include "engine/math/column_decomposition.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/math/reflections.hpp"

namespace counterpoise {

void ColumnDecomposition::exchange(Eigen::Index a, Eigen::Index b) {
  double* one = factor_.col(a).data();
  std::swap_ranges(one, one + factor_.rows(), factor_.col(b).data());
  std::swap(place_(a), place_(b));
  std::swap(whole_(a), whole_(b));
  std::swap(left_(a), left_(b));
}

void ColumnDecomposition::compute(const Eigen::MatrixXd& matrix) {
  // what is left of a square is rounding below this share of the whole
  constexpr double rounding = 1e-7;
  factor_ = matrix;
  const Eigen::Index rows = matrix.rows(), columns = matrix.cols();
  place_.resize(columns);
  whole_.resize(columns);
  left_.resize(columns);
  share_.resize(columns);
  const auto square = [&](Eigen::Index j, Eigen::Index from) {
    const double* x = factor_.col(j).data();
    double sum = 0.0;
    for (Eigen::Index i = from; i < rows; ++i) sum += x[i] * x[i];
    return sum;
  };
  for (Eigen::Index j = 0; j < columns; ++j) {
    place_(j) = j;
    whole_(j) = left_(j) = square(j, 0);
  }
  for (Eigen::Index k = 0; k < columns; ++k) {
    Eigen::Index pivot = k;
    for (Eigen::Index j = k + 1; j < columns; ++j)
      if (left_(j) > left_(pivot)) pivot = j;
    if (pivot != k) exchange(k, pivot);
    double* v = factor_.col(k).data() + k;
    share_(k) = make_reflection(v, rows - k);
    reflect_all(v, share_(k), rows - k, v + rows, rows, columns - k - 1);
    for (Eigen::Index j = k + 1; j < columns; ++j) {
      const double above = factor_(k, j);
      left_(j) -= above * above;
      if (left_(j) <= rounding * whole_(j)) whole_(j) = left_(j) = square(j, k + 1);
    }
  }
}

double ColumnDecomposition::least_pivot() const {
  double least = std::abs(factor_(0, 0));
  for (Eigen::Index k = 1; k < factor_.cols(); ++k) {
    const double pivot = std::abs(factor_(k, k));
    if (!(pivot >= least)) least = pivot;
    if (std::isnan(pivot)) break;
  }
  return least;
}

void ColumnDecomposition::solve(Eigen::Ref<Eigen::MatrixXd> right,
                                Eigen::Ref<Eigen::MatrixXd> x) const {
  const Eigen::Index rows = factor_.rows(), columns = factor_.cols();
  const Eigen::Index stride = right.outerStride(), count = right.cols();
  for (Eigen::Index k = 0; k < columns; ++k)
    reflect_all(factor_.col(k).data() + k, share_(k), rows - k, right.data() + k, stride, count);
  for (Eigen::Index c = 0; c < count; ++c) {
    double* y = right.data() + c * stride;
    for (Eigen::Index k = columns; k-- > 0;) {
      const double* above = factor_.col(k).data();
      const double value = y[k] / above[k];
      x(place_(k), c) = value;
      for (Eigen::Index i = 0; i < k; ++i) y[i] -= above[i] * value;
    }
  }
}

void ColumnDecomposition::solve_transposed(const Eigen::VectorXd& right, Eigen::VectorXd& x) const {
  const Eigen::Index rows = factor_.rows(), columns = factor_.cols();
  x.setZero(rows);
  for (Eigen::Index k = 0; k < columns; ++k) {
    const double* above = factor_.col(k).data();
    double rest = right(place_(k));
    for (Eigen::Index i = 0; i < k; ++i) rest -= above[i] * x(i);
    x(k) = rest / above[k];
  }
  for (Eigen::Index k = columns; k-- > 0;)
    reflect_all(factor_.col(k).data() + k, share_(k), rows - k, x.data() + k, rows, 1);
}

}  // namespace counterpoise
