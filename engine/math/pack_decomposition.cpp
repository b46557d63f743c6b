#include "engine/math/pack_decomposition.hpp"

namespace counterpoise {
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
  reflect_columns<1>(&entries_[index(0, k)], share_[static_cast<std::size_t>(k)], k, rows_, right);
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
    for (int i = 0; i < j; ++i)
      work_[static_cast<std::size_t>(i)] = -entries_[index(i, j)] * inverse_[last];
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
