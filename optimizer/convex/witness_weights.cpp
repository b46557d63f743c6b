#include "optimizer/convex/witness_weights.hpp"

#include <algorithm>
#include <cmath>

#include "optimizer/convex/certificate.hpp"
#include "optimizer/convex/tolerances.hpp"

namespace counterpoise {
namespace {

double value_at(const AffineSeries& series, std::size_t sample, const std::vector<double>& x) {
  double value = series.constant[sample];
  for (const AffineSeries::Column& column : series.columns)
    value += column.coefficients[sample] * x[column.variable];
  return value;
}

/// The weights that follow from the loads at x: one per sample of each part; all zero in a max
/// norm.
using PartWeights = std::vector<std::vector<double>>;
PartWeights implied_weights(const ConvexProblem& problem, const SeriesNorm& norm, double total,
                            const std::vector<double>& x) {
  PartWeights implied;
  const double length = norm.kind == NormKind::l2 ? value_of(problem, norm, x) : 0.0;
  for (const SeriesNorm::Part& part : norm.parts) {
    const AffineSeries& series = problem.series[part.series];
    std::vector<double>& weights = implied.emplace_back(series.constant.size(), 0.0);
    if (norm.kind == NormKind::max || (norm.kind == NormKind::l2 && length == 0.0)) continue;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const double own = part.weights.empty() ? 1.0 : part.weights[k];
      const double value = value_at(series, k, x);
      weights[k] = norm.kind == NormKind::l1 ? total * own *
                                                   (value > 0.0   ? 1.0
                                                    : value < 0.0 ? -1.0
                                                                  : 0.0)
                                             : total * own * (own * value / length);
    }
  }
  return implied;
}

}  // namespace

WitnessWeights::WitnessWeights(const ConvexProblem& problem, const Certificate& certificate,
                               const std::vector<double>& x)
    : problem_(problem), totals_(norm_weights(problem, certificate)) {
  for (std::size_t n = 0; n < problem.norms.size(); ++n)
    weights_.push_back(implied_weights(problem, problem.norms[n], totals_[n], x));
}

std::vector<WitnessInstant> WitnessWeights::instants(const Certificate& certificate) const {
  std::vector<PartWeights> actual = weights_;
  for (PartWeights& parts : actual)
    for (std::vector<double>& part : parts) std::fill(part.begin(), part.end(), 0.0);
  for (const Certificate::Witness& witness : certificate.witnesses)
    actual[witness.norm][witness.part][witness.sample] += witness.weight;
  std::vector<WitnessInstant> found;
  for (std::size_t n = 0; n < actual.size(); ++n)
    for (std::size_t p = 0; p < actual[n].size(); ++p) {
      const std::vector<double>& own = problem_.norms[n].parts[p].weights;
      for (std::size_t k = 0; k < actual[n][p].size(); ++k) {
        const double size = std::abs(totals_[n] * (own.empty() ? 1.0 : own[k]));
        if (std::abs(actual[n][p][k] - weights_[n][p][k]) > ConvexTolerances::listed * size)
          found.push_back({n, p, k, actual[n][p][k]});
      }
    }
  return found;
}

std::vector<Certificate::Witness> WitnessWeights::witnesses(
    const std::vector<WitnessInstant>& instants) const {
  std::vector<PartWeights> all = weights_;
  for (const WitnessInstant& instant : instants)
    all[instant.norm][instant.part][instant.sample] = instant.weight;
  std::vector<Certificate::Witness> found;
  for (std::size_t n = 0; n < all.size(); ++n)
    for (std::size_t p = 0; p < all[n].size(); ++p)
      for (std::size_t k = 0; k < all[n][p].size(); ++k)
        if (all[n][p][k] != 0.0)
          found.push_back(
              {static_cast<int>(n), static_cast<int>(p), static_cast<int>(k), all[n][p][k]});
  return found;
}

std::vector<WitnessInstant> keep_what_is_told(const ConvexProblem& problem,
                                              ConvexSolution& solution) {
  Certificate& certificate = solution.certificate;
  const WitnessWeights weights(problem, certificate, solution.x);
  std::vector<WitnessInstant> instants = weights.instants(certificate);
  certificate.witnesses = weights.witnesses(instants);
  add_up(problem, certificate);
  solution.gap = solution.value - certificate.bound;
  return instants;
}

}  // namespace counterpoise
