#pragma once

#include <array>
#include <charconv>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/mechanism/mechanism.hpp"
#include "engine/mechanism/motion.hpp"

namespace counterpoise {

/// Why a mechanism cannot follow a motion, or which limit it breaks.
enum class FindingKind {
  loop_open,             // the points of a loop do not meet
  loop_askew,            // the points of a loop meet, but its axes are not as it keeps them
  actuator_unreachable,  // a two-point actuator cannot have the prescribed length
  singular_loop,         // the pose of the joints a loop determines is singular
  singular_actuator,     // the pose of the joints an actuator determines is singular
  singular_loop_passed,  // a singular pose of a loop lies between two samples
  singular_actuator_passed,
  coupling_open,
  loop_jump,
  actuator_jump,
  point_unreachable,  // a point cannot go where the motion has it
  turn_unreachable,   // a body cannot be turned as the motion has it
  singular_tool,      // the pose of the joints that points determine is singular; element: the
                      // point, or -1 where only orientations are given
  singular_tool_passed,
  tool_jump,
  transmission_singular,     // the actuators do not determine the forces; element: loop or -1
  transmission_loop_passed,  // forces not determined in a loop's pose between two samples
  transmission_actuator_passed,
  spring_too_short,
  spring_too_long,
  spring_overloaded,
  spring_pushes,             // the tension of a spring that only pulls is below 0
  spring_pulls,              // that of one that only pushes is above 0
  spring_below_free_length,  // a spring that only pulls is shorter than without load
  spring_above_free_length,  // one that only pushes is longer than without load
  spring_without_direction,  // the ends of a spring under tension meet
  cable_in_pulley,           // a neighbour on the cable of a spring is inside one of its pulleys
  cable_askew,           // pulleys next to each other on a cable have axes that are not parallel
  cable_without_course,  // a cable has no course, or its neighbours pass each other
  cable_off_cam,         // a cable would touch its cam where that has no edge
  position_too_small,
  position_too_large,
  actuator_overloaded,
  actuator_too_fast,
  not_finite,       // a load or an actuator's motion; the program failed, not the design
  spring_too_near,  // to an obstacle
  joint_locks,      // friction of joints grows with their reactions by too much; element: the body
                    // of a joint that feeds back much of it, value: by how much
  sharing_contradicted,  // a sharing rule cannot hold, so that such friction is not known
};

/// A finding and where it occurs. It holds plain numbers only, so that reporting one does not
/// allocate.
struct Finding {
  FindingKind kind = FindingKind::not_finite;
  int element = -1;        // index of the loop, spring, actuator, body or rule concerned
  double time = 0.0;       // time of the first sample concerned, or of the pose between two [s]
  double value = 0.0;      // value found then: gap, length, load ..., smallest singular value
  double limit = 0.0;      // limit that the value is compared with
  double violation = 0.0;  // largest over the motion, relative to the limit's size, >= 0
  int obstacle = -1;       // that a spring comes too near to
};

/// Describes a finding in words, with its element and time: "spring lean_spring shorter than
/// min_length at t=1.5 s (...)".
std::string describe(const Finding& finding, const Mechanism& mechanism);
/// The same; of poses it names the pose in place of a time: "... longer than max_length in pose 38
/// of 1369: shoulder 0.35 rad, elbow -0.2 rad (...)".
std::string describe(const Finding& finding, const Mechanism& mechanism, const Motion& motion);

/// The name of a coordinate as motions give it: "shoulder", "tool.tip.x", "hand.pitch".
std::string name_of(const Coordinate& coordinate, const Mechanism& mechanism);
/// Its SI unit: "m" or "rad".
const char* position_unit(const Mechanism& mechanism, const Coordinate& coordinate);

/// The position of a coordinate in a pose, in SI.
struct PosePosition {
  std::string coordinate;
  double position = 0.0;
  const char* unit = "";
};
/// The positions of the coordinates of a motion of poses in pose k; none of a motion in time.
std::vector<PosePosition> pose_of(const Motion& motion, const Mechanism& mechanism, int k);
/// The same in words: "shoulder 0.35 rad, elbow -0.2 rad".
std::string pose_text(const std::vector<PosePosition>& pose);

/// Thrown when the structure of a mechanism is wrong, whatever the numbers of a motion: too few or
/// too many actuators or coordinates, inconsistent loops, contradictory sharing rules. `what()`
/// names the coordinates or elements concerned.
class MechanismError : public std::runtime_error {
 public:
  enum class Part { actuators, loops, couplings, sharing };

  /// For a finding that a loop or coupling cannot close; `where` ends the message.
  MechanismError(const Finding& finding, const Mechanism& mechanism, const std::string& where)
      : MechanismError(describe(finding, mechanism) + where,
                       finding.kind == FindingKind::coupling_open ? Part::couplings : Part::loops,
                       static_cast<std::size_t>(finding.element)) {}

  static constexpr std::size_t no_element = ~std::size_t{0};

  explicit MechanismError(const std::string& what, Part wrong_part = Part::actuators,
                          std::size_t wrong_element = no_element)
      : std::runtime_error(what), part(wrong_part), element(wrong_element) {}

  Part part;            // list of the mechanism in which something is wrong
  std::size_t element;  // index of the wrong element in that list, or no_element
};

/// A number as messages print it: six digits, without trailing zeros, as %.6g in the C locale.
inline std::string number_text(double x) {
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::general, 6);
  return {text.data(), end.ptr};
}

}  // namespace counterpoise
