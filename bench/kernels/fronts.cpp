// The front of a million designs with five objectives: taken together, as `rank --pareto` does, and
// window by window, with the front known after each window, as in a running study.
#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

#include "bench/counters.hpp"
#include "bench/kernels/kernels.hpp"
#include "results/rows/batched_front.hpp"

namespace counterpoise::bench {
namespace {

constexpr std::size_t objectives = 5;
constexpr int designs = 1'000'000;

/// Vectors of positive numbers with random directions and lengths from 1 to 10.5.
std::vector<double> random_objectives() {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> distance(1.0, 10.5);
  std::vector<double> values(objectives * designs);
  for (std::size_t i = 0; i < values.size(); i += objectives) {
    double square = 0.0;
    for (std::size_t k = 0; k < objectives; ++k) {
      values[i + k] = std::abs(normal(random));
      square += values[i + k] * values[i + k];
    }
    const double factor = distance(random) / std::sqrt(square);
    for (std::size_t k = 0; k < objectives; ++k) values[i + k] *= factor;
  }
  return values;
}

void front_of(benchmark::State& state, std::int64_t window) {
  const std::vector<double> values = random_objectives();
  std::size_t size = 0;
  for (auto _ : state) {
    BatchedFront front;
    for (std::int64_t id = 1; id <= designs; ++id) {
      front.add(
          id, std::span(values).subspan(static_cast<std::size_t>(id - 1) * objectives, objectives));
      if (id % window == 0) benchmark::DoNotOptimize(front.take_change());
    }
    size = front.size();
  }
  state.counters["front"] = static_cast<double>(size);
  state.counters["design"] = time_of_each(state, designs);
}

}  // namespace

void add_fronts() {
  benchmark::RegisterBenchmark("front/together", front_of, designs);
  benchmark::RegisterBenchmark("front/by_windows", front_of, 10'000);
}

}  // namespace counterpoise::bench
