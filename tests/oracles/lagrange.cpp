#include "tests/oracles/lagrange.hpp"

#include <cmath>

namespace counterpoise::oracle {

std::array<double, 2> torques(const DoublePendulum& p, const std::array<double, 2>& q,
                              const std::array<double, 2>& v, const std::array<double, 2>& a) {
  const double link_1 =
      p.inertia_1 + p.mass_1 * p.centre_1 * p.centre_1 + p.mass_2 * p.length_1 * p.length_1;
  const double link_2 = p.inertia_2 + p.mass_2 * p.centre_2 * p.centre_2;
  const double mixed = p.mass_2 * p.length_1 * p.centre_2;
  const double c = std::cos(q[1]);
  const double s = std::sin(q[1]);
  const double weight_1 = p.gravity * (p.mass_1 * p.centre_1 + p.mass_2 * p.length_1);
  const double weight_2 = p.gravity * p.mass_2 * p.centre_2;
  const double second = link_2 * (a[0] + a[1]) + mixed * (a[0] * c + v[0] * v[0] * s) +
                        weight_2 * std::cos(q[0] + q[1]);
  const double first = link_1 * a[0] + link_2 * (a[0] + a[1]) +
                       mixed * ((2.0 * a[0] + a[1]) * c - (2.0 * v[0] + v[1]) * v[1] * s) +
                       weight_1 * std::cos(q[0]) + weight_2 * std::cos(q[0] + q[1]);
  return {first, second};
}

std::array<double, 2> torques(const PanTilt& head, const std::array<double, 2>& q,
                              const std::array<double, 2>& v, const std::array<double, 2>& a) {
  const double c = std::cos(q[1]);
  const double s = std::sin(q[1]);
  const double point = head.mass * head.centre * head.centre;
  const double pan = head.pan_inertia + head.inertia[0] * s * s + (head.inertia[2] + point) * c * c;
  const double pan_by_tilt = 2.0 * s * c * (head.inertia[0] - head.inertia[2] - point);
  return {pan * a[0] + pan_by_tilt * v[1] * v[0], (head.inertia[1] + point) * a[1] -
                                                      pan_by_tilt * v[0] * v[0] / 2.0 -
                                                      head.mass * head.gravity * head.centre * c};
}

}  // namespace counterpoise::oracle
