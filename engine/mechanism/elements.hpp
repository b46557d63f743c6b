#pragma once

#include <array>
#include <limits>
#include <string>

namespace counterpoise {

inline constexpr double no_limit = std::numeric_limits<double>::infinity();

/// Extension, compression and gas springs act along the line of two points:
///   tension = initial_tension + rate * (length - free_length)   (gas: tension = initial_tension)
/// positive tension pulls the points together (paper 001, eq. 5; paper 000, eq. 35 prints the
/// elongation with the opposite sign). A torsion spring acts on a joint, against +axis:
///   torque = initial_tension + rate * (q - free_length)
/// where initial_tension is the preload [N m] and free_length the free angle [rad].
enum class SpringType { extension, compression, gas, torsion };

struct Spring {
  std::string name;
  SpringType type = SpringType::extension;
  std::array<int, 2> points = {-1, -1};  // indices into Mechanism::points; torsion: unused
  int joint = -1;                        // body index; torsion only
  double rate = 0.0;                     // [N/m], torsion [N m/rad]
  double free_length = 0.0;              // [m], torsion [rad]
  double initial_tension = 0.0;          // [N], torsion [N m]
  double min_length = -no_limit;
  double max_length = no_limit;
  double max_load = no_limit;  // of |tension|
};

/// An actuator drives a joint, or the distance between two points.
struct Actuator {
  std::string name;
  int joint = -1;                        // body index, or -1 for a two-point actuator
  std::array<int, 2> points = {-1, -1};  // indices into Mechanism::points
  double min_position = -no_limit;
  double max_position = no_limit;
  double max_load = no_limit;   // of |load|
  double max_speed = no_limit;  // of |velocity|

  [[nodiscard]] bool linear() const { return joint < 0; }
};

/// Makes two points coincide.
struct Loop {
  std::string name;
  std::array<int, 2> points = {-1, -1};  // indices into Mechanism::points
};

/// q[joint] = ratio * q[of] + offset.
struct Coupling {
  std::string name;
  int joint = -1;  // body indices
  int of = -1;
  double ratio = 1.0;
  double offset = 0.0;  // [rad] or [m]
};

}  // namespace counterpoise
