#pragma once

#include <span>
#include <vector>

#include "engine/math/pack.hpp"

namespace counterpoise {

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
