#pragma once

#include "engine/mechanism/motion.hpp"

namespace counterpoise {

/// The times of a move from rest to rest whose braking mirrors its acceleration: in each ramp the
/// acceleration rises for `jerk`, is constant for `constant` and falls for `jerk`; between the
/// ramps the speed is constant for `cruise`. Without `jerk` it is a trapezoid, else an S-curve.
struct MoveTimes {
  double jerk = 0.0;      // [s]
  double constant = 0.0;  // [s]
  double cruise = 0.0;    // [s]

  [[nodiscard]] double ramp() const { return 2.0 * jerk + constant; }
  [[nodiscard]] double duration() const { return 2.0 * ramp() + cruise; }
};

/// What a move may not exceed; all are positive, and `jerk` is infinite for a trapezoid.
struct MoveLimits {
  double speed = 0.0;         // [rad/s or m/s]
  double acceleration = 0.0;  // [/s^2]
  double jerk = 0.0;          // [/s^3]
};

/// The move of least time over the distance |way| within limits. Closed form: each time
/// of the ramp is as long as the limits and the distance allow.
MoveTimes fastest_move(double way, const MoveLimits& limits);

/// The trapezoid or S-curve that lasts `duration`, with the share `ramp` of it (0 < ramp <= 1/2) in
/// each ramp. The S-curve's ramps have no constant acceleration.
MoveTimes move_of_duration(MoveShape shape, double duration, double ramp);

/// Lists moves and rests. Each begins at a given time, which is not before the end of the last one.
class MoveList {
 public:
  explicit MoveList(double position) : position_(position) { rest(0.0); }

  /// Rests from `start` on.
  void rest(double start);
  /// Moves to `to` and rests there.
  void quintic(double start, double to, double duration);
  void move(double start, double to, const MoveTimes& times);

  [[nodiscard]] const Moves& moves() const { return moves_; }

 private:
  double position_;
  Moves moves_;
};

}  // namespace counterpoise
