// Robots written as MJCF, held against MuJoCo: the loads of a motion are what its inverse dynamics
// needs.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "engine/mechanism/elements.hpp"
#include "exchange/written_robot.hpp"
#include "tests/exchange/mujoco_comparison.hpp"
#include "tests/exchange/same_loads.hpp"
#include "tests/support/flat.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

const std::string shipped = COUNTERPOISE_SOURCE_DIR "/examples/";

/// Whether MJCF can hold the linkage.
bool written_as_mjcf(const Mechanism& mechanism) {
  return std::none_of(mechanism.loops.begin(), mechanism.loops.end(),
                      [](const Loop& l) { return l.keep == LoopKeep::perpendicular; }) &&
         std::all_of(mechanism.actuators.begin(), mechanism.actuators.end(),
                     [](const Actuator& a) { return a.tube.massless() && a.rod.massless(); });
}

}  // namespace

TEST_CASE("loads of random trees with springs are MuJoCo's for the tree written as MJCF") {
  Random random(20261126);
  for (int trial = 0; trial < test::trials(100); ++trial) {
    CAPTURE(trial);
    const Sample sample =
        random_sample(random, {.tree_bodies = 8, .motors_only = true, .step = 0.05});
    Model model;
    model.name = "random";
    const WrittenRobot robot = write_mjcf(model, sample.mechanism);
    const Comparison result =
        compared(sample.mechanism, sample.motion, written("random.xml", robot.text), 9);
    CAPTURE(result.missing, result.largest);
    REQUIRE(result.missing <= 1e-9 * result.largest);
  }
}

TEST_CASE("random linkages written as MJCF need our loads, except for what their loops take") {
  Random random(20261127);
  int held = 0;
  for (int trial = 0; trial < test::trials(120); ++trial) {
    const auto kind = static_cast<Linkage>(trial % 12);
    CAPTURE(trial, trial % 12);
    const Sample sample = random_sample(
        random, {.tree_bodies = 3, .linkage = kind, .more_linkages = trial % 2, .step = 0.05});
    const Mechanism& mechanism = sample.mechanism;
    if (!written_as_mjcf(mechanism)) continue;
    Model model;
    model.name = "random";
    const std::string mjcf = written("linkage.xml", write_mjcf(model, mechanism).text);
    const Comparison result = compared(mechanism, sample.motion, mjcf, 9);
    CAPTURE(result.missing, result.largest, result.open);
    REQUIRE(result.missing <= 1e-8 * result.largest);
    REQUIRE(result.open <= 1e-8);
    ++held;
  }
  CHECK(held >= test::trials(120) / 2);
}

TEST_CASE("examples written as MJCF need our loads, and close as ours do") {
  struct Example {
    const char *folder, *model, *motion;
  };
  for (const auto& [folder, file, motion_file] :
       {Example{"two_link_arm", "model.json", "motion.json"},
        Example{"imported", "arm.urdf", "motion.json"},
        Example{"charmie24", "model.json", "motion_squat.json"},
        Example{"charmie40", "model.json", "motion_squat.json"},
        Example{"four_bar", "model.json", "motion.json"}}) {
    CAPTURE(folder);
    const std::string path = shipped + folder + "/";
    const Model model = std::string(file) == "arm.urdf" ? imported(path + file)
                                                        : read_model(path + file, read_text_file);
    Motion motion = read_motion(path + motion_file, model, read_text_file).nominal;
    motion.inertia = true;  // as MuJoCo's
    const std::string mjcf =
        written(std::string(folder) + ".xml", write_mjcf(model, model.nominal).text);
    const Comparison result = compared(model.nominal, motion, mjcf, 50);
    CAPTURE(result.missing, result.largest, result.open);
    CHECK(result.missing <= 1e-9 * result.largest);
    CHECK(result.open <= 1e-9);
  }
}

namespace {

/// Compares the loads of a mechanism with the model that is written from it as MJCF.
void check_comes_back(const Mechanism& mechanism, const Motion& given) {
  Model model;
  model.name = "random";
  const Model again = imported(written("again.xml", write_mjcf(model, mechanism).text));
  require_same_loads(mechanism, given, again.nominal, given);
}

}  // namespace

TEST_CASE("trees written as MJCF and imported again have the same loads, whatever their springs") {
  Random random(20261130);
  for (int trial = 0; trial < test::trials(60); ++trial) {
    CAPTURE(trial);
    const Sample sample =
        random_sample(random, {.tree_bodies = 8, .motors_only = true, .step = 0.05});
    check_comes_back(sample.mechanism, sample.motion);
  }
}

TEST_CASE("linkages written as MJCF and imported again have the same actuators and loads") {
  Random random(20261202);
  int held = 0;
  for (int trial = 0; trial < test::trials(120); ++trial) {
    CAPTURE(trial, trial % 12);
    const Sample sample = random_sample(
        random, {.tree_bodies = 3, .linkage = static_cast<Linkage>(trial % 12), .step = 0.05});
    if (!written_as_mjcf(sample.mechanism)) continue;
    check_comes_back(sample.mechanism, sample.motion);
    ++held;
  }
  CHECK(held >= test::trials(120) / 2);
}

TEST_CASE(
    "robots with several linkages and springs written as MJCF and imported again load alike") {
  Random random(20261205);
  int held = 0;
  for (int trial = 0; trial < test::trials(200); ++trial) {
    CAPTURE(trial, trial % 12);
    const Sample sample = random_sample(random, {.tree_bodies = 4,
                                                 .linkage = static_cast<Linkage>(trial % 12),
                                                 .more_linkages = 1 + trial % 2,
                                                 .step = 0.05});
    if (!written_as_mjcf(sample.mechanism) || sample.mechanism.loops.empty()) continue;
    check_comes_back(sample.mechanism, sample.motion);
    ++held;
  }
  CHECK(held >= test::trials(200) / 3);
}

TEST_CASE("a robot with a cylinder and two parallelograms in MJCF needs our loads") {
  const std::string path = COUNTERPOISE_SOURCE_DIR "/tests/exchange/today/robots/roundtrip.xml";
  const Mechanism mechanism = imported(path).nominal;
  REQUIRE(mechanism.actuators.size() == 2);
  Motion motion;
  motion.duration = 1.0;
  motion.step = 0.05;
  motion.drives.push_back(
      {{find_actuator(mechanism, "cylinder"), {}}, Sine{0.4365, 0.02, 1.0, 0.2}});
  motion.drives.push_back({{find_actuator(mechanism, "elbow"), {}}, Sine{-0.3, 0.2, 0.7, 1.0}});
  const Comparison result = compared(mechanism, motion, path, 9);
  CAPTURE(result.missing, result.largest, result.open);
  CHECK(result.missing <= 1e-9 * result.largest);
  CHECK(result.open <= 1e-9);
}

TEST_CASE("an arm with a parallelogram, a cylinder and a motor comes back from MJCF") {
  Flat flat;
  flat.mechanism.gravity = Vec3d(0.0, -9.81, 0.0);
  const int lower = flat.revolute(world_body, 0.0, 0.0, 1.0);
  const int plate = flat.revolute(lower, 0.5, 0.0, -1.0);
  const int fore = flat.revolute(plate, 0.0, 0.0, -0.3);
  const int rod = flat.revolute(world_body, 0.0, 0.08, 1.0);
  for (const int body : {lower, fore, rod}) flat.load(body, 2.0, 0.25, 0.05);
  flat.loop(flat.point(rod, 0.5, 0.0), flat.point(plate, 0.0, 0.08));
  flat.mechanism.loops[0].keep = LoopKeep::parallel;
  flat.ram(flat.point(world_body, 0.1, -0.3), flat.point(lower, 0.25, 0.0));
  flat.motor(fore);
  flat.mechanism.actuators[0].min_position = 0.2;
  flat.mechanism.actuators[0].max_position = 0.6;
  flat.mechanism.actuators[0].max_load = 1500.0;
  Spring gas;
  gas.name = "gas";
  gas.type = SpringType::gas;
  gas.initial_tension = -200.0;
  gas.points = {flat.point(world_body, 0.0, 0.3), flat.point(fore, 0.2, 0.0)};
  flat.mechanism.springs.push_back(gas);
  const Motion motion = drive(1.0, 0.05, {Hold{0.45}, Sine{-0.3, 0.4, 1.0, 0.2}});
  check_comes_back(flat.mechanism, motion);
  Model model;
  const Model again = imported(written("ram.xml", write_mjcf(model, flat.mechanism).text));
  const Actuator& ram = again.nominal.actuators[find_actuator(again.nominal, "a0")];
  CHECK(ram.linear());
  CHECK(ram.min_position == 0.2);
  CHECK(ram.max_position == 0.6);
  CHECK(ram.max_load == 1500.0);
}

TEST_CASE("a joint that follows the sum of two others comes back from MJCF") {
  Flat flat;
  const int first = flat.revolute(world_body, 0.0, 0.0, 0.4);
  const int second = flat.revolute(first, 0.3, 0.0, -0.2);
  const int third = flat.revolute(world_body, 0.5, 0.0);
  for (const int body : {first, second, third}) flat.load(body, 1.0, 0.1, 0.02);
  flat.motor(first);
  flat.motor(second);
  flat.mechanism.couplings.push_back({"sum", third, {{first, 2.0}, {second, -1.5}}, 0.7});
  check_comes_back(flat.mechanism,
                   drive(1.0, 0.05, {Sine{0.4, 0.3, 1.0, 0.0}, Sine{-0.2, 0.5, 0.7, 1.0}}));
}

TEST_CASE("MuJoCo moves linkages with our loads as we do, as far as its constraints are stiff") {
  // MuJoCo's constraints leave about the share (1 - impedance) of what would open them: where that
  // is a hundredth, the difference between its accelerations and ours must be a hundredth too
  constexpr double soft = 0.99, stiff = 0.9999;  // the latter is the most that MuJoCo allows
  Random random(20261201);
  int held = 0;
  for (int trial = 0; trial < test::trials(60); ++trial) {
    CAPTURE(trial, trial % 12);
    Sample sample = random_sample(
        random, {.tree_bodies = 3, .linkage = static_cast<Linkage>(trial % 12), .step = 0.05});
    if (!written_as_mjcf(sample.mechanism) || sample.mechanism.loops.empty()) continue;
    // at rest, because MuJoCo takes J v for the rate of its constraints and leaves out dJ/dt v
    for (Drive& drive : sample.motion.drives)
      std::get<Sine>(drive.profile).phase = std::numbers::pi / 2.0;
    for (Body& body : sample.mechanism.bodies) {  // MuJoCo has to divide by them
      body.mass = std::max(body.mass, 0.2);
      body.inertia += 0.01 * Mat3d::Identity();
    }
    Model model;
    model.name = "random";
    const oracle::MjcfRobot robot(written("moving.xml", write_mjcf(model, sample.mechanism).text));
    const Simulation simulation = run(sample.mechanism, sample.motion);
    const auto states = states_at(simulation, robot, 0);
    const auto loads = loads_at(simulation, sample.mechanism, 0);
    const auto difference = [&](double impedance) {
      const std::vector<double> theirs = robot.accelerations(states, loads, impedance);
      double worst = 0.0, largest = 0.0;
      for (std::size_t j = 0; j < theirs.size(); ++j) {
        const double ours = states.at(robot.joints()[j]).a;
        largest = std::max(largest, std::abs(ours));
        worst = std::max(worst, std::abs(ours - theirs[j]));
      }
      return worst / largest;
    };
    const double at_soft = difference(soft), at_stiff = difference(stiff);
    CAPTURE(at_soft, at_stiff);
    REQUIRE(at_stiff <= 0.0105 * at_soft);
    ++held;
  }
  CHECK(held >= test::trials(60) / 3);
}
