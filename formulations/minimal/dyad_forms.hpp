#pragma once

#include "engine/math/scalar.hpp"
#include "formulations/minimal/planar_chain.hpp"

namespace counterpoise {

/// Where one unknown joint alone can bring a dyad's pin: on a circle about `centre`, or a line
/// along `along`; in both cases from `start`, where the joint is at 0. Also the slopes of these by
/// a coordinate.
template <class S>
struct Arc {
  Vec2<S> centre, along, start;
  S radius2;  // squared radius of a circle [m^2]
};

/// The solution of a dyad in terms of its known joints only: `reach[i]` is the vector from the
/// centre of joint i's circle to the pin that joint i brings it to, `way[i]` the position along its
/// line.
template <class S>
struct DyadForm {
  std::array<Arc<S>, 2> arcs;
  std::array<Vec2<S>, 2> from, reach;
  std::array<S, 2> way;

  // intermediate results that the slopes need again
  Vec2<S> d;            // two circles: between the centres; two lines: between the starts
  S d2, along, height;  // two circles: see meet_circles
  Vec2<S> foot;         // circle and line: from the centre to the nearest point of the line
  S foot_at, half;      // circle and line: place of the foot on the line, half of the chord
  S determinant;        // two lines: cross product of their directions
};

/// Intersects two circles: the pins are at d * along + branch * height * (d turned by a right
/// angle).
template <class S>
void meet_circles(double branch, DyadForm<S>& f) {
  const auto& [a, b] = f.arcs;
  for (std::size_t i : {0u, 1u}) f.from[i] = f.arcs[i].start - f.arcs[i].centre;
  f.d = b.centre - a.centre;
  f.d2 = f.d.dot(f.d);
  f.along = (f.d2 + a.radius2 - b.radius2) / (f.d2 * 2.0);
  f.height = sqrt(S(a.radius2 / f.d2 - f.along * f.along)) * S(branch);
  f.reach[0] = f.d * f.along + turned2<S>(f.d) * f.height;
  f.reach[1] = f.reach[0] - f.d;
}

/// The slopes of reach[0] and reach[1] by a coordinate, given those of the arcs: the derivatives of
/// the formulas in meet_circles, term by term.
template <class S>
std::array<Vec2<S>, 2> circles_slope(const DyadForm<S>& f, const std::array<Arc<S>, 2>& by) {
  const Vec2<S> dd = by[1].centre - by[0].centre;
  const S dd2 = S(f.d.dot(dd)) * 2.0;
  const S along = ((dd2 + by[0].radius2 - by[1].radius2) * 0.5 - f.along * dd2) / f.d2;
  const S height =
      ((by[0].radius2 - f.arcs[0].radius2 * dd2 / f.d2) / f.d2 - f.along * along * 2.0) /
      (f.height * 2.0);
  const Vec2<S> first =
      dd * f.along + f.d * along + turned2<S>(dd) * f.height + turned2<S>(f.d) * height;
  return {first, Vec2<S>(first - dd)};
}

/// Intersects the circle of joint `c` and the line of the other joint.
template <class S>
void meet_line(std::size_t c, double branch, DyadForm<S>& f) {
  const Arc<S>&circle = f.arcs[c], &line = f.arcs[1 - c];
  f.from[c] = circle.start - circle.centre;
  f.d = line.start - circle.centre;
  f.foot_at = -S(line.along.dot(f.d));
  f.foot = f.d + line.along * f.foot_at;
  f.half = sqrt(S(circle.radius2 - f.foot.dot(f.foot))) * S(branch);
  f.way[1 - c] = f.foot_at + f.half;
  f.reach[c] = f.d + line.along * f.way[1 - c];
}

/// The slopes of the way along the line and of the reach by a coordinate, given those of the arcs.
template <class S>
std::pair<S, Vec2<S>> line_slope(std::size_t c, const DyadForm<S>& f,
                                 const std::array<Arc<S>, 2>& by) {
  const Arc<S>& line = f.arcs[1 - c];
  const Vec2<S>& turn = by[1 - c].along;
  const Vec2<S> dd = by[1 - c].start - by[c].centre;
  const S foot_at = -S(turn.dot(f.d)) - S(line.along.dot(dd));
  const Vec2<S> foot = dd + turn * f.foot_at + line.along * foot_at;
  const S half = (by[c].radius2 * 0.5 - S(f.foot.dot(foot))) / f.half;
  const S way = foot_at + half;
  return {way, Vec2<S>(dd + turn * f.way[1 - c] + line.along * way)};
}

/// Intersects two lines.
template <class S>
void meet_lines(DyadForm<S>& f) {
  const auto& [a, b] = f.arcs;
  f.d = b.start - a.start;
  f.determinant = cross2<S>(a.along, b.along);
  f.way = {cross2<S>(f.d, b.along) / f.determinant, cross2<S>(f.d, a.along) / f.determinant};
}

template <class S>
std::array<S, 2> lines_slope(const DyadForm<S>& f, const std::array<Arc<S>, 2>& by) {
  const auto& [a, b] = f.arcs;
  const Vec2<S> dd = by[1].start - by[0].start;
  const S turn = cross2<S>(by[0].along, b.along) + cross2<S>(a.along, by[1].along);
  const auto way = [&](std::size_t i, const Vec2<S>& other, const Vec2<S>& by_other) {
    return S((cross2<S>(dd, other) + cross2<S>(f.d, by_other) - f.way[i] * turn) / f.determinant);
  };
  return {way(0, b.along, by[1].along), way(1, a.along, by[0].along)};
}

}  // namespace counterpoise
