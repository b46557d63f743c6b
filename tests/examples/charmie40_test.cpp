#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "engine/kinematics/closure/joint_frame.hpp"
#include "input/definition/parametric_motion.hpp"
#include "input/reading/read.hpp"
#include "input/text/csv.hpp"
#include "tests/oracles/charmie_reactions.hpp"
#include "tests/support/simulation.hpp"

using namespace counterpoise;

namespace {

const std::string source = COUNTERPOISE_SOURCE_DIR;

Model read_charmie(const std::string& name) {
  return read_model(source + "/examples/" + name + "/model.json", read_text_file);
}

Motion read_charmie_motion(const Model& model, const std::string& motion) {
  const std::string file = source + "/examples/" + model.name + "/motion_" + motion + ".json";
  return read_motion(file, model, read_text_file).nominal;
}

CsvTable read_golden(const std::string& file) {
  const std::string path = source + "/tests/golden/" + file;
  return parse_csv(read_text_file(path), path);
}

/// The robot with all of the hands' mass in bodies 12: that of charmie24.
Mechanism without_finger_mass(const Model& model) {
  ModelBinder binder(model);
  const auto reason =
      binder.bind(std::vector{ParameterSetting{model.find_parameter("finger_mass"), 0.0}});
  REQUIRE_FALSE(reason);
  return binder.mechanism();
}

/// A motion with and without springs.
struct Runs {
  Runs(const Mechanism& mechanism, const Motion& motion)
      : loaded(test::run(mechanism, motion, {.reactions = true})),
        bare(test::run(mechanism, motion, {.springs = false, .reactions = true})) {}

  /// The column a golden one stands for.
  [[nodiscard]] const std::vector<double>& column(const std::string& name) const {
    static const std::string suffix = "_without_springs";
    const auto at = name.find(suffix);
    return at == std::string::npos ? test::column(loaded, name)
                                   : test::column(bare, name.substr(0, at));
  }

  Simulation loaded, bare;
};

/// A column that symmetry makes zero holds the rounding of terms of some 100 N or N m.
constexpr double rounding = 1e-12;

void check_against_golden(const CsvTable& golden, const Runs& runs, double step) {
  const std::vector<double>& t = numbers_of(*golden.find("t"));
  for (const CsvColumn& expected : golden.columns) {
    // two bodies hold the trunk here and share its reaction, see below
    if (expected.name.starts_with("trunk.reaction")) continue;
    const std::vector<double>& values = runs.column(expected.name);
    const double largest = std::max(test::peak(values), test::peak(expected.numbers));
    for (std::size_t row = 0; row < t.size(); ++row) {
      const auto k = static_cast<std::size_t>(std::lround(t[row] / step));
      CAPTURE(expected.name, t[row], largest);
      REQUIRE(k < values.size());
      CHECK(std::abs(values[k] - expected.numbers[row]) <= 1e-9 * largest + rounding);
    }
  }
}

/// Every column of the one that is no wrench of a joint or pin, in the other; returns how many.
int compare_columns(const Simulation& one, const Simulation& other) {
  int compared = 0;
  for (const Series& expected : one.columns) {
    if (expected.name.find(".reaction.") != std::string::npos) continue;
    if (expected.name.find(".closure.") != std::string::npos) continue;
    const std::vector<double>& values = test::column(other, expected.name);
    REQUIRE(values.size() == expected.values.size());
    const double tolerance = 1e-9 * test::peak(expected.values) + rounding;
    double off = 0.0;
    for (std::size_t k = 0; k < values.size(); ++k)
      off = std::max(off, std::abs(values[k] - expected.values[k]));
    CAPTURE(expected.name);
    CHECK(off <= tolerance);
    ++compared;
  }
  return compared;
}

/// Where a point is in the world at every sample of a simulation.
std::vector<Vec3d> path_of_point(const Mechanism& mechanism, const Simulation& simulation,
                                 const std::string& name) {
  const auto point = std::find_if(mechanism.points.begin(), mechanism.points.end(),
                                  [&](const Point& p) { return p.name == name; });
  REQUIRE(point != mechanism.points.end());
  std::vector<JointFrame> frames;
  prepare_frames(mechanism, frames);
  SampleState state(mechanism.body_count());
  std::vector<Pose> poses;
  std::vector<Vec3d> path;
  for (const std::vector<double>& q : test::joint_samples(simulation, mechanism, ".q")) {
    for (std::size_t b = 0; b < q.size(); ++b)
      state.set_position(frames, static_cast<int>(b), q[b]);
    place_bodies(frames, state.view(), poses);
    const Pose& pose = poses[point->body];
    path.emplace_back(pose.rotation * point->position + pose.origin);
  }
  return path;
}

/// What an acceleration of -1 for 2.5 s, then of 1, has moved after t of 5 s from rest.
double travel(double t) {
  const double left = 5.0 - t;
  return t < 2.5 ? -t * t / 2 : -2.5 * 2.5 + left * left / 2;
}

oracle::LeftArmCoordinates validation_coordinates(double t) {
  const double s = travel(t), angle = std::numbers::pi / 9 * s;
  return {.base_x = 0.03 * s,
          .base_y = 0.03 * s,
          .base_yaw = angle,
          .lift = 0.4 + 0.003 * s,
          .lean = 0.4 + 0.003 * s,
          .arm = {angle, angle, angle, angle, angle, angle}};
}

}  // namespace

TEST_CASE("CHARMIE-40 has the bodies, joints, loops and freedom that its paper counts") {
  const Model model = read_charmie("charmie40");
  const Structure s = examine_model(model);
  CHECK(s.bodies == 40);
  CHECK(s.joints() == 47);
  CHECK(s.revolute_joints == 34);
  CHECK(s.prismatic_joints == 10);
  CHECK(s.fixed_joints == 3);
  CHECK(s.loops == 7);
  CHECK(s.redundant_equations == 3 * 7);  // every loop is planar
  CHECK(s.couplings == 2);
  CHECK(s.degrees_of_freedom == 21);
  CHECK(s.actuators == 21);
}

TEST_CASE("every loop of CHARMIE-40 is closed by a formula") {
  const Mechanism robot = read_charmie("charmie40").nominal;
  const Paths paths(robot);
  const Plan plan = plan_actuators(robot, paths, Mobility(robot, paths), Closure::closed_form);
  std::vector<JointFrame> frames;
  prepare_frames(robot, frames);
  SampleState state(robot.body_count());
  const DesignGeometry geometry{robot, frames};
  state.set_guess(geometry);
  int loops = 0;
  for (const Step& step : plan.steps) {
    CHECK(step.kind != StepKind::group);
    if (step.kind != StepKind::dyad) continue;
    ++loops;
    const auto index = static_cast<std::size_t>(step.equations.front().element);
    const Path& path = paths.loops[index];
    std::array<Trace<double>, 2> ends;
    for (std::size_t end : {0u, 1u}) ends[end].resize(path.chains[end].size());
    CAPTURE(robot.loops[index].name);
    CHECK(find_plane(geometry, robot.loops[index], path, step.dyad, state.view(), ends));
  }
  CHECK(loops == 7);
}

TEST_CASE("Newton, which sees all 21 redundant equations, moves CHARMIE-40 as the formulas do") {
  const Model model = read_charmie("charmie40");
  const Motion motion = read_charmie_motion(model, "validation");
  const Simulation by_newton = test::run(model.nominal, motion, {.closure = Closure::newton});
  CHECK(compare_columns(test::run(model.nominal, motion), by_newton) > 3 * 21 + 3 * 37);
}

TEST_CASE("CHARMIE-40 without mass in its fingers moves and loads as CHARMIE-24") {
  const std::string name = GENERATE("published", "squat", "reach");
  CAPTURE(name);
  const Model model_24 = read_charmie("charmie24"), model_40 = read_charmie("charmie40");
  const Runs of_24(model_24.nominal, read_charmie_motion(model_24, name));
  const Motion motion = read_charmie_motion(model_40, name);
  const Runs of_40(without_finger_mass(model_40), motion);
  // t, three columns an actuator, three a moving joint, two a spring
  CHECK(compare_columns(of_24.loaded, of_40.loaded) == 1 + 3 * 19 + 3 * 23 + 2 * 3);
  CHECK(compare_columns(of_24.bare, of_40.bare) > 3 * 19 + 3 * 23);
  check_against_golden(read_golden("charmie24/golden_" + name + ".csv"), of_40, motion.step);
}

TEST_CASE("CHARMIE-40's trunk and lean pin share what holds CHARMIE-24's trunk") {
  const Model model = read_charmie("charmie40");
  const Motion motion = read_charmie_motion(model, "reach");
  const Runs runs(without_finger_mass(model), motion);
  const CsvTable golden = read_golden("charmie24/golden_reach.csv");
  const Vec3d pin(0.0, -0.1, 0.036);  // of the actuator, in the trunk
  for (std::size_t row = 0; row < golden.row_count(); ++row) {
    const auto k =
        static_cast<std::size_t>(std::lround(numbers_of(*golden.find("t"))[row] / motion.step));
    const auto of_40 = [&](const char* name) { return runs.column(name)[k]; };
    const auto of_24 = [&](const char* name) {
      return numbers_of(*golden.find(std::string("trunk.reaction.") + name))[row];
    };
    const double fx = of_40("trunk.reaction.fx");
    const double my = of_40("trunk.reaction.my"), mz = of_40("trunk.reaction.mz");
    // half of fx, my and mz each (paper 000, eqs. 36 and 38), the pin's half of fx with an arm
    const double tolerance = 1e-9 * 200.0;  // the golden numbers', of what the joint carries
    CAPTURE(row);
    CHECK(std::abs(2 * fx - of_24("fx")) <= tolerance);
    CHECK(std::abs(of_40("trunk.reaction.fy") - of_24("fy")) <= tolerance);
    CHECK(std::abs(of_40("trunk.reaction.fz") - of_24("fz")) <= tolerance);
    CHECK(std::abs(of_40("trunk.reaction.mx") - of_24("mx")) <= tolerance);
    CHECK(std::abs(2 * my + pin.z() * fx - of_24("my")) <= tolerance);
    CHECK(std::abs(2 * mz - pin.y() * fx - of_24("mz")) <= tolerance);
  }
}

TEST_CASE("CHARMIE-40's validation motion gives the golden numbers") {
  const Model model = read_charmie("charmie40");
  const Motion motion = read_charmie_motion(model, "validation");
  const CsvTable golden = read_golden("charmie40/validation.csv");
  REQUIRE(golden.row_count() == 51);
  REQUIRE(golden.columns.size() == 34);
  check_against_golden(golden, Runs(model.nominal, motion), motion.step);
}

TEST_CASE("the left claw's middle follows the path of the paper's equations") {
  const Model model = read_charmie("charmie40");
  const Simulation run = test::run(model.nominal, read_charmie_motion(model, "validation"));
  const std::vector<Vec3d> path = path_of_point(model.nominal, run, "left_arm_12.D12a");
  const CsvTable golden = read_golden("charmie40/d12a_path.csv");
  REQUIRE(path.size() == 501);
  REQUIRE(golden.row_count() == path.size());
  const std::vector<double>& t = test::column(run, "t");
  for (std::size_t k = 0; k < path.size(); ++k) {
    const auto of_golden = [&](const char* name) { return golden.find(name)->numbers[k]; };
    CAPTURE(t[k]);
    REQUIRE(of_golden("t") == Approx(t[k]).margin(1e-12));
    // rounding of a dozen rotations of some 2 m
    const Vec3d printed(of_golden("x"), of_golden("y"), of_golden("z"));
    CHECK((path[k] - printed).norm() <= rounding);
    CHECK((path[k] - oracle::left_claw_centre(validation_coordinates(t[k]))).norm() <= rounding);
  }
}

TEST_CASE("the left claw starts where the sum of the arm's lengths says and comes to rest") {
  const auto at = [](double t) { return oracle::left_claw_centre(validation_coordinates(t)); };
  // upright, the arm points left; the torso is as low as an actuator of 400 mm asks for
  const double rise = std::sqrt(0.4 * 0.4 - 0.1344 * 0.1344) + 0.02 - 0.1908;
  const double arm = 0.03 + 0.0615 + 0.145 + 0.145 + 0.14 + 0.14 + 0.1023;
  CHECK((at(0.0) - Vec3d(-0.2 - arm, 0.003, rise + 0.434 + 0.46)).norm() <= rounding);
  CHECK((at(5.0) - at(5.0 - 1e-6)).norm() < 1e-11);  // a of some m/s^2, over (1 us)^2 / 2
}
