#include "optimizer/convex/solver/linear/small_lu.hpp"

#include <algorithm>
#include <cmath>

namespace counterpoise {
namespace {

constexpr double least_pivot = 1e-14;  // relative to the largest entry of the matrix

}  // namespace

void SmallLu::resize(int size) {
  size_ = size;
  const auto count = static_cast<std::size_t>(size);
  matrix_.assign(count * count, 0.0);
  factors_.assign(count * count, 0.0);
  inverse_pivots_.assign(count, 0.0);
  order_.assign(count, 0);
  work_.assign(count, 0.0);
  residual_.assign(count, 0.0);
}

bool SmallLu::factor() {
  factors_ = matrix_;
  double largest = 0.0;
  for (const double entry : factors_) largest = std::max(largest, std::abs(entry));
  for (int i = 0; i < size_; ++i) order_[static_cast<std::size_t>(i)] = i;
  for (int k = 0; k < size_; ++k) {
    int at = k;
    for (int i = k + 1; i < size_; ++i)
      if (std::abs(factors_[place(i, k)]) > std::abs(factors_[place(at, k)])) at = i;
    const double pivot = factors_[place(at, k)];
    if (!(std::abs(pivot) > least_pivot * largest)) return false;
    if (at != k) {
      std::swap(order_[static_cast<std::size_t>(at)], order_[static_cast<std::size_t>(k)]);
      std::swap_ranges(factors_.begin() + static_cast<std::ptrdiff_t>(place(at, 0)),
                       factors_.begin() + static_cast<std::ptrdiff_t>(place(at, 0)) + size_,
                       factors_.begin() + static_cast<std::ptrdiff_t>(place(k, 0)));
    }
    const double inverse = 1.0 / pivot;
    inverse_pivots_[static_cast<std::size_t>(k)] = inverse;
    const double* upper = factors_.data() + place(k, 0);
    for (int i = k + 1; i < size_; ++i) {
      double* lower = factors_.data() + place(i, 0);
      if (lower[k] == 0.0) continue;
      const double factor = lower[k] *= inverse;
      for (int j = k + 1; j < size_; ++j) lower[j] -= factor * upper[j];
    }
  }
  return true;
}

void SmallLu::solve(std::vector<double>& b) const {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  for (int i = 0; i < size_; ++i) {
    double sum = b[at(order_[at(i)])];
    for (int j = 0; j < i; ++j) sum -= factors_[place(i, j)] * work_[at(j)];
    work_[at(i)] = sum;
  }
  for (int i = size_ - 1; i >= 0; --i) {
    double sum = work_[at(i)];
    for (int j = i + 1; j < size_; ++j) sum -= factors_[place(i, j)] * b[at(j)];
    b[at(i)] = sum * inverse_pivots_[at(i)];
  }
}

void SmallLu::solve_transposed(std::vector<double>& b) const {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  std::copy(b.begin(), b.end(), work_.begin());
  for (int i = 0; i < size_; ++i) {
    const double value = work_[at(i)] *= inverse_pivots_[at(i)];
    for (int j = i + 1; j < size_; ++j) work_[at(j)] -= factors_[place(i, j)] * value;
  }
  for (int i = size_ - 1; i > 0; --i)
    for (int j = 0; j < i; ++j) work_[at(j)] -= factors_[place(i, j)] * work_[at(i)];
  for (int i = 0; i < size_; ++i) b[at(order_[at(i)])] = work_[at(i)];
}

void SmallLu::refine(const std::vector<double>& b, std::vector<double>& x) const {
  for (int i = 0; i < size_; ++i) {
    double rest = b[static_cast<std::size_t>(i)];
    for (int j = 0; j < size_; ++j) rest -= row(i)[j] * x[static_cast<std::size_t>(j)];
    residual_[static_cast<std::size_t>(i)] = rest;
  }
  solve(residual_);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += residual_[i];
}

void SmallLu::refine_transposed(const std::vector<double>& b, std::vector<double>& x) const {
  std::copy(b.begin(), b.end(), residual_.begin());
  for (int i = 0; i < size_; ++i)
    for (int j = 0; j < size_; ++j)
      residual_[static_cast<std::size_t>(j)] -= row(i)[j] * x[static_cast<std::size_t>(i)];
  solve_transposed(residual_);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += residual_[i];
}

}  // namespace counterpoise
