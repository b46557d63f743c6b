#include <catch2/catch.hpp>
#include <cmath>

#include "input/definition/parametric_motion.hpp"
#include "input/reading/read.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/simulation.hpp"

using namespace counterpoise;

namespace {

/// The simulated column a golden one stands for; without springs where its name says so.
const std::vector<double>& counterpart(const std::string& name, const Simulation& with_springs,
                                       const Simulation& without_springs) {
  static const std::string suffix = "_without_springs";
  const auto at = name.find(suffix);
  return at == std::string::npos ? test::column(with_springs, name)
                                 : test::column(without_springs, name.substr(0, at));
}

/// A column that symmetry makes zero holds the rounding of terms of some 100 N or N m.
constexpr double rounding = 1e-12;

void check_against_golden(const std::string& motion_name) {
  const std::string source = COUNTERPOISE_SOURCE_DIR;
  const Model model = read_model(source + "/examples/charmie24/model.json", read_text_file);
  const Motion motion = read_motion(source + "/examples/charmie24/motion_" + motion_name + ".json",
                                    model, read_text_file)
                            .nominal;
  const Simulation loaded = test::run(model.nominal, motion, {.reactions = true});
  const Simulation bare = test::run(model.nominal, motion, {.springs = false, .reactions = true});
  const test::Golden golden = test::read_golden("charmie24/golden_" + motion_name + ".csv");
  REQUIRE(golden.names.size() == 36);
  REQUIRE(golden.rows.size() >= 13);
  const std::vector<double>& t = test::column(loaded, "t");
  for (std::size_t c = 1; c < golden.names.size(); ++c) {
    const auto& values = counterpart(golden.names[c], loaded, bare);
    double largest = test::peak(values);
    for (const auto& row : golden.rows) largest = std::max(largest, std::abs(row[c]));
    for (const auto& row : golden.rows) {
      const auto k = static_cast<std::size_t>(std::lround(row[0] / motion.step));
      REQUIRE(k < t.size());
      REQUIRE(t[k] == Approx(row[0]).margin(1e-12));
      CAPTURE(golden.names[c], row[0], values[k], row[c], largest);
      CHECK(std::abs(values[k] - row[c]) <= 1e-9 * largest + rounding);
    }
  }
}

}  // namespace

TEST_CASE("CHARMIE's published motion gives the golden numbers") {
  check_against_golden("published");
}

TEST_CASE("CHARMIE's squat gives the golden numbers") {
  check_against_golden("squat");
}

TEST_CASE("CHARMIE's reach gives the golden numbers") {
  check_against_golden("reach");
}
