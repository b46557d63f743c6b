#include "engine/math/pack.hpp"

#include <Eigen/Core>
#include <catch2/catch.hpp>

#include "tests/support/random.hpp"

using namespace counterpoise;

namespace {

Pack random_pack(test::Random& random) {
  Pack x;
  for (int i = 0; i < pack_width; ++i) set_lane(x, i, random.uniform(-3.0, 3.0));
  return x;
}

/// Whether every lane of `packed` is exactly what `scalar` makes of the lanes.
template <class Packed, class Single>
void check_lanes(const Pack& a, const Pack& b, const Packed& packed, const Single& single) {
  const Pack result = packed(a, b);
  for (int i = 0; i < pack_width; ++i) {
    CAPTURE(i, a[i], b[i]);
    CHECK(lane(result, i) == single(a[i], b[i]));
  }
}

}  // namespace

TEST_CASE("every lane of a pack is exactly the double result") {
  test::Random random(6);
  for (int trial = 0; trial < 100; ++trial) {
    const Pack a = random_pack(random), b = random_pack(random);
    const auto both = [&](auto operation) { check_lanes(a, b, operation, operation); };
    both([](auto x, auto y) { return x + y; });
    both([](auto x, auto y) { return x - y; });
    both([](auto x, auto y) { return x * y; });
    both([](auto x, auto y) { return x / y; });
    both([](auto x, auto) { return -x; });
    both([](auto x, auto y) { return smaller(x, y); });
    both([](auto x, auto y) { return larger(x, y); });
    both([](auto x, auto) { return abs(x); });
    both([](auto x, auto) { return sqrt(abs(x)); });
    both([](auto x, auto) { return sin(x); });
    both([](auto x, auto) { return cos(x); });
    both([](auto x, auto y) { return atan2(y, x); });
    both([](auto x, auto y) { return select(x < y, x, decltype(x)(7.0)); });
    both([](auto x, auto y) { return select((x < y) & (x > decltype(x)(0.0)), x, y); });
    both([](auto x, auto y) { return select((x >= y) | (x == y), x, y); });
  }
}

TEST_CASE("vectors of packs multiply lane by lane") {
  test::Random random(7);
  Eigen::Matrix<Pack, 3, 3> m;
  Eigen::Matrix<Pack, 3, 1> v;
  for (int i = 0; i < 3; ++i) {
    v(i) = random_pack(random);
    for (int j = 0; j < 3; ++j) m(i, j) = random_pack(random);
  }
  const Eigen::Matrix<Pack, 3, 1> product = m * v;
  for (int k = 0; k < pack_width; ++k)
    for (int i = 0; i < 3; ++i) {
      const double expected = m(i, 0)[k] * v(0)[k] + m(i, 1)[k] * v(1)[k] + m(i, 2)[k] * v(2)[k];
      // three products of up to 9, contracted or not
      CHECK(product(i)[k] == Approx(expected).margin(1e-14));
    }
}
