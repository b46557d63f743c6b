#include "optimizer/convex/linear_program.hpp"

#include <utility>

namespace counterpoise {

LinearProgram::LinearProgram(LinearColumns columns)
    : columns_(std::move(columns)),
      simplex_(columns_, rows_),
      x_(Eigen::VectorXd::Zero(columns_.count())) {}

int LinearProgram::add_row(double lower) {
  rows_.starts.push_back(static_cast<int>(rows_.columns.size()));
  rows_.lower.push_back(lower);
  return rows_.count() - 1;
}

void LinearProgram::entry(int column, double coefficient) {
  if (coefficient == 0.0) return;
  rows_.columns.push_back(column);
  rows_.coefficients.push_back(coefficient);
}

LinearOutcome LinearProgram::solve() {
  if (!clp_) {
    const LinearOutcome outcome = simplex_.solve();
    if (outcome == LinearOutcome::infeasible) return outcome;
    if (outcome == LinearOutcome::optimal) {
      simplex_.read(x_, multipliers_);
      objective_ = simplex_.objective();
      precise_ = true;
      return outcome;
    }
    clp_ = std::make_unique<ClpProgram>(columns_, rows_);
  }
  const LinearOutcome outcome = clp_->solve();
  if (outcome != LinearOutcome::optimal) return outcome;
  precise_ = clp_->refine();
  x_ = clp_->x();
  multipliers_ = clp_->multipliers();
  objective_ = clp_->objective();
  return outcome;
}

}  // namespace counterpoise
