#include "engine/mechanism/motion.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace counterpoise {

int Motion::sample_count() const {
  return static_cast<int>(std::lround(duration / step)) + 1;
}

std::size_t PoseLevels::level_of(int k) const {
  const int count = static_cast<int>(levels.size());
  const int turn = k / repeat / count;
  const int level = k / repeat % count;
  return static_cast<std::size_t>(turn % 2 == 0 ? level : count - 1 - level);
}

double Motion::pose_weight(int k) const {
  double weight = 1.0;
  for (const Drive& drive : drives)
    if (const auto* poses_of = std::get_if<PoseLevels>(&drive.profile);
        poses_of != nullptr && !poses_of->weights.empty())
      weight *= poses_of->weights[poses_of->level_of(k)];
  return weight;
}

bool Motion::has_weights() const {
  return std::any_of(drives.begin(), drives.end(), [](const Drive& drive) {
    const auto* poses_of = std::get_if<PoseLevels>(&drive.profile);
    return poses_of != nullptr && !poses_of->weights.empty();
  });
}

PoseGrid::PoseGrid(const Motion& motion) : motion_(&motion) {
  std::int64_t combinations = 1;
  for (std::size_t d = 0; d < motion.drives.size(); ++d) {
    const auto* poses = std::get_if<PoseLevels>(&motion.drives[d].profile);
    if (poses == nullptr || poses->levels.size() < 2) continue;
    axes_.push_back(d);
    combinations *= static_cast<std::int64_t>(poses->levels.size());
  }
  std::stable_sort(axes_.begin(), axes_.end(), [&](std::size_t a, std::size_t b) {
    return std::get<PoseLevels>(motion.drives[a].profile).repeat >
           std::get<PoseLevels>(motion.drives[b].profile).repeat;
  });
  whole_ = combinations == motion.sample_count();
}

const PoseLevels& PoseGrid::levels(std::size_t axis) const {
  return std::get<PoseLevels>(motion_->drives[axes_[axis]].profile);
}

int PoseGrid::pose_at(std::span<const int> places) const {
  int turn = 0;  // the number of the combination of the axes so far, in the order of the poses
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    const auto count = static_cast<int>(levels(a).levels.size());
    if (places[a] < 0 || places[a] >= count) return -1;
    turn = turn * count + (turn % 2 == 0 ? places[a] : count - 1 - places[a]);
  }
  return turn;
}

void PoseGrid::neighbours_of(int k, std::vector<int>& out) const {
  out.clear();
  if (!whole_) {
    if (k > 0) out.push_back(k - 1);
    if (k + 1 < motion_->sample_count()) out.push_back(k + 1);
    return;
  }
  std::vector<int> places;
  for (std::size_t a = 0; a < axes_.size(); ++a)
    places.push_back(static_cast<int>(levels(a).level_of(k)));
  for (int& place : places)
    for (const int step : {-1, 1}) {
      place += step;
      if (const int pose = pose_at(places); pose >= 0) out.push_back(pose);
      place -= step;
    }
}

namespace {

const Moves::Piece& piece_at(const Moves& moves, double t) {
  assert(!moves.pieces.empty());
  const auto above =
      std::upper_bound(moves.pieces.begin() + 1, moves.pieces.end(), t,
                       [](double time, const Moves::Piece& piece) { return time < piece.start; });
  return *(above - 1);
}

/// The knot at which the spline's cubic at time t begins.
std::size_t segment_at(const CubicSpline& spline, double t) {
  const auto& x = spline.times;
  assert(x.size() >= 2);
  const auto above = std::upper_bound(x.begin() + 1, x.end() - 1, t);
  return static_cast<std::size_t>(above - x.begin()) - 1;
}

/// A coordinate of a path and its first three derivatives by the arc length.
struct PlaceOnPath {
  double value, slope, bend, twist;
};

PlaceOnPath place_on(const PathCourse& path, double length) {
  assert(!path.segments.empty());
  const auto above = std::upper_bound(
      path.segments.begin() + 1, path.segments.end(), length,
      [](double s, const PathCourse::Segment& segment) { return s < segment.start; });
  const PathCourse::Segment& segment = *(above - 1);
  const double s = length - segment.start, r = segment.radius;
  const double sine = std::sin(s / r), cosine = std::cos(s / r);
  const double from_centre = segment.cosine * cosine + segment.sine * sine;
  const double turning = (segment.sine * cosine - segment.cosine * sine) / r;
  return {segment.origin + segment.slope * s + from_centre, segment.slope + turning,
          -from_centre / (r * r), -turning / (r * r)};
}

struct Evaluation {
  double t;
  double duration;

  ProfileValue operator()(const Hold& hold) const { return {hold.value, 0.0, 0.0}; }

  ProfileValue operator()(const BangBang& move) const {
    const double half = duration / 2.0;
    const double a = move.acceleration;
    if (t < half) return {move.start + a * t * t / 2.0, a * t, a};
    const double late = t - half;
    const double peak = a * half;
    return {move.start + peak * half / 2.0 + peak * late - a * late * late / 2.0, peak - a * late,
            -a};
  }

  ProfileValue operator()(const Sine& sine) const {
    const double omega = 2.0 * std::numbers::pi / sine.period;
    const double angle = omega * t + sine.phase;
    const double swing = sine.amplitude * std::sin(angle);
    return {sine.mean + swing, sine.amplitude * omega * std::cos(angle), -omega * omega * swing};
  }

  ProfileValue operator()(const PointToPoint& move) const {
    const double length = move.end_time - move.start_time;
    const double s = (t - move.start_time) / length;
    const double way = move.to - move.from;
    if (s < 0.0) return {move.from, 0.0, 0.0};
    if (s > 1.0) return {move.to, 0.0, 0.0};
    const ProfileValue unit =
        move.shape == MoveShape::quintic ? unit_quintic(s) : unit_trapezoid(s, move.ramp);
    return {move.from + way * unit.position, way * unit.velocity / length,
            way * unit.acceleration / (length * length)};
  }

  ProfileValue operator()(const Moves& moves) const {
    const Moves::Piece& piece = piece_at(moves, t);
    const double u = t - piece.start;
    const auto& c = piece.coefficients;
    return {c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * (c[4] + u * c[5])))),
            c[1] + u * (2.0 * c[2] + u * (3.0 * c[3] + u * (4.0 * c[4] + u * 5.0 * c[5]))),
            2.0 * c[2] + u * (6.0 * c[3] + u * (12.0 * c[4] + u * 20.0 * c[5]))};
  }

  ProfileValue operator()(const CubicSpline& spline) const {
    const auto& x = spline.times;
    const std::size_t i = segment_at(spline, t);
    const double h = x[i + 1] - x[i];
    const double u = std::clamp(t, x.front(), x.back()) - x[i];
    const double m0 = spline.curvature[i];
    const double m1 = spline.curvature[i + 1];
    const double slope = (spline.values[i + 1] - spline.values[i]) / h - h * (2.0 * m0 + m1) / 6.0;
    const double jerk = (m1 - m0) / h;
    return {spline.values[i] + u * (slope + u * (m0 / 2.0 + u * jerk / 6.0)),
            slope + u * (m0 + u * jerk / 2.0), m0 + u * jerk};
  }

  ProfileValue operator()(const PathCourse& path) const {
    const ProfileValue along = (*this)(path.along);
    const auto [value, slope, bend, twist] = place_on(path, along.position);
    return {value, slope * along.velocity,
            slope * along.acceleration + bend * along.velocity * along.velocity};
  }

  ProfileValue operator()(const PoseLevels& poses) const {
    const auto k = static_cast<int>(std::lround(t));
    const auto last = static_cast<int>(std::lround(duration));
    const auto position = [&](int pose) { return poses.levels[poses.level_of(pose)]; };
    const double now = position(k);
    if (last == 0) return {now, 0.0, 0.0};
    // central differences: the trapezoids of accelerations are the steps of velocities exactly
    const double before = k > 0 ? position(k - 1) : 2.0 * now - position(1);
    const double after = k < last ? position(k + 1) : 2.0 * now - before;
    return {now, (after - before) / 2.0, after - 2.0 * now + before};
  }

  static ProfileValue unit_quintic(double s) {
    const double r = 1.0 - s;
    return {s * s * s * (10.0 + s * (-15.0 + 6.0 * s)), 30.0 * s * s * r * r,
            60.0 * s * r * (1.0 - 2.0 * s)};
  }

  static ProfileValue unit_trapezoid(double s, double ramp) {
    const double speed = 1.0 / (1.0 - ramp);
    const double a = speed / ramp;
    if (s < ramp) return {a * s * s / 2.0, a * s, a};
    const double r = 1.0 - s;
    if (r <= ramp) return {1.0 - a * r * r / 2.0, a * r, -a};
    return {speed * (s - ramp / 2.0), speed, 0.0};
  }
};

/// The jerk where the acceleration does not jump.
struct JerkOf {
  double t;
  double duration;

  double operator()(const Hold&) const { return 0.0; }
  double operator()(const BangBang&) const { return 0.0; }
  double operator()(const Sine& sine) const {
    const double omega = 2.0 * std::numbers::pi / sine.period;
    return -omega * omega * omega * sine.amplitude * std::cos(omega * t + sine.phase);
  }
  double operator()(const PointToPoint& move) const {
    const double length = move.end_time - move.start_time;
    const double s = (t - move.start_time) / length;
    if (s < 0.0 || s > 1.0 || move.shape != MoveShape::quintic) return 0.0;
    const double way = move.to - move.from;
    return way * 60.0 * (1.0 + s * (-6.0 + 6.0 * s)) / (length * length * length);
  }
  double operator()(const Moves& moves) const {
    const Moves::Piece& piece = piece_at(moves, t);
    const double u = t - piece.start;
    const auto& c = piece.coefficients;
    return 6.0 * c[3] + u * (24.0 * c[4] + u * 60.0 * c[5]);
  }
  double operator()(const CubicSpline& spline) const {
    const std::size_t i = segment_at(spline, t);
    return (spline.curvature[i + 1] - spline.curvature[i]) /
           (spline.times[i + 1] - spline.times[i]);
  }
  double operator()(const PathCourse& path) const {
    const ProfileValue along = Evaluation{t, duration}(path.along);
    const auto [value, slope, bend, twist] = place_on(path, along.position);
    const double v = along.velocity;
    return slope * (*this)(path.along) + 3.0 * bend * v * along.acceleration + twist * v * v * v;
  }
  double operator()(const PoseLevels&) const { return 0.0; }
};

bool acceleration_jumps(const Moves::Piece& piece, const Moves::Piece& next) {
  constexpr double rounding = 1e-9;
  const double u = next.start - piece.start;
  const auto& c = piece.coefficients;
  double before = 0.0, size = std::abs(2.0 * next.coefficients[2]);
  double power = 1.0;
  for (std::size_t k = 2; k < c.size(); ++k, power *= u) {
    const double term = static_cast<double>(k * (k - 1)) * c[k] * power;
    before += term;
    size += std::abs(term);
  }
  return std::abs(2.0 * next.coefficients[2] - before) > rounding * size;
}

/// The tridiagonal system of the second derivatives at the knots of a C2 cubic spline. Its first
/// and last equations say that the second derivative is zero, until they are replaced.
struct SplineSystem {
  std::vector<double> lower, diagonal, upper, right;

  SplineSystem(const std::vector<double>& x, const std::vector<double>& y)
      : lower(x.size(), 0.0), diagonal(x.size(), 1.0), upper(x.size(), 0.0), right(x.size(), 0.0) {
    assert(x.size() >= 2 && y.size() == x.size());
    for (std::size_t i = 1; i + 1 < x.size(); ++i) {
      const double h0 = x[i] - x[i - 1];
      const double h1 = x[i + 1] - x[i];
      lower[i] = h0 / 6.0;
      diagonal[i] = (h0 + h1) / 3.0;
      upper[i] = h1 / 6.0;
      right[i] = (y[i + 1] - y[i]) / h1 - (y[i] - y[i - 1]) / h0;
    }
  }

  /// Thomas's elimination; works in the system's own memory.
  std::vector<double> solve() && {
    const std::size_t n = diagonal.size();
    for (std::size_t i = 1; i < n; ++i) {
      const double factor = lower[i] / diagonal[i - 1];
      diagonal[i] -= factor * upper[i - 1];
      right[i] -= factor * right[i - 1];
    }
    std::vector<double> solution(n);
    solution[n - 1] = right[n - 1] / diagonal[n - 1];
    for (std::size_t i = n - 1; i-- > 0;)
      solution[i] = (right[i] - upper[i] * solution[i + 1]) / diagonal[i];
    return solution;
  }
};

std::vector<double> clamped_curvature(const std::vector<double>& x, const std::vector<double>& y,
                                      double first_slope, double last_slope) {
  SplineSystem system(x, y);
  const std::size_t n = x.size();
  const double h0 = x[1] - x[0];
  const double h1 = x[n - 1] - x[n - 2];
  system.diagonal[0] = h0 / 3.0;
  system.upper[0] = h0 / 6.0;
  system.right[0] = (y[1] - y[0]) / h0 - first_slope;
  system.diagonal[n - 1] = h1 / 3.0;
  system.lower[n - 1] = h1 / 6.0;
  system.right[n - 1] = last_slope - (y[n - 1] - y[n - 2]) / h1;
  return std::move(system).solve();
}

/// The natural spline plus as much of the spline through zeros with second derivative 1 at both
/// ends as makes the slopes at the ends agree.
std::vector<double> periodic_curvature(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t n = x.size();
  SplineSystem bent(x, std::vector<double>(n, 0.0));
  bent.right.front() = bent.right.back() = 1.0;
  std::vector<double> curvature = SplineSystem(x, y).solve();
  const std::vector<double> bend = std::move(bent).solve();
  const double h0 = x[1] - x[0];
  const double h1 = x[n - 1] - x[n - 2];
  const auto slope_lost = [&](const std::vector<double>& m) {  // by the curvatures at the ends
    return h0 * (2.0 * m[0] + m[1]) / 6.0 + h1 * (m[n - 2] + 2.0 * m[n - 1]) / 6.0;
  };
  const double kink = (y[1] - y[0]) / h0 - (y[n - 1] - y[n - 2]) / h1;
  const double share = (kink - slope_lost(curvature)) / slope_lost(bend);
  for (std::size_t i = 0; i < n; ++i) curvature[i] += share * bend[i];
  return curvature;
}

}  // namespace

CubicSpline clamped_spline(std::vector<double> times, std::vector<double> values,
                           double first_slope, double last_slope) {
  std::vector<double> curvature = clamped_curvature(times, values, first_slope, last_slope);
  return {std::move(times), std::move(values), std::move(curvature)};
}

CubicSpline natural_spline(std::vector<double> times, std::vector<double> values) {
  std::vector<double> curvature = SplineSystem(times, values).solve();
  return {std::move(times), std::move(values), std::move(curvature)};
}

CubicSpline periodic_spline(std::vector<double> times, std::vector<double> values) {
  std::vector<double> curvature = periodic_curvature(times, values);
  return {std::move(times), std::move(values), std::move(curvature)};
}

ProfileValue evaluate(const Profile& profile, double t, double duration) {
  return std::visit(Evaluation{t, duration}, profile);
}

namespace {

bool acceleration_jumps(const Moves& moves) {
  for (std::size_t i = 1; i < moves.pieces.size(); ++i)
    if (acceleration_jumps(moves.pieces[i - 1], moves.pieces[i])) return true;
  return false;
}

/// Whether a path goes on at speed from one segment into another, where its curvature jumps.
bool passes_corners(const PathCourse& path) {
  constexpr double rounding = 1e-9;
  for (std::size_t i = 1; i < path.segments.size(); ++i) {
    const double corner = path.segments[i].start;
    const auto rests_there = [&](const Moves::Piece& piece) {
      const auto& c = piece.coefficients;
      return std::abs(c[0] - corner) <= rounding * std::max(corner, 1.0) && c[1] == 0.0;
    };
    if (std::none_of(path.along.pieces.begin(), path.along.pieces.end(), rests_there)) return true;
  }
  return false;
}

}  // namespace

bool jerk_is_bounded(const Profile& profile) {
  if (const auto* move = std::get_if<BangBang>(&profile)) return move->acceleration == 0.0;
  if (const auto* move = std::get_if<PointToPoint>(&profile))
    return move->shape == MoveShape::quintic || move->from == move->to;
  if (const auto* path = std::get_if<PathCourse>(&profile))
    return !acceleration_jumps(path->along) && !passes_corners(*path);
  const auto* moves = std::get_if<Moves>(&profile);
  return moves == nullptr || !acceleration_jumps(*moves);
}

double jerk(const Profile& profile, double t, double duration) {
  return std::visit(JerkOf{t, duration}, profile);
}

}  // namespace counterpoise
