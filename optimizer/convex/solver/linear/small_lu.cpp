#include "optimizer/convex/solver/linear/small_lu.hpp"

namespace counterpoise {
namespace {

constexpr double least_pivot = 1e-14;  // relative to the largest entry of the matrix

Eigen::Map<Eigen::VectorXd> vector_of(std::vector<double>& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}
Eigen::Map<const Eigen::VectorXd> vector_of(const std::vector<double>& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

}  // namespace

void SmallLu::resize(int size) {
  matrix_.setZero(size, size);
  factors_ = Eigen::PartialPivLU<Matrix>(size);
  work_.setZero(size);
  residual_.setZero(size);
}

bool SmallLu::factor() {
  factors_.compute(matrix_);
  const auto pivots = factors_.matrixLU().diagonal().cwiseAbs();
  return pivots.minCoeff() > least_pivot * matrix_.cwiseAbs().maxCoeff();
}

void SmallLu::solve(std::vector<double>& b) {
  work_ = vector_of(b);
  vector_of(b) = factors_.solve(work_);
}

void SmallLu::solve_transposed(std::vector<double>& b) {
  work_ = vector_of(b);
  vector_of(b) = factors_.transpose().solve(work_);
}

void SmallLu::refine(const std::vector<double>& b, std::vector<double>& x) {
  residual_ = vector_of(b);
  residual_.noalias() -= matrix_ * vector_of(x);
  work_ = factors_.solve(residual_);
  vector_of(x) += work_;
}

void SmallLu::refine_transposed(const std::vector<double>& b, std::vector<double>& x) {
  residual_ = vector_of(b);
  residual_.noalias() -= matrix_.transpose() * vector_of(x);
  work_ = factors_.transpose().solve(residual_);
  vector_of(x) += work_;
}

}  // namespace counterpoise
