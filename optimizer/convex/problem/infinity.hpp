#pragma once

#include <limits>

namespace counterpoise {

/// A bound that does not hold anything.
inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace counterpoise
