#pragma once

#include <vector>

#include "engine/mechanism/motion.hpp"

namespace counterpoise {

/// The times at which a profile over `duration` is not smooth: where it goes from one polynomial,
/// segment or rest to the next. They increase, and may lie before 0 or behind the duration.
std::vector<double> corners_of(const Profile& profile, double duration);

}  // namespace counterpoise
