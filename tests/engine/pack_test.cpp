#include "engine/math/pack.hpp"

#include <Eigen/Core>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/support/random.hpp"
#include "tests/support/trials.hpp"

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

/// Units in the last place between a double and what it should be.
double ulps(double computed, long double exact) {
  const double nearest = std::abs(static_cast<double>(exact));
  const double unit = std::nextafter(nearest, std::numeric_limits<double>::infinity()) - nearest;
  return static_cast<double>(std::abs(computed - exact) / unit);
}

/// A number of either sign, with a magnitude between 2^low and 2^high.
double any_size(test::Random& random, int low, int high) {
  return random.signed_uniform(0.5, 1.0) * std::exp2(random.uniform(low, high));
}

/// Packs of numbers, one set after another: a few turns, many turns, and sizes of all orders.
template <class Check>
void for_many_packs(Check check) {
  test::Random random(8);
  for (int trial = 0; trial < test::trials(3000); ++trial) {
    Pack x;
    for (int i = 0; i < pack_width; ++i) {
      const double sets[] = {random.uniform(-7.0, 7.0), random.uniform(-1e5, 1e5),
                             any_size(random, -1020, 1020)};
      set_lane(x, i, sets[trial % 3]);
    }
    check(x);
  }
}

constexpr double function_ulps = 1.0;  // what SLEEF states; the reference is finer than 1/1000

}  // namespace

TEST_CASE("every lane of a pack is exactly the double result") {
  test::Random random(6);
  for (int trial = 0; trial < test::trials(100); ++trial) {
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
    both([](auto x, auto y) { return select(x < y, x, decltype(x)(7.0)); });
    both([](auto x, auto y) { return select((x < y) & (x > decltype(x)(0.0)), x, y); });
    both([](auto x, auto y) { return select((x >= y) | (x == y), x, y); });
  }
}

TEST_CASE("sine and cosine of a pack are within an ulp, alone and together") {
  for_many_packs([](Pack x) {
    const Pack s = sin(x), c = cos(x);
    Pack both_s, both_c;
    sincos(x, both_s, both_c);
    for (int i = 0; i < pack_width; ++i) {
      const long double exact = x[i];
      CAPTURE(i, x[i]);
      CHECK(ulps(s[i], std::sin(exact)) <= function_ulps);
      CHECK(ulps(c[i], std::cos(exact)) <= function_ulps);
      CHECK(ulps(both_s[i], std::sin(exact)) <= function_ulps);
      CHECK(ulps(both_c[i], std::cos(exact)) <= function_ulps);
    }
  });
}

TEST_CASE("the arctangent of two packs is within an ulp in every quadrant") {
  test::Random random(9);
  for (int trial = 0; trial < test::trials(3000); ++trial) {
    Pack y, x;
    for (int i = 0; i < pack_width; ++i) {
      const bool alike = trial % 2 == 0;
      set_lane(y, i, alike ? random.uniform(-3.0, 3.0) : any_size(random, -300, 300));
      set_lane(x, i, alike ? random.uniform(-3.0, 3.0) : any_size(random, -300, 300));
    }
    const Pack angle = atan2(y, x);
    for (int i = 0; i < pack_width; ++i) {
      CAPTURE(i, y[i], x[i]);
      const long double exact_y = y[i], exact_x = x[i];
      CHECK(ulps(angle[i], std::atan2(exact_y, exact_x)) <= function_ulps);
    }
  }
}

TEST_CASE("functions of a pack know signed zeros, the axes and what is not a number") {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double zero : {0.0, -0.0}) {
    Pack s, c;
    sincos(Pack(zero), s, c);
    for (int i = 0; i < pack_width; ++i) {
      CHECK(std::signbit(sin(Pack(zero))[i]) == std::signbit(zero));
      CHECK(std::signbit(s[i]) == std::signbit(zero));
      CHECK(s[i] == 0.0);
      CHECK(c[i] == 1.0);
      CHECK(cos(Pack(zero))[i] == 1.0);
    }
    for (const double other : {0.0, -0.0, 2.0, -2.0}) {
      CAPTURE(zero, other);
      const Pack on_x = atan2(Pack(zero), Pack(other)), on_y = atan2(Pack(other), Pack(zero));
      for (int i = 0; i < pack_width; ++i) {
        CHECK(on_x[i] == std::atan2(zero, other));
        CHECK(std::signbit(on_x[i]) == std::signbit(std::atan2(zero, other)));
        CHECK(on_y[i] == std::atan2(other, zero));
      }
    }
  }
  for (const double wrong : {infinity, -infinity, std::nan("")})
    for (int i = 0; i < pack_width; ++i) {
      CHECK(std::isnan(sin(Pack(wrong))[i]));
      CHECK(std::isnan(cos(Pack(wrong))[i]));
    }
}

TEST_CASE("each lane's function sees its own lane only") {
  Pack y;
  for (int i = 0; i < pack_width; ++i) set_lane(y, i, i % 2 == 0 ? 0.25 * i : 1e200);
  const Pack s = sin(y), angle = atan2(y, Pack(1.0));
  for (int i = 0; i < pack_width; ++i) {
    CHECK(s[i] == sin(Pack(y[i]))[0]);
    CHECK(angle[i] == atan2(Pack(y[i]), Pack(1.0))[0]);
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

TEST_CASE("a reciprocal root is within two epsilon, and so is the root that it gives") {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  for_many_packs([&](const Pack& any) {
    const Pack x = abs(any);
    const Pack packed = reciprocal_root(x);
    for (int i = 0; i < pack_width; ++i) {
      CAPTURE(x[i]);
      if (x[i] == 0.0) continue;
      const long double exact = 1.0L / std::sqrt(static_cast<long double>(x[i]));
      const double single = reciprocal_root(x[i]);
      for (const double r : {single, packed[i]}) {
        CHECK(std::abs(static_cast<double>(r / exact - 1.0L)) <= 1.5 * epsilon);
        CHECK(std::abs(static_cast<double>(r * x[i] * exact - 1.0L)) <= 2.0 * epsilon);
      }
    }
  });
  CHECK(reciprocal_root(0.0) == 0.0);
  CHECK(lane(reciprocal_root(Pack(0.0)), 0) == 0.0);
  CHECK_FALSE(std::isfinite(std::numeric_limits<double>::infinity() *
                            reciprocal_root(std::numeric_limits<double>::infinity())));
}

TEST_CASE("the angle of a vector has the sine and cosine that it stands for") {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  test::Random random(9);
  for (int trial = 0; trial < test::trials(3000); ++trial) {
    Pack x, y;
    const double size = std::pow(10.0, random.uniform(-30.0, 30.0));
    for (int i = 0; i < pack_width; ++i) {
      set_lane(x, i, size * random.uniform(-1.0, 1.0));
      set_lane(y, i, trial % 5 == 0 ? 0.0 : size * random.uniform(-1.0, 1.0));
    }
    const Angle<Pack> packed = angle_of(y, x);
    for (int i = 0; i < pack_width; ++i) {
      CAPTURE(x[i], y[i]);
      const Angle<double> single = angle_of(y[i], x[i]);
      const long double length = std::hypot(static_cast<long double>(x[i]), y[i]);
      for (const Angle<double>& angle :
           {single, Angle<double>{packed.q[i], packed.sine[i], packed.cosine[i]}}) {
        CHECK(std::abs(angle.q - std::atan2(y[i], x[i])) <= 4.0 * epsilon);
        CHECK(std::abs(static_cast<double>(angle.sine - y[i] / length)) <= 5.0 * epsilon);
        CHECK(std::abs(static_cast<double>(angle.cosine - x[i] / length)) <= 5.0 * epsilon);
      }
    }
  }
  const Angle<double> none = angle_of(0.0, 0.0);
  CHECK((none.q == 0.0 && none.sine == 0.0 && none.cosine == 1.0));
}

TEST_CASE("a condition holds in the first lanes as a loop over them finds") {
  for (unsigned bits = 0; bits < 1U << pack_width; ++bits) {
    Pack x(0.0);
    for (int i = 0; i < pack_width; ++i) set_lane(x, i, (bits >> i & 1U) != 0 ? 1.0 : -1.0);
    for (int count = 0; count <= pack_width; ++count) {
      bool all = true;
      for (int i = 0; i < count; ++i) all = all && lane(x, i) > 0.0;
      CAPTURE(bits, count);
      CHECK(holds(x > Pack(0.0), count) == all);
    }
  }
}
