#include "engine/evaluation/load_metrics.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/math/extremes.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {
namespace {

template <class S>
double sum_of_lanes(const S& x) {
  double total = 0.0;
  for (int i = 0; i < lanes<S>; ++i) total += lane(x, i);
  return total;
}

/// The weights of a block's samples in an integral with step 1, zero for spare lanes.
template <class S>
S weights_of(const Stretch& stretch, std::size_t block) {
  S weights(0.0);
  for (int i = 0; i < lanes<S>; ++i) {
    const int k = stretch.first + static_cast<int>(block) * lanes<S> + i;
    if (k < stretch.total) set_lane(weights, i, stretch.weight(k));
  }
  return weights;
}

/// Sums up the metrics, with the number of terms known to the compiler.
template <class S, std::size_t Terms>
void add_whole_blocks(const LoadSeries<S>& load, std::size_t begin, std::size_t end,
                      LoadTotals<S>& totals) {
  std::array<SpringTerm<S>, Terms> terms;
  std::copy_n(load.terms.begin(), Terms, terms.begin());
  LoadTotals<S> own = totals;
  for (std::size_t block = begin; block < end; ++block) {
    S sum = load.bare[block];
    for (const SpringTerm<S>& term : terms)
      sum += term.influence[block] * (term.length[block] * term.rate + term.offset);
    own.add(sum, load.velocity[block]);
  }
  totals = own;
}

template <class S>
void add_whole_blocks(const LoadSeries<S>& load, std::size_t begin, std::size_t end,
                      LoadTotals<S>& totals) {
  switch (load.terms.size()) {
    case 0:
      return add_whole_blocks<S, 0>(load, begin, end, totals);
    case 1:
      return add_whole_blocks<S, 1>(load, begin, end, totals);
    case 2:
      return add_whole_blocks<S, 2>(load, begin, end, totals);
    case 3:
      return add_whole_blocks<S, 3>(load, begin, end, totals);
    case 4:
      return add_whole_blocks<S, 4>(load, begin, end, totals);
    default:
      for (std::size_t block = begin; block < end; ++block)
        totals.add(load(block), load.velocity[block]);
  }
}

/// Adds all samples of the stretch with the weights of the trapezoid rule, or of poses.
template <class S>
void add_trapezoids(const LoadSeries<S>& load, const Stretch& stretch, LoadTotals<S>& totals) {
  const std::size_t blocks = load.bare.size();
  const std::size_t begin = stretch.starts() ? 1 : 0;
  const std::size_t end = stretch.ends() ? std::max(begin, blocks - 1) : blocks;
  if (begin > 0) totals.add(load(0), load.velocity[0], weights_of<S>(stretch, 0));
  add_whole_blocks(load, begin, end, totals);
  if (end < blocks) totals.add(load(end), load.velocity[end], weights_of<S>(stretch, end));
}

/// Sets the integrals of loads that were multiplied by `scale`. Returns the sum of squares.
template <class S>
double set_integrals(const LoadTotals<S>& totals, const Stretch& stretch, double weights,
                     double step, double scale, ActuatorMetrics& metrics) {
  const double square = sum_of_lanes(totals.square);
  metrics.mean = sum_of_lanes(totals.mean) / weights / scale;
  metrics.rms = std::sqrt(square / weights) / scale;
  const bool moves = stretch.total > 1 && !stretch.poses;
  metrics.energy = moves ? sum_of_lanes(totals.energy) * step / scale : 0.0;
  return square;
}

}  // namespace

template <class S>
ActuatorMetrics summarise(const LoadSeries<S>& load, const Stretch& stretch,
                          const SampleWeights<S>& weights, double step, LoadTotals<S>& totals) {
  LoadTotals<S> now = stretch.starts() ? LoadTotals<S>() : totals;
  for (std::size_t block = 0; block < weights.blocks.size(); ++block)
    now.add(load(block), load.velocity[block], weights.blocks[block]);
  if (weights.blocks.empty()) add_trapezoids(load, stretch, now);
  totals = now;
  ActuatorMetrics metrics;
  metrics.max = largest_lane(now.max);
  metrics.peak_power = stretch.poses ? 0.0 : largest_lane(now.peak_power);
  const double square = set_integrals(now, stretch, weights.sum_in(stretch), step, 1.0, metrics);
  if (stretch.whole() && lost_in_sum(square, metrics.max))
    summarise_scaled(load, stretch, weights, step, totals, metrics);
  return metrics;
}

template <class S>
bool sums_are_lost(const LoadTotals<S>& totals) {
  return lost_in_sum(sum_of_lanes(totals.square), largest_lane(totals.max));
}

/// Kept out of the pass over the samples, which it would slow down.
template <class S>
[[gnu::noinline]] void summarise_scaled(const LoadSeries<S>& load, const Stretch& stretch,
                                        const SampleWeights<S>& weights, double step,
                                        LoadTotals<S>& totals, ActuatorMetrics& metrics) {
  const double scale = scale_of(metrics.max);
  if (stretch.starts()) totals = {};
  for (std::size_t block = 0; block < load.bare.size(); ++block)
    totals.add(load(block) * scale, load.velocity[block],
               weights.blocks.empty() ? weights_of<S>(stretch, block) : weights.blocks[block]);
  set_integrals(totals, stretch, weights.sum_in(stretch), step, scale, metrics);
}

template ActuatorMetrics summarise(const LoadSeries<double>&, const Stretch&,
                                   const SampleWeights<double>&, double, LoadTotals<double>&);
template ActuatorMetrics summarise(const LoadSeries<Pack>&, const Stretch&,
                                   const SampleWeights<Pack>&, double, LoadTotals<Pack>&);
template bool sums_are_lost(const LoadTotals<double>&);
template bool sums_are_lost(const LoadTotals<Pack>&);
template void summarise_scaled(const LoadSeries<double>&, const Stretch&,
                               const SampleWeights<double>&, double, LoadTotals<double>&,
                               ActuatorMetrics&);
template void summarise_scaled(const LoadSeries<Pack>&, const Stretch&, const SampleWeights<Pack>&,
                               double, LoadTotals<Pack>&, ActuatorMetrics&);

}  // namespace counterpoise
