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
  if (!longer_) {
    const LinearOutcome outcome = solve(simplex_);
    if (outcome != LinearOutcome::failed) return outcome;
    longer_ = std::make_unique<EpigraphSimplex<long double>>(columns_, rows_);
  }
  return solve(*longer_);
}

template <class S>
LinearOutcome LinearProgram::solve(EpigraphSimplex<S>& simplex) {
  const LinearOutcome outcome = simplex.solve();
  if (outcome != LinearOutcome::optimal) return outcome;
  simplex.read(x_, multipliers_);
  objective_ = simplex.objective();
  return outcome;
}

}  // namespace counterpoise
