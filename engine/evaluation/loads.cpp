#include "engine/evaluation/loads.hpp"

#include <algorithm>
#include <cmath>

#include "engine/dynamics/spring_law.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {
namespace {

/// Trapezoid weights of one block's samples, over the duration: they sum to 1 over the motion. A
/// motion of one sample is that sample.
template <class S>
S mean_weights(int block, int samples) {
  if (samples == 1) return S(block == 0 ? 1.0 / lanes<S> : 0.0);
  S weights(0.0);
  for (int i = 0; i < lanes<S>; ++i) {
    const int k = block * lanes<S> + i;
    const bool end = k == 0 || k == samples - 1;
    if (k < samples) set_lane(weights, i, (end ? 0.5 : 1.0) / (samples - 1));
  }
  return weights;
}

template <class S>
double sum(const S& x) {
  double total = 0.0;
  for (int i = 0; i < lanes<S>; ++i) total += lane(x, i);
  return total;
}

template <class S>
double largest(const S& x) {
  double result = lane(x, 0);
  for (int i = 1; i < lanes<S>; ++i) result = std::max(result, lane(x, i));
  return result;
}

}  // namespace

template <class S>
void sum_loads(const Mechanism& mechanism, const Pipeline<S>& pipeline, double step, bool springs,
               LoadHistory<S>& history) {
  const auto blocks = static_cast<std::size_t>(pipeline.blocks());
  history.samples = pipeline.samples();
  history.step = step;
  history.actuators = mechanism.actuators.size();
  history.springs = mechanism.springs.size();
  history.loads.resize(blocks * history.actuators);
  history.tensions.resize(springs ? blocks * history.springs : 0);

  for (int block = 0; block < pipeline.blocks(); ++block) {
    const auto b = static_cast<std::size_t>(block);
    const std::span<S> loads(&history.loads[b * history.actuators], history.actuators);
    const std::span<const S> bare = pipeline.bare_loads(block);
    std::copy(bare.begin(), bare.end(), loads.begin());
    if (!springs || history.springs == 0) continue;

    const std::span<S> tensions(&history.tensions[b * history.springs], history.springs);
    const std::span<const S> lengths = pipeline.lengths(block);
    for (std::size_t s = 0; s < tensions.size(); ++s) {
      const SpringLaw law = law_of(mechanism.springs[s]);
      tensions[s] = lengths[s] * law.rate + law.offset;
    }
    const std::span<const S> influence = pipeline.influence(block);
    for (std::size_t i = 0; i < influence.size(); ++i) {
      const auto& [spring, actuator] = pipeline.influences()[i];
      loads[actuator] += influence[i] * tensions[spring];
    }
  }
}

template <class S>
void summarise(const Pipeline<S>& pipeline, const LoadHistory<S>& history, Metrics& out) {
  const double duration = std::max(history.samples - 1, 1) * history.step;
  out.actuators.resize(history.actuators);
  out.springs.assign(history.springs, {});
  for (std::size_t a = 0; a < history.actuators; ++a) {
    S max(0.0), mean(0.0), square(0.0), energy(0.0), peak_power(0.0);
    for (int block = 0; block < pipeline.blocks(); ++block) {
      const S load = history.loads[static_cast<std::size_t>(block) * history.actuators + a];
      const S size = abs(load);
      const S power = abs(S(load * pipeline.velocities(block)[a]));
      const S weights = mean_weights<S>(block, history.samples);
      max = larger(max, size);
      peak_power = larger(peak_power, power);
      mean += size * weights;
      square += load * load * weights;
      energy += power * weights;
    }
    const double whole_energy = history.samples == 1 ? 0.0 : sum(energy) * duration;
    out.actuators[a] = {largest(max), sum(mean), std::sqrt(sum(square)), whole_energy,
                        largest(peak_power)};
  }
  if (history.tensions.empty()) return;
  for (std::size_t s = 0; s < history.springs; ++s) {
    S shortest = pipeline.lengths(0)[s], longest = shortest, tension(0.0);
    for (int block = 0; block < pipeline.blocks(); ++block) {
      const S length = pipeline.lengths(block)[s];
      shortest = smaller(shortest, length);
      longest = larger(longest, length);
      tension = larger(
          tension, abs(history.tensions[static_cast<std::size_t>(block) * history.springs + s]));
    }
    out.springs[s] = {-largest(S(-shortest)), largest(longest), largest(tension)};
  }
}

template void sum_loads(const Mechanism&, const Pipeline<double>&, double, bool,
                        LoadHistory<double>&);
template void sum_loads(const Mechanism&, const Pipeline<Pack>&, double, bool, LoadHistory<Pack>&);
template void summarise(const Pipeline<double>&, const LoadHistory<double>&, Metrics&);
template void summarise(const Pipeline<Pack>&, const LoadHistory<Pack>&, Metrics&);

}  // namespace counterpoise
