// bench_points STUDY POINTS: evaluates points, which a file holds as doubles one after the other,
// in their order, and prints the CPU time [s] and a check sum of the objectives.
#include <bit>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "bench/stopwatch.hpp"
#include "cases/point_evaluator.hpp"
#include "input/reading/read.hpp"

int main(int argc, char** argv) {
  using namespace counterpoise;
  if (argc != 3) {
    std::cerr << "usage: bench_points STUDY POINTS\n";
    return 2;
  }
  const auto study = std::make_shared<const Study>(read_study(argv[1], read_text_file));
  std::ifstream file(argv[2], std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::vector<double> numbers(bytes.size() / sizeof(double));
  std::copy_n(bytes.data(), numbers.size() * sizeof(double),
              reinterpret_cast<char*>(numbers.data()));
  const std::size_t size = study->variables.size();
  PointEvaluator evaluator(study);
  CaseOutcome outcome;
  std::uint64_t sum = 0;
  const bench::Stopwatch watch;
  for (std::size_t at = 0; at + size <= numbers.size(); at += size) {
    evaluator.evaluate(std::span(numbers).subspan(at, size), outcome);
    if (!outcome.computable) continue;
    for (const double objective : outcome.objectives)
      sum += std::bit_cast<std::uint64_t>(objective);
  }
  std::cout << watch.cpu() << ' ' << sum << '\n';
}
