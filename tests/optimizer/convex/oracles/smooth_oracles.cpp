#include "tests/optimizer/convex/oracles/smooth_oracles.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <vector>

namespace counterpoise::testing {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr double ratio = 0.6180339887498949;
constexpr int sections = 75;
constexpr double price =
    1e3;  // of a broken limit, in values of the objective per size of the limit

double golden(const std::function<double(double)>& f, double low, double high) {
  double left = high - ratio * (high - low);
  double right = low + ratio * (high - low);
  double f_left = f(left);
  double f_right = f(right);
  double best = std::min(f_left, f_right);
  for (int i = 0; i < sections; ++i) {
    if (f_left <= f_right) {
      high = right;
      right = left;
      f_right = f_left;
      left = high - ratio * (high - low);
      f_left = f(left);
    } else {
      low = left;
      left = right;
      f_left = f_right;
      right = low + ratio * (high - low);
      f_right = f(right);
    }
    best = std::min({best, f_left, f_right});
  }
  return best;
}

double least(const ConvexProblem& problem, double worth, std::vector<double>& x, std::size_t j) {
  if (j == x.size()) {
    double value = objective_of(problem, x);
    for (const ConvexLimit& limit : problem.limits) {
      const double excess = value_of(problem, limit.sum, x) - limit.bound;
      value += worth * std::max(0.0, excess) / std::max(1e-3, std::abs(limit.bound));
    }
    return value;
  }
  return golden(
      [&](double number) {
        x[j] = number;
        return least(problem, worth, x, j + 1);
      },
      problem.lower[j], problem.upper[j]);
}

/// Least squares of slopes * x + constant with equations * x = sides, by the KKT matrix.
Vector equality_squares(const Matrix& slopes, const Vector& constant, const Matrix& equations,
                        const Vector& sides) {
  const Eigen::Index n = slopes.cols();
  const Eigen::Index m = equations.rows();
  Matrix kkt = Matrix::Zero(n + m, n + m);
  kkt.topLeftCorner(n, n) = slopes.transpose() * slopes;
  kkt.topRightCorner(n, m) = equations.transpose();
  kkt.bottomLeftCorner(m, n) = equations;
  Vector right(n + m);
  right << -slopes.transpose() * constant, sides;
  return kkt.fullPivLu().solve(right).head(n);
}

}  // namespace

double golden_optimum(const ConvexProblem& problem) {
  if (problem.lower.size() > 3) throw std::invalid_argument("too many unknowns");
  std::vector<double> x(problem.lower.size());
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = 0.5 * (problem.lower[j] + problem.upper[j]);
  const double worth = price * objective_of(problem, x);
  return least(problem, worth, x, 0);
}

double enumerated_optimum(const ConvexProblem& problem) {
  const auto n = static_cast<Eigen::Index>(problem.lower.size());
  Vector unit(n);
  for (Eigen::Index j = 0; j < n; ++j) {
    unit[j] =
        problem.upper[static_cast<std::size_t>(j)] - problem.lower[static_cast<std::size_t>(j)];
  }
  const SeriesNorm& norm = problem.norms.front();
  std::vector<double> constants;
  std::vector<Vector> rows;
  for (const SeriesNorm::Part& part : norm.parts) {
    const AffineSeries& series = problem.series[static_cast<std::size_t>(part.series)];
    for (std::size_t k = 0; k < series.constant.size(); ++k) {
      const double weight = part.weights.empty() ? 1.0 : part.weights[k];
      Vector row = Vector::Zero(n);
      for (const auto& column : series.columns) {
        row[column.variable] = weight * column.coefficients[k] * unit[column.variable];
      }
      constants.push_back(weight * series.constant[k]);
      rows.push_back(row);
    }
  }
  Matrix slopes(static_cast<Eigen::Index>(rows.size()), n);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    slopes.row(static_cast<Eigen::Index>(k)) = rows[k].transpose();
  }
  Vector constant = Eigen::Map<Vector>(constants.data(), slopes.rows());
  const double size = constant.norm();
  slopes /= size;
  constant /= size;
  std::vector<Vector> normals;  // normal * u <= side
  std::vector<double> sides;
  for (Eigen::Index j = 0; j < n; ++j) {
    normals.push_back(Vector::Unit(n, j));
    sides.push_back(problem.upper[static_cast<std::size_t>(j)] / unit[j]);
    normals.push_back(-Vector::Unit(n, j));
    sides.push_back(-problem.lower[static_cast<std::size_t>(j)] / unit[j]);
  }
  for (const ConvexLimit& limit : problem.limits) {
    Vector normal = Vector::Zero(n);
    for (const auto& term : limit.sum.linear) normal[term.index] += term.weight * unit[term.index];
    normals.push_back(normal);
    sides.push_back(limit.bound - limit.sum.constant);
  }
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t set = 0; set < (std::size_t{1} << normals.size()); ++set) {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < normals.size(); ++i) {
      if ((set >> i) & 1U) chosen.push_back(i);
    }
    if (chosen.size() > static_cast<std::size_t>(n)) continue;
    Matrix equations(static_cast<Eigen::Index>(chosen.size()), n);
    Vector values(equations.rows());
    for (Eigen::Index i = 0; i < equations.rows(); ++i) {
      equations.row(i) = normals[chosen[static_cast<std::size_t>(i)]].transpose();
      values[i] = sides[chosen[static_cast<std::size_t>(i)]];
    }
    const Vector u = equality_squares(slopes, constant, equations, values);
    bool inside = u.allFinite();
    for (std::size_t i = 0; i < normals.size(); ++i) {
      inside = inside && normals[i].dot(u) <= sides[i] + 1e-10 * (1.0 + std::abs(sides[i]));
    }
    if (inside) best = std::min(best, (slopes * u + constant).norm());
  }
  const ConvexSum& sum = problem.objective.front();
  return sum.constant + sum.norms.front().weight * best * size;
}

}  // namespace counterpoise::testing
