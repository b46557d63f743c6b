#include "tests/exchange/mujoco_comparison.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>

#include "tests/support/simulation.hpp"

namespace counterpoise::test {
namespace {

/// Rows of MuJoCo's constraints: three for each point that stays together, six for a weld.
int equations_of(const Mechanism& mechanism) {
  int rows = static_cast<int>(mechanism.couplings.size());
  for (const Loop& loop : mechanism.loops) rows += loop.keep == LoopKeep::point ? 3 : 6;
  return rows;
}

}  // namespace

std::string written(const std::string& name, const std::string& text) {
  const std::string path = COUNTERPOISE_TEST_DIR "/" + name;
  std::ofstream(path) << text;
  return path;
}

Model imported(const std::string& path, const ImportOptions& options) {
  ImportOptions to_here = options;
  to_here.output = "model.json";
  const ImportedModel made = import_robot(path, read_text_file, to_here);
  return read_model("model.json", [&](const auto&) { return made.text; });
}

std::map<std::string, oracle::JointState> states_at(const Simulation& simulation,
                                                    const oracle::MjcfRobot& robot, std::size_t k) {
  std::map<std::string, oracle::JointState> states;
  for (const std::string& joint : robot.joints())
    states[joint] = {column(simulation, joint + ".q")[k], column(simulation, joint + ".qd")[k],
                     column(simulation, joint + ".qdd")[k]};
  return states;
}

std::map<std::string, double> loads_at(const Simulation& simulation, const Mechanism& mechanism,
                                       std::size_t k) {
  std::map<std::string, double> loads;
  for (const Actuator& actuator : mechanism.actuators)
    loads[actuator.name] = column(simulation, actuator.name + ".load")[k];
  return loads;
}

Comparison compared(const Mechanism& mechanism, const Motion& motion, const std::string& mjcf,
                    int most_samples) {
  const oracle::MjcfRobot robot(mjcf);
  const Simulation simulation = run(mechanism, motion);
  Comparison result;
  const std::size_t count = samples(simulation);
  const std::size_t step = std::max<std::size_t>(1, count / static_cast<std::size_t>(most_samples));
  std::map<std::string, double> none;
  for (const Actuator& actuator : mechanism.actuators) none[actuator.name] = 0.0;
  for (std::size_t k = 0; k < count; k += step) {
    const auto states = states_at(simulation, robot, k);
    const std::vector<double> missing =
        robot.missing_forces(states, loads_at(simulation, mechanism, k));
    for (double force : robot.free_part(states, missing))
      result.missing = std::max(result.missing, std::abs(force));
    for (double force : robot.missing_forces(states, none))
      result.largest = std::max(result.largest, std::abs(force));
    const oracle::ConstraintError open = robot.constraint_error(states);
    REQUIRE(open.equations == equations_of(mechanism));
    result.open = std::max(result.open, open.largest);
  }
  return result;
}

}  // namespace counterpoise::test
