#pragma once

#include <Eigen/Core>
#include <Eigen/QR>
#include <memory>
#include <vector>

#include "optimizer/convex/linear_program.hpp"
#include "optimizer/convex/scaled_problem.hpp"

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

/// The L2 norm of many samples as the L2 norm of a few numbers z = slopes * u + constant: the
/// samples are multiplied by an orthogonal matrix (QR), after which all but the first few are 0 for
/// every u.
class ReducedLength {
 public:
  /// Has a column for each unknown, 0 where the norm does not depend on it.
  ReducedLength(const ScaledNorm& norm, Eigen::Index unknowns);

  [[nodiscard]] const Eigen::MatrixXd& slopes() const { return slopes_; }
  [[nodiscard]] const Eigen::VectorXd& constant() const { return constant_; }
  /// Transforms numbers like z back to samples.
  [[nodiscard]] Eigen::VectorXd samples(const Eigen::VectorXd& z) const;

 private:
  Eigen::Index count_;  // of samples
  Eigen::HouseholderQR<Eigen::MatrixXd> qr_;
  Eigen::MatrixXd slopes_;
  Eigen::VectorXd constant_;
};

}  // namespace counterpoise
