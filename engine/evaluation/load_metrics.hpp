#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

#include "engine/evaluation/metrics.hpp"
#include "engine/math/scalar.hpp"
#include "engine/mechanism/motion.hpp"
#include "engine/mechanism/stale_units.hpp"

namespace counterpoise {

/// What one spring adds to the load of one actuator: influence * (rate * length + offset).
template <class S>
struct SpringTerm {
  const S* length;
  const S* influence;
  double rate;
  double offset;
};

/// The load of one actuator over a stretch of a motion, affine in the tensions of springs (paper
/// 001, eq. 5):
///   load = bare + sum of influence * tension,   tension = rate * length + offset
/// It is never stored: a reader computes it again from the series.
template <class S>
struct LoadSeries {
  std::span<const S> bare;
  std::span<const S> velocity;
  std::span<const SpringTerm<S>> terms;

  [[nodiscard]] S operator()(std::size_t block) const {
    S load = bare[block];
    for (const SpringTerm<S>& term : terms)
      load += term.influence[block] * (term.length[block] * term.rate + term.offset);
    return load;
  }
};

/// The weights of samples in means where they are not those of Stretch: the sample's own in each
/// lane, 0 in spare lanes, and the sum of all from the start of the motion to the end of this
/// stretch.
template <class S>
struct SampleWeights {
  std::span<const S> blocks;  // empty: those of Stretch
  double sum = 0.0;

  [[nodiscard]] double sum_in(const Stretch& stretch) const {
    return blocks.empty() ? stretch.weights() : sum;
  }
};

/// Running sums and extremes of one actuator over blocks.
template <class S>
struct LoadTotals {
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

/// Computes all metrics of one actuator in one pass over the samples, carrying the sums from
/// stretch to stretch in `totals`; after the last stretch they cover the motion. Integrals are by
/// the trapezoid rule; a motion of one sample is that sample. Poses weigh alike and take no power.
/// Where plain sums overflow or underflow, a motion that is one stretch is summed again, scaled by
/// a power of two; motions of several stretches must be passed to `summarise_scaled` from the
/// start. Cost: about a dozen operations per block, and five per block and spring.
template <class S>
ActuatorMetrics summarise(const LoadSeries<S>& load, const Stretch& stretch,
                          const SampleWeights<S>& weights, double step, LoadTotals<S>& totals);

/// Whether a sum of these totals has overflowed or underflowed.
template <class S>
bool sums_are_lost(const LoadTotals<S>& totals);

/// Computes the integrals of `metrics`, whose maximum is known, from scaled loads.
template <class S>
void summarise_scaled(const LoadSeries<S>& load, const Stretch& stretch,
                      const SampleWeights<S>& weights, double step, LoadTotals<S>& totals,
                      ActuatorMetrics& metrics);

/// Remembers the last few metrics of one actuator and what they were made from: bare loads, and
/// shapes and laws of the springs that load it.
class LoadMemory {
 public:
  explicit LoadMemory(std::size_t springs)
      : width_(1 + 3 * springs), key_(width_), keys_(width_ * remembered), metrics_(remembered) {}

  void forget() { std::fill(keys_.begin(), keys_.end(), 0); }

  // These set what the metrics asked for next depend on.
  void set_bare(Stamp bare) { key_[0] = bare; }
  void set_spring(std::size_t i, Stamp shape, double rate, double offset) {
    key_[1 + 3 * i] = shape;
    std::memcpy(&key_[2 + 3 * i], &rate, sizeof rate);
    std::memcpy(&key_[3 + 3 * i], &offset, sizeof offset);
  }

  /// The metrics last remembered or recalled.
  [[nodiscard]] const ActuatorMetrics& latest() const { return metrics_[latest_]; }

  /// Returns the metrics remembered for the key set by set_bare() and set_spring(), or null.
  [[nodiscard]] const ActuatorMetrics* recall() {
    for (std::size_t i = 0; i < remembered; ++i) {
      const std::size_t at = (latest_ + i) % remembered;
      if (!std::equal(key_.begin(), key_.end(), keys_.begin() + offset_of(at))) continue;
      latest_ = at;
      return &metrics_[at];
    }
    return nullptr;
  }

  void remember(const ActuatorMetrics& metrics) {
    latest_ = next_;
    next_ = (next_ + 1) % remembered;
    std::copy(key_.begin(), key_.end(), keys_.begin() + offset_of(latest_));
    metrics_[latest_] = metrics;
  }

 private:
  static constexpr std::size_t remembered = remembered_loads;

  [[nodiscard]] std::ptrdiff_t offset_of(std::size_t entry) const {
    return static_cast<std::ptrdiff_t>(entry * width_);
  }

  std::size_t width_;
  std::vector<Stamp> key_;
  std::vector<Stamp> keys_;  // one key after the other; a bare stamp of 0 marks an empty one
  std::vector<ActuatorMetrics> metrics_;
  std::size_t latest_ = 0, next_ = 0;
};

}  // namespace counterpoise
