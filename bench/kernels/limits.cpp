// What the processor could do at most with the kernels' types: multiply-adds that wait for nothing,
// and columns that are only read.
#include <benchmark/benchmark.h>

#include <array>

#include "bench/counters.hpp"
#include "bench/kernels/kernels.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise::bench {
namespace {

constexpr int samples = 608;  // whole blocks of 4 and of 8

void multiply_adds(benchmark::State& state) {
  constexpr int chains = 16, rounds = 1000;  // more chains than a multiply-add has cycles to wait
  std::array<Pack, chains> sums;
  for (int i = 0; i < chains; ++i) sums[i] = Pack(1.0 + i);
  Pack factor(1.0 - 1e-9), term(1e-9);
  benchmark::DoNotOptimize(factor);
  benchmark::DoNotOptimize(term);
  for (auto _ : state) {
    for (int round = 0; round < rounds; ++round)
      for (Pack& sum : sums) sum = sum * factor + term;
    benchmark::DoNotOptimize(sums);
  }
  state.counters["operations"] = rate_of(state, 2.0 * rounds * chains * lanes<Pack>);
}

void read_columns(benchmark::State& state, std::size_t columns) {
  constexpr std::size_t chains = 4;  // a divisor of the blocks
  const std::vector<std::vector<Pack>> all(
      columns, std::vector<Pack>(static_cast<std::size_t>(samples / lanes<Pack>), Pack(0.5)));
  for (auto _ : state)
    for (const std::vector<Pack>& column : all) {
      std::array<Pack, chains> sums{};
      for (std::size_t i = 0; i < column.size(); i += chains)
        for (std::size_t k = 0; k < chains; ++k) sums[k] += column[i + k];
      benchmark::DoNotOptimize(sums);
    }
  state.counters["bytes"] = rate_of(state, static_cast<double>(columns * samples * sizeof(double)));
}

}  // namespace

void add_limits() {
  benchmark::RegisterBenchmark("limit/multiply_adds", multiply_adds);
  // as many as an affine pass of one, two, three and six springs reads
  for (const std::size_t columns : {4U, 6U, 8U, 14U})
    benchmark::RegisterBenchmark(("limit/read_columns/" + std::to_string(columns)).c_str(),
                                 read_columns, columns);
}

}  // namespace counterpoise::bench
