#include "tests/oracles/planar_linkage.hpp"

#include <cmath>

namespace counterpoise::oracle {

Output four_bar(double a, double b, double c, double d, double crank_angle, bool crossed) {
  const double k1 = d / a;
  const double k2 = d / c;
  const double k3 = (a * a - b * b + c * c + d * d) / (2.0 * a * c);
  const double cosine = std::cos(crank_angle);
  const double first = cosine - k1 - k2 * cosine + k3;
  const double second = -2.0 * std::sin(crank_angle);
  const double third = k1 - (k2 + 1.0) * cosine + k3;
  const double root = std::sqrt(second * second - 4.0 * first * third);
  const double rocker = 2.0 * std::atan2(-second + (crossed ? root : -root), 2.0 * first);
  const double coupler = std::atan2(c * std::sin(rocker) - a * std::sin(crank_angle),
                                    d + c * std::cos(rocker) - a * std::cos(crank_angle));
  return {rocker, a * std::sin(crank_angle - coupler) / (c * std::sin(rocker - coupler))};
}

Output slider_crank(double r, double l, double e, double crank_angle) {
  const double height = r * std::sin(crank_angle) - e;
  const double along = std::sqrt(l * l - height * height);
  return {r * std::cos(crank_angle) + along,
          -r * std::sin(crank_angle) - r * std::cos(crank_angle) * height / along};
}

}  // namespace counterpoise::oracle
