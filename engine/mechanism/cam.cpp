#include "engine/mechanism/cam.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/mechanism/finding.hpp"

namespace counterpoise {
namespace {

/// How far beyond its ends a profile may be touched, because of rounding [rad].
constexpr double beyond_ends = 1e-9;

/// The polynomial of fifth degree, by the share of the step, with the levers of both knots and
/// their first two derivatives.
void write_piece(const CamProfile::Knot& a, const CamProfile::Knot& b, double step, double* c) {
  c[0] = a.lever;
  c[1] = step * a.offset;
  c[2] = step * step * (a.radius - a.lever) / 2.0;
  const double value = b.lever - (c[0] + c[1] + c[2]);
  const double slope = step * b.offset - (c[1] + 2.0 * c[2]);
  const double bend = step * step * (b.radius - b.lever) - 2.0 * c[2];
  c[3] = 10.0 * value - 4.0 * slope + bend / 2.0;
  c[4] = -15.0 * value + 7.0 * slope - bend;
  c[5] = 6.0 * value - 3.0 * slope + bend / 2.0;
}

CamProfile::Contact contact_in(const double* c, double step, double share) {
  CamProfile::Contact contact;
  double lever = 0.0, offset = 0.0, bend = 0.0, area = 0.0;
  for (int i = 5; i >= 0; --i) {
    lever = lever * share + c[i];
    area = area * share + c[i] / (i + 1);
    if (i > 0) offset = offset * share + i * c[i];
    if (i > 1) bend = bend * share + i * (i - 1) * c[i];
  }
  contact.lever = lever;
  contact.offset = offset / step;
  contact.radius = lever + bend / (step * step);
  contact.gone = area * share * step + contact.offset - c[1] / step;
  return contact;
}

}  // namespace

CamProfile::CamProfile(std::vector<Knot> knots) : knots_(std::move(knots)) {
  for (const Knot& knot : knots_) normals_.emplace_back(std::cos(knot.angle), std::sin(knot.angle));
  double gone = 0.0;
  for (std::size_t i = 0; i + 1 < knots_.size(); ++i) {
    Piece piece{};
    piece.step = knots_[i + 1].angle - knots_[i].angle;
    piece.gone = gone;
    write_piece(knots_[i], knots_[i + 1], piece.step, piece.coefficients);
    gone += contact_in(piece.coefficients, piece.step, 1.0).gone;
    pieces_.push_back(piece);
  }
  length_ = gone;
}

std::optional<std::string> CamProfile::check(const std::vector<Knot>& knots, std::size_t& at,
                                             bool counts_turns) {
  const double most = counts_turns ? turn * most_turns : turn;
  at = 0;
  if (knots.size() < 2) return "a profile of one angle, expected at least two";
  for (at = 0; at < knots.size(); ++at) {
    const Knot& knot = knots[at];
    if (!std::isfinite(knot.angle + knot.lever + knot.offset + knot.radius))
      return "a number that is not finite";
    if (at > 0 && !(knot.angle > knots[at - 1].angle))
      return "an angle that is not larger than the one before, expected ascending angles";
    if (knot.angle - knots[0].angle > most * (1.0 + beyond_ends))
      return counts_turns ? "a profile of more than " + std::to_string(most_turns) + " turns"
                          : "a profile of more than one turn, expected one turn at most, or its "
                            "\"start\", by which turns are counted";
  }
  constexpr int shares = 4;
  for (at = 0; at < knots.size(); ++at) {
    const bool last = at + 1 == knots.size();
    const double step = last ? 1.0 : knots[at + 1].angle - knots[at].angle;
    double c[6] = {};
    if (!last) write_piece(knots[at], knots[at + 1], step, c);
    for (int k = 0; k < (last ? 1 : shares); ++k) {
      const double share = static_cast<double>(k) / shares;
      const double radius = k == 0 ? knots[at].radius : contact_in(c, step, share).radius;
      if (!(radius > 0.0))
        return "a radius of curvature of " + number_text(radius) + " m at " +
               number_text(knots[at].angle + share * step) +
               " rad, expected a convex edge: lever + second derivative of the lever above 0";
    }
  }
  return std::nullopt;
}

std::vector<CamProfile::Knot> CamProfile::smooth(const std::vector<double>& angles,
                                                 const std::vector<double>& levers) {
  const std::size_t n = angles.size();
  std::vector<double> bend(n, 0.0), above(n, 0.0);  // second derivatives; 0 at both ends
  const auto step = [&](std::size_t i) { return angles[i + 1] - angles[i]; };
  const auto rise = [&](std::size_t i) { return (levers[i + 1] - levers[i]) / step(i); };
  for (std::size_t i = 1; i + 1 < n; ++i) {  // Thomas' algorithm
    const double pivot = 2.0 * (step(i - 1) + step(i)) - step(i - 1) * above[i - 1];
    above[i] = step(i) / pivot;
    bend[i] = (6.0 * (rise(i) - rise(i - 1)) - step(i - 1) * bend[i - 1]) / pivot;
  }
  for (std::size_t i = n; i-- > 1;) bend[i - 1] -= above[i - 1] * bend[i];
  std::vector<Knot> knots(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t k = std::min(i, n - 2);
    const double start = rise(k) - step(k) * (2.0 * bend[k] + bend[k + 1]) / 6.0;
    const double slope = i == k ? start : start + step(k) * (bend[k] + bend[k + 1]) / 2.0;
    knots[i] = {angles[i], levers[i], slope, levers[i] + bend[i]};
  }
  return knots;
}

std::vector<CamProfile::Knot> CamProfile::smooth_closed(const std::vector<double>& angles,
                                                        const std::vector<double>& levers) {
  const std::size_t n = angles.size() - 1;  // per turn
  // what a natural end bends decays by almost a factor of four from each knot to the next
  constexpr std::size_t enough = 60;
  const std::size_t turns = enough / n + 1;
  std::vector<double> more_angles, more_levers;
  for (std::size_t t = 0; t <= 2 * turns + 1; ++t) {
    const double of_turn = turn * (static_cast<double>(t) - static_cast<double>(turns));
    const std::size_t count = t <= 2 * turns ? n : 1;  // the last begins another turn
    for (std::size_t i = 0; i < count; ++i) {
      more_angles.push_back(angles[i] + of_turn);
      more_levers.push_back(levers[i]);
    }
  }
  const std::vector<Knot> all = smooth(more_angles, more_levers);
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(turns * n);
  return {first, first + static_cast<std::ptrdiff_t>(n + 1)};
}

CamProfile::Contact CamProfile::in_piece(std::size_t piece, double angle) const {
  const Piece& here = pieces_[piece];
  Contact contact =
      contact_in(here.coefficients, here.step, (angle - knots_[piece].angle) / here.step);
  contact.angle = angle;
  contact.gone += here.gone;
  return contact;
}

std::size_t CamProfile::piece_of(double angle) const {
  const auto behind = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, angle,
                                       [](double a, const Knot& knot) { return a < knot.angle; });
  return static_cast<std::size_t>(behind - knots_.begin()) - 1;
}

CamProfile::Contact CamProfile::at(double angle) const {
  return in_piece(piece_of(angle), angle);
}

Vec2<double> CamProfile::place(const Knot& knot) {
  const double c = std::cos(knot.angle), s = std::sin(knot.angle);
  return {knot.lever * c - knot.offset * s, knot.lever * s + knot.offset * c};
}

std::optional<CamProfile::Range> CamProfile::range_near(double near, const Vec2<double>& centre,
                                                        bool arrives) const {
  const double first = knots_.front().angle, last = knots_.back().angle;
  const double quarter = 0.25 * turn;
  double middle = std::atan2(centre(1), centre(0)) + (arrives ? quarter : -quarter);
  middle += turn * std::round((near - middle) / turn);
  if (!(std::abs(near - middle) < farthest)) return std::nullopt;
  return Range{std::clamp(middle - quarter, first, last),
               std::clamp(middle + quarter, first, last)};
}

std::optional<CamProfile::Contact> CamProfile::find_tangent(const Vec2<double>& centre,
                                                            double radius, bool arrives,
                                                            std::optional<double> near) const {
  // how far the cam's tangent is beyond the circle's, times the sign with which that grows by the
  // angle where the tangents are one; its slope there is the length of the straight part
  const double sign = arrives ? 1.0 : -1.0;
  const auto beyond_at = [&](std::size_t i) {
    return sign * (knots_[i].lever - radius - centre.dot(normals_[i]));
  };
  const auto slope_at = [&](const Contact& contact) {
    return sign * (contact.offset + centre(0) * std::sin(contact.angle) -
                   centre(1) * std::cos(contact.angle));
  };
  const auto beyond = [&](const Contact& contact) {
    return sign * (contact.lever - radius - centre(0) * std::cos(contact.angle) -
                   centre(1) * std::sin(contact.angle));
  };
  Range range{knots_.front().angle, knots_.back().angle};
  if (near) {
    const auto there = range_near(*near, centre, arrives);
    if (!there) return std::nullopt;
    range = *there;
  }
  const std::size_t none = pieces_.size();
  const std::size_t first = near ? piece_of(range.low) : 0;
  const std::size_t last = near ? piece_of(range.high) : none - 1;
  std::size_t piece = none;
  double before = near ? beyond(in_piece(first, range.low)) : beyond_at(0);
  for (std::size_t i = first; i <= last; ++i) {
    const double behind = near && i == last ? beyond(in_piece(last, range.high)) : beyond_at(i + 1);
    if (before < 0.0 && behind >= 0.0) {
      if (piece != none) return std::nullopt;
      piece = i;
    }
    before = behind;
  }
  if (piece == none) {  // at an end, but for rounding
    for (const std::size_t i : {std::size_t{0}, none}) {
      if (near && knots_[i].angle != (i == 0 ? range.low : range.high)) continue;
      const Contact end = in_piece(std::min(i, none - 1), knots_[i].angle);
      const double slope = slope_at(end), past = -beyond(end) / slope;
      if (slope > 0.0 && std::abs(past) <= beyond_ends)
        return in_piece(std::min(i, none - 1), end.angle + past);
    }
    return std::nullopt;
  }
  double low = std::max(knots_[piece].angle, range.low);
  double high = std::min(knots_[piece + 1].angle, range.high);
  Contact contact = in_piece(piece, 0.5 * (low + high));
  constexpr int most = 60;
  for (int i = 0; i < most; ++i) {
    const double value = beyond(contact), slope = slope_at(contact);
    (value < 0.0 ? low : high) = contact.angle;
    double next = contact.angle - value / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const double moved = std::abs(next - contact.angle);
    contact = in_piece(piece, next);
    if (moved <= 1e-15 * (1.0 + std::abs(next))) break;
  }
  return contact;
}

}  // namespace counterpoise
