#include "optimizer/search/search.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <stdexcept>
#include <thread>

#include "optimizer/search/algorithm.hpp"
#include "tests/optimizer/problems.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

constexpr double reached = 1e-4;  // how near to a known optimum a search must come

std::vector<std::vector<double>> visited(const SearchOptions& options) {
  std::vector<std::vector<double>> points;
  search(options, [&](std::span<const double> x) {
    points.emplace_back(x.begin(), x.end());
    return rosenbrock(x);
  });
  return points;
}

}  // namespace

TEST_CASE("a local search finds the end of Rosenbrock's valley") {
  const SearchSummary summary = search(box(-5.0, 5.0, -2.0, 5000), rosenbrock);
  REQUIRE(summary.found);
  CHECK(std::abs(summary.x[0] - 1.0) < reached);
  CHECK(std::abs(summary.x[1] - 1.0) < reached);
  CHECK(rosenbrock(summary.x).objective == summary.objective);
}

TEST_CASE("a chain of searches finds the kink of a minimax problem") {
  for (const char* global : {"GN_CRS2_LM", "GN_DIRECT_L", "GN_MLSL_LDS"}) {
    CAPTURE(global);
    const SearchSummary summary =
        search(box(-50.0, 70.0, 60.0, 4000, {{global, 0.5}, {"LN_SBPLX", 0.5}}), kink);
    REQUIRE(summary.found);
    CHECK(std::abs(summary.objective - 2.0) < reached);
  }
}

TEST_CASE("multistart's own local searches follow a valley of six dimensions") {
  for (const char* global : {"GN_MLSL", "GN_MLSL_LDS"}) {
    CAPTURE(global);
    SearchOptions options = box(-5.4, 5.4, 3.0, 5000, {{global, 1.0}});
    for (std::vector<double>* of : {&options.lower, &options.upper, &options.nominal})
      of->assign(6, of->front());
    const SearchSummary summary = search(options, [](std::span<const double> x) {
      double sum = 0.0;
      for (std::size_t i = 0; i + 1 < x.size(); ++i) sum += rosenbrock(x.subspan(i, 2)).objective;
      return Evaluation{sum, 0.0, true};
    });
    CHECK(summary.objective < 0.5);  // 0.26; NLopt's own choice, COBYLA, comes to 4.0 and 1.6
  }
}

TEST_CASE("scales of variables that differ by millions do not matter") {
  SearchOptions options = box(0.0, 1.0, 0.9, 4000);
  options.upper[1] = 1e6;
  options.nominal[1] = 9e5;
  const SearchSummary summary = search(options, [](std::span<const double> x) {
    return kink(std::vector<double>{4.0 * x[0], 4e-6 * x[1]});
  });
  CHECK(std::abs(summary.objective - 2.0) < reached);
}

TEST_CASE("a constraint is met at the optimum, whether the objective exists beyond it or not") {
  // x + y least with x y >= 1: (1, 1).
  for (const bool computable : {true, false}) {
    for (const double start : {3.0, 0.2}) {
      CAPTURE(computable, start);
      const SearchSummary summary =
          search(box(0.0, 4.0, start, 6000, {{"GN_CRS2_LM", 0.5}, {"LN_SBPLX", 0.5}}),
                 [&](std::span<const double> x) {
                   const double violation = std::max(0.0, 1.0 - x[0] * x[1]);
                   return Evaluation{x[0] + x[1], violation, computable || violation == 0.0};
                 });
      REQUIRE(summary.found);
      CHECK(summary.infeasible > 0);
      CHECK(summary.x[0] * summary.x[1] >= 1.0);
      CHECK(std::abs(summary.objective - 2.0) < 1e-3);
    }
  }
}

TEST_CASE("a steep objective does not outweigh a mild violation") {
  // -1000 x least with x <= 0.5, violation measured coarsely.
  const SearchSummary summary = search(box(0.0, 1.0, 0.1, 4000), [](std::span<const double> x) {
    const double violation = 1e-3 * std::max(0.0, x[0] - 0.5);
    return Evaluation{-1000.0 * x[0] + x[1], violation, true};
  });
  REQUIRE(summary.found);
  CHECK(summary.x[0] <= 0.5);
  CHECK(std::abs(summary.objective + 500.0) < 0.5);
}

TEST_CASE("a search returns from a tempting plateau that violates to the feasible side") {
  // Beyond 0.5 the objective is far lower and the violation the same everywhere: no way down leads
  // back to the feasible optimum 1 at (0.3, 0).
  const SearchSummary summary = search(box(-1.0, 1.0, 0.45, 4000), [](std::span<const double> x) {
    const bool feasible = x[0] <= 0.5;
    const double centre = feasible ? 0.3 : 0.9;
    const double bowl = std::pow(x[0] - centre, 2) + x[1] * x[1];
    return Evaluation{bowl + (feasible ? 1.0 : -5.0), feasible ? 0.0 : 0.05, true};
  });
  REQUIRE(summary.found);
  CHECK(summary.infeasible > 0);
  CHECK(std::abs(summary.objective - 1.0) < reached);
}

TEST_CASE("where nothing is feasible, nothing is found and the violation falls") {
  double first = -1.0;
  double least = 1e9;
  const SearchSummary summary = search(box(-1.0, 1.0, 0.9, 2000), [&](std::span<const double> x) {
    const double violation = 1.0 + std::abs(x[0]) + std::abs(x[1]);
    if (first < 0.0) first = violation;
    least = std::min(least, violation);
    return Evaluation{std::numeric_limits<double>::quiet_NaN(), violation, false};
  });
  CHECK(!summary.found);
  CHECK(summary.x.empty());
  CHECK(summary.infeasible == summary.evaluations);
  CHECK(least < 1.0 + reached);
}

TEST_CASE("steps, holes and values that are no numbers do not stop a search") {
  for (const std::string& name : algorithm_names()) {
    CAPTURE(name);
    const SearchSummary summary =
        search(box(-2.0, 2.0, 1.0, 1500, {{name, 1.0}}), [](std::span<const double> x) {
          const double inf = std::numeric_limits<double>::infinity();
          if (x[0] > 1.5) return Evaluation{inf, 0.0, true};
          if (x[1] > 1.5) return Evaluation{std::nan(""), std::nan(""), true};
          if (x[0] < -1.5) return Evaluation{0.0, inf, false};
          return Evaluation{std::floor(4.0 * std::abs(x[0])) + std::abs(x[1]), 0.0, true};
        });
    REQUIRE(summary.found);
    CHECK(std::isfinite(summary.objective));
    CHECK(summary.objective <= 5.0);
    CHECK(summary.evaluations <= 1500);
  }
}

TEST_CASE("a seed and a start give the same points on any thread, others give others") {
  for (const std::string& name : algorithm_names()) {
    CAPTURE(name);
    SearchOptions options = box(-5.0, 5.0, -2.0, 700, {{name, 0.6}, {"LN_NELDERMEAD", 0.4}});
    constexpr int starts = 3;
    std::vector<std::vector<std::vector<double>>> alone;
    std::vector<std::vector<std::vector<double>>> together(starts);
    std::vector<std::thread> threads;
    for (int start = 0; start < starts; ++start) {
      options.start = start;
      alone.push_back(visited(options));
      threads.emplace_back([&together, options, start] { together[start] = visited(options); });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(alone == together);
    CHECK(alone[1] != alone[2]);
    options.seed = 2;
    CHECK(visited(options) != alone[2]);
  }
}

TEST_CASE("evaluations are never exceeded, and local restarts use them") {
  for (const int evaluations : {1, 2, 3, 7, 50, 333}) {
    for (const std::string& name : algorithm_names()) {
      CAPTURE(evaluations, name);
      const auto options = box(-5.0, 5.0, -2.0, evaluations, {{name, 1.0}, {"LN_SBPLX", 2.0}});
      int calls = 0;
      const SearchSummary summary = search(options, [&](std::span<const double> x) {
        ++calls;
        return rosenbrock(x);
      });
      CHECK(calls == summary.evaluations);
      CHECK(calls <= evaluations);
      CHECK((summary.why == Stopped::max_evaluations) == (calls == evaluations));
    }
  }
}

TEST_CASE("a search that gains nothing more ends before its evaluations") {
  const SearchSummary summary = search(box(-1.0, 1.0, 0.5, 1000000), [](std::span<const double> x) {
    return Evaluation{x[0] * x[0] + x[1] * x[1], 0.0, true};
  });
  CHECK(summary.why == Stopped::converged);
  CHECK(summary.objective < reached * reached);
}

TEST_CASE("a search can be cancelled, and what the evaluation throws passes through") {
  std::stop_source stop;
  int calls = 0;
  const SearchSummary summary = search(
      box(-5.0, 5.0, -2.0, 5000, {{"GN_CRS2_LM", 1.0}}),
      [&](std::span<const double> x) {
        if (++calls == 40) stop.request_stop();
        return rosenbrock(x);
      },
      stop.get_token());
  CHECK(summary.why == Stopped::cancelled);
  CHECK(calls == 40);

  for (const std::string& name : algorithm_names()) {
    CAPTURE(name);
    calls = 0;
    CHECK_THROWS_AS(search(box(-5.0, 5.0, -2.0, 5000, {{name, 1.0}}),
                           [&](std::span<const double> x) {
                             if (++calls == 30) throw std::out_of_range("full");
                             return rosenbrock(x);
                           }),
                    std::out_of_range);
    CHECK(calls == 30);
  }
}

TEST_CASE("options that do not fit together are refused") {
  for (int fault = 0; fault < 6; ++fault) {
    SearchOptions options = box(0.0, 1.0, 0.5, 100);
    if (fault == 0) options.lower[1] = 1.0;
    if (fault == 1) options.upper.pop_back();
    if (fault == 2) options.stages.clear();
    if (fault == 3) options.max_evaluations = 0;
    if (fault == 4) options.stages[0].share = 0.0;
    if (fault == 5) options.nominal[0] = std::nan("");
    CAPTURE(fault);
    CHECK_THROWS_AS(check(options), std::invalid_argument);
  }
}
