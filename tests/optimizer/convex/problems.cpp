#include "tests/optimizer/convex/problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace counterpoise::testing {
namespace {

/// Rates, rate * length products, tensions.
constexpr double sizes[] = {1e4, 1e3, 50.0};

AffineSeries waves(std::mt19937& random, const Make& make) {
  AffineSeries series;
  const double size = uniform(random, 50.0, 400.0);
  const auto wave = [&](double amplitude) {
    std::vector<double> numbers;
    const double phase = uniform(random, 0.0, 6.0);
    const double turns = uniform(random, 3.0, 12.0);
    for (int k = 0; k < make.samples; ++k) {
      numbers.push_back(amplitude *
                        (std::sin(phase + turns * k / make.samples) + uniform(random, -0.2, 0.2)));
    }
    return numbers;
  };
  series.constant = wave(size);
  for (int j = 0; j < make.unknowns; ++j) {
    if (make.unknowns > 2 && uniform(random, 0.0, 1.0) < 0.15) continue;
    series.columns.push_back({j, wave(size / sizes[j % 3] * uniform(random, 0.5, 3.0))});
  }
  return series;
}

void add_limit(std::mt19937& random, ConvexProblem& problem, ConvexSum sum,
               const std::vector<double>& x) {
  const double value = value_of(problem, sum, x);
  const double room = 0.02 * std::abs(value) * uniform(random, 0.0, 1.0);
  problem.limits.push_back({std::move(sum), value + room});
}

}  // namespace

double uniform(std::mt19937& random, double low, double high) {
  return low + (high - low) * (static_cast<double>(random()) / 4294967296.0);
}

int add_norm(ConvexProblem& problem, NormKind kind, int series) {
  const std::size_t samples = problem.series[series].constant.size();
  const auto count = static_cast<double>(samples);
  const double weight = kind == NormKind::l1   ? 1.0 / count
                        : kind == NormKind::l2 ? 1.0 / std::sqrt(count)
                                               : 1.0;
  problem.norms.push_back({kind, {{series, std::vector<double>(samples, weight)}}});
  return static_cast<int>(problem.norms.size()) - 1;
}

std::vector<double> random_point(std::mt19937& random, const ConvexProblem& problem) {
  std::vector<double> x;
  for (std::size_t j = 0; j < problem.lower.size(); ++j) {
    x.push_back(uniform(random, problem.lower[j], problem.upper[j]));
  }
  return x;
}

ConvexProblem random_problem(std::mt19937& random, const Make& make) {
  ConvexProblem problem;
  for (int j = 0; j < make.unknowns; ++j) {
    problem.lower.push_back(uniform(random, -1.0, 0.2) * sizes[j % 3]);
    problem.upper.push_back(uniform(random, 0.4, 1.0) * sizes[j % 3]);
  }
  for (int s = 0; s < make.series; ++s) problem.series.push_back(waves(random, make));
  if (make.one_piece) problem.objective.emplace_back();
  for (std::size_t i = 0; i < make.kinds.size(); ++i) {
    const int norm = add_norm(problem, make.kinds[i], static_cast<int>(i) % make.series);
    SeriesNorm::Part& part = problem.norms.back().parts.front();
    for (double& weight : part.weights) {
      weight *= uniform(random, 0.0, 1.0) < 0.1 ? 0.0 : uniform(random, 0.7, 1.3);
    }
    if (uniform(random, 0.0, 1.0) < 0.3) {
      problem.norms.back().parts.push_back({static_cast<int>(i + 1) % make.series, {}});
    }
    if (!make.one_piece) problem.objective.emplace_back();
    problem.objective.back().norms.push_back({norm, uniform(random, 0.5, 2.0)});
  }
  const std::vector<double> inside = random_point(random, problem);
  for (int l = 0; l < make.linear_limits; ++l) {
    ConvexSum sum;
    for (int j = 0; j < make.unknowns; ++j) {
      sum.linear.push_back({j, uniform(random, -1.0, 1.0) / sizes[j % 3]});
    }
    add_limit(random, problem, std::move(sum), inside);
  }
  for (std::size_t l = 0; l < make.in_limits.size(); ++l) {
    const int norm = add_norm(problem, make.in_limits[l], static_cast<int>(l) % make.series);
    ConvexSum sum;
    sum.norms.push_back({norm, uniform(random, 0.5, 2.0)});
    sum.linear.push_back({0, uniform(random, -1.0, 1.0) / sizes[0]});
    add_limit(random, problem, std::move(sum), inside);
  }
  return problem;
}

ConvexProblem small_problem(const std::vector<double>& constant,
                            const std::vector<std::vector<double>>& columns, NormKind kind) {
  ConvexProblem problem;
  AffineSeries series{constant, {}};
  for (const std::vector<double>& column : columns) {
    series.columns.push_back({static_cast<int>(problem.lower.size()), column});
    problem.lower.push_back(-10.0);
    problem.upper.push_back(10.0);
  }
  problem.series = {series};
  problem.norms = {{kind, {{0, {}}}}};
  problem.objective = {{0.0, {{0, 1.0}}, {}}};
  return problem;
}

double excess_of(const ConvexProblem& problem, const std::vector<double>& x) {
  double largest = 0.0;
  for (const ConvexLimit& limit : problem.limits) {
    largest = std::max(largest, value_of(problem, limit.sum, x) - limit.bound);
  }
  return largest;
}

std::string judged(const ConvexProblem& problem, const ConvexSolution& solution, double gap) {
  if (solution.status == ConvexSolution::Status::infeasible) return "infeasible";
  const CertificateCheck check = check_certificate(problem, solution.certificate, solution.x);
  if (!check.valid) return check.fault;
  if (check.value != solution.value) return fmt::format("{}, not {}", solution.value, check.value);
  if (!(check.gap >= -1e-12 * std::abs(check.value))) return fmt::format("gap {}", check.gap);
  if (!(check.gap <= gap)) return fmt::format("gap {} of {}", check.gap, check.value);
  return solution.status == ConvexSolution::Status::optimal ? "optimal" : "open";
}

}  // namespace counterpoise::testing
