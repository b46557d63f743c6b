#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

namespace counterpoise {

/// Minimises cost'x within bounds of x, under rows a'x >= lower that are added one after the other.
///
/// CLP's dual simplex continues from the last basis. The caller has to scale the problem: numbers
/// of x, costs and rows should be about 1. Deterministic; nothing is shared between two programs,
/// so each thread may have its own.
class LinearProgram {
 public:
  enum class Outcome { optimal, infeasible, failed };

  /// x_j begins at the bound that is best for its cost, which must be finite where the cost is not
  /// 0.
  LinearProgram(const std::vector<double>& lower, const std::vector<double>& upper,
                const std::vector<double>& cost);
  ~LinearProgram();
  LinearProgram(const LinearProgram&) = delete;
  LinearProgram& operator=(const LinearProgram&) = delete;

  /// Adds a row and returns its index, from 0. Its entries are added with entry(), in any order of
  /// columns.
  int add_row(double lower);
  /// Adds an entry to the last row; each column at most once.
  void entry(int column, double coefficient);

  Outcome solve();

  /// Solves the equations of the last basis again, in full precision: x and multipliers agree with
  /// them to rounding. Returns false and changes nothing where the basis is singular.
  bool refine();

  [[nodiscard]] double objective() const { return objective_; }
  [[nodiscard]] const Eigen::VectorXd& x() const { return x_; }  // 0 before the first answer
  /// The dual multiplier of a row, >= 0: the objective rises by so much per unit of the row's lower
  /// bound. It is 0 for a row that is newer than the last answer.
  [[nodiscard]] double multiplier(int row) const {
    return row < multipliers_.size() ? multipliers_[row] : 0.0;
  }
  [[nodiscard]] int rows() const { return static_cast<int>(row_lower_.size()); }

 private:
  struct Clp;
  struct Basis;
  void pass_rows();
  void read();
  Basis basis(Eigen::VectorXd& x) const;

  std::unique_ptr<Clp> clp_;
  std::vector<double> lower_, upper_, cost_;
  std::vector<double> row_lower_;
  std::vector<int> starts_;  // of each row in columns_ and coefficients_
  std::vector<int> columns_;
  std::vector<double> coefficients_;
  int passed_ = 0;  // rows that CLP knows
  double objective_ = 0.0;
  Eigen::VectorXd x_, multipliers_;
};

}  // namespace counterpoise
