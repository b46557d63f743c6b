#pragma once

#include <string>
#include <vector>

/// Inverse dynamics of a robot in URDF by Orocos KDL and its own reader of URDF.
namespace counterpoise::oracle {

/// The state of one joint, by its name in the URDF text.
struct UrdfJointState {
  std::string joint;
  double q = 0.0, v = 0.0, a = 0.0;
};

/// Torque or force of every joint of `states`, in this order; the robot's other joints rest at 0.
/// `gravity` points along -z [m/s^2].
std::vector<double> kdl_urdf_loads(const std::string& urdf,
                                   const std::vector<UrdfJointState>& states, double gravity);

}  // namespace counterpoise::oracle
