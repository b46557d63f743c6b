#include <catch2/catch.hpp>

#include "tests/support/interposed/allocations.hpp"
#include "tests/support/reading.hpp"

using namespace counterpoise;

TEST_CASE("after its first call, binding a design and evaluating an expression allocate nothing") {
  const Model model = test::charmie();
  ModelBinder binder(model);
  std::vector<ParameterSetting> settings = {{model.find_parameter("lift_rate"), 1500.0},
                                            {model.find_parameter("crank_length"), 0.21}};
  REQUIRE_FALSE(binder.bind(settings));
  const Expression expression =
      Expression::parse("lift_rate/2 + max(lean_rate, 3)", model.scope, {});

  const long before = test::allocations();
  bool possible = true;
  double sum = 0.0;
  for (int i = 0; i < 100; ++i) {
    settings[0].value += 1.0;
    possible = possible && !binder.bind(settings);
    sum += expression.evaluate(binder.values().data());
  }
  const long after = test::allocations();
  CHECK(after == before);
  CHECK(possible);
  CHECK(binder.mechanism().springs[0].rate == 1600.0);
  CHECK(sum > 0.0);
}
