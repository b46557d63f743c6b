#pragma once

#include <benchmark/benchmark.h>

#include "bench/models/tree.hpp"

namespace counterpoise::bench {

/// A counter that shows the time of one of the `things` an iteration does [s].
inline benchmark::Counter time_of_each(const benchmark::State& state, int things) {
  const double count = static_cast<double>(state.iterations()) * things;
  return {count, benchmark::Counter::kIsRate | benchmark::Counter::kInvert};
}

/// A counter of what happens so often in an iteration, per second.
inline benchmark::Counter rate_of(const benchmark::State& state, double count) {
  return {static_cast<double>(state.iterations()) * count, benchmark::Counter::kIsRate};
}

/// Additions and multiplications of one sample's inverse dynamics, sines and cosines given.
double operations_of_sweep(const Tree& tree);

}  // namespace counterpoise::bench
