#pragma once

#include <cstdint>

#include "studies/sampling.hpp"

namespace counterpoise {

/// Random numbers that depend on a seed and the number of a stream alone (splitmix64), so that any
/// thread can draw any stream.
class Draws {
 public:
  Draws(std::uint64_t seed, std::uint64_t stream) : state_(mixed(mixed(seed) ^ stream)) {}

  std::uint64_t bits() {
    const std::uint64_t drawn = mixed(state_);
    state_ += 0x9e3779b97f4a7c15u;
    return drawn;
  }
  /// One of 0 .. count-1; count below 2^32.
  std::uint64_t below(std::uint64_t count) { return ((bits() >> 32) * count) >> 32; }

 private:
  std::uint64_t state_;
};

}  // namespace counterpoise
