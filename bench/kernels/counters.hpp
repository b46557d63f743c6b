#pragma once

#include <benchmark/benchmark.h>

namespace counterpoise::bench {

/// A counter that shows the time of one of the `things` an iteration does [s].
inline benchmark::Counter time_of_each(const benchmark::State& state, int things) {
  const double count = static_cast<double>(state.iterations()) * things;
  return {count, benchmark::Counter::kIsRate | benchmark::Counter::kInvert};
}

}  // namespace counterpoise::bench
