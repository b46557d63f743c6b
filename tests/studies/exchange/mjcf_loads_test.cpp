// Robots written as MJCF, held against MuJoCo: the loads of a motion are what its inverse dynamics
// needs.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <map>

#include "engine/mechanism/spring_law.hpp"
#include "studies/exchange/model/imported_model.hpp"
#include "studies/exchange/model/written_robot.hpp"
#include "studies/reading/read.hpp"
#include "tests/oracles/mujoco/mjcf_robot.hpp"
#include "tests/studies/exchange/random_mjcf.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

const std::string shipped = COUNTERPOISE_SOURCE_DIR "/examples/";

std::string written(const std::string& name, const std::string& text) {
  const std::string path = COUNTERPOISE_TEST_DIR "/" + name;
  std::ofstream(path) << text;
  return path;
}

/// What our loads leave of the forces that MuJoCo asks for, over a motion.
struct Comparison {
  double missing = 0.0;  // largest force of a joint
  double power = 0.0;    // largest sum of missing forces times velocities, which constraints keep 0
  double open = 0.0;     // largest error of MuJoCo's equality constraints
  double largest = 0.0;  // force that inverse dynamics asks of a joint, to compare with
  double largest_power = 0.0;
};

/// Rows of MuJoCo's constraints: three for each point that stays together, six for a weld.
int equations_of(const Mechanism& mechanism) {
  int rows = static_cast<int>(mechanism.couplings.size());
  for (const Loop& loop : mechanism.loops) rows += loop.keep == LoopKeep::point ? 3 : 6;
  return rows;
}

Comparison compared(const Mechanism& mechanism, const Motion& motion, const std::string& mjcf,
                    int most_samples) {
  const oracle::MjcfRobot robot(mjcf);
  const Simulation simulation = run(mechanism, motion);
  Comparison result;
  const std::size_t count = samples(simulation);
  const std::size_t step = std::max<std::size_t>(1, count / static_cast<std::size_t>(most_samples));
  for (std::size_t k = 0; k < count; k += step) {
    std::map<std::string, oracle::JointState> states;
    for (const std::string& joint : robot.joints())
      states[joint] = {column(simulation, joint + ".q")[k], column(simulation, joint + ".qd")[k],
                       column(simulation, joint + ".qdd")[k]};
    std::map<std::string, double> loads, none;
    for (const Actuator& actuator : mechanism.actuators) {
      loads[actuator.name] = column(simulation, actuator.name + ".load")[k];
      none[actuator.name] = 0.0;
    }
    const std::vector<double> missing = robot.missing_forces(states, loads);
    const std::vector<double> asked = robot.missing_forces(states, none);
    double power = 0.0, size = 0.0;
    for (std::size_t j = 0; j < missing.size(); ++j) {
      const double v = states.at(robot.joints()[j]).v;
      result.missing = std::max(result.missing, std::abs(missing[j]));
      result.largest = std::max(result.largest, std::abs(asked[j]));
      power += missing[j] * v;
      size += std::abs(asked[j] * v);
    }
    result.power = std::max(result.power, std::abs(power));
    result.largest_power = std::max(result.largest_power, size);
    const oracle::ConstraintError open = robot.constraint_error(states);
    REQUIRE(open.equations == equations_of(mechanism));
    result.open = std::max(result.open, open.largest);
  }
  return result;
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

TEST_CASE("random linkages written as MJCF need our loads by virtual work") {
  Random random(20261127);
  int held = 0;
  for (int trial = 0; trial < test::trials(120); ++trial) {
    const auto kind = static_cast<Linkage>(trial % 12);
    CAPTURE(trial, trial % 12);
    const Sample sample = random_sample(
        random, {.tree_bodies = 3, .linkage = kind, .more_linkages = trial % 2, .step = 0.05});
    const Mechanism& mechanism = sample.mechanism;
    const bool refused =
        std::any_of(mechanism.loops.begin(), mechanism.loops.end(),
                    [](const Loop& l) { return l.keep == LoopKeep::perpendicular; }) ||
        std::any_of(mechanism.actuators.begin(), mechanism.actuators.end(),
                    [](const Actuator& a) { return !a.tube.massless() || !a.rod.massless(); });
    if (refused) continue;
    Model model;
    model.name = "random";
    const std::string mjcf = written("linkage.xml", write_mjcf(model, mechanism).text);
    const Comparison result = compared(mechanism, sample.motion, mjcf, 9);
    CAPTURE(result.power, result.largest_power, result.open);
    REQUIRE(result.power <= 1e-8 * result.largest_power);
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
    const bool urdf = std::string(file) == "arm.urdf";
    const ImportedModel made =
        urdf ? import_robot(path + file, read_text_file, {.output = "arm.json"}) : ImportedModel{};
    const Model model = urdf ? read_model("arm.json", [&](const auto&) { return made.text; })
                             : read_model(path + file, read_text_file);
    Motion motion = read_motion(path + motion_file, model, read_text_file).nominal;
    motion.inertia = true;  // as MuJoCo's
    const std::string mjcf =
        written(std::string(folder) + ".xml", write_mjcf(model, model.nominal).text);
    const Comparison result = compared(model.nominal, motion, mjcf, 50);
    CAPTURE(result.missing, result.largest, result.power, result.largest_power, result.open);
    CHECK(result.power <= 1e-9 * result.largest_power);
    CHECK(result.open <= 1e-9);
    if (model.nominal.loops.empty() && model.nominal.couplings.empty())
      CHECK(result.missing <= 1e-9 * result.largest);
  }
}

TEST_CASE("what was imported from URDF and is written as URDF has the same loads again") {
  Random random(20261128);
  for (int trial = 0; trial < test::trials(30); ++trial) {
    CAPTURE(trial);
    const Sample sample = random_sample(
        random, {.tree_bodies = 8, .motors_only = true, .springs = false, .step = 0.05});
    Model model;
    model.name = "random";
    Mechanism mechanism = sample.mechanism;
    mechanism.gravity = Vec3d(0.0, 0.0, -9.81);
    for (Body& body : mechanism.bodies) body.joint.guess = 0.0;
    const std::string urdf = write_urdf(model, mechanism).text;
    const ImportedModel made = import_robot("r.urdf", [&](const auto&) { return urdf; },
                                            {.massless = true, .output = "r.json"});
    const Model again = read_model("r.json", [&](const auto&) { return made.text; });
    const Simulation before = run(mechanism, sample.motion);
    Motion motion = sample.motion;  // bodies may stand in another order
    for (Drive& drive : motion.drives) {
      if (drive.actuator >= 0)
        drive.actuator = find_actuator(again.nominal, mechanism.actuators[drive.actuator].name);
      else
        drive.joint = find_body(again.nominal, mechanism.bodies[drive.joint].name);
    }
    const Simulation after = run(again.nominal, motion);
    for (const Actuator& actuator : mechanism.actuators) {
      CAPTURE(actuator.name);
      const std::vector<double>&a = column(before, actuator.name + ".load"),
            &b = column(after, actuator.name + ".load");
      for (std::size_t k = 0; k < a.size(); ++k)
        REQUIRE(std::abs(a[k] - b[k]) <= 1e-9 * (peak(a) + 1e-9));
    }
  }
}

TEST_CASE("loads of random robots imported from MJCF are MuJoCo's own") {
  Random random(20261129);
  for (int trial = 0; trial < test::trials(100); ++trial) {
    CAPTURE(trial);
    const std::string path = written("random_robot.xml", random_mjcf(random));
    const ImportedModel made = import_robot(path, read_text_file, {.output = "robot.json"});
    const Model model = read_model("robot.json", [&](const auto&) { return made.text; });
    const Mechanism& mechanism = model.nominal;
    const oracle::MjcfRobot robot(path);
    REQUIRE(mechanism.actuators.size() == robot.joints().size());
    Motion motion;
    motion.duration = 1.0;
    motion.step = 0.125;
    for (std::size_t a = 0; a < mechanism.actuators.size(); ++a)
      motion.drives.push_back({ActuatorIndex(a),
                               {},
                               Sine{random.uniform(-1.0, 1.0), random.uniform(0.1, 1.0),
                                    random.uniform(0.7, 2.0), 0.3}});
    const Simulation simulation = run(mechanism, motion);
    double largest = 0.0, worst = 0.0;
    for (std::size_t k = 0; k < samples(simulation); ++k) {
      std::map<std::string, oracle::JointState> states;
      for (const Actuator& actuator : mechanism.actuators) {
        const std::string& body = mechanism.bodies[actuator.joint].name;
        states[actuator.name] = {column(simulation, body + ".q")[k],
                                 column(simulation, body + ".qd")[k],
                                 column(simulation, body + ".qdd")[k]};
      }
      const std::vector<double> asked = robot.missing_forces(states, {});
      for (std::size_t j = 0; j < asked.size(); ++j) {
        const double load = column(simulation, robot.joints()[j] + ".load")[k];
        largest = std::max(largest, std::abs(load));
        worst = std::max(worst, std::abs(load - asked[j]));
      }
    }
    CAPTURE(worst, largest);
    REQUIRE(worst <= 1e-9 * largest);
  }
}

TEST_CASE("what is written as MJCF and imported again has the same loads") {
  Random random(20261130);
  for (int trial = 0; trial < test::trials(60); ++trial) {
    CAPTURE(trial);
    Sample sample = random_sample(random, {.tree_bodies = 8, .motors_only = true, .step = 0.05});
    for (Spring& spring : sample.mechanism.springs)  // what tendons hold without an actuator
      if (law_of(spring).rate == 0.0 ||
          (spring.type != SpringType::torsion && law_of(spring).offset > 0.0))
        spring.rate = 100.0, spring.free_length = 0.5, spring.initial_tension = 10.0,
        spring.type = spring.type == SpringType::gas ? SpringType::coil : spring.type;
    Model model;
    model.name = "random";
    const std::string path = written("again.xml", write_mjcf(model, sample.mechanism).text);
    const ImportedModel made = import_robot(path, read_text_file, {.output = "again.json"});
    const Model again = read_model("again.json", [&](const auto&) { return made.text; });
    Motion motion = sample.motion;
    for (Drive& drive : motion.drives) {
      if (drive.actuator >= 0)
        drive.actuator =
            find_actuator(again.nominal, sample.mechanism.actuators[drive.actuator].name);
      else
        drive.joint = find_body(again.nominal, sample.mechanism.bodies[drive.joint].name);
    }
    const Simulation before = run(sample.mechanism, sample.motion),
                     after = run(again.nominal, motion);
    for (const Actuator& actuator : sample.mechanism.actuators) {
      CAPTURE(actuator.name);
      const std::vector<double>&a = column(before, actuator.name + ".load"),
            &b = column(after, actuator.name + ".load");
      for (std::size_t k = 0; k < a.size(); ++k)
        REQUIRE(std::abs(a[k] - b[k]) <= 1e-9 * (peak(a) + 1e-3));
    }
  }
}
