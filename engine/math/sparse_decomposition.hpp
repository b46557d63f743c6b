#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace counterpoise {

/// A decomposition A P = Q R of a large matrix whose rows have few entries, of full column rank,
/// for least-squares solutions. Columns are eliminated in an order that fills little in, each by
/// Householder's reflections of the rows that have it (a front); what is left of these rows goes to
/// the front of the next column that they have. There are no pivots, so that the order of work is
/// the same for all matrices of a pattern. Cost: proportional to the size of the matrix, where
/// fronts stay small, as they do of chains and trees. Allocates only when made.
class SparseDecomposition {
 public:
  /// The columns of each row's entries, in any order; each column is to occur in a row.
  using Pattern = std::vector<std::vector<int>>;
  SparseDecomposition(const Pattern& rows, int columns);

  /// Decomposes the matrix with these entries, which follow each other as in the pattern.
  void compute(std::span<const double> entries);
  /// The absolute value of the smallest pivot: an upper bound of the least singular value.
  [[nodiscard]] double least_pivot() const;

  /// Sets `x` (columns) to the x that makes |A x - right| least, with `right` (rows).
  void solve(std::span<const double> right, std::span<double> x);
  /// Sets `x` (rows) to the x of least norm with A' x = right, with `right` (columns).
  void solve_transposed(std::span<const double> right, std::span<double> x);
  /// The square of R'^-1 a, of a row a with these columns and entries: of a row of A it is the
  /// share of 1 to which this row determines what it measures.
  [[nodiscard]] double leverage(std::span<const int> columns, std::span<const double> entries);

 private:
  /// One column's elimination. The matrix of a front has its own rows first, then what earlier
  /// fronts have left over; its first column is the one that is eliminated.
  struct Front {
    std::vector<int> columns;   // of A
    std::vector<int> own;       // rows of A
    std::vector<int> children;  // fronts
    int rows = 0, reflections = 0;
    std::size_t matrix = 0;  // the place of its first entry, columns one after the other
    std::size_t shares = 0;
    std::size_t slot = 0;                 // of its rows, in a vector
    std::size_t columns_of_children = 0;  // where the children's columns are told
    std::size_t entries = 0;              // where the places of its own rows' entries are told
  };
  [[nodiscard]] double* column(const Front& front, int j) {
    return &matrices_[front.matrix + static_cast<std::size_t>(j * front.rows)];
  }
  [[nodiscard]] const double* column(const Front& front, int j) const {
    return &matrices_[front.matrix + static_cast<std::size_t>(j * front.rows)];
  }
  void order_columns(const Pattern& rows, int columns);
  void place_fronts(const Pattern& rows);
  void assemble(const Front& front, std::span<const double> entries);

  std::vector<Front> fronts_;                 // in the order of elimination
  std::vector<int> place_of_child_column_;    // among the columns of its parent
  std::vector<std::size_t> source_, target_;  // of own entries: in the pattern, and in matrices_
  std::vector<double> matrices_, shares_;
  std::vector<double> slots_;  // a vector's part in each front
  std::vector<int> turns_;     // of each column: its front
  std::vector<double> sums_;   // by column
};

/// Columns of a matrix that span all of its columns.
struct SpanningColumns {
  std::vector<int> columns;
  std::vector<double> pivots;  // the largest first; small ones belong to columns that others span
};

/// Finds spanning columns of a large matrix of any rank whose rows have few entries. Columns are
/// taken in an order that fills little in. One that is short, or has lost most of its length to
/// those before it, has to wait; those that wait are taken last, by pivoting. Cost: as of a
/// decomposition, and that of one of all waiting columns.
SpanningColumns spanning_columns(const SparseDecomposition::Pattern& rows, int columns,
                                 std::span<const double> entries);

}  // namespace counterpoise
