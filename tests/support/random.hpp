#pragma once

#include <random>

#include "engine/math/vector.hpp"

namespace counterpoise::test {

/// Random numbers with a fixed seed, so that failures reproduce.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  /// Between low and high, with either sign.
  double signed_uniform(double low, double high) {
    const double size = uniform(low, high);
    return chance(0.5) ? size : -size;
  }
  int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(engine_); }
  bool chance(double probability) { return uniform(0.0, 1.0) < probability; }
  Vec3d vector(double size) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  Vec3d direction();
  Mat3d rotation();
  /// About the centre of mass, of a body of this mass: that of a few random particles.
  Mat3d inertia(double mass, double size);

 private:
  std::mt19937_64 engine_;
};

}  // namespace counterpoise::test
