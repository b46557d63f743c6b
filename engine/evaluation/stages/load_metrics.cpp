#include "engine/evaluation/stages/load_metrics.hpp"

#include <array>
#include <cmath>

#include "engine/evaluation/stages/extremes.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {
namespace {

template <class S>
double sum_of_lanes(const S& x) {
  double total = 0.0;
  for (int i = 0; i < lanes<S>; ++i) total += lane(x, i);
  return total;
}

/// The weights of one block's samples in an integral with step 1: a half at both ends of the
/// motion, zero for spare lanes. A single sample has the weight 1.
template <class S>
S weights_of(std::size_t block, int samples) {
  S weights(0.0);
  for (int i = 0; i < lanes<S>; ++i) {
    const int k = static_cast<int>(block) * lanes<S> + i;
    const bool end = samples > 1 && (k == 0 || k == samples - 1);
    if (k < samples) set_lane(weights, i, end ? 0.5 : 1.0);
  }
  return weights;
}

/// Running sums and extremes over blocks.
template <class S>
struct Totals {
  S max = S(0.0), peak_power = S(0.0);
  S mean = S(0.0), square = S(0.0), energy = S(0.0);

  void add(const S& load, const S& velocity) {
    const S size = abs(load);
    const S power = abs(S(load * velocity));
    max = larger(max, size);
    peak_power = larger(peak_power, power);
    mean += size;
    square += load * load;
    energy += power;
  }
  void add(const S& load, const S& velocity, const S& weights) {
    const S size = abs(load);
    const S power = abs(S(load * velocity));
    max = larger(max, size);
    peak_power = larger(peak_power, power);
    mean += size * weights;
    square += load * load * weights;
    energy += power * weights;
  }
};

/// Sums up the metrics, with the number of terms known to the compiler.
template <class S, std::size_t Terms>
void add_whole_blocks(const LoadSeries<S>& load, std::size_t end, Totals<S>& totals) {
  std::array<SpringTerm<S>, Terms> terms;
  std::copy_n(load.terms.begin(), Terms, terms.begin());
  Totals<S> own = totals;
  for (std::size_t block = 1; block < end; ++block) {
    S sum = load.bare[block];
    for (const SpringTerm<S>& term : terms)
      sum += term.influence[block] * (term.length[block] * term.rate + term.offset);
    own.add(sum, load.velocity[block]);
  }
  totals = own;
}

template <class S>
void add_whole_blocks(const LoadSeries<S>& load, std::size_t end, Totals<S>& totals) {
  switch (load.terms.size()) {
    case 0:
      return add_whole_blocks<S, 0>(load, end, totals);
    case 1:
      return add_whole_blocks<S, 1>(load, end, totals);
    case 2:
      return add_whole_blocks<S, 2>(load, end, totals);
    case 3:
      return add_whole_blocks<S, 3>(load, end, totals);
    case 4:
      return add_whole_blocks<S, 4>(load, end, totals);
    default:
      for (std::size_t block = 1; block < end; ++block)
        totals.add(load(block), load.velocity[block]);
  }
}

/// Computes integrals again, from loads scaled by a power of two, where the plain sums are more or
/// less than a double holds. Kept out of the pass over the samples, which it would slow down.
template <class S>
[[gnu::noinline]] void sum_scaled(const LoadSeries<S>& load, int samples, double step,
                                  ActuatorMetrics& metrics) {
  const double scale = scale_of(metrics.max);
  Totals<S> totals;
  for (std::size_t block = 0; block < load.bare.size(); ++block)
    totals.add(load(block) * scale, load.velocity[block], weights_of<S>(block, samples));
  const int intervals = samples > 1 ? samples - 1 : 1;
  metrics.mean = sum_of_lanes(totals.mean) / intervals / scale;
  metrics.rms = std::sqrt(sum_of_lanes(totals.square) / intervals) / scale;
  metrics.energy = samples > 1 ? sum_of_lanes(totals.energy) * step / scale : 0.0;
}

}  // namespace

template <class S>
ActuatorMetrics summarise(const LoadSeries<S>& load, int samples, double step) {
  const std::size_t blocks = load.bare.size();
  Totals<S> totals;
  totals.add(load(0), load.velocity[0], weights_of<S>(0, samples));
  if (blocks > 1) {
    add_whole_blocks(load, blocks - 1, totals);
    totals.add(load(blocks - 1), load.velocity[blocks - 1], weights_of<S>(blocks - 1, samples));
  }
  const int intervals = samples > 1 ? samples - 1 : 1;
  ActuatorMetrics metrics;
  metrics.max = largest_lane(totals.max);
  const double square = sum_of_lanes(totals.square);
  metrics.mean = sum_of_lanes(totals.mean) / intervals;
  metrics.rms = std::sqrt(square / intervals);
  metrics.energy = samples > 1 ? sum_of_lanes(totals.energy) * step : 0.0;
  metrics.peak_power = largest_lane(totals.peak_power);
  if (lost_in_sum(square, metrics.max)) sum_scaled(load, samples, step, metrics);
  return metrics;
}

template ActuatorMetrics summarise(const LoadSeries<double>&, int, double);
template ActuatorMetrics summarise(const LoadSeries<Pack>&, int, double);

}  // namespace counterpoise
