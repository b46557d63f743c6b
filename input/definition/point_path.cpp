#include "input/definition/point_path.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "input/definition/moves.hpp"

namespace counterpoise {
namespace {

// Of lengths to each other: shorter ones are rounding.
constexpr double no_length = 1e-9;
// By which a path may turn where it goes on at speed: what is left of places written in
// millimetres.
constexpr double no_corner = 0.01;  // [rad]

Eigen::Vector3d place_in(std::span<const double> numbers, std::size_t first) {
  return {numbers[first], numbers[first + 1], numbers[first + 2]};
}

std::string text_of(const Eigen::Vector3d& place) {
  return fmt::format("[{:.6g}, {:.6g}, {:.6g}] m", place.x(), place.y(), place.z());
}

/// A straight line or an arc, with its length [m].
struct Stroke {
  double length = 0.0;
  Eigen::Vector3d origin, slope, cosine, sine;  // as in PathCourse::Segment
  double radius = 1.0;

  /// The direction in which it goes after this length.
  [[nodiscard]] Eigen::Vector3d direction(double s) const {
    const double angle = s / radius;
    return slope + (sine * std::cos(angle) - cosine * std::sin(angle)) / radius;
  }
};

Stroke line_between(const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
  const double length = (to - from).norm();
  return {length, from, (to - from) / length, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
}

/// The arc from a point through another one, both measured from its start, to its end. The normal
/// is not zero.
Stroke arc_through(const Eigen::Vector3d& from, const Eigen::Vector3d& via,
                   const Eigen::Vector3d& to, const Eigen::Vector3d& normal) {
  const Eigen::Vector3d to_centre =
      (to.squaredNorm() * normal.cross(via) + via.squaredNorm() * to.cross(normal)) /
      (2.0 * normal.squaredNorm());
  const double radius = to_centre.norm();
  const Eigen::Vector3d start = -to_centre / radius;
  const Eigen::Vector3d across = normal.normalized().cross(start);
  const Eigen::Vector3d end = to - to_centre;
  double angle = std::atan2(end.dot(across), end.dot(start));
  if (angle < 0.0) angle += 2.0 * std::numbers::pi;
  return {radius * angle, from + to_centre, Eigen::Vector3d::Zero(),
          radius * start, radius * across,  radius};
}

/// The strokes of a path, and the arc length at which each of its moves ends.
struct Strokes {
  std::vector<Stroke> strokes;
  std::vector<double> ends;  // [m]
};

std::optional<Refusal> make_strokes(const ProfileNumbers& path, std::span<const double> numbers,
                                    Strokes& out) {
  Eigen::Vector3d at = place_in(numbers, 0);
  double length = 0.0;
  out.ends.assign(path.moves.size(), 0.0);
  for (std::size_t i = 0; i < path.segments.size(); ++i) {
    const PathSegment& segment = path.segments[i];
    const Eigen::Vector3d to = place_in(numbers, 3 + 6 * i), via = place_in(numbers, 6 + 6 * i);
    const Eigen::Vector3d way = to - at, half = via - at;
    const double size = std::max(at.norm(), to.norm());
    if (!(way.norm() > no_length * size))
      return Refusal{segment.where, fmt::format("the path is at {} already, expected another place "
                                                "or \"hold\"",
                                                text_of(to))};
    const Eigen::Vector3d normal = half.cross(way);
    if (segment.arc && !(normal.norm() > no_length * way.norm() * std::max(half.norm(), size)))
      return Refusal{segment.where,
                     fmt::format("\"via\" {} lies in line with {} and {}, expected a place beside "
                                 "the straight line",
                                 text_of(via), text_of(at), text_of(to))};
    out.strokes.push_back(segment.arc ? arc_through(at, half, way, normal) : line_between(at, to));
    const Stroke& stroke = out.strokes.back();
    if (i > 0 && path.segments[i - 1].move == segment.move) {
      const Stroke& before = out.strokes[i - 1];
      const Eigen::Vector3d arrives = before.direction(before.length), goes = stroke.direction(0.0);
      const double turn = std::atan2(arrives.cross(goes).norm(), arrives.dot(goes));
      if (turn > no_corner)
        return Refusal{segment.where,
                       fmt::format("the path turns by {:.3g} deg at {}, expected lines and arcs "
                                   "that lead into each other, or a move of its own, which begins "
                                   "at rest",
                                   turn * 180.0 / std::numbers::pi, text_of(at))};
    }
    length += stroke.length;
    out.ends[segment.move] = length;
    at = to;
  }
  for (std::size_t i = 1; i < out.ends.size(); ++i)  // rests end where the move before did
    out.ends[i] = std::max(out.ends[i], out.ends[i - 1]);
  return std::nullopt;
}

/// The numbers of the moves of the arc length, as those of a list of moves.
std::vector<double> moves_along(const ProfileNumbers& path, std::span<const double> numbers,
                                const std::vector<double>& ends) {
  std::vector<double> along = {0.0};
  const auto moves = numbers.subspan(first_move_of_path(path));
  along.insert(along.end(), moves.begin(), moves.end());
  for (std::size_t i = 0; i < ends.size(); ++i) along[1 + i * MoveNumbers::count] = ends[i];
  return along;
}

}  // namespace

std::size_t first_move_of_path(const ProfileNumbers& path) {
  return 3 + 6 * path.segments.size();
}

std::optional<Refusal> make_path(const ProfileNumbers& path, std::span<const double> numbers,
                                 double duration, Profile& out) {
  Strokes strokes;
  if (auto refusal = make_strokes(path, numbers, strokes)) return refusal;
  Profile along;
  if (auto refusal =
          make_moves(path, moves_along(path, numbers, strokes.ends), duration, {}, along))
    return refusal;
  PathCourse course;
  course.along = std::get<Moves>(std::move(along));
  double start = 0.0;
  for (const Stroke& stroke : strokes.strokes) {
    course.segments.push_back({start, stroke.origin(path.axis), stroke.slope(path.axis),
                               stroke.cosine(path.axis), stroke.sine(path.axis), stroke.radius});
    start += stroke.length;
  }
  if (course.segments.empty()) course.segments.push_back({0.0, numbers[at(path.axis)]});
  out = std::move(course);
  return std::nullopt;
}

std::optional<Refusal> duration_of_path(const ProfileNumbers& path, std::span<const double> numbers,
                                        double& out) {
  Strokes strokes;
  if (auto refusal = make_strokes(path, numbers, strokes)) return refusal;
  std::vector<double> lasting;
  if (auto refusal = lengthen_moves(path, moves_along(path, numbers, strokes.ends), lasting))
    return refusal;
  out = 0.0;
  for (const double move : lasting) out += move;
  return std::nullopt;
}

}  // namespace counterpoise
