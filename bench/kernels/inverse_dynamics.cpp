// Times the recursive Newton-Euler sweep per sample: the sweep alone, the sweep with the sines and
// cosines of new joint positions, and these sines and cosines alone.
#include <benchmark/benchmark.h>

#include "bench/counters.hpp"
#include "bench/peers/tree_dynamics.hpp"

namespace counterpoise::bench {
namespace {

enum class Work { sweep, sines, both };

template <class S>
void inverse_dynamics_of(benchmark::State& state, const std::string& name, Work work) {
  const Tree tree = tree_named(name);
  TreeDynamics<S> dynamics(tree, random_states(tree));
  for (auto _ : state)
    for (int block = 0; block < dynamics.blocks(); ++block) {
      if (work != Work::sweep) dynamics.turn(block);
      if (work != Work::sines) benchmark::DoNotOptimize(dynamics.solve(block).data());
      benchmark::ClobberMemory();
    }
  state.counters["sample"] = time_of_each(state, sample_count);
  state.counters["body"] = time_of_each(state, sample_count * tree.size());
  if (work == Work::sweep)
    state.counters["operations"] = rate_of(state, sample_count * operations_of_sweep(tree));
}

template <class S>
void add_cases(const std::string& scalar) {
  const auto add = [&scalar](const std::string& kernel, const std::string& tree, Work work) {
    const std::string name = kernel + "/" + scalar + "/" + tree;
    benchmark::RegisterBenchmark(name.c_str(), inverse_dynamics_of<S>, tree, work);
  };
  for (const char* tree : {"arm2", "arm4", "arm6", "charmie21", "arm200"}) {
    add("newton_euler", tree, Work::sweep);
    add("newton_euler_from_positions", tree, Work::both);
  }
  add("sines_and_cosines", "charmie21", Work::sines);
}

}  // namespace

void add_inverse_dynamics() {
  add_cases<Pack>("lanes");
  add_cases<double>("one_sample");
}

}  // namespace counterpoise::bench
