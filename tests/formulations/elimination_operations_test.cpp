#include "bench/formulations/elimination_operations.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>

using counterpoise::bench::Counted;
using counterpoise::bench::Operations;

namespace {

std::array<int, 7> counts(const Operations& n) {
  return {n.sums, n.products, n.quotients, n.roots, n.sines, n.arctangents, n.assignments};
}

}  // namespace

TEST_CASE("operations are counted as generated code would do them") {
  Counted::start();
  const Counted x = Counted::input(0.7), y = Counted::input(-1.3);
  Counted sine, cosine;
  sincos(x, sine, cosine);
  const auto of = [](const std::vector<Counted>& results) {
    return counts(Counted::operations(results));
  };
  const auto is = [](int sums, int products, int quotients, int roots, int sines, int arctangents,
                     int assignments) {
    return std::array<int, 7>{sums, products, quotients, roots, sines, arctangents, assignments};
  };

  SECTION("one of each") {
    CHECK(of({x + y}) == is(1, 0, 0, 0, 0, 0, 1));
    CHECK(of({x - y}) == is(1, 0, 0, 0, 0, 0, 1));
    CHECK(of({x * y}) == is(0, 1, 0, 0, 0, 0, 1));
    CHECK(of({x / y}) == is(0, 0, 1, 0, 0, 0, 1));
    CHECK(of({sqrt(x)}) == is(0, 0, 0, 1, 0, 0, 1));
    CHECK(of({sine, cosine}) == is(0, 0, 0, 0, 2, 0, 2));
    CHECK(of({atan2(y, x)}) == is(0, 0, 0, 0, 0, 1, 1));
  }
  SECTION("signs, zeros, ones and constants are free") {
    CHECK(of({-x, x * 0.0, x * 1.0, x * -1.0, x + 0.0, x - x, x / x}) == is(0, 0, 0, 0, 0, 0, 0));
    CHECK(of({Counted(2.0) * 3.0 + sqrt(Counted(4.0))}) == is(0, 0, 0, 0, 0, 0, 0));
    CHECK(of({-x - y, x + y}) == is(1, 0, 0, 0, 0, 0, 1));
    CHECK(of({x - y, y - x}) == is(1, 0, 0, 0, 0, 0, 1));
    CHECK(of({x * -y, x * y}) == is(0, 1, 0, 0, 0, 0, 1));
    CHECK(of({x / 2.0}) == is(0, 1, 0, 0, 0, 0, 1));
  }
  SECTION("what occurs twice is computed once, what nobody needs is not") {
    const Counted twice = x * y + y * x;
    CHECK(of({twice}) == is(0, 2, 0, 0, 0, 0, 1));  // 2 (x y)
    const Counted shared = sine * y;
    CHECK(of({shared + x, shared * x}) == is(1, 2, 0, 0, 1, 0, 3));
    CHECK(of({x + y}) == is(1, 0, 0, 0, 0, 0, 1));
  }
  SECTION("values are right") {
    CHECK((x - y).value() == 0.7 + 1.3);
    CHECK((y - x).value() == -1.3 - 0.7);
    CHECK((-x * y).value() == 0.7 * 1.3);
    CHECK((y / x).value() == -1.3 / 0.7);
    CHECK(atan2(y, -x).value() == std::atan2(-1.3, -0.7));
    Counted back, same;
    sincos(-x, back, same);
    CHECK(back.value() == -std::sin(0.7));
    CHECK(same.value() == std::cos(0.7));
  }
}
