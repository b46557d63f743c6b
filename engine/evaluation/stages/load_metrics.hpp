#pragma once

#include <span>

#include "engine/evaluation/stages/metrics.hpp"
#include "engine/math/scalar.hpp"

namespace counterpoise {

/// What one spring adds to the load of one actuator: influence * (rate * length + offset).
template <class S>
struct SpringTerm {
  const S* length;
  const S* influence;
  double rate;
  double offset;
};

/// The load of one actuator over a motion, affine in the tensions of springs (paper 001, eq. 5):
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

/// Computes all metrics of one actuator in one pass over the samples. Integrals are by the
/// trapezoid rule; a motion of one sample is that sample. Cost: about a dozen operations per block,
/// and five per block and spring.
template <class S>
ActuatorMetrics summarise(const LoadSeries<S>& load, int samples, double step);

}  // namespace counterpoise
