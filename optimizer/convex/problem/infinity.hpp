#pragma once

#include <limits>

namespace counterpoise {

/// The value of a bound that restricts nothing.
inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace counterpoise
