#include "optimizer/convex/scaled_problem.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "optimizer/convex/tolerances.hpp"

namespace counterpoise {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

constexpr int sweeps = 10;  // over its unknowns, to keep the bounds

Vector values(const std::vector<double>& numbers) {
  return Eigen::Map<const Vector>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

std::vector<bool> used_norms(const ConvexProblem& problem) {
  std::vector<bool> used(problem.norms.size(), false);
  const auto mark = [&](const ConvexSum& sum) {
    for (const ConvexSum::Term& term : sum.norms) {
      if (term.weight > 0.0) used[term.index] = true;
    }
  };
  for (const ConvexSum& sum : problem.objective) mark(sum);
  for (const ConvexLimit& limit : problem.limits) mark(limit.sum);
  return used;
}

const AffineSeries& series_of(const ConvexProblem& problem, const SeriesNorm::Part& part) {
  return problem.series[part.series];
}

std::vector<int> variables_of(const ConvexProblem& problem, const SeriesNorm& norm) {
  std::vector<int> variables;
  for (const SeriesNorm::Part& part : norm.parts) {
    for (const auto& column : series_of(problem, part).columns)
      variables.push_back(column.variable);
  }
  std::sort(variables.begin(), variables.end());
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  return variables;
}

/// A norm in the unknowns of the problem, with the weights of samples multiplied in.
ScaledNorm gathered(const ConvexProblem& problem, const SeriesNorm& norm) {
  ScaledNorm result;
  result.kind = norm.kind;
  result.used = true;
  result.variables = variables_of(problem, norm);
  Eigen::Index samples = 0;
  for (const auto& part : norm.parts) {
    samples += static_cast<Eigen::Index>(series_of(problem, part).constant.size());
  }
  result.constant.resize(samples);
  result.coefficients.setZero(samples, static_cast<Eigen::Index>(result.variables.size()));
  Eigen::Index first = 0;
  for (const SeriesNorm::Part& part : norm.parts) {
    const AffineSeries& series = series_of(problem, part);
    const auto count = static_cast<Eigen::Index>(series.constant.size());
    const Vector weights =
        part.weights.empty() ? Vector(Vector::Ones(count)) : values(part.weights);
    result.constant.segment(first, count) = values(series.constant).cwiseProduct(weights);
    for (const AffineSeries::Column& column : series.columns) {
      const auto place =
          std::lower_bound(result.variables.begin(), result.variables.end(), column.variable) -
          result.variables.begin();
      result.coefficients.col(place).segment(first, count) =
          values(column.coefficients).cwiseProduct(weights);
    }
    first += count;
  }
  return result;
}

Vector chosen(const Vector& x, const std::vector<int>& variables) {
  Vector result(static_cast<Eigen::Index>(variables.size()));
  for (Eigen::Index c = 0; c < result.size(); ++c) {
    result[c] = x[variables[c]];
  }
  return result;
}

/// Sum of the squares of all norms, each relative to its size at a first point.
struct Squares {
  Matrix hessian;
  Vector gradient;  // at the first point
};

Squares squares_of(const std::vector<ScaledNorm>& norms, const Vector& first) {
  const Eigen::Index unknowns = first.size();
  Squares total{Matrix::Zero(unknowns, unknowns), Vector::Zero(unknowns)};
  for (const ScaledNorm& norm : norms) {
    if (!norm.used || norm.constant.size() == 0) continue;
    const Vector r = norm.at(first);
    const double length = r.stableNorm();
    if (length == 0.0) continue;
    const Matrix columns = norm.coefficients / length;
    const Matrix products = columns.transpose().lazyProduct(columns);  // few columns, long ones
    const Vector slopes = columns.transpose() * (r / length);
    for (Eigen::Index i = 0; i < slopes.size(); ++i) {
      const int row = norm.variables[i];
      total.gradient[row] += slopes[i];
      for (Eigen::Index j = 0; j < slopes.size(); ++j) {
        total.hessian(row, norm.variables[j]) += products(i, j);
      }
    }
  }
  return total;
}

/// The least squares of all norms within the bounds, roughly: only a place to begin.
Vector centre_of(const std::vector<ScaledNorm>& norms, const Vector& lower, const Vector& upper) {
  const Eigen::Index unknowns = lower.size();
  const Vector first = Vector::Zero(unknowns).cwiseMax(lower).cwiseMin(upper);
  const Squares squares = squares_of(norms, first);
  Vector sizes = squares.hessian.diagonal().cwiseSqrt();
  for (Eigen::Index j = 0; j < unknowns; ++j) {
    if (!(sizes[j] > 0.0)) sizes[j] = 1.0;
  }
  const Vector inverse = sizes.cwiseInverse();
  Matrix hessian = inverse.asDiagonal() * squares.hessian * inverse.asDiagonal();
  hessian.diagonal().array() += ConvexTolerances::ridge;
  const Vector gradient = inverse.cwiseProduct(squares.gradient);
  const Vector low = sizes.cwiseProduct(lower - first);
  const Vector high = sizes.cwiseProduct(upper - first);
  Vector step = hessian.ldlt().solve(-gradient);
  if (!step.allFinite()) step.setZero();
  const Vector free_step = step;
  step = step.cwiseMax(low).cwiseMin(high);
  for (int sweep = 0; sweep < sweeps && step != free_step; ++sweep) {
    for (Eigen::Index j = 0; j < unknowns; ++j) {
      const double slope = gradient[j] + hessian.row(j).dot(step);
      step[j] = std::clamp(step[j] - slope / hessian(j, j), low[j], high[j]);
    }
  }
  return (first + inverse.cwiseProduct(step)).cwiseMax(lower).cwiseMin(upper);
}

/// Sets the scale: the size of a norm at the centre, or a fraction of the size of its terms if that
/// is larger.
void set_scale(ScaledNorm& norm, const Vector& centre, const Vector& width) {
  const Vector x = chosen(centre, norm.variables);
  const Vector terms = norm.constant.cwiseAbs() + norm.coefficients.cwiseAbs() * x.cwiseAbs();
  const double size = norm_of(norm.kind, terms);
  norm.scale = std::max(norm_of(norm.kind, norm.at(centre)), ConvexTolerances::cancelled * size);
  if (size == 0.0) {
    for (Eigen::Index c = 0; c < x.size(); ++c) {
      const double reach = width[norm.variables[c]];
      const double effect = norm_of(norm.kind, norm.coefficients.col(c));
      norm.scale = std::max(norm.scale, effect * (std::isfinite(reach) ? reach : 1.0));
    }
  }
  if (!(norm.scale > 0.0)) norm.scale = 1.0;
  norm.rounding = ConvexTolerances::bit * std::max(1.0, size / norm.scale);
}

/// The change of each unknown that changes no norm by more than its scale, and is within its width.
Vector units_of(const std::vector<ScaledNorm>& norms, const Vector& width) {
  Vector effects = Vector::Zero(width.size());
  for (const ScaledNorm& norm : norms) {
    for (std::size_t c = 0; c < norm.variables.size(); ++c) {
      double& effect = effects[norm.variables[c]];
      const Vector column = norm.coefficients.col(static_cast<Eigen::Index>(c)) / norm.scale;
      effect = std::max(effect, norm_of(norm.kind, column));
    }
  }
  Vector units(width.size());
  for (Eigen::Index j = 0; j < width.size(); ++j) {
    units[j] = effects[j] > 0.0 ? 1.0 / effects[j] : width[j];
    if (width[j] > 0.0) units[j] = std::min(units[j], width[j]);
    if (!(units[j] > 0.0) || !std::isfinite(units[j])) units[j] = 1.0;
  }
  return units;
}

/// The value of a sum at the centre, the size of its terms that can change, and its rounding.
struct SumSize {
  double value = 0.0;
  double size = 0.0;
  double rounding = 0.0;
};

SumSize size_of(const ScaledProblem& scaled, const ConvexSum& sum) {
  SumSize result{sum.constant, 0.0, ConvexTolerances::bit * std::abs(sum.constant)};
  for (const ConvexSum::Term& term : sum.norms) {
    const ScaledNorm& norm = scaled.norms[term.index];
    if (!norm.used) continue;
    result.value += term.weight * norm.scale * norm_of(norm.kind, norm.constant);
    result.size += term.weight * norm.scale;
    result.rounding += term.weight * norm.scale * norm.rounding;
  }
  for (const ConvexSum::Term& term : sum.linear) {
    result.value += term.weight * scaled.centre[term.index];
    result.size += std::abs(term.weight) * scaled.unit[term.index];
    result.rounding += ConvexTolerances::bit * std::abs(term.weight * scaled.centre[term.index]);
  }
  return result;
}

}  // namespace

Vector ScaledNorm::at(const Vector& u) const {
  Vector r = constant;
  r.noalias() += coefficients * chosen(u, variables);
  return r;
}

double norm_of(NormKind kind, const Vector& r) {
  if (r.size() == 0) return 0.0;
  if (kind == NormKind::max) return r.lpNorm<Eigen::Infinity>();
  return kind == NormKind::l1 ? r.lpNorm<1>() : r.stableNorm();
}

ScaledProblem::ScaledProblem(const ConvexProblem& problem) {
  const std::vector<bool> used = used_norms(problem);
  norms.resize(problem.norms.size());
  for (std::size_t n = 0; n < norms.size(); ++n) {
    if (used[n]) norms[n] = gathered(problem, problem.norms[n]);
  }
  const Vector x_lower = values(problem.lower);
  const Vector x_upper = values(problem.upper);
  const Vector width = x_upper - x_lower;
  centre = centre_of(norms, x_lower, x_upper);
  for (ScaledNorm& norm : norms) {
    if (norm.used) set_scale(norm, centre, width);
  }
  unit = units_of(norms, width);
  for (ScaledNorm& norm : norms) {
    if (!norm.used) continue;
    norm.constant = norm.at(centre) / norm.scale;
    norm.coefficients *= (chosen(unit, norm.variables) / norm.scale).asDiagonal();
  }
  lower = (x_lower - centre).cwiseQuotient(unit);
  upper = (x_upper - centre).cwiseQuotient(unit);
  set_objective(problem);
}

void ScaledProblem::set_objective(const ConvexProblem& problem) {
  scale = 0.0;
  for (std::size_t i = 0; i < problem.objective.size(); ++i) {
    const SumSize size = size_of(*this, problem.objective[i]);
    base = i == 0 ? size.value : std::max(base, size.value);
    scale = std::max(scale, size.size);
    rounding = std::max(rounding, size.rounding);
  }
  if (!(scale > 0.0)) scale = 1.0;
  rounding /= scale;
  for (Eigen::Index j = 0; j < unit.size(); ++j) {
    const double width = upper[j] - lower[j];
    if (std::isfinite(width)) rounding += ConvexTolerances::bit * width;
  }
}

Vector ScaledProblem::scaled(const std::vector<double>& x) const {
  return (values(x) - centre).cwiseQuotient(unit).cwiseMax(lower).cwiseMin(upper);
}

std::vector<double> ScaledProblem::unscaled(const ConvexProblem& problem, const Vector& u) const {
  std::vector<double> x(problem.lower.size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    const auto i = static_cast<Eigen::Index>(j);
    x[j] = centre[i] + unit[i] * u[i];
    if (u[i] <= lower[i]) x[j] = problem.lower[j];
    if (u[i] >= upper[i]) x[j] = problem.upper[j];
    x[j] = std::clamp(x[j], problem.lower[j], problem.upper[j]);
  }
  return x;
}

void add_witnesses(const ConvexProblem& problem, std::size_t norm, const Eigen::VectorXd& y,
                   Certificate& certificate) {
  const std::vector<SeriesNorm::Part>& parts = problem.norms[norm].parts;
  Eigen::Index row = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const auto series = static_cast<std::size_t>(parts[p].series);
    const std::size_t samples = problem.series[series].constant.size();
    for (std::size_t k = 0; k < samples; ++k, ++row) {
      const double weight = y[row] * (parts[p].weights.empty() ? 1.0 : parts[p].weights[k]);
      if (weight == 0.0) continue;
      certificate.witnesses.push_back(
          {static_cast<int>(norm), static_cast<int>(p), static_cast<int>(k), weight});
    }
  }
}

}  // namespace counterpoise
