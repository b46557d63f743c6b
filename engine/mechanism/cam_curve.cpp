#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/mechanism/cam.hpp"
#include "engine/mechanism/finding.hpp"

namespace counterpoise {
namespace {

using CamKnot = CamProfile::Knot;

constexpr double widest_step = 3.0 * std::numbers::pi / 180.0;  // between knots        [rad]
constexpr double narrowest_step = 1e-8;                         // beside a corner      [rad]
constexpr std::size_t most_knots = 50000;

std::string range_words(double from, double to) {
  return "it goes from " + number_text(from) + " to " + number_text(to) + " rad, ";
}

/// Says in words why an edge cannot be between two angles, or nothing.
std::optional<std::string> refuse_range(double from, double to) {
  constexpr double farthest_angle = 1000.0 * CamProfile::turn;
  if (to > from && to - from <= CamProfile::turn * (CamProfile::most_turns + 1) &&
      std::abs(from) <= farthest_angle && std::abs(to) <= farthest_angle)
    return std::nullopt;
  return range_words(from, to) + "expected an end above its beginning, at most " +
         std::to_string(CamProfile::most_turns) + " turns, within 1000 turns from 0";
}

/// Follows a curve with knots, and says why it cannot.
class CurveFollower {
 public:
  CurveFollower(const CamProfile::Curve& curve, CamProfile::Measure measure)
      : curve_(curve), measure_(measure) {}

  std::optional<std::string> follow(double from, double to) {
    const int steps = std::max(2, static_cast<int>(std::ceil((to - from) / widest_step)));
    std::vector<double> angles;
    for (int i = 0; i <= steps; ++i) angles.push_back(from + (to - from) * i / steps);
    angles.back() = to;
    std::vector<CamKnot> coarse;
    for (const double angle : angles) {
      if (auto reason = add(angle, coarse)) return reason;
      const double size = std::hypot(coarse.back().lever, coarse.back().offset);
      size_ = std::max(size_, size);
    }
    knots_.push_back(coarse.front());
    for (std::size_t i = 0; i + 1 < coarse.size(); ++i)
      if (auto reason = fill(angles[i], coarse[i], angles[i + 1], coarse[i + 1])) return reason;
    return std::nullopt;
  }

  std::vector<CamKnot> knots() && { return std::move(knots_); }

 private:
  /// Appends the knot of the curve at an angle.
  std::optional<std::string> add(double angle, std::vector<CamKnot>& to) const {
    const CamProfile::CurvePoint at = curve_(angle);
    const auto where = [&] { return " at " + number_text(angle) + " rad"; };
    const auto hollow = [&](double radius) {
      return "its radius of curvature is " + number_text(radius) + " m" + where() +
             ", expected a convex edge";
    };
    if (!std::isfinite(at.value + at.slope + at.bend))
      return "its " + std::string(measure_ == CamProfile::Measure::lever ? "lever" : "distance") +
             " or a derivative of it is not finite" + where();
    if (measure_ == CamProfile::Measure::lever) {
      const double radius = at.value + at.bend;
      if (!(radius > 0.0)) return hollow(radius);
      to.push_back({angle, at.value, at.slope, radius});
      return std::nullopt;
    }
    if (!(at.value > 0.0))
      return "its distance is " + number_text(at.value) + " m" + where() + ", expected one above 0";
    // polar coordinates: the normal is turned back by the angle whose tangent is slope / value
    const double square = at.value * at.value + at.slope * at.slope, root = std::sqrt(square);
    const double radius = square * root / (square + at.slope * at.slope - at.value * at.bend);
    if (!(radius > 0.0)) return hollow(radius);
    to.push_back({angle - std::atan2(at.slope, at.value), at.value * at.value / root,
                  at.value * at.slope / root, radius});
    return std::nullopt;
  }

  /// Adds knots behind that at `from` up to that at `to`.
  std::optional<std::string> fill(double from, const CamKnot& a, double to, const CamKnot& b) {
    if (!(b.angle > a.angle))
      return "its tangent turns back at " + number_text(from) + " rad, expected a convex edge";
    const double middle = 0.5 * (from + to);
    std::vector<CamKnot> between;
    // two more places, as a curve may return to the polynomial half way by symmetry
    for (const double share : {0.5, 0.2183, 0.7639})
      if (auto reason = add(from + share * (to - from), between)) return reason;
    const CamKnot half = between.front();
    const CamProfile piece({a, b});
    const auto is_close = [&](const CamKnot& knot) {
      constexpr double closeness = 1e-12;
      return knot.angle > a.angle && knot.angle < b.angle &&
             std::abs(piece.at(knot.angle).lever - knot.lever) <= closeness * size_;
    };
    if (std::all_of(between.begin(), between.end(), is_close)) {
      knots_.push_back(b);
      return std::nullopt;
    }
    if (to - from < narrowest_step || knots_.size() > most_knots)
      return "it has a corner, or changes too fast, at " + number_text(middle) +
             " rad, expected a smooth edge";
    if (auto reason = fill(from, a, middle, half)) return reason;
    return fill(middle, half, to, b);
  }

  const CamProfile::Curve& curve_;
  CamProfile::Measure measure_;
  double size_ = 0.0;  // farthest place of the edge from the axis [m]
  std::vector<CamKnot> knots_;
};

}  // namespace

std::variant<std::vector<CamKnot>, std::string> CamProfile::along(const Curve& curve,
                                                                  Measure measure, double from,
                                                                  double to) {
  if (const auto reason = refuse_range(from, to)) return *reason;
  CurveFollower follower(curve, measure);
  if (auto reason = follower.follow(from, to)) return *reason;
  return std::move(follower).knots();
}

std::variant<std::vector<CamKnot>, std::string> CamProfile::part(const std::vector<Knot>& knots,
                                                                 double from, double to) {
  const double first = knots.front().angle, last = knots.back().angle;
  if (const auto reason = refuse_range(from, to)) return *reason;
  const CamProfile whole(knots);
  const auto knot_at = [&](double angle, double of_turn) {
    Knot knot = whole.at(angle - of_turn);
    knot.angle = angle;
    return knot;
  };
  constexpr double rounding = 1e-9;  // of an angle [rad]
  if (from >= first - rounding && to <= last + rounding) {
    std::vector<Knot> inside{knot_at(std::max(from, first), 0.0)};
    for (const Knot& knot : knots)
      if (knot.angle > from + rounding && knot.angle < to - rounding) inside.push_back(knot);
    inside.push_back(knot_at(std::min(to, last), 0.0));
    return inside;
  }
  if (!is_closed(knots))
    return range_words(from, to) + "where its table goes from " + number_text(first) + " to " +
           number_text(last) +
           " rad; expected a part of that, or a closed table: of a full turn, with the same "
           "numbers at both ends";
  const auto turn_of = [&](double angle) {
    return CamProfile::turn * std::floor((angle - first) / CamProfile::turn);
  };
  std::vector<Knot> around{knot_at(from, turn_of(from))};
  for (double of_turn = turn_of(from); of_turn <= to - first; of_turn += CamProfile::turn)
    for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
      Knot knot = knots[i];
      knot.angle += of_turn;
      if (knot.angle > from + rounding && knot.angle < to - rounding) around.push_back(knot);
    }
  around.push_back(knot_at(to, turn_of(to)));
  return around;
}

bool CamProfile::is_closed(const std::vector<Knot>& knots) {
  constexpr double closeness = 1e-6;  // of the largest radius
  const Knot &first = knots.front(), &last = knots.back();
  double size = 0.0;
  for (const Knot& knot : knots) size = std::max(size, std::hypot(knot.lever, knot.offset));
  const auto same = [&](double a, double b) { return std::abs(a - b) <= closeness * size; };
  return std::abs(last.angle - first.angle - CamProfile::turn) <= closeness &&
         same(first.lever, last.lever) && same(first.offset, last.offset) &&
         same(first.radius, last.radius);
}

}  // namespace counterpoise
