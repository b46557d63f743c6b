#pragma once

#include "optimizer/convex/certificate.hpp"

namespace counterpoise {

/// One sample whose weight does not follow from the loads.
struct WitnessInstant {
  std::size_t norm, part, sample;
  double weight;
};

/// The weights of all samples of all norms in a certificate, as they follow from the loads at the
/// optimum. In an L1 norm a sample has its own weight with the sign of the load, in an L2 norm a
/// weight in proportion to the load, in a max norm the weight 0. Only samples with another weight
/// have to be stored.
class WitnessWeights {
 public:
  /// Computes the weights from the multipliers of pieces and limits in `certificate`, at x.
  /// `problem` must outlive it.
  WitnessWeights(const ConvexProblem& problem, const Certificate& certificate,
                 const std::vector<double>& x);

  /// The samples whose weight in a certificate differs from the computed one by more than 1e-12 of
  /// the largest weight.
  [[nodiscard]] std::vector<WitnessInstant> instants(const Certificate& certificate) const;
  /// All weights, with these instants' weights in place of the computed ones.
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
  std::vector<PartWeights> weights_;  // per norm
};

/// Returns the weights of a solution's certificate that have to be stored. The solution is changed
/// to the one that a reader will reconstruct: all other weights are set to the computed ones, and
/// bound, slopes and gap follow from these.
std::vector<WitnessInstant> keep_what_is_told(const ConvexProblem& problem,
                                              ConvexSolution& solution);

}  // namespace counterpoise
