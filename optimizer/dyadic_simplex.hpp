#pragma once

#include <array>
#include <functional>
#include <map>
#include <vector>

namespace counterpoise {

inline constexpr int most_dimensions = 6;

/// A point of the unit box whose coordinates are multiples of 2^-50, so that the sum of two
/// coordinates, and half of it, are exact. Coordinates beyond the dimension are 0.
using DyadicPoint = std::array<double, most_dimensions>;

/// A simplex of a bisection of the unit box. Its corners are in the order that bisection needs.
struct DyadicSimplex {
  std::array<DyadicPoint, most_dimensions + 1> corners{};
  int level = 0;  // bisections that led to it
};

/// Cuts the unit box into simplices and bisects them, in the same way each time.
///
/// The box is Kuhn's triangulation: one simplex per order of the axes, from corner to opposite
/// corner along the edges in that order. A simplex x_0 ... x_n of level l is bisected at the middle
/// of x_0 and x_k, k = n - l mod n (Maubach 1995), so that simplices that cover the box cover
/// it after any bisection too, and shapes repeat after n levels.
class DyadicBisection {
 public:
  /// 0 to most_dimensions; a box without dimensions is one point.
  explicit DyadicBisection(int dimensions) : dimensions_(dimensions) {}

  [[nodiscard]] int dimensions() const { return dimensions_; }
  [[nodiscard]] int corners() const { return dimensions_ + 1; }
  /// The simplices of the whole box, dimensions! of them, in the order of std::next_permutation.
  [[nodiscard]] std::vector<DyadicSimplex> box() const;
  /// The two halves of a simplex.
  [[nodiscard]] std::array<DyadicSimplex, 2> halves(const DyadicSimplex& simplex) const;
  /// Whether the halves' corners are still multiples of 2^-50.
  [[nodiscard]] bool may_halve(const DyadicSimplex& simplex) const;

 private:
  int dimensions_;
};

/// Numbers points in the order in which they are first seen.
class DyadicCorners {
 public:
  /// The number of a point; a new one gets the next number.
  int number_of(const DyadicPoint& point);
  [[nodiscard]] int count() const { return static_cast<int>(points_.size()); }
  [[nodiscard]] const DyadicPoint& point(int number) const { return points_[number]; }

 private:
  std::map<DyadicPoint, int> numbers_;
  std::vector<DyadicPoint> points_;
};

}  // namespace counterpoise
