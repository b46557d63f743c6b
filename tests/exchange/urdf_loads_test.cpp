// Loads of robots imported from URDF against KDL, which reads the same text by its own parser.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "exchange/imported_model.hpp"
#include "input/reading/read.hpp"
#include "tests/exchange/random_urdf.hpp"
#include "tests/oracles/kdl_urdf.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

Model imported(const std::string& text) {
  const ImportedModel made =
      import_robot("robot.urdf", [&](const auto&) { return text; }, {.output = "model.json"});
  return read_model("model.json", [&](const auto&) { return made.text; });
}

Motion random_motion(Random& random, const Mechanism& mechanism) {
  Motion motion;
  motion.duration = 1.0;
  motion.step = 0.125;
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a)
    motion.drives.push_back({{ActuatorIndex(static_cast<int>(a)), {}},
                             Sine{random.uniform(-1.0, 1.0), random.uniform(0.1, 1.0),
                                  random.uniform(0.7, 2.0), random.uniform(0.0, 6.0)}});
  return motion;
}

/// The largest difference between our loads and KDL's, as a part of each joint's largest.
void check_loads(const RandomUrdf& robot, Random& random) {
  const Model model = imported(robot.text);
  const Mechanism& mechanism = model.nominal;
  const Simulation simulation = run(mechanism, random_motion(random, mechanism));
  const auto series = [&](const UrdfJoint& joint,
                          const char* suffix) -> const std::vector<double>& {
    return column(simulation, joint.child + suffix);
  };
  std::map<std::string, std::vector<double>> expected;  // by actuator
  for (std::size_t k = 0; k < samples(simulation); ++k) {
    std::vector<oracle::UrdfJointState> states;
    for (const UrdfJoint& joint : robot.joints)
      states.push_back(
          {joint.name, series(joint, ".q")[k], series(joint, ".qd")[k], series(joint, ".qdd")[k]});
    const std::vector<double> forces = oracle::kdl_urdf_loads(robot.text, states, 9.81);
    // by virtual work: what a joint that mimics takes, its leader gives, times the ratios between
    std::map<std::string, double> loads;
    for (std::size_t i = 0; i < robot.joints.size(); ++i) {
      const UrdfJoint* joint = &robot.joints[i];
      double ratio = 1.0;
      while (!joint->mimics.empty()) {
        ratio *= joint->multiplier;
        joint = &*std::find_if(robot.joints.begin(), robot.joints.end(),
                               [&](const UrdfJoint& other) { return other.name == joint->mimics; });
      }
      loads[joint->name] += ratio * forces[i];
    }
    for (const auto& [name, load] : loads) expected[name].push_back(load);
  }
  REQUIRE(expected.size() == mechanism.actuators.size());
  for (const auto& [name, loads] : expected) {
    CAPTURE(name);
    const std::vector<double>& ours = column(simulation, name + ".load");
    for (std::size_t k = 0; k < loads.size(); ++k)
      REQUIRE(std::abs(ours[k] - loads[k]) <= 1e-9 * peak(loads));
  }
}

}  // namespace

TEST_CASE("loads of robots from URDF agree with KDL, which reads them by its own parser") {
  Random random(20261124);
  for (int trial = 0; trial < test::trials(100); ++trial) {
    CAPTURE(trial);
    check_loads(random_urdf(random, false), random);
  }
}

TEST_CASE("joints that mimic others load these by virtual work") {
  Random random(20261125);
  for (int trial = 0; trial < test::trials(100); ++trial) {
    CAPTURE(trial);
    check_loads(random_urdf(random, true), random);
  }
}

TEST_CASE("where two joints mimic in turn, both follow the first") {
  const Model model = imported(R"(<robot name="r">
    <link name="base"/>
    <link name="a"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
    <link name="b"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
    <link name="c"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
    <joint name="c_joint" type="continuous"><parent link="base"/><child link="c"/><mimic joint="b_joint" multiplier="-3" offset="0.25"/></joint>
    <joint name="b_joint" type="continuous"><parent link="base"/><child link="b"/><mimic joint="a_joint" multiplier="2" offset="0.5"/></joint>
    <joint name="a_joint" type="continuous"><parent link="base"/><child link="a"/></joint>
  </robot>)");
  REQUIRE(model.nominal.actuators.size() == 1);
  Motion motion;
  motion.duration = 1.0;
  motion.step = 0.5;
  motion.drives.push_back({{ActuatorIndex(0), {}}, Sine{0.0, 1.0, 3.0, 0.3}});
  const Simulation simulation = run(model.nominal, motion);
  for (std::size_t k = 0; k < samples(simulation); ++k) {
    const double a = column(simulation, "a.q")[k], b = column(simulation, "b.q")[k];
    CHECK(b == Approx(2.0 * a + 0.5).margin(1e-12));
    CHECK(column(simulation, "c.q")[k] == Approx(-3.0 * b + 0.25).margin(1e-12));
  }
}
