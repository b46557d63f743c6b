// The affine pass: all metrics of one actuator from bare loads and the springs that load it.
#include <benchmark/benchmark.h>

#include "bench/counters.hpp"
#include "bench/kernels/kernels.hpp"
#include "engine/evaluation/load_metrics.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise::bench {
namespace {

constexpr int samples = 601;

/// A series that has no two values alike.
template <class S>
std::vector<S> series(double from) {
  std::vector<S> values((samples + lanes<S> - 1) / lanes<S>);
  for (int k = 0; k < samples; ++k) set_lane(values[k / lanes<S>], k % lanes<S>, from + 0.001 * k);
  return values;
}

template <class S>
void affine_pass(benchmark::State& state, std::size_t springs) {
  const std::vector<S> bare = series<S>(-0.3), velocity = series<S>(0.2);
  std::vector<std::vector<S>> lengths(springs, series<S>(0.1)), influences(springs, bare);
  std::vector<SpringTerm<S>> terms;
  for (std::size_t i = 0; i < springs; ++i)
    terms.push_back({lengths[i].data(), influences[i].data(), 1000.0, -100.0});
  LoadTotals<S> totals;
  for (auto _ : state) {
    for (SpringTerm<S>& term : terms) term.rate += 1.0;  // another case
    benchmark::DoNotOptimize(
        summarise<S>({bare, velocity, terms}, {0, samples, samples}, {}, 0.1, totals));
  }
  state.counters["sample"] = time_of_each(state, samples);
  // a load: two products and two sums for each spring; its metrics: seven operations
  state.counters["operations"] =
      rate_of(state, samples * (4.0 * static_cast<double>(springs) + 7.0));
  state.counters["bytes"] =
      rate_of(state, samples * static_cast<double>((2 * springs + 2) * sizeof(double)));
}

template <class S>
void add_cases(const std::string& scalar) {
  for (std::size_t springs : {1u, 2u, 3u, 6u}) {
    const std::string name = "affine_pass/" + scalar + "/springs" + std::to_string(springs);
    benchmark::RegisterBenchmark(name.c_str(), affine_pass<S>, springs);
  }
}

}  // namespace

void add_affine_pass() {
  add_cases<Pack>("lanes");
  add_cases<double>("one_sample");
}

}  // namespace counterpoise::bench
