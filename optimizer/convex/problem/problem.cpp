#include "optimizer/convex/problem/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace counterpoise {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw std::invalid_argument(what);
}

void check_finite(double number, const std::string& what) {
  if (!std::isfinite(number)) refuse(fmt::format("{}: found {}, expected a number", what, number));
}

void check_finite(const std::vector<double>& numbers, const std::string& what) {
  for (const double number : numbers) check_finite(number, what);
}

void check_index(int index, std::size_t count, const std::string& what) {
  if (index < 0 || static_cast<std::size_t>(index) >= count) {
    refuse(fmt::format("{}: found index {}, expected one of {}", what, index, count));
  }
}

void check_size(std::size_t found, std::size_t expected, const std::string& what) {
  if (found != expected) refuse(fmt::format("{}: found {}, expected {}", what, found, expected));
}

void check_not_negative(double number, const std::string& what) {
  check_finite(number, what);
  if (number < 0.0) refuse(fmt::format("{}: found {}, expected one >= 0", what, number));
}

void check_bounds(const ConvexProblem& problem) {
  const std::size_t unknowns = problem.lower.size();
  check_size(problem.upper.size(), unknowns, "upper bounds");
  check_finite(problem.lower, "lower bound");
  check_finite(problem.upper, "upper bound");
  for (std::size_t j = 0; j < unknowns; ++j) {
    if (problem.lower[j] > problem.upper[j]) {
      refuse(fmt::format("bounds of unknown {}: {} is above {}", j, problem.lower[j],
                         problem.upper[j]));
    }
  }
}

void check_series(const AffineSeries& series, std::size_t unknowns, const std::string& what) {
  check_finite(series.constant, what + ", constant");
  std::vector<bool> seen(unknowns, false);
  for (const AffineSeries::Column& column : series.columns) {
    check_index(column.variable, unknowns, what + ", variable");
    const auto variable = static_cast<std::size_t>(column.variable);
    if (seen[variable]) refuse(fmt::format("{}: variable {} twice", what, variable));
    seen[variable] = true;
    check_size(column.coefficients.size(), series.constant.size(), what + ", coefficients");
    check_finite(column.coefficients, what + ", coefficient");
  }
}

void check_norm(const ConvexProblem& problem, const SeriesNorm& norm, const std::string& what) {
  for (const SeriesNorm::Part& part : norm.parts) {
    check_index(part.series, problem.series.size(), what + ", series");
    if (part.weights.empty()) continue;
    const AffineSeries& series = problem.series[static_cast<std::size_t>(part.series)];
    check_size(part.weights.size(), series.constant.size(), what + ", weights");
    for (const double weight : part.weights) check_not_negative(weight, what + ", weight");
  }
}

void check_sum(const ConvexProblem& problem, const ConvexSum& sum, const std::string& what) {
  check_finite(sum.constant, what + ", constant");
  for (const ConvexSum::Term& term : sum.norms) {
    check_index(term.index, problem.norms.size(), what + ", norm");
    check_not_negative(term.weight, what + ", weight of a norm");
  }
  for (const ConvexSum::Term& term : sum.linear) {
    check_index(term.index, problem.lower.size(), what + ", variable");
    check_finite(term.weight, what + ", weight of a variable");
  }
}

/// |r_k(x)| of all samples, times their weights.
std::vector<double> weighted(const AffineSeries& series, const std::vector<double>& weights,
                             const std::vector<double>& x) {
  std::vector<double> r = series.constant;
  for (const AffineSeries::Column& column : series.columns) {
    const double value = x[static_cast<std::size_t>(column.variable)];
    for (std::size_t k = 0; k < r.size(); ++k) r[k] += column.coefficients[k] * value;
  }
  for (std::size_t k = 0; k < r.size(); ++k) {
    r[k] = std::abs(r[k]) * (weights.empty() ? 1.0 : weights[k]);
  }
  return r;
}

double largest_of(const std::vector<std::vector<double>>& parts) {
  double largest = 0.0;
  for (const auto& part : parts) {
    for (const double r : part) largest = std::max(largest, r);
  }
  return largest;
}

double sum_of(const std::vector<std::vector<double>>& parts) {
  double sum = 0.0;
  for (const auto& part : parts) {
    for (const double r : part) sum += r;
  }
  return sum;
}

/// Scaled by the largest, so that no square leaves the range of a double.
double length_of(const std::vector<std::vector<double>>& parts) {
  const double largest = largest_of(parts);
  if (largest == 0.0) return 0.0;
  double sum = 0.0;
  for (const auto& part : parts) {
    for (const double r : part) sum += (r / largest) * (r / largest);
  }
  return largest * std::sqrt(sum);
}

}  // namespace

void check(const ConvexProblem& problem) {
  check_bounds(problem);
  for (std::size_t i = 0; i < problem.series.size(); ++i) {
    check_series(problem.series[i], problem.lower.size(), fmt::format("series {}", i));
  }
  for (std::size_t i = 0; i < problem.norms.size(); ++i) {
    check_norm(problem, problem.norms[i], fmt::format("norm {}", i));
  }
  if (problem.objective.empty()) refuse("objective: found no sum, expected at least one");
  for (std::size_t i = 0; i < problem.objective.size(); ++i) {
    check_sum(problem, problem.objective[i], fmt::format("objective {}", i));
  }
  for (std::size_t i = 0; i < problem.limits.size(); ++i) {
    check_sum(problem, problem.limits[i].sum, fmt::format("limit {}", i));
    check_finite(problem.limits[i].bound, fmt::format("limit {}, bound", i));
  }
}

bool is_finite(const ConvexProblem& problem) {
  const auto all_finite = [](const std::vector<double>& numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](double n) { return std::isfinite(n); });
  };
  const auto is_finite_sum = [](const ConvexSum& sum) {
    const auto finite = [](const ConvexSum::Term& term) { return std::isfinite(term.weight); };
    return std::isfinite(sum.constant) && std::all_of(sum.norms.begin(), sum.norms.end(), finite) &&
           std::all_of(sum.linear.begin(), sum.linear.end(), finite);
  };
  const auto is_finite_series = [&](const AffineSeries& series) {
    return all_finite(series.constant) &&
           std::all_of(series.columns.begin(), series.columns.end(),
                       [&](const auto& column) { return all_finite(column.coefficients); });
  };
  return all_finite(problem.lower) && all_finite(problem.upper) &&
         std::all_of(problem.series.begin(), problem.series.end(), is_finite_series) &&
         std::all_of(problem.objective.begin(), problem.objective.end(), is_finite_sum) &&
         std::all_of(problem.limits.begin(), problem.limits.end(), [&](const ConvexLimit& limit) {
           return is_finite_sum(limit.sum) && std::isfinite(limit.bound);
         });
}

double value_of(const ConvexProblem& problem, const SeriesNorm& norm,
                const std::vector<double>& x) {
  std::vector<std::vector<double>> parts;
  parts.reserve(norm.parts.size());
  for (const SeriesNorm::Part& part : norm.parts) {
    parts.push_back(
        weighted(problem.series[static_cast<std::size_t>(part.series)], part.weights, x));
  }
  if (norm.kind == NormKind::max) return largest_of(parts);
  return norm.kind == NormKind::l1 ? sum_of(parts) : length_of(parts);
}

double value_of(const ConvexProblem& problem, const ConvexSum& sum, const std::vector<double>& x) {
  double value = sum.constant;
  for (const ConvexSum::Term& term : sum.norms) {
    value +=
        term.weight * value_of(problem, problem.norms[static_cast<std::size_t>(term.index)], x);
  }
  for (const ConvexSum::Term& term : sum.linear) {
    value += term.weight * x[static_cast<std::size_t>(term.index)];
  }
  return value;
}

double objective_of(const ConvexProblem& problem, const std::vector<double>& x) {
  double largest = value_of(problem, problem.objective.front(), x);
  for (const ConvexSum& sum : problem.objective) {
    largest = std::max(largest, value_of(problem, sum, x));
  }
  return largest;
}

}  // namespace counterpoise
