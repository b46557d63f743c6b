#include "optimizer/convex/clp_program.hpp"

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

struct ClpProgram::Clp {
  ClpSimplex model;
};

ClpProgram::ClpProgram(const LinearColumns& columns, const LinearRows& rows)
    : clp_(std::make_unique<Clp>()), columns_(columns), rows_(rows) {
  ClpSimplex& model = clp_->model;
  model.setLogLevel(0);
  model.resize(0, columns.count());
  for (int j = 0; j < columns.count(); ++j) {
    const auto column = static_cast<std::size_t>(j);
    model.setColumnBounds(j, clp_bound(columns.lower[column]), clp_bound(columns.upper[column]));
    model.setObjectiveCoefficient(j, columns.cost[column]);
  }
  model.setPrimalTolerance(clp_tolerance);
  model.setDualTolerance(clp_tolerance);
  model.setPerturbation(without_perturbation);
  model.scaling(0);
}

ClpProgram::~ClpProgram() = default;

void ClpProgram::pass_rows() {
  if (passed_ == rows_.count()) return;
  const auto first = static_cast<std::size_t>(passed_);
  const int offset = rows_.starts[first];
  std::vector<int> starts(rows_.starts.begin() + passed_, rows_.starts.end());
  starts.push_back(static_cast<int>(rows_.columns.size()));
  for (int& start : starts) start -= offset;
  const std::vector<double> upper(rows_.lower.size() - first, COIN_DBL_MAX);
  clp_->model.addRows(rows_.count() - passed_, rows_.lower.data() + first, upper.data(),
                      starts.data(), rows_.columns.data() + offset,
                      rows_.coefficients.data() + offset);
  passed_ = rows_.count();
}

LinearOutcome ClpProgram::solve() {
  pass_rows();
  ClpSimplex& model = clp_->model;
  model.dual(0, keep_work_areas);
  if (model.status() != 0) model.primal(0);
  if (model.status() == check_infeasibility) return LinearOutcome::failed;
  if (model.status() == 1) return LinearOutcome::infeasible;
  if (model.status() != 0) return LinearOutcome::failed;
  read();
  return LinearOutcome::optimal;
}

void ClpProgram::read() {
  const ClpSimplex& model = clp_->model;
  x_ = Eigen::Map<const Eigen::VectorXd>(model.getColSolution(), model.getNumCols());
  multipliers_ = Eigen::Map<const Eigen::VectorXd>(model.getRowPrice(), passed_).cwiseMax(0.0);
  objective_ = model.getObjValue();
}

/// The last basis as equations: rows met with equality, in the columns between their bounds.
struct ClpProgram::Basis {
  std::vector<int> columns;
  std::vector<int> rows;
  std::vector<int> place;  // of each column in the basis, or -1
};

/// Sets the other columns of x to their bounds.
ClpProgram::Basis ClpProgram::basis(Eigen::VectorXd& x) const {
  const ClpSimplex& model = clp_->model;
  Basis result;
  result.place.assign(columns_.cost.size(), -1);
  for (int j = 0; j < static_cast<int>(columns_.cost.size()); ++j) {
    const auto column = static_cast<std::size_t>(j);
    const ClpSimplex::Status status = model.getColumnStatus(j);
    if (status == ClpSimplex::atLowerBound) x[j] = columns_.lower[column];
    if (status == ClpSimplex::atUpperBound) x[j] = columns_.upper[column];
    if (status != ClpSimplex::basic) continue;
    result.place[column] = static_cast<int>(result.columns.size());
    result.columns.push_back(j);
  }
  for (int row = 0; row < passed_; ++row) {
    if (model.getRowStatus(row) != ClpSimplex::basic) result.rows.push_back(row);
  }
  return result;
}

bool ClpProgram::refine() {
  Eigen::VectorXd x = x_;
  const Basis basis = this->basis(x);
  if (basis.rows.size() != basis.columns.size()) return false;
  const auto size = static_cast<Eigen::Index>(basis.rows.size());
  Eigen::MatrixXd equations = Eigen::MatrixXd::Zero(size, size);
  Eigen::VectorXd right(size);
  Eigen::VectorXd cost(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const int row = basis.rows[i];
    right[i] = rows_.lower[row];
    for (std::size_t e = rows_.begin(row); e < rows_.end(row); ++e) {
      const int place = basis.place[rows_.columns[e]];
      if (place >= 0)
        equations(i, place) = rows_.coefficients[e];
      else
        right[i] -= rows_.coefficients[e] * x[rows_.columns[e]];
    }
    cost[i] = columns_.cost[basis.columns[static_cast<std::size_t>(i)]];
  }
  Eigen::VectorXd multipliers = Eigen::VectorXd::Zero(passed_);
  if (size > 0) {
    const std::optional<SquareSolution> solution = solved(equations, right, cost);
    if (!solution) return false;
    for (Eigen::Index i = 0; i < size; ++i) {
      x[basis.columns[i]] = solution->primal[i];
      multipliers[basis.rows[i]] = std::max(0.0, solution->dual[i]);
    }
  }
  x_ = x;
  multipliers_ = multipliers;
  objective_ = Eigen::Map<const Eigen::VectorXd>(columns_.cost.data(), x.size()).dot(x);
  return true;
}

}  // namespace counterpoise
