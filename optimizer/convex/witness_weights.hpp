#pragma once

#include "optimizer/convex/problem/solution.hpp"

namespace counterpoise {

/// One sample whose weight does not follow from the loads.
struct WitnessInstant {
  std::size_t norm, part, sample;
  double weight;
};

/// The weights of all samples of all norms in a certificate, as they follow from the loads at the
/// optimum: of a sum its own weight with the sign of the load, of a length in proportion to the
/// load, of a largest none. Only samples with another weight have to be told.
class WitnessWeights {
 public:
  /// Of the multipliers of pieces and limits, at x. `problem` must outlive it.
  WitnessWeights(const ConvexProblem& problem, const Certificate& certificate,
                 const std::vector<double>& x);

  /// The samples whose weight in a certificate is another, beyond 1e-12 of their largest.
  [[nodiscard]] std::vector<WitnessInstant> instants(const Certificate& certificate) const;
  /// All weights, with these instants' own.
  [[nodiscard]] std::vector<Certificate::Witness> witnesses(
      const std::vector<WitnessInstant>& instants) const;

  [[nodiscard]] std::size_t parts(std::size_t norm) const { return weights_[norm].size(); }
  [[nodiscard]] std::size_t samples(std::size_t norm, std::size_t part) const {
    return weights_[norm][part].size();
  }

 private:
  using PartWeights = std::vector<std::vector<double>>;  // per part and sample

  const ConvexProblem& problem_;
  std::vector<double> totals_;        // per norm
  std::vector<PartWeights> weights_;  // likewise
};

/// The weights that have to be told of a solution's certificate. The solution becomes what they
/// say: weights told nowhere are those that follow from the loads, and bound, slopes and gap are of
/// these.
std::vector<WitnessInstant> keep_what_is_told(const ConvexProblem& problem,
                                              ConvexSolution& solution);

}  // namespace counterpoise
