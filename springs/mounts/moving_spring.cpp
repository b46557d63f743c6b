#include "springs/mounts/moving_spring.hpp"

#include <stdexcept>

namespace counterpoise {
namespace {

using Triple = MovingSpring::Triple;

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

Interval norm_of(const Triple& a) {
  return root(square(a[0]) + square(a[1]) + square(a[2]));
}
Interval within(double size) {
  return {-size, size};
}

/// The values of an affine function at all convex combinations of places, from those there.
template <class Function>
Interval hull_of(std::size_t places, const Function& value) {
  Interval values = value(0);
  for (std::size_t w = 1; w < places; ++w) values = joined(values, value(w));
  return values;
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

Triple MovingSpring::affine(const double* first, std::span<const Interval> z) const {
  Triple sum = {Interval(first[0]), Interval(first[1]), Interval(first[2])};
  for (std::size_t j = 0; j < coordinates_; ++j)
    for (std::size_t i = 0; i < 3; ++i) sum[i] += first[3 * (j + 1) + i] * z[j];
  return sum;
}

MovingSpring::Line MovingSpring::line(int sample, std::span<const Interval> z) const {
  Line line;
  line.d = affine(vector_at(sample, 0), z);
  line.length = norm_of(line.d);
  return line;
}

Triple MovingSpring::slope(int sample, std::size_t actuator, std::span<const Interval> z) const {
  return affine(slope_at(sample, actuator, 0), z);
}

/// At most the largest of all places, as a length is convex in d; and at least d's component along
/// any direction, here that of the mean of all places.
Interval MovingSpring::length(Lines places) {
  Interval length = places[0].length;
  if (places.size() == 1) return length;
  Triple box = places[0].d;
  double mean[3] = {0.0, 0.0, 0.0};
  for (const Line& place : places)
    for (std::size_t i = 0; i < 3; ++i) {
      box[i] = joined(box[i], place.d[i]);
      mean[i] += place.d[i].middle();
    }
  for (const Line& place : places) length.high = std::max(length.high, place.length.high);
  length.low = norm_of(box).low;
  const double size = norm_of({Interval(mean[0]), Interval(mean[1]), Interval(mean[2])}).high;
  const double along =
      hull_of(places.size(), [&](std::size_t w) { return dot(mean, places[w].d); }).low;
  if (along > 0.0) length.low = std::max(length.low, below(along / size));
  return length;
}

/// The least and the largest of the form's Bernstein coefficients.
Interval MovingSpring::f(Lines places, Slopes slopes) {
  Interval f = dot(places[0].d, slopes[0]);
  for (std::size_t v = 1; v < places.size(); ++v) {
    f = joined(f, dot(places[v].d, slopes[v]));
    for (std::size_t w = 0; w < v; ++w)
      f = joined(f, 0.5 * (dot(places[v].d, slopes[w]) + dot(places[w].d, slopes[v])));
  }
  return f;
}

double MovingSpring::most_e(Slopes slopes) {
  return hull_of(slopes.size(), [&](std::size_t w) { return norm_of(slopes[w]); }).high;
}

Interval MovingSpring::e(Lines places, Slopes slopes, const Interval& length) {
  return met(f(places, slopes) * inverse(length), within(most_e(slopes)));
}

/// With u = d / L, the slopes of L are u . m_i, no larger than |m_i|, and its second derivatives
/// (m_i . m_j - (u . m_i) (u . m_j)) / L.
MovingSpring::Shape MovingSpring::shape(int sample, Lines places, const Interval& length) const {
  Shape shape;
  shape.length = length;
  shape.inverse = inverse(length);
  for (std::size_t i = 0; i < coordinates_; ++i) {
    const double* m = vector_at(sample, i + 1);
    const Interval most = dot(m, m);
    const Interval half =
        hull_of(places.size(), [&](std::size_t w) { return dot(m, places[w].d); });
    shape.along[i] = met(half * shape.inverse, within(root(most).high));
    for (std::size_t j = 0; j < i; ++j)
      shape.across[pair(i, j)] = dot(m, vector_at(sample, j + 1)) - shape.along[i] * shape.along[j];
    const Interval rest = most - square(shape.along[i]);
    shape.across[pair(i, i)] = {std::max(rest.low, 0.0), std::max(rest.high, 0.0)};
  }
  return shape;
}

void MovingSpring::bend_of_length(const Shape& shape, Bend& out) const {
  out.slopes = shape.along;
  for (std::size_t p = 0; p < pair(coordinates_, 0); ++p)
    out.curvatures[p] = shape.across[p] * shape.inverse;
}

void MovingSpring::bend_of_f(int sample, std::size_t actuator, Lines places, Slopes slopes,
                             Bend& out) const {
  for (std::size_t i = 0; i < coordinates_; ++i) {
    const double* m = vector_at(sample, i + 1);
    const double* n = slope_at(sample, actuator, i + 1);
    out.slopes[i] = hull_of(places.size(),
                            [&](std::size_t w) { return dot(m, slopes[w]) + dot(n, places[w].d); });
    for (std::size_t j = 0; j <= i; ++j)
      out.curvatures[pair(i, j)] =
          dot(m, slope_at(sample, actuator, j + 1)) + dot(n, vector_at(sample, j + 1));
  }
}

/// With r = 1/L, u = d / L, e = J . u, the slopes L_i = u . m_i of the length, those n_i of J, and
/// c_i = J . m_i - e L_i, the part of m_i across the spring:
///   e_i  = u . n_i + r c_i
///   e_ij = r (n_i . m_j + n_j . m_i - (u . n_i) L_j - (u . n_j) L_i
///             - r (c_i L_j + c_j L_i + e (m_i . m_j - L_i L_j)))
void MovingSpring::bend_of_e(int sample, std::size_t actuator, Lines places, Slopes slopes,
                             const Shape& shape, Bend& out) const {
  const Interval r = shape.inverse;
  const Interval of_e = e(places, slopes, shape.length);
  std::array<Interval, most_coordinates> turned, moved;  // u . n_i, c_i
  for (std::size_t i = 0; i < coordinates_; ++i) {
    const double* m = vector_at(sample, i + 1);
    const double* n = slope_at(sample, actuator, i + 1);
    const auto at_n = [&](std::size_t w) { return dot(n, places[w].d); };
    const auto at_m = [&](std::size_t w) { return dot(m, slopes[w]); };
    turned[i] = met(hull_of(places.size(), at_n) * r, within(root(dot(n, n)).high));
    moved[i] = hull_of(places.size(), at_m) - of_e * shape.along[i];
    out.slopes[i] = turned[i] + r * moved[i];
    for (std::size_t j = 0; j <= i; ++j) {
      const std::size_t p = pair(i, j);
      const Interval twist = dot(n, vector_at(sample, j + 1)) +
                             dot(m, slope_at(sample, actuator, j + 1)) -
                             turned[i] * shape.along[j] - turned[j] * shape.along[i];
      const Interval bow =
          moved[i] * shape.along[j] + moved[j] * shape.along[i] + of_e * shape.across[p];
      out.curvatures[p] = r * (twist - r * bow);
    }
  }
}

}  // namespace counterpoise
