#include "engine/kinematics/nearest_poses.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <numbers>

#include "tests/support/flat.hpp"
#include "tests/support/random.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// A chain of links pinned at the origin, whose end should meet a point of the world on the x axis.
struct OpenChain {
  std::vector<double> lengths;
  double target = 0.0;
  Flat flat;

  OpenChain(std::vector<double> links, double at, const std::vector<double>& guesses)
      : lengths(std::move(links)), target(at) {
    int parent = world_body;
    for (std::size_t i = 0; i < lengths.size(); ++i)
      parent = flat.revolute(parent, i == 0 ? 0.0 : lengths[i - 1], 0.0, guesses[i]);
    flat.loop(flat.point(parent, lengths.back(), 0.0), flat.point(world_body, target, 0.0));
  }

  [[nodiscard]] double gap() const {
    const std::vector<double> q = nearest_zero_configuration(flat.mechanism);
    std::complex<double> end = 0.0;
    double angle = 0.0;
    for (std::size_t i = 0; i < lengths.size(); ++i) end += std::polar(lengths[i], angle += q[i]);
    return std::abs(end - target);
  }

  /// The end reaches any distance from the origin between the longest link less the others and all
  /// links in a row.
  [[nodiscard]] double least_gap() const {
    double all = 0.0;
    for (const double length : lengths) all += length;
    const double inner = 2.0 * *std::max_element(lengths.begin(), lengths.end()) - all;
    return std::max({0.0, std::abs(target) - all, inner - std::abs(target)});
  }
};

}  // namespace

TEST_CASE("a chain that cannot reach points there, whichever way it is folded at first") {
  Random random(20261120);
  for (int trial = 0; trial < test::trials(200); ++trial) {
    CAPTURE(trial);
    std::vector<double> lengths, guesses;
    double all = 0.0;
    for (int i = 0, count = 1 + random.below(4); i < count; ++i) {
      lengths.push_back(random.uniform(0.2, 1.0));
      all += lengths.back();
      // in one line with the point, where nothing pulls to either side
      guesses.push_back(random.chance(0.5) ? 0.0 : std::numbers::pi);
    }
    const OpenChain chain(lengths, -all * random.uniform(1.05, 3.0), guesses);
    CHECK(chain.gap() == Approx(chain.least_gap()).epsilon(1e-6));
  }
}

TEST_CASE("a chain with one link too long for its point, and one that reaches it") {
  for (const double guess : {0.0, std::numbers::pi}) {
    const OpenChain too_long({1.0, 0.3}, 0.4, {0.0, guess});
    CHECK(too_long.gap() == Approx(0.3).epsilon(1e-6));
    const OpenChain reaching({1.0, 0.8}, -0.9, {0.0, guess});
    CHECK(reaching.gap() < 1e-9);
  }
}
