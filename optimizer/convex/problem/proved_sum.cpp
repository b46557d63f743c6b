#include "optimizer/convex/problem/proved_sum.hpp"

#include <algorithm>
#include <cmath>

namespace counterpoise {

ProvedSum::ProvedSum(const ConvexProblem& problem, const Certificate& certificate)
    : slopes(problem.lower.size(), 0.0), slope_sizes(problem.lower.size(), 0.0) {
  for (std::size_t i = 0; i < problem.objective.size(); ++i) {
    add(problem.objective[i], certificate.pieces[i]);
  }
  for (std::size_t l = 0; l < problem.limits.size(); ++l) {
    add(problem.limits[l].sum, certificate.limits[l]);
    add_constant(-certificate.limits[l] * problem.limits[l].bound);
  }
  for (const Certificate::Witness& witness : certificate.witnesses) add(problem, witness);
}

void ProvedSum::add_constant(double number) {
  constant += number;
  constant_size = std::max(constant_size, std::abs(number));
}

void ProvedSum::add_slope(int variable, double number) {
  const auto j = static_cast<std::size_t>(variable);
  slopes[j] += number;
  slope_sizes[j] = std::max(slope_sizes[j], std::abs(number));
}

void ProvedSum::add(const ConvexSum& sum, double multiplier) {
  add_constant(multiplier * sum.constant);
  for (const ConvexSum::Term& term : sum.linear) add_slope(term.index, multiplier * term.weight);
}

void ProvedSum::add(const ConvexProblem& problem, const Certificate::Witness& witness) {
  const AffineSeries& series = series_of(problem, witness);
  const auto k = static_cast<std::size_t>(witness.sample);
  add_constant(witness.weight * series.constant[k]);
  for (const AffineSeries::Column& column : series.columns) {
    add_slope(column.variable, witness.weight * column.coefficients[k]);
  }
}

double ProvedSum::bound(const ConvexProblem& problem) const {
  double least = constant;
  for (std::size_t j = 0; j < slopes.size(); ++j) {
    if (slopes[j] == 0.0) continue;
    least += std::min(slopes[j] * problem.lower[j], slopes[j] * problem.upper[j]);
  }
  return least;
}

double ProvedSum::size(const ConvexProblem& problem) const {
  double largest = constant_size;
  for (std::size_t j = 0; j < slopes.size(); ++j) {
    const double reach = std::max(std::abs(problem.lower[j]), std::abs(problem.upper[j]));
    largest = std::max(largest, std::max(slope_sizes[j], std::abs(slopes[j])) * reach);
  }
  return largest;
}

const AffineSeries& series_of(const ConvexProblem& problem, const Certificate::Witness& witness) {
  const SeriesNorm& norm = problem.norms[static_cast<std::size_t>(witness.norm)];
  const SeriesNorm::Part& part = norm.parts[static_cast<std::size_t>(witness.part)];
  return problem.series[static_cast<std::size_t>(part.series)];
}

std::vector<double> norm_weights(const ConvexProblem& problem, const Certificate& certificate) {
  std::vector<double> weights(problem.norms.size(), 0.0);
  const auto add = [&](const ConvexSum& sum, double multiplier) {
    for (const ConvexSum::Term& term : sum.norms) {
      weights[static_cast<std::size_t>(term.index)] += multiplier * term.weight;
    }
  };
  for (std::size_t i = 0; i < problem.objective.size(); ++i) {
    add(problem.objective[i], certificate.pieces[i]);
  }
  for (std::size_t l = 0; l < problem.limits.size(); ++l) {
    add(problem.limits[l].sum, certificate.limits[l]);
  }
  return weights;
}

void add_up(const ConvexProblem& problem, Certificate& certificate) {
  ProvedSum total(problem, certificate);
  certificate.bound = total.bound(problem);
  certificate.slopes = std::move(total.slopes);
}

}  // namespace counterpoise
