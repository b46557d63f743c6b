// The machines with closed loops in lanes of samples, against the same one sample at a time.
#include <catch2/catch.hpp>
#include <cmath>

#include "input/definition/parametric_motion.hpp"
#include "input/reading/read.hpp"
#include "tests/support/simulation.hpp"

using namespace counterpoise;

namespace {

const std::string shipped = COUNTERPOISE_SOURCE_DIR "/examples/";

void check_machine(const std::string& folder, const std::string& file,
                   const std::string& motion_file, double step, Closure closure) {
  CAPTURE(folder, file, motion_file, step);
  const Model model = read_model(shipped + folder + "/" + file, read_text_file);
  Motion motion = read_motion(shipped + folder + "/" + motion_file, model, read_text_file).nominal;
  if (step > 0.0) motion.step = step;
  const Simulation packed = test::run(model.nominal, motion, {.closure = closure});
  const Simulation single =
      test::run(model.nominal, motion, {.closure = closure, .lanes_of_samples = Lanes::one});
  REQUIRE(packed.columns.size() == single.columns.size());
  for (std::size_t c = 0; c < packed.columns.size(); ++c) {
    const std::vector<double>&a = packed.columns[c].values, &b = single.columns[c].values;
    REQUIRE(a.size() == b.size());
    // some columns vanish but for rounding, such as the platform's tilts
    const double size = std::max(test::peak(b), 0.1);
    double worst = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) worst = std::max(worst, std::abs(a[k] - b[k]));
    CAPTURE(packed.columns[c].name, worst, size);
    CHECK(worst <= 1e-12 * size);
  }
}

}  // namespace

TEST_CASE("the Schoenflies manipulator moves in lanes as it does one sample after the other") {
  for (const char* file : {"model.json", "model_spinless.json"})
    for (const double step : {0.01, 0.1, 6.0})  // 601 samples, 61 and 2
      check_machine("schoenflies", file, "motion.json", step, Closure::closed_form);
}

TEST_CASE("the robot of forty bodies moves in lanes as it does one sample after the other") {
  for (const char* motion : {"motion_squat.json", "motion_reach.json", "motion_validation.json"})
    check_machine("charmie40", "model.json", motion, 0.0, Closure::closed_form);
}

TEST_CASE(
    "Newton's method moves the robot of forty bodies in lanes as one sample after the other") {
  for (const char* motion : {"motion_squat.json", "motion_validation.json"})
    check_machine("charmie40", "model.json", motion, 0.0, Closure::newton);
}
