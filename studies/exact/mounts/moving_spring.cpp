#include "studies/exact/mounts/moving_spring.hpp"

#include <stdexcept>

namespace counterpoise {
namespace {

using Triple = std::array<Interval, 3>;

constexpr double largest_number = 1e30;  // so that no power of it overflows

Interval dot(const Triple& a, const Triple& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Interval dot(const double* a, const Triple& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Interval dot(const double* a, const double* b) {
  return a[0] * Interval(b[0]) + a[1] * Interval(b[1]) + a[2] * Interval(b[2]);
}

std::size_t pair(std::size_t i, std::size_t j) {
  return SmoothNumber::pair(i, j);
}

}  // namespace

MovingSpring::MovingSpring(std::size_t motion, std::size_t spring, const MountMotion& mounts,
                           const Mechanism& mechanism, const std::vector<MovingCoordinate>& moving)
    : motion_(motion), spring_(spring), samples_(mounts.samples), coordinates_(moving.size()) {
  if (moving.size() > most_coordinates)
    throw std::invalid_argument("more than six coordinates of a spring's mounts change");
  const Spring& element = mechanism.springs[spring];
  std::array<Vec3d, 2> fixed;
  for (std::size_t end : {0u, 1u}) fixed[end] = mechanism.points[element.points[end]].position;
  for (const MovingCoordinate& one : moving) fixed[one.end](static_cast<int>(one.axis)) = 0.0;
  stride_ = 3 * (1 + mounts.slopes.size()) * (1 + coordinates_);
  const auto add = [&](const MountMotion::Map& map, std::size_t k, bool is_vector) {
    for (std::size_t i = 0; i < 3; ++i) {
      double constant = map.origin[i][k];
      for (std::size_t j = 0; j < 3; ++j)
        constant += map.rotation[3 * i + j][k] * fixed[1](static_cast<int>(j));
      if (is_vector) constant -= fixed[0](static_cast<int>(i));
      numbers_.push_back(constant);
    }
    for (const MovingCoordinate& one : moving)
      for (std::size_t i = 0; i < 3; ++i)
        numbers_.push_back(one.end == 1                 ? map.rotation[3 * i + one.axis][k]
                           : is_vector && one.axis == i ? -1.0
                                                        : 0.0);
  };
  for (const MountMotion::Slope& slope : mounts.slopes)
    actuators_.push_back(static_cast<int>(slope.actuator));
  for (std::size_t k = 0; k < static_cast<std::size_t>(samples_); ++k) {
    add(mounts.map, k, true);
    for (const MountMotion::Slope& slope : mounts.slopes) add(slope.map, k, false);
  }
  for (const double number : numbers_)
    if (!(std::abs(number) <= largest_number))
      throw std::invalid_argument("lengths of springs or their slopes are beyond 1e30");
}

std::array<Interval, 3> MovingSpring::affine(const double* first,
                                             std::span<const Interval> z) const {
  Triple sum = {Interval(first[0]), Interval(first[1]), Interval(first[2])};
  for (std::size_t j = 0; j < coordinates_; ++j)
    for (std::size_t i = 0; i < 3; ++i) sum[i] += first[3 * (j + 1) + i] * z[j];
  return sum;
}

MovingSpring::Line MovingSpring::line(int sample, std::span<const Interval> z) const {
  Line line;
  line.d = affine(vector_at(sample, 0), z);
  line.square = counterpoise::square(line.d[0]) + counterpoise::square(line.d[1]) +
                counterpoise::square(line.d[2]);
  line.length = root(line.square);
  return line;
}

Interval MovingSpring::f(int sample, std::size_t actuator, std::span<const Interval> z,
                         const Line& line) const {
  return dot(affine(slope_at(sample, actuator, 0), z), line.d);
}

MovingSpring::Shape MovingSpring::shape(int sample, const Line& line) const {
  Shape shape;
  shape.line = line;
  shape.inverse = inverse(line.length);
  for (std::size_t i = 0; i < coordinates_; ++i) {
    const double* m = vector_at(sample, i + 1);
    shape.half[i] = dot(m, line.d);
    for (std::size_t j = 0; j <= i; ++j)
      shape.product[pair(i, j)] = dot(m, vector_at(sample, j + 1));
  }
  return shape;
}

/// L_i = s_i / L and L_ij = (q_ij - L_i L_j) / L, where s_i and q_ij are half of the derivatives of
/// Q.
void MovingSpring::bend_of_length(const Shape& shape, Bend& out) const {
  for (std::size_t i = 0; i < coordinates_; ++i) {
    out.slopes[i] = shape.half[i] * shape.inverse;
    for (std::size_t j = 0; j <= i; ++j)
      out.curvatures[pair(i, j)] =
          (shape.product[pair(i, j)] - out.slopes[i] * out.slopes[j]) * shape.inverse;
  }
}

void MovingSpring::bend_of_f(int sample, std::size_t actuator, std::span<const Interval> z,
                             const Line& line, Bend& out) const {
  const Triple slope = affine(slope_at(sample, actuator, 0), z);
  for (std::size_t i = 0; i < coordinates_; ++i) {
    const double* m = vector_at(sample, i + 1);
    const double* n = slope_at(sample, actuator, i + 1);
    out.slopes[i] = dot(m, slope) + dot(n, line.d);
    for (std::size_t j = 0; j <= i; ++j)
      out.curvatures[pair(i, j)] =
          dot(m, slope_at(sample, actuator, j + 1)) + dot(n, vector_at(sample, j + 1));
  }
}

/// With r = 1/L and the derivatives L_i = s_i r of the length
///   e_i  = r (f_i - e L_i)
///   e_ij = r (f_ij - r (f_i L_j + f_j L_i) + r e (3 L_i L_j - q_ij))
void MovingSpring::bend_of_e(int sample, std::size_t actuator, std::span<const Interval> z,
                             const Shape& shape, const Bend& of_f, Bend& out) const {
  const Interval r = shape.inverse;
  const Interval e = f(sample, actuator, z, shape.line) * r;
  std::array<Interval, most_coordinates> length;  // L_i
  for (std::size_t i = 0; i < coordinates_; ++i) {
    length[i] = shape.half[i] * r;
    out.slopes[i] = r * (of_f.slopes[i] - e * length[i]);
    for (std::size_t j = 0; j <= i; ++j) {
      const std::size_t p = pair(i, j);
      const Interval turn = of_f.slopes[i] * length[j] + of_f.slopes[j] * length[i];
      const Interval bow = 3.0 * (length[i] * length[j]) - shape.product[p];
      out.curvatures[p] = r * (of_f.curvatures[p] - r * turn + (e * r) * bow);
    }
  }
}

double MovingSpring::most_e(int sample, std::size_t actuator, std::span<const Interval> z) const {
  const Triple slope = affine(slope_at(sample, actuator, 0), z);
  return root(square(slope[0]) + square(slope[1]) + square(slope[2])).high;
}

}  // namespace counterpoise
