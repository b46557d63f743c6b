#include "optimizer/convex/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "optimizer/convex/tolerances.hpp"

namespace counterpoise {
namespace {

/// What is wrong with multipliers, which have to be finite and >= 0, in words; empty if nothing is.
/// The other fault_of functions answer in the same way.
std::string fault_of_signs(const std::vector<double>& multipliers, std::size_t expected,
                           const std::string& name) {
  if (multipliers.size() != expected) {
    return fmt::format("{} multipliers of {}, expected {}", multipliers.size(), name, expected);
  }
  for (std::size_t i = 0; i < expected; ++i) {
    if (!(multipliers[i] >= 0.0) || !std::isfinite(multipliers[i])) {
      return fmt::format("the multiplier of {} {} is {}, expected one >= 0", name, i,
                         multipliers[i]);
    }
  }
  return {};
}

bool within(int index, std::size_t count) {
  return index >= 0 && static_cast<std::size_t>(index) < count;
}

std::string fault_of_witness(const ConvexProblem& problem, const Certificate::Witness& witness) {
  if (!within(witness.norm, problem.norms.size())) {
    return fmt::format("a witness names norm {} of {}", witness.norm, problem.norms.size());
  }
  const SeriesNorm& norm = problem.norms[witness.norm];
  if (!within(witness.part, norm.parts.size())) {
    return fmt::format("a witness names part {} of {}", witness.part, norm.parts.size());
  }
  const std::size_t samples = series_of(problem, witness).constant.size();
  if (!within(witness.sample, samples)) {
    return fmt::format("a witness names sample {} of {}", witness.sample, samples);
  }
  if (!std::isfinite(witness.weight)) return "a witness has a weight that is no number";
  return {};
}

/// The multipliers y of every sample of every part of a norm; a sample may have several witnesses.
using Dense = std::vector<std::vector<double>>;

std::vector<Dense> spread(const ConvexProblem& problem, const Certificate& certificate) {
  std::vector<Dense> y(problem.norms.size());
  for (const Certificate::Witness& witness : certificate.witnesses) {
    const auto n = static_cast<std::size_t>(witness.norm);
    const auto p = static_cast<std::size_t>(witness.part);
    y[n].resize(problem.norms[n].parts.size());
    y[n][p].resize(series_of(problem, witness).constant.size(), 0.0);
    y[n][p][witness.sample] += witness.weight;
  }
  return y;
}

/// The dual norm of y, which has to be at most W_n; infinite where a sample has weight 0 and y is
/// not 0.
double dual_size(const SeriesNorm& norm, const Dense& y) {
  double size = 0.0;
  double squares = 0.0;
  for (std::size_t p = 0; p < y.size(); ++p) {
    const std::vector<double>& weights = norm.parts[p].weights;
    for (std::size_t k = 0; k < y[p].size(); ++k) {
      if (y[p][k] == 0.0) continue;
      const double ratio = std::abs(y[p][k]) / (weights.empty() ? 1.0 : weights[k]);
      if (norm.kind == NormKind::max) size += ratio;
      if (norm.kind == NormKind::l1) size = std::max(size, ratio);
      squares += ratio * ratio;
    }
  }
  return norm.kind == NormKind::l2 ? std::sqrt(squares) : size;
}

/// Checks that the multipliers of the samples of each norm are in its dual ball.
std::string fault_of_balls(const ConvexProblem& problem, const Certificate& certificate) {
  const std::vector<double> weights = norm_weights(problem, certificate);
  const std::vector<Dense> y = spread(problem, certificate);
  for (std::size_t n = 0; n < y.size(); ++n) {
    const double size = dual_size(problem.norms[n], y[n]);
    if (!(size <= weights[n] * (1.0 + ConvexTolerances::agreement))) {
      return fmt::format("the witnesses of norm {} have size {}, more than its weight {}", n, size,
                         weights[n]);
    }
  }
  return {};
}

std::string fault_of_parts(const ConvexProblem& problem, const Certificate& certificate) {
  std::string fault = fault_of_signs(certificate.pieces, problem.objective.size(), "objective");
  if (fault.empty()) {
    fault = fault_of_signs(certificate.limits, problem.limits.size(), "limit");
  }
  for (const Certificate::Witness& witness : certificate.witnesses) {
    if (!fault.empty()) return fault;
    fault = fault_of_witness(problem, witness);
  }
  return fault.empty() ? fault_of_balls(problem, certificate) : fault;
}

/// Checks the stated slopes and bound against the ones that are added up again.
std::string fault_of_bound(const ConvexProblem& problem, const Certificate& certificate,
                           const ProvedSum& total, double bound) {
  if (certificate.slopes.size() != total.slopes.size()) {
    return fmt::format("{} slopes, expected {}", certificate.slopes.size(), total.slopes.size());
  }
  for (std::size_t j = 0; j < total.slopes.size(); ++j) {
    const double difference = std::abs(certificate.slopes[j] - total.slopes[j]);
    if (!(difference <= ConvexTolerances::agreement * total.slope_sizes[j])) {
      return fmt::format("the slope of unknown {} is {}, its multipliers give {}", j,
                         certificate.slopes[j], total.slopes[j]);
    }
  }
  const double allowed = ConvexTolerances::agreement * total.size(problem);
  if (!(std::abs(certificate.bound - bound) <= allowed)) {
    return fmt::format("the bound is {}, its multipliers prove {}", certificate.bound, bound);
  }
  return {};
}

double sum_of(const std::vector<double>& numbers) {
  double sum = 0.0;
  for (const double number : numbers) sum += number;
  return sum;
}

std::string fault_of_multipliers(const ConvexProblem& problem, const Certificate& certificate,
                                 double expected_pieces) {
  std::string fault = fault_of_parts(problem, certificate);
  const double pieces = sum_of(certificate.pieces);
  if (fault.empty() && std::abs(pieces - expected_pieces) > ConvexTolerances::agreement) {
    fault = fmt::format("the multipliers of the objective add up to {}, not {}", pieces,
                        expected_pieces);
  }
  return fault;
}

/// The checks common to a proof of optimality and one of infeasibility.
CertificateCheck check_sums(const ConvexProblem& problem, const Certificate& certificate,
                            double expected_pieces) {
  CertificateCheck result;
  result.fault = fault_of_multipliers(problem, certificate, expected_pieces);
  if (!result.fault.empty()) return result;
  const ProvedSum total(problem, certificate);
  result.bound = total.bound(problem);
  result.fault = fault_of_bound(problem, certificate, total, result.bound);
  return result;
}

/// The amount by which a limit may be exceeded: a fraction of the largest of its terms at x, and
/// the rounding of x.
double allowance_of(const ConvexProblem& problem, const ConvexLimit& limit,
                    const std::vector<double>& x) {
  double size = std::max(std::abs(limit.bound), std::abs(limit.sum.constant));
  double rounding = 0.0;
  for (const ConvexSum::Term& term : limit.sum.norms) {
    const SeriesNorm& norm = problem.norms[term.index];
    size = std::max(size, term.weight * value_of(problem, norm, x));
  }
  for (const ConvexSum::Term& term : limit.sum.linear) {
    const auto j = static_cast<std::size_t>(term.index);
    size = std::max(size, std::abs(term.weight * x[j]));
    const double reach = std::max(std::abs(problem.lower[j]), std::abs(problem.upper[j]));
    rounding = std::max(rounding, ConvexTolerances::rounding * std::abs(term.weight) * reach);
  }
  return ConvexTolerances::agreement * size + rounding;
}

/// Sets `broken` to the limit that x breaks, if that is the fault.
std::string fault_of_point(const ConvexProblem& problem, const std::vector<double>& x,
                           int& broken) {
  if (x.size() != problem.lower.size()) {
    return fmt::format("x has {} numbers, expected {}", x.size(), problem.lower.size());
  }
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (!(x[j] >= problem.lower[j] && x[j] <= problem.upper[j])) {
      return fmt::format("x[{}] is {}, outside {} to {}", j, x[j], problem.lower[j],
                         problem.upper[j]);
    }
  }
  for (std::size_t l = 0; l < problem.limits.size(); ++l) {
    const ConvexLimit& limit = problem.limits[l];
    const double value = value_of(problem, limit.sum, x);
    if (!(value - limit.bound <= allowance_of(problem, limit, x))) {
      broken = static_cast<int>(l);
      return fmt::format("limit {} is {} at x, above {}", l, value, limit.bound);
    }
  }
  return {};
}

}  // namespace

bool proves_conflict(const Certificate& certificate) {
  return std::all_of(certificate.pieces.begin(), certificate.pieces.end(),
                     [](double piece) { return piece == 0.0; });
}

std::string fault_of_multipliers(const ConvexProblem& problem, const Certificate& certificate) {
  return fault_of_multipliers(problem, certificate, proves_conflict(certificate) ? 0.0 : 1.0);
}

CertificateCheck check_certificate(const ConvexProblem& problem, const Certificate& certificate,
                                   const std::vector<double>& x) {
  CertificateCheck result = check_sums(problem, certificate, 1.0);
  if (result.fault.empty()) result.fault = fault_of_point(problem, x, result.limit);
  result.valid = result.fault.empty();
  if (x.size() == problem.lower.size()) {
    result.value = objective_of(problem, x);
    result.gap = result.value - result.bound;
  }
  return result;
}

CertificateCheck check_conflict(const ConvexProblem& problem, const Certificate& certificate) {
  CertificateCheck result = check_sums(problem, certificate, 0.0);
  if (result.fault.empty() && !(result.bound > 0.0)) {
    result.fault = fmt::format("the multipliers prove {}, not above 0", result.bound);
  }
  result.valid = result.fault.empty();
  return result;
}

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
  const SeriesNorm& norm = problem.norms[witness.norm];
  const SeriesNorm::Part& part = norm.parts[witness.part];
  return problem.series[part.series];
}

std::vector<double> norm_weights(const ConvexProblem& problem, const Certificate& certificate) {
  std::vector<double> weights(problem.norms.size(), 0.0);
  const auto add = [&](const ConvexSum& sum, double multiplier) {
    for (const ConvexSum::Term& term : sum.norms) {
      weights[term.index] += multiplier * term.weight;
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
