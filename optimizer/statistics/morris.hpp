#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optimizer/interruption.hpp"
#include "optimizer/statistics/estimate.hpp"

namespace counterpoise {

/// Trajectories on a grid (Morris 1991): each begins at a random point of the grid and moves every
/// factor once, in random order, by half its levels. Row t*(factors+1) is where trajectory t
/// begins, and each row after it moves one factor more. Rows can be computed one at a time.
class MorrisDesign {
 public:
  /// `levels` holds the number of levels of each factor, at least 1; a factor with one level stays
  /// where it is.
  MorrisDesign(std::vector<int> levels, std::int64_t trajectories, std::uint64_t seed);

  [[nodiscard]] std::size_t factors() const { return levels_.size(); }
  [[nodiscard]] std::int64_t trajectories() const { return trajectories_; }
  [[nodiscard]] std::int64_t rows() const {
    return trajectories_ * static_cast<std::int64_t>(factors() + 1);
  }
  /// The level of each factor, 0 .. levels-1.
  void row(std::int64_t row, std::span<int> out);

  /// The position of a factor in its range at a level: level/(levels-1), or 1/2 if there is only
  /// one level.
  [[nodiscard]] double position(std::size_t factor, int level) const {
    return levels_[factor] > 1 ? static_cast<double>(level) / (levels_[factor] - 1) : 0.5;
  }

  /// The factor that a step of a trajectory moves, and the signed fraction of the factor's range by
  /// which it moves; 0 if the factor has one level. The steps are overwritten by the next call.
  struct Step {
    std::size_t factor = 0;
    double move = 0.0;
  };
  std::span<const Step> steps(std::int64_t trajectory);

 private:
  void walk(std::int64_t trajectory);

  std::vector<int> levels_;
  std::int64_t trajectories_;
  std::uint64_t seed_;
  std::int64_t walked_ = -1;  // the trajectory that the members below belong to
  std::vector<int> start_;
  std::vector<int> jumps_;  // in levels, per factor
  std::vector<Step> steps_;
};

/// Elementary effects of one factor: the change of the function divided by the move, in the
/// function's unit per whole range of the factor.
struct MorrisEffect {
  std::int64_t effects = 0;  // number of effects for which both ends can be computed
  double mu = 0.0;           // their mean
  Estimate mu_star;          // mean of their sizes (Campolongo et al. 2007), with its interval
  double sigma = 0.0;        // their standard deviation

  /// Whether the numbers above are known.
  [[nodiscard]] bool known(std::int64_t trajectories) const {
    return effects >= 2 &&
           static_cast<double>(effects) >= least_usable_share * static_cast<double>(trajectories);
  }
};

/// Estimates the effects from the values at all rows of the design, NaN where a row has none.
/// Intervals are by bootstrap over the effects of each factor. Asks before each resample whether to
/// stop.
std::vector<MorrisEffect> estimate_morris(MorrisDesign& design, std::span<const double> values,
                                          std::uint64_t seed, int resamples = default_resamples,
                                          const Interruption& interrupted = {});

}  // namespace counterpoise
