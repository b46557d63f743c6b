#pragma once

#include <map>
#include <string>

#include "engine/evaluation/simulation.hpp"
#include "exchange/imported_model.hpp"
#include "input/reading/read.hpp"
#include "tests/oracles/mjcf_robot.hpp"

namespace counterpoise::test {

/// Writes a file into the tests' folder and returns its path.
std::string written(const std::string& name, const std::string& text);

/// The model that is made of a robot's file.
Model imported(const std::string& path, const ImportOptions& options = {});

/// What our loads leave of the forces that MuJoCo asks for, over a motion.
struct Comparison {
  double missing = 0.0;  // largest force of a joint, without what constraints take
  double open = 0.0;     // largest error of MuJoCo's equality constraints
  double largest = 0.0;  // force that inverse dynamics asks of a joint, to compare with
};

/// States of MuJoCo's joints, which have the names of bodies, at a sample.
std::map<std::string, oracle::JointState> states_at(const Simulation& simulation,
                                                    const oracle::MjcfRobot& robot, std::size_t k);
/// Loads of actuators at a sample, by name.
std::map<std::string, double> loads_at(const Simulation& simulation, const Mechanism& mechanism,
                                       std::size_t k);

/// Runs the mechanism and compares about so many samples with the robot in an MJCF file.
Comparison compared(const Mechanism& mechanism, const Motion& motion, const std::string& mjcf,
                    int most_samples);

}  // namespace counterpoise::test
