#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/mechanism/index.hpp"

namespace counterpoise {

/// Position, velocity and acceleration of one coordinate at one time  [rad or m, /s, /s^2].
struct ProfileValue {
  double position = 0.0;
  double velocity = 0.0;
  double acceleration = 0.0;
};

struct Hold {
  double value = 0.0;
  bool operator==(const Hold&) const = default;
};

/// Starts at rest and moves with `acceleration` for t < duration/2, then with -acceleration.
struct BangBang {
  double start = 0.0;
  double acceleration = 0.0;
  bool operator==(const BangBang&) const = default;
};

/// Position mean + amplitude * sin(2 pi t / period + phase); period is not zero.
struct Sine {
  double mean = 0.0;
  double amplitude = 0.0;
  double period = 1.0;
  double phase = 0.0;
  bool operator==(const Sine&) const = default;
};

enum class MoveShape { quintic, trapezoid, s_curve };

/// Rests at `from` until start_time and at `to` from end_time on (end_time > start_time). The move
/// is a quintic or a trapezoid, which accelerates for the share `ramp` (0 < ramp <= 1/2) of the
/// move's time and brakes as long.
struct PointToPoint {
  double from = 0.0;
  double to = 0.0;
  double start_time = 0.0;
  double end_time = 1.0;
  MoveShape shape = MoveShape::quintic;
  double ramp = 1.0 / 3.0;
  bool operator==(const PointToPoint&) const = default;
};

/// Moves and rests one after the other, as polynomials of degree five at most. Each piece holds
/// from its start until the next one starts, the last one for ever.
struct Moves {
  struct Piece {
    double start = 0.0;                    // [s]
    std::array<double, 6> coefficients{};  // position = sum of coefficients[k] * (t - start)^k
    bool operator==(const Piece&) const = default;
  };
  std::vector<Piece> pieces;  // at least one, the first from 0 on, none starts before another
  bool operator==(const Moves&) const = default;
};

/// A piecewise cubic, twice continuously differentiable, given by its knots and second derivatives.
struct CubicSpline {
  std::vector<double> times;  // strictly increasing, at least two
  std::vector<double> values;
  std::vector<double> curvature;  // second derivative at each knot
  bool operator==(const CubicSpline&) const = default;
};

/// Returns the spline through the values with these slopes at its ends.
CubicSpline clamped_spline(std::vector<double> times, std::vector<double> values,
                           double first_slope = 0.0, double last_slope = 0.0);
/// Returns the spline through the values with zero second derivative at both ends.
CubicSpline natural_spline(std::vector<double> times, std::vector<double> values);
/// Returns the spline through the values whose slope and second derivative are the same at both
/// ends. The first value is also the last one.
CubicSpline periodic_spline(std::vector<double> times, std::vector<double> values);

/// The positions of a coordinate in poses at rest, one second apart. Each level is kept for
/// `repeat` poses; then the next one follows, and behind the last level they turn back. So the
/// poses of several axes run through all combinations like a snake: from pose to pose one axis goes
/// one level further. Velocity and acceleration are those of a smooth path through all poses, by
/// which loops are followed from one pose to the next.
struct PoseLevels {
  std::vector<double> levels;  // at least one
  int repeat = 1;
  std::vector<double> weights = {};  // of each level in means, above 0; empty: all alike
  bool operator==(const PoseLevels&) const = default;

  /// The place in `levels` of pose k >= 0.
  [[nodiscard]] std::size_t level_of(int k) const;
};

/// One coordinate x, y or z of a point that goes along straight lines and arcs. The arc length is
/// moved like a coordinate; the segment that it lies in says where that is.
struct PathCourse {
  /// At the arc length s the coordinate is
  ///   origin + slope (s - start) + cosine cos((s - start) / radius) + sine sin((s - start) /
  ///   radius),
  /// where lines have no last two terms, and arcs no slope.
  struct Segment {
    double start = 0.0;  // arc length where it begins                                      [m]
    double origin = 0.0, slope = 0.0, cosine = 0.0, sine = 0.0, radius = 1.0;
    bool operator==(const Segment&) const = default;
  };
  Moves along;                    // the arc length                                          [m]
  std::vector<Segment> segments;  // at least one; none starts before another
  bool operator==(const PathCourse&) const = default;
};

using Profile =
    std::variant<Hold, BangBang, Sine, PointToPoint, Moves, CubicSpline, PathCourse, PoseLevels>;

/// Returns the profile and its exact derivatives at time t [s] of a motion that lasts `duration`
/// [s]. A spline is defined between its first and last knot (a time up to 1e-9 outside counts as
/// the end).
ProfileValue evaluate(const Profile& profile, double t, double duration);

/// Whether the acceleration does not jump inside the motion, so that the jerk is bounded.
bool jerk_is_bounded(const Profile& profile);
/// The derivative of the acceleration at a time at which it does not jump.
double jerk(const Profile& profile, double t, double duration);

/// A number that a pose of the mechanism has and that a motion can give: the position of an
/// actuator or of a joint, a world coordinate of a point, or an angle of a body against the world.
struct Coordinate {
  ActuatorIndex actuator = -1;  // exactly one of these four is not -1
  BodyIndex joint = -1;
  PointIndex point = -1;
  BodyIndex turned = -1;
  int axis = 0;  // of a point 0 to 2 for x, y, z; of a body 0 to 2 for roll, pitch, yaw, by which
                 // it is turned about the world's x, y and z in this order

  /// Whether it is a coordinate of the tool, from which joints follow by inverse kinematics.
  [[nodiscard]] bool is_of_tool() const { return point >= 0 || turned >= 0; }
  bool operator==(const Coordinate&) const = default;
};

/// A coordinate with its course.
struct Drive : Coordinate {
  Profile profile;
  bool operator==(const Drive&) const = default;
};

/// What a force from outside is multiplied by in the course of a motion.
struct ForceCourse {
  ForceIndex force;
  Profile profile;
  bool operator==(const ForceCourse&) const = default;
};

/// Where the search for a joint's position begins at the start of a motion.
struct JointGuess {
  BodyIndex joint = -1;
  double position = 0.0;  // [rad, m]
  bool operator==(const JointGuess&) const = default;
};

/// A prescribed motion of a mechanism. Samples are at t_k = k * step, k = 0 .. sample_count() - 1.
struct Motion {
  std::string name;
  double duration = 0.0;      // [s]
  double step = 0.0;          // [s]; duration / step is a whole number to 1e-9
  bool inertia = true;        // if false, only gravity and springs act, pose by pose: the times
                              // only order the poses
  bool poses = false;         // samples are poses at rest, one second apart: all weigh alike in
                              // means, and no power is needed. Then all drives are PoseLevels, and
                              // `inertia` is false
  bool skips = false;         // leaves out poses that cannot be followed to, or that stand beyond a
                              // limit of an actuator's position; else they are findings
  std::vector<Drive> drives;  // coordinates that are not driven are held (DriveSelection)
  std::vector<JointGuess> guess;  // of joints that follow from points; others start in the zero
                                  // configuration
  std::vector<ForceCourse> forces = {};  // others act as the mechanism has them, all the time

  [[nodiscard]] int sample_count() const;
  /// The weight of pose k in means: the product of the weights of its levels.
  [[nodiscard]] double pose_weight(int k) const;
  /// Whether poses weigh differently.
  [[nodiscard]] bool has_weights() const;
  /// The weight of the motion in means over several: its duration, or the number of its poses.
  [[nodiscard]] double extent() const { return poses ? sample_count() : duration; }
};

/// The poses of a motion as places in a grid with an axis for each coordinate that has several
/// levels, if they are all combinations of these.
class PoseGrid {
 public:
  /// `motion` must outlive it.
  explicit PoseGrid(const Motion& motion);

  /// Whether the poses are all combinations of levels, and not a sequence.
  [[nodiscard]] bool whole() const { return whole_; }
  /// The axes: indices of drives, the one first that changes slowest.
  [[nodiscard]] const std::vector<std::size_t>& axes() const { return axes_; }
  [[nodiscard]] const PoseLevels& levels(std::size_t axis) const;
  /// The pose with these places in the levels, one for each axis; -1 if there is none.
  [[nodiscard]] int pose_at(std::span<const int> places) const;
  /// Replaces `out` by the poses that are one step away along one axis; in a sequence by those
  /// before and behind.
  void neighbours_of(int k, std::vector<int>& out) const;

 private:
  const Motion* motion_;
  std::vector<std::size_t> axes_;
  bool whole_ = false;
};

/// The chunk of a motion's samples that is computed and held at a time: all of a short motion; for
/// a long one a part that begins with a whole block. State is carried from each stretch to the
/// next, so that every number is the same bits whatever the stretches.
struct Stretch {
  int first = 0;       // time index of its first sample
  int samples = 0;     // number of samples that it holds
  int total = 0;       // number of samples of the motion
  bool poses = false;  // whether they are poses at rest, as in Motion

  /// The stretch from sample `first` on of a motion of `total` samples, `longest` at most.
  static Stretch from(int first, int longest, int total, bool poses) {
    return {first, std::min(longest, total - first), total, poses};
  }

  /// The weight of sample k in an integral with step 1: a half at both ends of a motion.
  [[nodiscard]] double weight(int k) const {
    return !poses && total > 1 && (k == 0 || k == total - 1) ? 0.5 : 1.0;
  }
  /// The sum of all weights.
  [[nodiscard]] int weights() const { return poses || total == 1 ? total : total - 1; }

  /// Whether the motion starts, and ends, in it.
  [[nodiscard]] bool starts() const { return first == 0; }
  [[nodiscard]] bool ends() const { return first + samples == total; }
  [[nodiscard]] bool whole() const { return samples == total; }
};

/// How many samples of a motion are held at a time: all, for up to `most` samples, else `stretch`,
/// a multiple of the lanes.
struct Holding {
  int most = 65'536;
  int stretch = 8192;

  static Holding at_most(int samples) { return {samples, samples}; }
  static Holding whole() { return at_most(std::numeric_limits<int>::max()); }

  [[nodiscard]] bool holds(int samples) const { return samples <= std::max(most, stretch); }
  [[nodiscard]] int longest(int samples) const { return holds(samples) ? samples : stretch; }
};

}  // namespace counterpoise
