#pragma once

#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "engine/kinematics/closure/joint_frame.hpp"
#include "engine/mechanism/mechanism.hpp"
#include "studies/pages/spring_changes.hpp"

namespace counterpoise {

/// A load or a tension now, and the largest of the whole run.
struct StillForce {
  double now = 0.0, most = 0.0;
};

/// One design at one instant. The mechanism must outlive the use of it.
struct StillDesign {
  std::string name = {};
  const Mechanism* mechanism = nullptr;
  std::vector<Pose> poses = {};            // of bodies
  std::vector<double> positions = {};      // of their joints, 0 of fixed ones             [rad, m]
  std::vector<double> gaps = {};           // of loops, 0 where they close                       [m]
  std::vector<StillForce> loads = {};      // of actuators
  std::vector<StillForce> tensions = {};   // of springs, torques of torsion springs
  std::vector<SpringChange> changes = {};  // of springs; empty where there is no baseline
  Eigen::AlignedBox3d box = {};            // of bodies and points in the whole run              [m]
  double size = 0.0;                       // the largest diagonal of the box of an instant      [m]
};

/// A drawing of designs side by side in one scale, seen from one side without perspective, as the
/// scene of a page shows them: bodies as limbs, springs, actuators, and their loads over all else,
/// with the number beside the largest of each unit. An HTML figure with SVG and a caption, which
/// needs no script; its colours come from theme.css, by classes. `key` identifies it, and may be
/// any text without markup. Texts of users are escaped. There is at least one design.
std::string still_picture(const std::vector<StillDesign>& designs, const std::string& key,
                          const std::string& caption);

/// A text as HTML and SVG have it.
std::string escaped(const std::string& text);

/// A number with four digits and its unit, as pages print both.
std::string still_number(double value, const std::string& unit);

}  // namespace counterpoise
