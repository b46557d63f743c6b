#include "optimizer/search/search.hpp"

#include <catch2/catch.hpp>

#include "tests/optimizer/problems.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

TEST_CASE("start 0 is the given point, moved into the bounds") {
  SearchOptions options = box(-1.0, 2.0, 5.0, 1);
  options.nominal[1] = 0.25;
  CHECK(start_point(options) == std::vector<double>{2.0, 0.25});
}

TEST_CASE("further starts follow from the seed, lie in the box and cover it") {
  constexpr int starts = 64;
  for (const std::uint64_t seed : {1ULL, 2ULL, 123456789012345ULL}) {
    std::vector<std::vector<int>> visits(2, std::vector<int>(8));
    for (int start = 1; start <= starts; ++start) {
      SearchOptions options = box(-1.0, 3.0, 0.0, 1);
      options.seed = seed;
      options.start = start;
      const std::vector<double> x = start_point(options);
      CHECK(x == start_point(options));
      options.seed = seed + 1;
      CHECK(x != start_point(options));
      for (std::size_t i = 0; i < 2; ++i) {
        REQUIRE((x[i] >= -1.0 && x[i] <= 3.0));
        ++visits[i][std::min<std::size_t>(7, static_cast<std::size_t>((x[i] + 1.0) * 2.0))];
      }
    }
    // 64 points of a Sobol sequence put 8 in every eighth; a shift moves one or two across.
    for (const auto& axis : visits) {
      for (const int count : axis) CHECK(std::abs(count - starts / 8) <= 2);
    }
  }
}
