#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <vector>

#include "optimizer/convex/linear_rows.hpp"
#include "optimizer/convex/tolerances.hpp"

namespace counterpoise {

/// Triangular factors of a small dense square matrix, with rows exchanged for the largest pivots.
/// Its buffers are kept from one matrix to the next of the same size.
template <class S>
class SmallLu {
 public:
  void resize(int size);
  /// A row of the matrix that is factored next, to be filled in.
  [[nodiscard]] S* row(int i) { return matrix_.row(i).data(); }

  /// Returns false where the matrix is singular to rounding. Cost: size^3 / 3 products.
  bool factor();
  /// Replaces b by the solution x of matrix * x = b, and of matrix' * x = b.
  void solve(std::vector<S>& b);
  void solve_transposed(std::vector<S>& b);
  /// Solves again for the residual of an answer x, which makes it exact to rounding.
  void refine(const std::vector<S>& b, std::vector<S>& x);
  void refine_transposed(const std::vector<S>& b, std::vector<S>& x);

 private:
  using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  Matrix matrix_;
  Eigen::PartialPivLU<Matrix> factors_;
  Eigen::VectorX<S> work_, residual_;
};

/// A dual simplex method for linear programs with few columns besides epigraph columns.
///
/// Every epigraph column is replaced by one of its own rows, its key, so that a basis has as many
/// equations as there are other columns: bounds, rows in which keys stand for epigraph columns, and
/// ties, which are own rows that equal the key. The multiplier of a key is the total that the rows
/// containing its column require, less the multipliers of the ties; where it falls to 0, a tie or
/// the row that enters becomes the key. The equations are factored anew in every step, so rounding
/// does not add up.
///
/// A step takes in the row that is violated most. As bases with the same objective may then follow
/// each other in a circle, it takes the first row in a fixed order after many steps, which ends
/// every circle (Bland's rule).
///
/// It begins in a box about 0 whose sides are moved out as long as they hold the optimum back.
/// Without state from other programs: the same columns and rows, added in the same order between
/// the same calls, give the same bits. Cost: about a microsecond a step for 7 columns and 150 rows.
/// S is double or long double.
template <class S>
class EpigraphSimplex {
 public:
  /// Both must outlive it. Rows may be added between calls.
  EpigraphSimplex(const LinearColumns& columns, const LinearRows& rows);

  /// Solves with all rows there are now, from the last basis. The answer solves the equations of
  /// its basis to rounding.
  LinearOutcome solve();

  [[nodiscard]] double objective() const;
  /// Writes all columns, and the dual multipliers of the rows, none below 0.
  void read(Eigen::VectorXd& x, Eigen::VectorXd& multipliers) const;
  [[nodiscard]] int steps() const { return steps_; }  // of all calls

 private:
  using Tolerance = SimplexTolerances<S>;
  enum class Kind : char { lower, upper, fixed, pinned, row };
  /// An equation of the basis: a bound or value of a column, or a row of `sides_`.
  struct Equation {
    Kind kind = Kind::pinned;
    int index = 0;
  };
  struct Weight {
    int group;
    S weight;
  };
  /// The equation or key that leaves the basis.
  struct Leaving {
    int slot = -1;
    int group = -1;  // whose key leaves; -1: the equation does
  };

  [[nodiscard]] static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  [[nodiscard]] const S* normal(int row) const { return normals_.data() + at(row) * at(size_); }
  void take_rows();
  void grow();
  void begin();
  void begin_at_pieces();
  void set_box(int j);
  bool solve_basis();
  void refine_basis();
  [[nodiscard]] S write_equation(const Equation& equation, S* out) const;
  void find_values();
  [[nodiscard]] S shortfall(int row) const;
  [[nodiscard]] bool find_entering(Equation& entering) const;
  [[nodiscard]] int place_of(const Leaving& leaving) const;
  [[nodiscard]] Leaving find_leaving(const Equation& entering);
  void exchange(const Equation& entering, const Leaving& leaving);
  void enter(int slot, const Equation& equation);
  void leave(int slot);
  void find_drifts(const Equation& entering);
  template <class Call>
  void for_each_falling(S least, const Call& call) const;
  [[nodiscard]] S room_behind(const Equation& equation) const;
  void move_out(const Equation& equation);
  bool widen();
  bool widen_for(const Equation& entering);
  [[nodiscard]] S key_multiplier(int group) const;

  const LinearColumns& columns_;
  const LinearRows& rows_;
  int size_ = 0;                   // of columns that are not epigraph columns
  std::vector<int> main_, group_;  // of each column: its place among these or those; else -1
  std::vector<S> low_, high_;      // bounds of main columns
  std::vector<S> box_low_, box_high_, reach_, cost_;
  // rows: first v >= 0 for each group, then rows_
  std::vector<S> normals_, sides_;
  std::vector<S> by_column_;  // the normals once more, `capacity_` rows for each column
  std::size_t capacity_ = 0;
  std::vector<int> plain_;         // rows that are not cuts
  std::vector<int> own_;           // the group whose cut a row is; else -1
  std::vector<int> first_weight_;  // of each row in weights_, and the end
  std::vector<Weight> weights_;    // of groups in a row that is no cut: it takes weight * v away
  std::vector<int> slot_;          // of each row in the basis; else -1
  std::vector<int> key_, ties_;    // per group
  std::vector<Equation> basis_;
  std::vector<char> lower_in_, upper_in_;  // per main column: whether the bound is in the basis
  SmallLu<S> lu_;
  std::vector<S> sides_of_basis_, y_, duals_, entering_, rates_;
  std::vector<S> cut_values_, values_;  // per row, per group
  std::vector<S> used_;                 // per group: sum of multipliers of rows, or less than 0
  std::vector<S> drifts_;               // per group: how its key's multiplier changes
  int own_of_entering_ = -1;            // the group whose cut enters; else -1
  bool begun_ = false;
  bool in_order_ = false;  // whether the first candidate is taken instead of the best
  int steps_ = 0;
};

}  // namespace counterpoise
