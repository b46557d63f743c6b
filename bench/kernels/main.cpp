// Google Benchmark over the engine's kernels; its options are this program's options.
#include "bench/kernels/kernels.hpp"

#include <benchmark/benchmark.h>

int main(int argc, char** argv) {
  counterpoise::bench::add_inverse_dynamics();
  counterpoise::bench::add_linkage();
  counterpoise::bench::add_affine_pass();
  counterpoise::bench::add_design_changes();
  counterpoise::bench::add_limits();
  counterpoise::bench::add_fronts();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
