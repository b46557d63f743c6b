#include <cmath>
#include <random>

#include "bench/models/tree.hpp"

namespace counterpoise::bench {
namespace {

/// Numbers that are the same whatever standard library a program is compiled with.
class Random {
 public:
  explicit Random(int seed) : engine_(static_cast<std::uint64_t>(seed)) {}

  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  int below(int count) { return static_cast<int>(uniform(0.0, count)); }
  std::array<double, 3> vector(double size) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  /// Row by row, of a random unit quaternion.
  std::array<double, 9> rotation() {
    double w = 0.0, x = 0.0, y = 0.0, z = 0.0, square = 0.0;
    while (square < 0.01 || square > 1.0) {
      w = uniform(-1.0, 1.0), x = uniform(-1.0, 1.0), y = uniform(-1.0, 1.0);
      z = uniform(-1.0, 1.0);
      square = w * w + x * x + y * y + z * z;
    }
    const double s = 2.0 / square;
    return {1 - s * (y * y + z * z), s * (x * y - w * z),     s * (x * z + w * y),
            s * (x * y + w * z),     1 - s * (x * x + z * z), s * (y * z - w * x),
            s * (x * z - w * y),     s * (y * z + w * x),     1 - s * (x * x + y * y)};
  }

 private:
  std::mt19937_64 engine_;
};

/// The inertia of a box with these half sides, turned by R: R diag R'.
std::array<double, 6> inertia_of(double mass, const std::array<double, 3>& half,
                                 const std::array<double, 9>& r) {
  std::array<double, 3> main{};
  for (std::size_t k = 0; k < 3; ++k)
    main[k] = mass / 3.0 *
              (half[(k + 1) % 3] * half[(k + 1) % 3] + half[(k + 2) % 3] * half[(k + 2) % 3]);
  const auto entry = [&](std::size_t a, std::size_t b) {
    double sum = 0.0;
    for (std::size_t k = 0; k < 3; ++k) sum += r[3 * a + k] * main[k] * r[3 * b + k];
    return sum;
  };
  return {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)};
}

}  // namespace

Tree make_random(int seed) {
  Random random(seed);
  Tree tree{"random" + std::to_string(seed), {}};
  const int links = 1 + random.below(40);
  for (int i = 0; i < links; ++i) {
    Link link;
    // often the link before, so that trees also get deep
    link.parent = random.uniform(0.0, 1.0) < 0.6 ? i - 1 : random.below(i + 1) - 1;
    link.revolute = random.uniform(0.0, 1.0) < 0.75;
    link.axis = random.below(3);
    link.rotation = random.rotation();
    link.origin = random.vector(0.4);
    link.mass = random.uniform(0.2, 5.0);
    link.com = random.vector(0.2);
    const std::array half = {random.uniform(0.05, 0.3), random.uniform(0.05, 0.3),
                             random.uniform(0.05, 0.3)};
    link.inertia = inertia_of(
        link.mass, half,
        seed % 2 == 0 ? std::array<double, 9>{1, 0, 0, 0, 1, 0, 0, 0, 1} : random.rotation());
    tree.links.push_back(link);
  }
  return tree;
}

}  // namespace counterpoise::bench
