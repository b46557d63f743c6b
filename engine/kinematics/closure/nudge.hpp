#pragma once

#include <cmath>

#include "engine/mechanism/body.hpp"

namespace counterpoise {

/// How far the joint of `body` is moved from its guess in the given trial, to get away from a
/// configuration that happens to be special: fixed numbers without pattern, up to 0.15 rad or
/// 1.5 cm; none in trial 0.
inline double nudge(int trial, int body, JointType type) {
  const double wave = std::sin(12.9898 * (body + 1) + 78.233 * trial);
  return trial == 0 ? 0.0 : wave * (type == JointType::revolute ? 0.15 : 0.015);
}

}  // namespace counterpoise
