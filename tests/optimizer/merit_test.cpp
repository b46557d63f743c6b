#include "optimizer/search/search.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace counterpoise;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
}  // namespace

TEST_CASE("a merit is finite and below the worst, whatever was evaluated") {
  for (const double typical : {0.0, 1e-300, -5.0, 700.0, 1e300}) {
    Merit merit;
    merit.tune(typical);
    for (int raises = 0; raises < 20; ++raises) merit.raise_weight();
    for (const double objective : {0.0, -1e308, 1e308, infinity, -infinity, not_a_number, 3.0}) {
      for (const double violation : {0.0, 1.0, -1.0, 1e308, infinity, not_a_number}) {
        for (const bool computable : {true, false}) {
          CAPTURE(typical, objective, violation, computable);
          const double value = merit({objective, violation, computable});
          CHECK(std::isfinite(value));
          CHECK(value < merit.worst());
        }
      }
    }
  }
}

TEST_CASE("what is computable is better than what is not, and less violation is better") {
  Merit merit;
  merit.tune(4.0);
  double last = -infinity;
  for (const double objective : {-100.0, 0.0, 40.0, 44.0, 45.0, 1e3, 1e5}) {
    const double value = merit({objective, 0.0, true});
    CHECK(value > last);
    last = value;
  }
  for (const double violation : {0.0, 0.01, 1.0, 100.0}) {
    const double value = merit({0.0, violation, false});
    CHECK(value > last);
    last = value;
  }
  CHECK(merit({1.0, 0.0, true}) < merit({1.0, 0.1, true}));
  CHECK(merit({1.0, 0.1, true}) < merit({1.0, 0.2, true}));
}
