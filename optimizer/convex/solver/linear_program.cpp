#include "optimizer/convex/solver/linear_program.hpp"

#include <ClpSimplex.hpp>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>

namespace counterpoise {
namespace {

constexpr double clp_tolerance = 1e-11;  // of CLP, for rows, bounds and reduced costs
constexpr double least_rcond = 1e-14;    // of a basis that is solved again
constexpr int without_perturbation = 100;
constexpr int keep_work_areas = 1;      // of ClpSimplex::dual's last argument
constexpr int check_infeasibility = 2;  // after which a primal simplex has the last word

double clp_bound(double bound) {
  return std::clamp(bound, -COIN_DBL_MAX, COIN_DBL_MAX);
}

/// equations * primal = right and equations' * dual = cost.
struct SquareSolution {
  Eigen::VectorXd primal;
  Eigen::VectorXd dual;
};

/// Solves both with one step of iterative refinement; returns nothing where the equations are
/// singular.
std::optional<SquareSolution> solved(const Eigen::MatrixXd& equations, const Eigen::VectorXd& right,
                                     const Eigen::VectorXd& cost) {
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(equations);
  if (!(lu.rcond() > least_rcond)) return std::nullopt;
  SquareSolution result{lu.solve(right), lu.transpose().solve(cost)};
  result.primal += lu.solve(right - equations * result.primal);
  const Eigen::VectorXd correction =
      lu.transpose().solve(cost - equations.transpose() * result.dual);
  result.dual += correction;
  if (!result.primal.allFinite() || !result.dual.allFinite()) return std::nullopt;
  return result;
}

}  // namespace

struct LinearProgram::Clp {
  ClpSimplex model;
};

LinearProgram::LinearProgram(const std::vector<double>& lower, const std::vector<double>& upper,
                             const std::vector<double>& cost)
    : clp_(std::make_unique<Clp>()),
      lower_(lower),
      upper_(upper),
      cost_(cost),
      x_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(cost.size()))) {
  ClpSimplex& model = clp_->model;
  model.setLogLevel(0);
  model.resize(0, static_cast<int>(cost.size()));
  for (int j = 0; j < static_cast<int>(cost.size()); ++j) {
    const auto column = static_cast<std::size_t>(j);
    model.setColumnBounds(j, clp_bound(lower[column]), clp_bound(upper[column]));
    model.setObjectiveCoefficient(j, cost[column]);
  }
  model.setPrimalTolerance(clp_tolerance);
  model.setDualTolerance(clp_tolerance);
  model.setPerturbation(without_perturbation);
  model.scaling(0);
}

LinearProgram::~LinearProgram() = default;

int LinearProgram::add_row(double lower) {
  starts_.push_back(static_cast<int>(columns_.size()));
  row_lower_.push_back(lower);
  return rows() - 1;
}

void LinearProgram::entry(int column, double coefficient) {
  if (coefficient == 0.0) return;
  columns_.push_back(column);
  coefficients_.push_back(coefficient);
}

void LinearProgram::pass_rows() {
  const auto first = static_cast<std::size_t>(passed_);
  if (passed_ == rows()) return;
  const int offset = starts_[first];
  std::vector<int> starts(starts_.begin() + passed_, starts_.end());
  starts.push_back(static_cast<int>(columns_.size()));
  for (int& start : starts) start -= offset;
  const std::vector<double> upper(row_lower_.size() - first, COIN_DBL_MAX);
  clp_->model.addRows(rows() - passed_, row_lower_.data() + first, upper.data(), starts.data(),
                      columns_.data() + offset, coefficients_.data() + offset);
  passed_ = rows();
}

LinearProgram::Outcome LinearProgram::solve() {
  pass_rows();
  ClpSimplex& model = clp_->model;
  model.dual(0, keep_work_areas);
  if (model.status() != 0) model.primal(0);
  if (model.status() == check_infeasibility) return Outcome::failed;
  if (model.status() == 1) return Outcome::infeasible;
  if (model.status() != 0) return Outcome::failed;
  read();
  return Outcome::optimal;
}

void LinearProgram::read() {
  const ClpSimplex& model = clp_->model;
  x_ = Eigen::Map<const Eigen::VectorXd>(model.getColSolution(), model.getNumCols());
  multipliers_ = Eigen::Map<const Eigen::VectorXd>(model.getRowPrice(), rows()).cwiseMax(0.0);
  objective_ = model.getObjValue();
}

/// The last basis as equations: rows met with equality, in the columns between their bounds.
struct LinearProgram::Basis {
  std::vector<int> columns;
  std::vector<int> rows;
  std::vector<int> place;  // of each column among those of the basis, or -1
};

/// Sets the other columns of x to their bounds.
LinearProgram::Basis LinearProgram::basis(Eigen::VectorXd& x) const {
  const ClpSimplex& model = clp_->model;
  Basis result;
  result.place.assign(cost_.size(), -1);
  for (int j = 0; j < static_cast<int>(cost_.size()); ++j) {
    const auto column = static_cast<std::size_t>(j);
    const ClpSimplex::Status status = model.getColumnStatus(j);
    if (status == ClpSimplex::atLowerBound) x[j] = lower_[column];
    if (status == ClpSimplex::atUpperBound) x[j] = upper_[column];
    if (status != ClpSimplex::basic) continue;
    result.place[column] = static_cast<int>(result.columns.size());
    result.columns.push_back(j);
  }
  for (int row = 0; row < passed_; ++row) {
    if (model.getRowStatus(row) != ClpSimplex::basic) result.rows.push_back(row);
  }
  return result;
}

bool LinearProgram::refine() {
  Eigen::VectorXd x = x_;
  const Basis basis = this->basis(x);
  if (basis.rows.size() != basis.columns.size()) return false;
  const auto size = static_cast<Eigen::Index>(basis.rows.size());
  Eigen::MatrixXd equations = Eigen::MatrixXd::Zero(size, size);
  Eigen::VectorXd right(size);
  Eigen::VectorXd cost(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const auto row = static_cast<std::size_t>(basis.rows[static_cast<std::size_t>(i)]);
    const std::size_t end =
        row + 1 < starts_.size() ? static_cast<std::size_t>(starts_[row + 1]) : columns_.size();
    right[i] = row_lower_[row];
    for (auto e = static_cast<std::size_t>(starts_[row]); e < end; ++e) {
      const int place = basis.place[static_cast<std::size_t>(columns_[e])];
      if (place >= 0)
        equations(i, place) = coefficients_[e];
      else
        right[i] -= coefficients_[e] * x[columns_[e]];
    }
    cost[i] = cost_[static_cast<std::size_t>(basis.columns[static_cast<std::size_t>(i)])];
  }
  Eigen::VectorXd multipliers = Eigen::VectorXd::Zero(passed_);
  if (size > 0) {
    const std::optional<SquareSolution> solution = solved(equations, right, cost);
    if (!solution) return false;
    for (Eigen::Index i = 0; i < size; ++i) {
      x[basis.columns[static_cast<std::size_t>(i)]] = solution->primal[i];
      multipliers[basis.rows[static_cast<std::size_t>(i)]] = std::max(0.0, solution->dual[i]);
    }
  }
  x_ = x;
  multipliers_ = multipliers;
  objective_ = Eigen::Map<const Eigen::VectorXd>(cost_.data(), x.size()).dot(x);
  return true;
}

}  // namespace counterpoise
