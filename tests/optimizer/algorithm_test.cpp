#include "optimizer/search/algorithm.hpp"

#include <catch2/catch.hpp>

#include "tests/optimizer/problems.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

TEST_CASE("every accepted algorithm runs within its evaluations and improves on the start") {
  for (const std::string& name : algorithm_names()) {
    for (const std::size_t dimensions : {1U, 2U, 5U}) {
      CAPTURE(name, dimensions);
      SearchOptions options;
      options.stages = {{"NLOPT_" + name, 1.0}};
      options.max_evaluations = 600;
      options.lower.assign(dimensions, -3.0);
      options.upper.assign(dimensions, 1e4);
      options.nominal.assign(dimensions, 9e3);
      const bool too_few = dimensions == 1 && (name == "LN_BOBYQA" || name == "LN_NEWUOA_BOUND" ||
                                               name == "LN_PRAXIS");
      if (too_few) {
        CHECK_THROWS_AS(check(options), std::invalid_argument);
        continue;
      }
      int calls = 0;
      double first = 0.0;
      const SearchSummary summary = search(options, [&](std::span<const double> x) {
        double sum = 0.0;
        for (const double xi : x) {
          CHECK((xi >= -3.0 && xi <= 1e4));
          sum += std::abs(xi - 100.0);
        }
        if (calls++ == 0) first = sum;
        return Evaluation{sum, 0.0, true};
      });
      CHECK(calls == summary.evaluations);
      CHECK(calls <= options.max_evaluations);
      CHECK(summary.found);
      CHECK(summary.objective < first);
    }
  }
}

TEST_CASE("an unknown name or one that needs gradients is refused with the valid ones") {
  for (const char* name : {"LD_MMA", "LN_SBLPX", "", "NLOPT_", "LN_NEWUOA"}) {
    CAPTURE(name);
    try {
      check_algorithm(name, 3);
      FAIL("accepted");
    } catch (const std::invalid_argument& error) {
      for (const std::string& valid : algorithm_names()) {
        CHECK_THAT(error.what(), Catch::Contains(valid));
      }
    }
  }
}
