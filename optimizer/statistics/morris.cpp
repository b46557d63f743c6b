#include "optimizer/statistics/morris.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "optimizer/sampling/random_bits.hpp"

namespace counterpoise {
namespace {

// streams of random numbers, distinct from each other and from the streams of Sobol's indices
constexpr std::uint64_t trajectory_stream = std::uint64_t{1} << 40;
constexpr std::uint64_t interval_stream = std::uint64_t{1} << 41;

}  // namespace

MorrisDesign::MorrisDesign(std::vector<int> levels, std::int64_t trajectories, std::uint64_t seed)
    : levels_(std::move(levels)),
      trajectories_(trajectories),
      seed_(seed),
      start_(levels_.size()),
      jumps_(levels_.size()),
      steps_(levels_.size()) {}

void MorrisDesign::walk(std::int64_t trajectory) {
  if (trajectory == walked_) return;
  walked_ = trajectory;
  Draws draws(seed_, trajectory_stream + static_cast<std::uint64_t>(trajectory));
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const int levels = levels_[i], half = levels / 2;
    start_[i] = static_cast<int>(draws.below(static_cast<std::uint64_t>(levels)));
    const bool up = start_[i] + half < levels, down = start_[i] >= half;
    const bool upwards = up && down ? draws.below(2) == 1 : up;
    jumps_[i] = upwards ? half : -half;
    const double move = levels > 1 ? static_cast<double>(jumps_[i]) / (levels - 1) : 0.0;
    steps_[i] = {i, move};
  }
  for (std::size_t i = steps_.size(); i > 1; --i) std::swap(steps_[i - 1], steps_[draws.below(i)]);
}

void MorrisDesign::row(std::int64_t row, std::span<int> out) {
  const auto length = static_cast<std::int64_t>(factors() + 1);
  walk(row / length);
  std::copy(start_.begin(), start_.end(), out.begin());
  for (std::size_t k = 0; k < static_cast<std::size_t>(row % length); ++k)
    out[steps_[k].factor] += jumps_[steps_[k].factor];
}

std::span<const MorrisDesign::Step> MorrisDesign::steps(std::int64_t trajectory) {
  walk(trajectory);
  return steps_;
}

namespace {

double mean_size(const std::vector<double>& effects) {
  double sum = 0.0;
  for (double effect : effects) sum += std::abs(effect);
  return sum / static_cast<double>(effects.size());
}

Estimate size_with_interval(const std::vector<double>& effects, std::size_t factor,
                            std::uint64_t seed, int resamples, const Interruption& interrupted) {
  std::vector<double> means;
  means.reserve(static_cast<std::size_t>(resamples));
  Draws draws(seed, interval_stream + factor);
  for (int r = 0; r < resamples; ++r) {
    interrupted.poll();
    double sum = 0.0;
    for (std::size_t k = 0; k < effects.size(); ++k)
      sum += std::abs(effects[draws.below(effects.size())]);
    means.push_back(sum / static_cast<double>(effects.size()));
  }
  return with_interval(mean_size(effects), means);
}

MorrisEffect summed_up(const std::vector<double>& effects, std::size_t factor, std::uint64_t seed,
                       int resamples, const Interruption& interrupted) {
  MorrisEffect result;
  result.effects = static_cast<std::int64_t>(effects.size());
  if (effects.size() < 2) return result;
  const auto count = static_cast<double>(effects.size());
  result.mu = std::accumulate(effects.begin(), effects.end(), 0.0) / count;
  double squares = 0.0;
  for (double effect : effects) squares += (effect - result.mu) * (effect - result.mu);
  result.sigma = std::sqrt(squares / (count - 1.0));
  result.mu_star = size_with_interval(effects, factor, seed, resamples, interrupted);
  return result;
}

}  // namespace

std::vector<MorrisEffect> estimate_morris(MorrisDesign& design, std::span<const double> values,
                                          std::uint64_t seed, int resamples,
                                          const Interruption& interrupted) {
  std::vector<std::vector<double>> effects(design.factors());
  std::size_t at = 0;
  for (std::int64_t t = 0; t < design.trajectories(); ++t, ++at)
    for (const MorrisDesign::Step& step : design.steps(t)) {
      const double change = values[at + 1] - values[at];
      ++at;
      if (!std::isnan(change))
        effects[step.factor].push_back(step.move == 0.0 ? 0.0 : change / step.move);
    }
  std::vector<MorrisEffect> result;
  for (std::size_t i = 0; i < effects.size(); ++i)
    result.push_back(summed_up(effects[i], i, seed, resamples, interrupted));
  return result;
}

}  // namespace counterpoise
