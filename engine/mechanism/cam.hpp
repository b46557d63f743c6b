#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/math/vector.hpp"

namespace counterpoise {

/// The edge of a cam, to the middle of the cable that lies on it, in the plane across the cam's
/// axis. A tangent to the edge is known by the angle of its normal, which points out of the cam;
/// the cam's support function gives the lever of each tangent, which is its distance from the axis
/// on the side of the normal. Angles turn about the axis by the right hand rule.
///
/// Between knots the lever is the polynomial of fifth degree that has the values and the first two
/// derivatives of both. So radius of curvature and length of arc are exact for this edge.
class CamProfile {
 public:
  /// A tangent, and where it touches.
  struct Knot {
    double angle = 0.0;   // of its normal, from the cam's zero direction                  [rad]
    double lever = 0.0;   // distance of the tangent from the axis; negative on the far side [m]
    double offset = 0.0;  // of the point of contact, along the tangent, from the foot of the
                          // perpendicular from the axis: the lever's derivative by the angle [m]
    double radius = 0.0;  // of curvature: lever + its second derivative                     [m]
  };
  /// What a cable needs to know of a tangent.
  struct Contact : Knot {
    double gone = 0.0;  // length of the edge from the first knot [m]
  };

  /// `knots` as check() accepts them.
  explicit CamProfile(std::vector<Knot> knots);

  /// Says in words why knots are no edge that a cable can lie on, or nothing: there are fewer than
  /// two, a number is not finite, angles do not ascend or turn by more than a full turn, or a
  /// radius of curvature is not positive at a knot or between two. `at` is the knot concerned, or
  /// the one before.
  static std::optional<std::string> check(const std::vector<Knot>& knots, std::size_t& at);
  /// Knots through levers alone, offsets and radii from the natural cubic spline through them.
  static std::vector<Knot> smooth(const std::vector<double>& angles,
                                  const std::vector<double>& levers);

  [[nodiscard]] const std::vector<Knot>& knots() const { return knots_; }
  /// Of the whole edge [m].
  [[nodiscard]] double length() const { return length_; }
  /// The tangent whose normal has this angle, which is in the profile or beyond its ends by
  /// rounding.
  [[nodiscard]] Contact at(double angle) const;
  /// The point of contact of a tangent; x along the zero direction.
  static Vec2<double> place(const Knot& knot);

  /// The tangent to this edge and to a circle: that along which a cable comes from the circle to
  /// the edge and then turns about the cam's axis by the right hand rule (`arrives`), or the one
  /// along which a cable leaves the edge for the circle after it turned so. The circle's radius is
  /// negative where the cable turns about it the other way, and 0 for a point. Nothing where the
  /// edge has no such tangent, or several. Costs a pass over the knots and some steps of Newton's
  /// method, and no allocation. Depends on nothing but its arguments.
  [[nodiscard]] std::optional<Contact> find_tangent(const Vec2<double>& centre, double radius,
                                                    bool arrives) const;

 private:
  struct Piece {
    double coefficients[6];  // of the lever, by the share of the step
    double step;
    double gone;  // at its beginning
  };
  [[nodiscard]] Contact in_piece(std::size_t piece, double angle) const;

  std::vector<Knot> knots_;
  std::vector<Vec2<double>> normals_;  // of the knots
  std::vector<Piece> pieces_;          // one fewer than knots
  double length_ = 0.0;
};

}  // namespace counterpoise
