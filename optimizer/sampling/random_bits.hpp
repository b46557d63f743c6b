#pragma once

#include <cstdint>

namespace counterpoise {

/// Turns 53 of 64 random bits into a number in [0, 1), the same with every standard library.
inline double unit_interval(std::uint64_t bits) {
  constexpr double bit = 1.0 / 9007199254740992.0;  // 2^-53
  return static_cast<double>(bits >> 11U) * bit;
}

/// Well mixed bits of a number (the finaliser of splitmix64).
inline std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Bits that depend on a seed and two numbers.
inline std::uint64_t mixed_together(std::uint64_t seed, std::uint64_t a, std::uint64_t b) {
  return mixed(mixed(mixed(seed) ^ a) ^ b);
}

/// Random numbers that depend only on a seed and the number of a stream (splitmix64), so that any
/// thread can draw any stream.
class Draws {
 public:
  Draws(std::uint64_t seed, std::uint64_t stream) : state_(mixed(mixed(seed) ^ stream)) {}

  std::uint64_t bits() {
    const std::uint64_t drawn = mixed(state_);
    state_ += 0x9e3779b97f4a7c15u;
    return drawn;
  }
  /// A random number from 0 .. count-1; count is below 2^32.
  std::uint64_t below(std::uint64_t count) { return ((bits() >> 32) * count) >> 32; }

 private:
  std::uint64_t state_;
};

}  // namespace counterpoise
