#pragma once

#include "engine/math/scalar.hpp"
#include "engine/math/vector.hpp"

namespace counterpoise {

/// The straight line between two places; one place, if they are the same.
template <class S>
struct Segment {
  Vec3<S> from, to;
};

/// Where two segments come nearest: the square of the distance, and the shares of the way from the
/// start of each to its end, from 0 to 1. Where several places are as near, it is one of them.
template <class S>
struct SegmentDistance {
  S square;
  S first, second;
};

/// Finds where two segments come nearest, in closed form. Either segment may be a point, and they
/// may be parallel, touch or cross.
///
/// The square of the distance is a convex function of the two shares on a square. Its minimum is at
/// an end of one segment, or where the common perpendicular of both lines meets them. All five
/// candidates are places of the segments, so that none is below the minimum, and the nearest of
/// them is it. The cross product of the directions, rather than a difference of products, keeps the
/// perpendicular exact to rounding where the segments are almost parallel.
///
/// Cost: about 150 operations and 5 divisions, without branches.
/// Source: Ericson, Real-Time Collision Detection (2005), section 5.1.9; the candidates are ours.
template <class S>
SegmentDistance<S> segment_distance(const Segment<S>& a, const Segment<S>& b) {
  constexpr double least = 1e-300;  // so that a point divides 0 by it
  const Vec3<S> u = a.to - a.from, v = b.to - b.from, between = b.from - a.from;
  const S one_over_u = S(1.0) / larger(S(u.dot(u)), S(least));
  const S one_over_v = S(1.0) / larger(S(v.dot(v)), S(least));
  const auto share = [](const S& x) { return smaller(larger(x, S(0.0)), S(1.0)); };
  const auto at = [&](const S& first, const S& second) {
    const Vec3<S> apart = between + v * second - u * first;
    return SegmentDistance<S>{apart.dot(apart), first, second};
  };
  const auto first_for = [&](const S& second) {
    return share((between + v * second).dot(u) * one_over_u);
  };
  const auto second_for = [&](const S& first) {
    return share((u * first - between).dot(v) * one_over_v);
  };
  const Vec3<S> across = u.cross(v);
  const S crossing = share(between.cross(v).dot(across) / larger(S(across.dot(across)), S(least)));

  SegmentDistance<S> nearest = at(S(0.0), second_for(S(0.0)));
  const auto see = [&nearest](const SegmentDistance<S>& other) {
    const auto nearer = other.square < nearest.square;
    nearest.square = select(nearer, other.square, nearest.square);
    nearest.first = select(nearer, other.first, nearest.first);
    nearest.second = select(nearer, other.second, nearest.second);
  };
  see(at(S(1.0), second_for(S(1.0))));
  see(at(first_for(S(0.0)), S(0.0)));
  see(at(first_for(S(1.0)), S(1.0)));
  see(at(crossing, second_for(crossing)));
  return nearest;
}

}  // namespace counterpoise
