#include <catch2/catch.hpp>
#include <thread>

#include "tests/optimizer/convex/problems.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

using enum NormKind;

std::vector<ConvexProblem> problems() {
  std::mt19937 random(17);
  std::vector<ConvexProblem> result;
  for (int trial = 0; trial < 6; ++trial) {
    result.push_back(
        random_problem(random, {.unknowns = 6, .samples = 200, .kinds = {max, l1, max, l1}}));
    result.push_back(random_problem(
        random, {.unknowns = 5, .kinds = {l2, l1}, .linear_limits = 2, .in_limits = {l1}}));
    result.push_back(random_problem(random, {.unknowns = 4, .kinds = {l2}}));
  }
  return result;
}

/// Every number of a solution in a row.
std::vector<double> numbers_of(const ConvexSolution& solution) {
  std::vector<double> numbers = solution.x;
  const Certificate& proof = solution.certificate;
  numbers.insert(numbers.end(),
                 {solution.value, solution.gap, proof.bound, static_cast<double>(solution.rounds)});
  for (const auto* list : {&proof.pieces, &proof.limits, &proof.slopes}) {
    numbers.insert(numbers.end(), list->begin(), list->end());
  }
  for (const Certificate::Witness& witness : proof.witnesses) {
    numbers.insert(numbers.end(),
                   {static_cast<double>(witness.norm), static_cast<double>(witness.part),
                    static_cast<double>(witness.sample), witness.weight});
  }
  return numbers;
}

std::vector<std::vector<double>> solved(const std::vector<ConvexProblem>& problems,
                                        bool backwards) {
  std::vector<std::vector<double>> results(problems.size());
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const std::size_t next = backwards ? problems.size() - 1 - i : i;
    results[next] = numbers_of(solve(problems[next]));
  }
  return results;
}

}  // namespace

TEST_CASE("the same problem has the same bits, whatever was solved before and on any thread") {
  const std::vector<ConvexProblem> all = problems();
  const std::vector<std::vector<double>> expected = solved(all, false);
  CHECK(solved(all, true) == expected);
  constexpr std::size_t threads = 5;
  std::vector<std::vector<std::vector<double>>> found(threads);
  std::vector<std::thread> running;
  for (std::size_t t = 0; t < threads; ++t) {
    running.emplace_back([&, t] { found[t] = solved(all, t % 2 == 1); });
  }
  for (std::thread& thread : running) thread.join();
  for (std::size_t t = 0; t < threads; ++t) CHECK(found[t] == expected);
}

TEST_CASE("an optimum is the same from any start, with its certificate or without") {
  std::mt19937 random(23);
  for (const ConvexProblem& problem : problems()) {
    const ConvexSolution whole = solve(problem);
    ConvexOptions options;
    for (int trial = 0; trial < 4; ++trial) {
      options.start = trial == 0 ? whole.x : random_point(random, problem);
      options.proof = true;
      const ConvexSolution begun = solve(problem, options);
      CHECK(judged(problem, begun, 1e-9 * whole.value) == "optimal");
      CHECK(begun.value == Approx(whole.value).epsilon(2e-10));
      options.proof = false;
      const ConvexSolution bare = solve(problem, options);
      CHECK(bare.status == ConvexSolution::Status::optimal);
      CHECK(bare.x == begun.x);
      CHECK(bare.value == begun.value);
      CHECK(bare.certificate.bound <= whole.value * (1.0 + 1e-12));
    }
  }
}

TEST_CASE("limits that cannot be met, or at one point, are found without certificates too") {
  ConvexProblem problem = small_problem({1.0, -2.0}, {{1.0, 1.0}, {0.5, 1.0}}, max);
  problem.limits = {{{0.0, {}, {{0, 1.0}, {1, 1.0}}}, -20.0}};
  ConvexOptions options;
  options.start = {-10.0, -10.0};
  options.proof = false;
  CHECK(solve(problem, options).x == std::vector<double>{-10.0, -10.0});
  problem.limits[0].bound = -21.0;
  CHECK(solve(problem, options).status == ConvexSolution::Status::infeasible);
}
