#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "optimizer/convex/solver/linear/linear_program.hpp"
#include "optimizer/convex/solver/scaled_problem.hpp"

namespace counterpoise {

/// The part of a linear program that stands for one scaled norm: columns of its own, whose sum is
/// at least the norm as far as rows (cuts) require it. Every cut is true for all u. The first
/// columns of the program are u.
class NormCuts {
 public:
  virtual ~NormCuts() = default;

  /// The columns whose sum stands for the norm.
  [[nodiscard]] const std::vector<int>& columns() const { return columns_; }
  /// Adds the rows that hold without cuts.
  virtual void prepare(LinearProgram&) {}
  /// The norm at u, which is remembered for cut().
  virtual double evaluate(const Eigen::VectorXd& u) = 0;
  /// Adds the rows that the program's x violates by more than `tolerance` at the last u; returns
  /// how many.
  virtual int cut(LinearProgram& program, double tolerance) = 0;
  /// The multipliers y of the scaled samples; their dual norm is at most `weight`.
  [[nodiscard]] virtual Eigen::VectorXd witnesses(const LinearProgram& program,
                                                  double weight) const = 0;

 protected:
  std::vector<int> columns_;
};

/// The norm must outlive its cuts.
std::unique_ptr<NormCuts> cuts_of(const ScaledNorm& norm, Eigen::Index unknowns,
                                  LinearColumns& columns);

}  // namespace counterpoise
