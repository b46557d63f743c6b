#include "results/rows/layout.hpp"

#include <catch2/catch.hpp>

#include "tests/results/results_study.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

TEST_CASE("columns of one name clash, whatever their case") {
  const auto clashes = [](const StoreLayout& layout) {
    return store_error_of([&] { check_layout(layout); }).thrown;
  };
  CHECK(!clashes({{{"a"}, {"motion"}}, {"lift.max"}, {"peak"}}));
  CHECK(clashes({{{"a"}, {"a"}}, {}, {"peak"}}));
  CHECK(clashes({{{"k"}, {"K"}}, {}, {"peak"}}));
  CHECK(clashes({{{"peak"}}, {}, {"peak"}}));
  CHECK(clashes({{}, {"lift.max"}, {"Lift.Max"}}));
  CHECK(clashes({{{"status"}}, {}, {"peak"}}));
  CHECK(clashes({{{"case"}}, {}, {"peak"}}));
  CHECK(clashes({{}, {}, {"motion"}}));
}

TEST_CASE("a clash names both columns") {
  const Thrown error = store_error_of([] { check_layout({{{"peak"}}, {}, {"peak"}}); });
  CHECK_THAT(error.message,
             Catch::Contains("variable \"peak\"") && Catch::Contains("objective \"peak\""));
}

TEST_CASE("more columns than a table can have are refused before anything is made") {
  StoreLayout layout{{}, std::vector<std::string>(1996), {}};
  for (std::size_t i = 0; i < layout.metrics.size(); ++i) {
    layout.metrics[i] = "m" + std::to_string(i);
  }
  check_layout(layout);
  const std::string path = fresh_folder("layout_wide") + "a.db";
  Birth birth;
  birth.layout = layout;
  Store::create(path, birth, Existing::refuse);
  layout.objectives = {"one_more"};
  CHECK_THROWS_AS(check_layout(layout), StoreError);
}
