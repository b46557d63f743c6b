#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>

#include "engine/evaluation/plan.hpp"
#include "engine/evaluation/structure.hpp"
#include "input/definition/parametric_motion.hpp"
#include "input/reading/read.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/simulation.hpp"

using namespace counterpoise;

namespace {

const std::string example = COUNTERPOISE_SOURCE_DIR "/examples/schoenflies/";
const std::array<std::string, 4> legs = {"leg1", "leg2", "leg3", "leg4"};

Model model_of(const std::string& file) {
  return read_model(example + file, read_text_file);
}

Motion published_motion(const Model& model) {
  return read_motion(example + "motion.json", model, read_text_file).nominal;
}

Simulation run_published(const std::string& file) {
  const Model model = model_of(file);
  return test::run(model.nominal, published_motion(model));
}

/// Rows of t, four forces, four lengths.
std::vector<std::vector<double>> golden_rows() {
  const test::Golden golden = test::read_golden("schoenflies/golden_forces.csv");
  REQUIRE(golden.names ==
          std::vector<std::string>{"t", "f1", "f2", "f3", "f4", "l1", "l2", "l3", "l4"});
  REQUIRE(golden.rows.size() == 14);
  return golden.rows;
}

/// Loads within `share` of the leg's peak plus `absolute` of the golden ones, and lengths to
/// rounding.
void check_golden(const Simulation& simulation, double share, double absolute) {
  for (const auto& row : golden_rows()) {
    const auto k = static_cast<std::size_t>(std::lround(row[0] / 0.001));
    REQUIRE(test::column(simulation, "t").at(k) == Approx(row[0]).margin(1e-12));
    for (std::size_t i = 0; i < legs.size(); ++i) {
      const auto& load = test::column(simulation, legs[i] + ".load");
      const auto& position = test::column(simulation, legs[i] + ".position");
      CAPTURE(row[0], legs[i], load[k], row[i + 1]);
      CHECK(std::abs(load[k] - row[i + 1]) <= share * test::peak(load) + absolute);
      CHECK(position[k] == Approx(row[i + 5]).epsilon(1e-12));
    }
  }
}

/// The platform's corners in the base's order instead of against it.
Mechanism with_aligned_corners(Mechanism mechanism) {
  for (Point& point : mechanism.points)
    if (point.name.starts_with("platform.C")) point.position.y() *= -1.0;
  return mechanism;
}

/// Why a mechanism is refused, or nothing.
std::string refusal(const Mechanism& mechanism, const Motion& motion) {
  try {
    const auto result = simulate(mechanism, motion, {});
    if (const auto* finding = std::get_if<Finding>(&result)) return describe(*finding, mechanism);
    return "";
  } catch (const MechanismError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("spinless legs with mass give the golden forces of the Schoenflies manipulator") {
  const Simulation simulation = run_published("model_spinless.json");
  check_golden(simulation, 1e-9, 0.0);
  const std::array peaks = {194.53785376789403, 51.33236760650468, 118.177607237627,
                            92.58662758848754};
  for (std::size_t i = 0; i < legs.size(); ++i)
    CHECK(test::peak(test::column(simulation, legs[i] + ".load")) ==
          Approx(peaks[i]).epsilon(1e-9));
}

TEST_CASE("true universal joints change the Schoenflies manipulator's forces by up to 0.0151 N") {
  const Simulation joints = run_published("model.json");
  check_golden(joints, 0.0, 0.02);
  // over all samples; the legs spin, and parameters.json beside the golden forces says what that
  // does
  const Simulation spinless = run_published("model_spinless.json");
  double largest = 0.0;
  for (const std::string& leg : legs) {
    const auto& a = test::column(joints, leg + ".load");
    const auto& b = test::column(spinless, leg + ".load");
    REQUIRE(a.size() == b.size());
    for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  }
  CHECK(largest == Approx(0.0151).margin(0.0001));
}

TEST_CASE("loads of the Schoenflies models repeat after 2 s and run back as they came") {
  for (const char* file : {"model_spinless.json", "model.json"}) {
    const Simulation simulation = run_published(file);
    for (const std::string& leg : legs) {
      const auto& load = test::column(simulation, leg + ".load");
      REQUIRE(load.size() == 6001);
      // arguments of sines up to 3 pi 6 carry 60 times the rounding of 1, loads some 1000 N of
      // terms
      const double rounding = 1e-10;
      for (std::size_t k = 0; k <= 1000; k += 17) {
        CAPTURE(file, leg, k);
        CHECK(std::abs(load[1000 - k] - load[k]) < rounding);
        CHECK(std::abs(load[2000 + k] - load[k]) < rounding);
        CHECK(std::abs(load[5000 - k] - load[k]) < rounding);
      }
    }
  }
}

TEST_CASE(
    "two limbs that end in universal joints keep the Schoenflies manipulator's platform level") {
  const Simulation simulation = run_published("model.json");
  for (const char* tilt : {"tilt_x.q", "tilt_y.q", "tilt_x.qdd", "tilt_y.qdd"}) {
    CAPTURE(tilt);
    CHECK(test::peak(test::column(simulation, tilt)) < 1e-9);
  }
}

TEST_CASE("the Schoenflies manipulator has four degrees of freedom whichever way it is modelled") {
  const Structure joints = examine_structure(model_of("model.json").nominal);
  CHECK(joints.degrees_of_freedom == 4);
  CHECK(joints.bodies == 18);
  CHECK(joints.revolute_joints == 11);
  CHECK(joints.prismatic_joints == 7);
  CHECK(joints.universal_joints == 2);
  CHECK(joints.point_closures == 2);
  CHECK(joints.redundant_equations == 0);
  CHECK(examine_structure(model_of("model_spinless.json").nominal).degrees_of_freedom == 4);
}

TEST_CASE("a Schoenflies manipulator with its corners in the base's order is refused") {
  const Model singular = model_of("model_singular.json");
  const Model joints = model_of("model.json");
  for (const std::string& said :
       {refusal(singular.nominal, published_motion(singular)),
        refusal(with_aligned_corners(joints.nominal), published_motion(joints))}) {
    CHECK_THAT(said,
               Catch::Contains("in every pose tried leg1, leg2, leg3, leg4 depend on each other"));
    CHECK_THAT(said, Catch::Contains("the joints px, py, pz, platform"));
  }
  CHECK(refusal(joints.nominal, published_motion(joints)).empty());
}

TEST_CASE(
    "given the pose, Newton closes the two limbs that hold the tilts, then one after another") {
  const Model model = model_of("model.json");
  const EvaluationPlan plan(model.nominal, published_motion(model), Closure::closed_form);
  std::vector<std::size_t> sizes;
  for (const Step& step : plan.motion_plan.steps)
    if (step.kind == StepKind::group) sizes.push_back(step.equations.size());
  CHECK(sizes == std::vector<std::size_t>{2, 1, 1});
}
