#pragma once

#include <functional>
#include <numbers>
#include <optional>
#include <string>
#include <variant>
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
  /// two, a number is not finite, angles do not ascend or turn by more than they may, or a radius
  /// of curvature is not positive at a knot or between two. `at` is the knot concerned, or the one
  /// before. They may turn by one turn, or by `most_turns` if turns are counted.
  static std::optional<std::string> check(const std::vector<Knot>& knots, std::size_t& at,
                                          bool counts_turns = false);
  static constexpr int most_turns = 100;
  static constexpr double turn = 2.0 * std::numbers::pi;  // [rad]
  static constexpr double farthest = 0.375 * turn;        // from `near`, see find_tangent()  [rad]
  /// Knots through levers alone, offsets and radii from the natural cubic spline through them.
  static std::vector<Knot> smooth(const std::vector<double>& angles,
                                  const std::vector<double>& levers);
  /// The same where the last lever is the first, a turn later: offsets and radii are alike at both
  /// ends, to rounding.
  static std::vector<Knot> smooth_closed(const std::vector<double>& angles,
                                         const std::vector<double>& levers);

  /// What a curve gives by an angle: the lever of the tangent whose normal has that angle, or the
  /// distance from the axis of the place of the edge that is seen from the axis at that angle.
  enum class Measure { lever, distance };
  /// Its value, and its first two derivatives by the angle.
  struct CurvePoint {
    double value = 0.0, slope = 0.0, bend = 0.0;
  };
  using Curve = std::function<CurvePoint(double angle)>;
  /// Knots through a curve between two angles, so close that the levers half way between them are
  /// those of the curve to 1e-12 of the edge's size. Says in words why there are none: a number is
  /// not finite, a distance or a radius of curvature is not positive, or the curve has a corner.
  static std::variant<std::vector<Knot>, std::string> along(const Curve& curve, Measure measure,
                                                            double from, double to);
  /// The part of an edge between two angles. Where these are beyond its ends, the edge has to be
  /// closed, and repeats after each turn. Says in words why there is no such part.
  static std::variant<std::vector<Knot>, std::string> part(const std::vector<Knot>& knots,
                                                           double from, double to);

  /// Whether an edge turns by a full turn and is alike at both ends, to 1e-6 of its size.
  static bool is_closed(const std::vector<Knot>& knots);

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
  ///
  /// An edge of several turns has a tangent on each. With `near` it is looked for in the half turn
  /// in which the circle has one, on that turn whose middle is nearest to this angle; there is none
  /// if that is `farthest` or more.
  [[nodiscard]] std::optional<Contact> find_tangent(
      const Vec2<double>& centre, double radius, bool arrives,
      std::optional<double> near = std::nullopt) const;

 private:
  struct Piece {
    double coefficients[6];  // of the lever, by the share of the step
    double step;
    double gone;  // at its beginning
  };
  struct Range {
    double low, high;
  };
  [[nodiscard]] Contact in_piece(std::size_t piece, double angle) const;
  /// The piece of an angle, the first or last beyond the ends.
  [[nodiscard]] std::size_t piece_of(double angle) const;
  /// Where find_tangent() looks near an angle.
  [[nodiscard]] std::optional<Range> range_near(double near, const Vec2<double>& centre,
                                                bool arrives) const;

  std::vector<Knot> knots_;
  std::vector<Vec2<double>> normals_;  // of the knots
  std::vector<Piece> pieces_;          // one fewer than knots
  double length_ = 0.0;
};

}  // namespace counterpoise
