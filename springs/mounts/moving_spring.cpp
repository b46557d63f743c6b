#include "springs/mounts/moving_spring.hpp"

#include <cmath>
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

Triple difference(const Triple& a, const Triple& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
/// The mean of vectors.
template <class Vector>
Triple mean_of(std::size_t count, const Vector& vector) {
  Triple sum{};
  for (std::size_t w = 0; w < count; ++w)
    for (std::size_t i = 0; i < 3; ++i) sum[i] += vector(w)[i];
  const Interval share = inverse(Interval(static_cast<double>(count)));
  for (Interval& one : sum) one *= share;
  return sum;
}
/// Calls `visit(n, v, w)` for the edges between corners.
template <class Visit>
void for_each_edge(std::size_t corners, const Visit& visit) {
  for (std::size_t v = 1, n = 0; v < corners; ++v)
    for (std::size_t w = 0; w < v; ++w, ++n) visit(n, v, w);
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

/// With rho the largest distance of a corner's d from the middle's, all directions are within the
/// angle asin(rho / L) of u; asin(x) <= x / sqrt(1 - x^2).
auto MovingSpring::middle(Lines corners, const Interval& length) -> std::optional<Middle> {
  constexpr double largest_turn = 0.9;  // sine, beyond which all this says nothing
  const Triple d = mean_of(corners.size(), [&](std::size_t w) { return corners[w].d; });
  double rho = 0.0;
  for (const Line& corner : corners) rho = std::max(rho, norm_of(difference(corner.d, d)).high);
  Middle middle;
  middle.length = norm_of(d);
  if (!(rho < largest_turn * middle.length.low)) return std::nullopt;
  middle.inverse = inverse(middle.length);
  for (std::size_t i = 0; i < 3; ++i) middle.u[i] = d[i] * middle.inverse;
  middle.least = Interval(std::max(length.low, (middle.length - Interval(rho)).low));
  const Interval most = Interval((middle.length + Interval(rho)).high);
  middle.sine = Interval((Interval(rho) * middle.inverse).high);
  middle.turn = middle.sine * inverse(root(Interval(1.0) - square(middle.sine)));
  const Interval near = inverse(middle.least), far = inverse(most);
  middle.of_inverse = Interval(std::max((near - middle.inverse).high, (middle.inverse - far).high));
  middle.of_square = Interval(std::max((square(near) - square(middle.inverse)).high,
                                       (square(middle.inverse) - square(far)).high));
  return middle;
}

/// Along an edge with the difference m of d, the length has the second derivative |P m|^2 / L,
/// where P takes away the part along u; and |P m|^2 changes by at most |m|^2 sin(turn).
void MovingSpring::curvatures_of_length(Lines corners, const Middle& middle,
                                        std::span<Curvature> edges) {
  const Interval spread = middle.sine * inverse(middle.least) + middle.of_inverse;
  for_each_edge(corners.size(), [&](std::size_t n, std::size_t v, std::size_t w) {
    const Triple m = difference(corners[v].d, corners[w].d);
    const Interval size = dot(m, m);
    edges[n].middle = (size - square(dot(middle.u, m))) * middle.inverse;
    edges[n].spread = (spread * size).high;
  });
}

/// f is a quadratic form, whose second derivatives are the same everywhere.
void MovingSpring::curvatures_of_f(Lines corners, Slopes slopes, std::span<Curvature> edges) {
  for_each_edge(corners.size(), [&](std::size_t n, std::size_t v, std::size_t w) {
    edges[n].middle =
        2.0 * dot(difference(corners[v].d, corners[w].d), difference(slopes[v], slopes[w]));
    edges[n].spread = 0.0;
  });
}

/// Along an edge with differences m of d and n of J, and P taking away the part along u,
///   e'' = 2 n . P m / L - Q / L^2,  Q = 2 (u . m) (J . P m) + (J . u) |P m|^2.
/// Between two places, P changes by at most sin(turn) as a matrix. As a function of u, Q has slopes
/// of at most 3 |J| |m|^2, and is itself at most sqrt(4/3) |J| |m|^2: with a = u . m / |m|, the
/// vector that J is multiplied by has the square (1 - a^2) (1 + 3 a^2) |m|^4. So e'' differs by at
/// most A |n| |m| + B |m|^2, and 2 |n| |m| <= s |m|^2 + |n|^2 / s for any s > 0.
void MovingSpring::curvatures_of_e(Lines corners, Slopes slopes, const Middle& middle,
                                   std::span<Curvature> edges) {
  const std::size_t count = corners.size();
  const Triple j = mean_of(count, [&](std::size_t w) { return slopes[w]; });
  double change = 0.0, largest = 0.0, of_m = 0.0, of_n = 0.0;  // of J; squares of m and n
  for (const Triple& one : slopes) {
    change = std::max(change, norm_of(difference(one, j)).high);
    largest = std::max(largest, norm_of(one).high);
  }
  for_each_edge(count, [&](std::size_t, std::size_t v, std::size_t w) {
    const Triple m = difference(corners[v].d, corners[w].d);
    const Triple n = difference(slopes[v], slopes[w]);
    of_m = std::max(of_m, dot(m, m).high);
    of_n = std::max(of_n, dot(n, n).high);
  });
  const Interval near = inverse(middle.least);
  const Interval a = 2.0 * (middle.sine * near + middle.of_inverse);
  const Interval most_q = Interval(1.1548);  // above the root of 4/3
  const Interval b =
      (3.0 * (Interval(largest) * middle.turn) + Interval(change) * most_q) * square(near) +
      norm_of(j) * most_q * middle.of_square;
  const bool both = of_m > 0.0 && of_n > 0.0;
  const Interval s = both ? Interval(std::sqrt(of_n / of_m)) : Interval(1.0);
  const Interval times_m = both ? b + 0.5 * (a * s) : b;
  const Interval times_n = both ? 0.5 * (a * inverse(s)) : Interval(0.0);
  const Interval e = dot(j, middle.u);
  for_each_edge(count, [&](std::size_t edge, std::size_t v, std::size_t w) {
    const Triple m = difference(corners[v].d, corners[w].d);
    const Triple n = difference(slopes[v], slopes[w]);
    const Interval size = dot(m, m), along = dot(middle.u, m);
    const Interval turned = 2.0 * (dot(n, m) - dot(n, middle.u) * along);
    const Interval q = 2.0 * (along * (dot(j, m) - e * along)) + e * (size - square(along));
    edges[edge].middle = middle.inverse * (turned - q * middle.inverse);
    edges[edge].spread = (times_m * size + times_n * dot(n, n)).high;
  });
}

}  // namespace counterpoise
