#include "optimizer/interval.hpp"

#include <boost/multiprecision/mpfr.hpp>
#include <catch2/catch.hpp>

#include "tests/support/random.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// 256 bits: 77 digits.
using Exact = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<77>>;

/// A number with an enclosure, made by the same random operations.
struct Pair {
  Interval interval;
  Exact exact;
};

bool holds(const Interval& interval, const Exact& exact) {
  return Exact(interval.low) <= exact && exact <= Exact(interval.high);
}

/// Numbers of very different sizes, and some that cancel or are exact.
Pair random_number(Random& random) {
  if (random.chance(0.1)) {
    const double whole = random.below(7) - 3;
    return {Interval(whole), Exact(whole)};
  }
  const double size = std::pow(10.0, random.uniform(-12.0, 12.0));
  const double low = random.signed_uniform(0.0, size);
  const double width = random.chance(0.5) ? 0.0 : size * std::pow(10.0, -random.uniform(1.0, 15.0));
  const double high = low + width;
  const double inside = low + width * random.uniform(0.0, 1.0);
  return {Interval(low, high), Exact(std::clamp(inside, low, high))};
}

Pair combined(int operation, const Pair& a, const Pair& b) {
  switch (operation) {
    case 0:
      return {a.interval + b.interval, a.exact + b.exact};
    case 1:
      return {a.interval - b.interval, a.exact - b.exact};
    case 2:
      return {a.interval * b.interval, a.exact * b.exact};
    case 3:
      return {a.interval.low * b.interval, Exact(a.interval.low) * b.exact};
    case 4:
      return {square(a.interval), a.exact * a.exact};
    case 5:
      return {root(square(a.interval) + square(b.interval)),
              sqrt(a.exact * a.exact + b.exact * b.exact)};
    case 6: {
      const Interval square_and_one = square(a.interval) + Interval(1.0);
      return {inverse(square_and_one), 1 / (a.exact * a.exact + 1)};
    }
    default:
      return {joined(a.interval, b.interval), a.exact};
  }
}

}  // namespace

TEST_CASE("intervals hold what 256 bits give, for a million random terms") {
  Random random(20);
  std::int64_t outside = 0, terms = 0;
  double widest = 0.0;
  while (terms < trials(1'000'000)) {
    Pair value = random_number(random);
    for (int i = 0; i < 5; ++i, ++terms) {
      value = combined(random.below(8), value, random_number(random));
      outside += holds(value.interval, value.exact) ? 0 : 1;
      if (!(value.interval.size() < 1e100)) break;
    }
  }
  CHECK(outside == 0);
  // and not by being wide: a sum of products of numbers is as narrow as its roundings
  for (int i = 0; i < 1000; ++i) {
    Interval sum(0.0);
    double size = 0.0;
    for (int k = 0; k < 100; ++k) {
      const double a = random.uniform(-1.0, 1.0), b = random.uniform(-1.0, 1.0);
      sum += a * Interval(b);
      size += std::abs(a * b);
    }
    widest = std::max(widest, (sum.high - sum.low) / size);
  }
  CHECK(widest < 200.0 * 0x1p-51);
}

TEST_CASE("numbers about the least normal one are held too") {
  Random random(4);
  int outside = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double a = random.signed_uniform(0.0, 1e-150), b = random.signed_uniform(0.0, 1e-160);
    outside += holds(Interval(a) * Interval(b), Exact(a) * Exact(b)) ? 0 : 1;
    outside += holds(square(Interval(b)), Exact(b) * Exact(b)) ? 0 : 1;
  }
  CHECK(outside == 0);
}

TEST_CASE("middle and radius hold an interval") {
  Random random(5);
  for (int i = 0; i < 10'000; ++i) {
    const Interval one = random_number(random).interval;
    const Exact middle(one.middle()), radius(one.radius());
    CHECK(middle - radius <= Exact(one.low));
    CHECK(middle + radius >= Exact(one.high));
  }
}
