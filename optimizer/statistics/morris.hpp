#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "optimizer/interruption.hpp"
#include "optimizer/statistics/estimate.hpp"

namespace counterpoise {

/// Trajectories on a grid (Morris 1991): each begins at a random point of the grid and moves every
/// factor once, in random order, by half its levels. Row t*(factors+1) is where trajectory t
/// begins, each row after it moves one factor more. Any row can be asked for on its own.
class MorrisDesign {
 public:
  /// `levels`: of each factor, at least 1; a factor with one level stays where it is.
  MorrisDesign(std::vector<int> levels, std::int64_t trajectories, std::uint64_t seed);

  [[nodiscard]] std::size_t factors() const { return levels_.size(); }
  [[nodiscard]] std::int64_t trajectories() const { return trajectories_; }
  [[nodiscard]] std::int64_t rows() const {
    return trajectories_ * static_cast<std::int64_t>(factors() + 1);
  }
  /// The level of each factor, 0 .. levels-1.
  void row(std::int64_t row, std::span<int> out);

  /// Where in its range a factor stands at a level: level/(levels-1), or 1/2 where there is one.
  [[nodiscard]] double position(std::size_t factor, int level) const {
    return levels_[factor] > 1 ? static_cast<double>(level) / (levels_[factor] - 1) : 0.5;
  }

  /// The factor that each step of a trajectory moves, and by how much of the factor's range,
  /// signed; 0 where it has one level. Overwritten by the next call.
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
  std::int64_t walked_ = -1;  // the trajectory that the following belong to
  std::vector<int> start_;
  std::vector<int> jumps_;  // in levels, per factor
  std::vector<Step> steps_;
};

/// Elementary effects of one factor: change of the function over move, per whole range of the
/// factor.
struct MorrisEffect {
  std::int64_t effects = 0;  // how many both ends of which can be computed
  double mu = 0.0;           // their mean
  Estimate mu_star;          // mean of their sizes (Campolongo et al. 2007), with its interval
  double sigma = 0.0;        // their standard deviation

  /// Whether the numbers above are known.
  [[nodiscard]] bool known(std::int64_t trajectories) const {
    return effects >= 2 &&
           static_cast<double>(effects) >= least_usable_share * static_cast<double>(trajectories);
  }
};

/// From the values at all rows of the design, NaN where there is none. Intervals by bootstrap over
/// the effects of each factor. Asks before each resample whether to stop.
std::vector<MorrisEffect> estimate_morris(MorrisDesign& design, std::span<const double> values,
                                          std::uint64_t seed, int resamples = default_resamples,
                                          const Interruption& interrupted = {});

/// The same of a function over the unit cube.
std::vector<MorrisEffect> morris_effects(
    MorrisDesign& design, std::uint64_t seed,
    const std::function<double(std::span<const double>)>& function);

}  // namespace counterpoise
