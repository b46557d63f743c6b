#pragma once

#include <cstddef>
#include <vector>

namespace counterpoise {

/// The columns of a linear program, with a cost to be minimised.
///
/// An epigraph column has bounds 0 and infinity and no cost, and stands for the largest of some
/// affine functions of the other columns: it has the coefficient 1 in rows of its own, which
/// contain no other epigraph column, and a coefficient of at most 0 in all other rows.
struct LinearColumns {
  std::vector<double> lower, upper, cost;
  std::vector<bool> epigraph;

  int add(double low, double high, double price);  // returns its index
  int add_epigraph();
  [[nodiscard]] int count() const { return static_cast<int>(cost.size()); }
};

/// The rows a'x >= lower of a linear program, to which more are added at the end.
struct LinearRows {
  std::vector<double> lower;
  std::vector<int> starts;  // of each row in columns and coefficients
  std::vector<int> columns;
  std::vector<double> coefficients;

  [[nodiscard]] int count() const { return static_cast<int>(lower.size()); }
  [[nodiscard]] std::size_t begin(int row) const { return static_cast<std::size_t>(starts[row]); }
  [[nodiscard]] std::size_t end(int row) const {
    return row + 1 < count() ? begin(row + 1) : columns.size();
  }
};

/// How a linear program ended. `failed`: rounding prevented an answer.
enum class LinearOutcome { optimal, infeasible, failed };

}  // namespace counterpoise
