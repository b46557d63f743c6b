#include "optimizer/convex/solver/reduced_length.hpp"

#include <algorithm>

namespace counterpoise {

ReducedLength::ReducedLength(const ScaledNorm& norm, Eigen::Index unknowns)
    : count_(norm.constant.size()) {
  const Eigen::Index columns = norm.coefficients.cols();
  const Eigen::Index rows = std::min(count_, columns + 1);
  slopes_.setZero(rows, unknowns);
  constant_.setZero(rows);
  if (rows == 0) return;
  Eigen::MatrixXd all(count_, columns + 1);
  all << norm.coefficients, norm.constant;
  qr_.compute(all);
  const Eigen::MatrixXd upper = qr_.matrixQR().topRows(rows).triangularView<Eigen::Upper>();
  for (Eigen::Index c = 0; c < columns; ++c) {
    slopes_.col(norm.variables[static_cast<std::size_t>(c)]) = upper.col(c);
  }
  constant_ = upper.col(columns);
}

Eigen::VectorXd ReducedLength::samples(const Eigen::VectorXd& z) const {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(count_);
  if (z.size() == 0) return result;
  result.head(z.size()) = z;
  result.applyOnTheLeft(qr_.householderQ());
  return result;
}

}  // namespace counterpoise
