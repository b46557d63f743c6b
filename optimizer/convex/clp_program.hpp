#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "optimizer/convex/linear_rows.hpp"

namespace counterpoise {

/// Solves a linear program with CLP, whose dual simplex continues from the last basis. Slower than
/// EpigraphSimplex, but knows more ways out of trouble.
class ClpProgram {
 public:
  /// Both must outlive it. Rows may be added between calls.
  ClpProgram(const LinearColumns& columns, const LinearRows& rows);
  ~ClpProgram();
  ClpProgram(const ClpProgram&) = delete;
  ClpProgram& operator=(const ClpProgram&) = delete;

  LinearOutcome solve();

  /// Solves the equations of the last basis again, in full precision: x and multipliers agree with
  /// them to rounding. Returns false and changes nothing where the basis is singular.
  bool refine();

  [[nodiscard]] double objective() const { return objective_; }
  [[nodiscard]] const Eigen::VectorXd& x() const { return x_; }
  /// The dual multipliers of the rows, none below 0.
  [[nodiscard]] const Eigen::VectorXd& multipliers() const { return multipliers_; }

 private:
  struct Clp;
  struct Basis;
  void pass_rows();
  void read();
  Basis basis(Eigen::VectorXd& x) const;

  std::unique_ptr<Clp> clp_;
  const LinearColumns& columns_;
  const LinearRows& rows_;
  int passed_ = 0;  // rows that CLP knows
  double objective_ = 0.0;
  Eigen::VectorXd x_, multipliers_;
};

}  // namespace counterpoise
