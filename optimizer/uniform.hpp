#pragma once

#include <cstdint>

namespace counterpoise {

/// 53 of 64 random bits as a number in [0, 1): the same on every standard library.
inline double unit_interval(std::uint64_t bits) {
  constexpr double bit = 1.0 / 9007199254740992.0;  // 2^-53
  return static_cast<double>(bits >> 11U) * bit;
}

}  // namespace counterpoise
