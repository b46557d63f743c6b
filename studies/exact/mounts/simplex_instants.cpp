#include <algorithm>

#include "studies/exact/mounts/simplex_terms.hpp"

namespace counterpoise {
namespace {

constexpr double shortest_for_bends = 1e-6;  // [m], below which a direction is only a unit vector

}  // namespace

void SimplexTerms::add_bend(double weight, const MovingSpring::Bend& bend, Sums& sums) const {
  const std::size_t n = coordinates_.size();
  for (std::size_t i = 0; i < n && (bent_ || has_factors_); ++i)
    sums.bend.slopes[i] += weight * bend.slopes[i];
  for (std::size_t p = 0; p < SmoothNumber::pair(n, 0); ++p)
    sums.bend.curvatures[p] += weight * bend.curvatures[p];
}

/// Notes what a factor has to know of a function at one instant.
void SimplexTerms::add_values(double weight, bool smooth, const Interval& values,
                              const std::array<Interval, most_corners>& at_corners,
                              Sums& sums) const {
  if (!has_factors_) return;
  if (smooth) sums.smooth += weight * values;
  for (std::size_t w = 0; w < corners_ && !smooth; ++w) sums.loose[w] += weight * at_corners[w];
}

/// Adds one instant of one spring to all sums.
void SimplexTerms::add_instant(const MovingSpring& spring, int sample, std::size_t count) {
  const auto samples = static_cast<std::size_t>(spring.samples());
  const auto k = static_cast<std::size_t>(sample);
  const std::size_t actuators = spring.actuators().size();
  const std::size_t roles = functions_ - actuators;
  const auto weight = [&](std::size_t u, std::size_t function) {
    return dense_[(u * functions_ + function) * samples + k];
  };
  const auto weighs = [&](std::size_t function) {
    for (std::size_t u = 0; u < count; ++u)
      if (weight(u, function) != 0.0) return true;
    return false;
  };
  std::array<MovingSpring::Line, most_corners> lines;
  for (std::size_t w = 0; w < corners_; ++w) lines[w] = spring.line(sample, places_[w]);
  const MovingSpring::Lines places = places_between(spring, sample, lines);
  const Interval length = MovingSpring::length(places);
  const bool long_enough = length.low > shortest_for_bends;
  MovingSpring::Shape shape;
  if (long_enough) shape = spring.shape(sample, places, length);

  MovingSpring::Bend of_f, of_e;
  for (std::size_t a = 0; a < actuators; ++a) {
    if (!weighs(a)) continue;
    std::array<MovingSpring::Triple, most_corners> slopes;
    std::array<Interval, most_corners> f, e;
    for (std::size_t w = 0; w < corners_; ++w) {
      slopes[w] = spring.slope(sample, a, places_[w]);
      const MovingSpring::Lines at(&lines[w], 1);
      const MovingSpring::Slopes own(&slopes[w], 1);
      const double most = MovingSpring::most_e(own);
      f[w] = MovingSpring::f(at, own);
      e[w] = lines[w].length.low > shortest_for_bends ? MovingSpring::e(at, own, lines[w].length)
                                                      : Interval(-most, most);
    }
    MovingSpring::Slopes between(slopes.data(), corners_);
    if (bent_) {
      slopes[0] = spring.slope(sample, a, region_);
      between = between.first(1);
    }
    spring.bend_of_f(sample, a, places, between, of_f);
    const double most = MovingSpring::most_e(between);
    Interval values(-most, most);
    if (long_enough) {
      values = MovingSpring::e(places, between, length);
      spring.bend_of_e(sample, a, places, between, shape, of_e);
    }
    const Interval flat = spread_of(values, std::span(e).first(corners_));
    const bool bends = long_enough && size_of(of_e) <= flat.size();
    const Interval values_of_f = has_factors_ ? MovingSpring::f(places, between) : Interval();
    for (std::size_t u = 0; u < count; ++u) {
      const double y = weight(u, a);
      if (y == 0.0) continue;
      for (std::size_t w = 0; w < corners_; ++w) {
        f_[u].values[w] += y * f[w];
        e_[u].values[w] += y * e[w];
      }
      add_bend(y, of_f, f_[u]);
      add_values(y, true, values_of_f, f, f_[u]);
      if (bends)
        add_bend(y, of_e, e_[u]);
      else
        e_[u].flat += y * flat;
      add_values(y, bends, values, e, e_[u]);
      f_[u].used = e_[u].used = true;
    }
  }
  if (roles == 0) return;
  MovingSpring::Bend of_length;
  if (long_enough) spring.bend_of_length(shape, of_length);
  std::array<Interval, most_corners> lengths;
  for (std::size_t w = 0; w < corners_; ++w) lengths[w] = lines[w].length;
  const Interval flat = spread_of(length, std::span(lengths).first(corners_));
  const bool bends = long_enough && size_of(of_length) <= flat.size();
  for (std::size_t role = 0; role < roles; ++role)
    for (std::size_t u = 0; u < count; ++u) {
      const double v = weight(u, actuators + role);
      if (v == 0.0) continue;
      Sums& sums = lengths_[u * roles + role];
      sums.used = true;
      for (std::size_t w = 0; w < corners_; ++w) sums.values[w] += v * lengths[w];
      if (bends)
        add_bend(v, of_length, sums);
      else
        sums.flat += v * flat;
      add_values(v, bends, length, lengths, sums);
    }
}

/// The places that a simplex lies between: its corners, or, where coordinates of mounts are no
/// affine functions of the variables, the box that holds them all.
MovingSpring::Lines SimplexTerms::places_between(
    const MovingSpring& spring, int sample,
    const std::array<MovingSpring::Line, most_corners>& lines) {
  if (!bent_) return MovingSpring::Lines(lines).first(corners_);
  over_ = spring.line(sample, region_);
  return {&over_, 1};
}

/// How far a function with these values is from the linear interpolation of those at the corners.
Interval SimplexTerms::spread_of(const Interval& values, std::span<const Interval> at_corners) {
  Interval line = at_corners[0];
  for (const Interval& one : at_corners) line = joined(line, one);
  return values - line;
}

/// How much the second derivatives of a function at one instant add to the error of interpolation,
/// about.
double SimplexTerms::size_of(const MovingSpring::Bend& bend) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < region_.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      sum += (i == j ? 0.25 : 0.5) * bend.curvatures[SmoothNumber::pair(i, j)].size() *
             (region_[i].high - region_[i].low) * (region_[j].high - region_[j].low);
  return sum;
}

bool SimplexTerms::excluded_by_length() {
  for (const MountProblem::LengthRange& range : problem_.length_ranges()) {
    const MovingSpring& spring = problem_.springs()[range.spring];
    place(spring);
    for (int sample = 0; sample < spring.samples(); ++sample) {
      Interval length = spring.line(sample, region_).length;
      if (length.low >= range.least && length.high <= range.most) continue;
      std::array<MovingSpring::Line, most_corners> lines;
      for (std::size_t w = 0; w < corners_; ++w) lines[w] = spring.line(sample, places_[w]);
      length = MovingSpring::length(places_between(spring, sample, lines));
      if (length.high < range.least || length.low > range.most) return true;
    }
  }
  return false;
}

}  // namespace counterpoise
