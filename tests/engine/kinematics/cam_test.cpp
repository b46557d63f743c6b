#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <optional>

#include "engine/kinematics/closure/cable.hpp"
#include "tests/support/random.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

using std::numbers::pi;

/// A support function as a sum of waves, in closed form.
struct Waves {
  double mean = 0.1;
  std::vector<double> size, shift;  // of cos(k angle + shift), k from 1

  [[nodiscard]] CamProfile::Knot at(double angle) const {
    CamProfile::Knot knot{angle, mean, 0.0, mean};
    for (std::size_t i = 0; i < size.size(); ++i) {
      const double k = static_cast<double>(i) + 1.0;
      knot.lever += size[i] * std::cos(k * angle + shift[i]);
      knot.offset -= k * size[i] * std::sin(k * angle + shift[i]);
      knot.radius += (1.0 - k * k) * size[i] * std::cos(k * angle + shift[i]);
    }
    return knot;
  }
  [[nodiscard]] Vec2<double> place(double angle) const {
    const CamProfile::Knot knot = at(angle);
    return {knot.lever * std::cos(angle) - knot.offset * std::sin(angle),
            knot.lever * std::sin(angle) + knot.offset * std::cos(angle)};
  }
  [[nodiscard]] CamProfile profile(double from, double to, int steps) const {
    std::vector<CamProfile::Knot> knots;
    for (int i = 0; i <= steps; ++i) knots.push_back(at(from + (to - from) * i / steps));
    std::size_t where = 0;
    REQUIRE(CamProfile::check(knots, where) == std::nullopt);
    return CamProfile(knots);
  }
};

/// A convex edge about the axis or beside it.
Waves random_waves(Random& random) {
  Waves waves;
  for (const double most : {0.12, 0.012, 0.006}) {  // the second bends by 3, the third by 8
    waves.size.push_back(random.uniform(0.0, most));
    waves.shift.push_back(random.uniform(-pi, pi));
  }
  return waves;
}

CableStop point_at(const Vec3d& place) {
  return {place, Vec3d::UnitZ(), 0.0};
}

CableStop cam_at(const Vec3d& place, const Vec3d& axis, const Vec3d& zero,
                 const CamProfile& profile) {
  CableStop stop{place, axis, 0.0};
  stop.zero = zero;
  stop.cam = &profile;
  return stop;
}

std::optional<CableFault> lay(const std::vector<CableStop>& stops, CableCourse& course) {
  course.resize(stops.size());
  return course.lay(stops);
}

/// The length of a string from a point, around an edge of very many corners in the sense in which
/// their number grows, to the corner `end`: the first corner is the one farthest to the right.
double length_around(const std::vector<Vec2<double>>& corners, const Vec2<double>& from,
                     std::size_t end) {
  Vec2<double> middle(0.0, 0.0);
  for (const Vec2<double>& corner : corners) middle += corner / static_cast<double>(corners.size());
  const Vec2<double> ahead = middle - from;
  std::size_t first = 0;
  double least = 10.0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec2<double> to = corners[i] - from;
    const double angle = std::atan2(cross2(ahead, to), ahead.dot(to));
    if (angle < least) {
      least = angle;
      first = i;
    }
  }
  double length = (corners[first] - from).norm();
  for (std::size_t i = first; i != end; i = (i + 1) % corners.size())
    length += (corners[(i + 1) % corners.size()] - corners[i]).norm();
  return length;
}

}  // namespace

TEST_CASE("a round cam beside its axis is a drum, in closed form and as pulleys know one") {
  const double r = 0.08, e = 0.05, first = -0.5, last = 4.0;
  const Waves waves{r, {e}, {0.4}};
  const CamProfile profile = waves.profile(first, last, 400);
  const Vec2<double> middle(e * std::cos(0.4), -e * std::sin(0.4));
  const CableStop cam = cam_at(Vec3d::Zero(), Vec3d::UnitZ(), Vec3d::UnitX(), profile);
  const CableStop drum{{middle(0), middle(1), 0.0}, Vec3d::UnitZ(), r};
  const auto end_at = [&](double angle) {
    return point_at({waves.place(angle)(0), waves.place(angle)(1), 0.0});
  };
  int compared = 0;
  for (int i = 0; i < 60; ++i) {
    const double turned = 0.1 * i;
    const Vec3d far(0.7 * std::cos(turned), 0.7 * std::sin(turned), 0.0);
    const Vec2<double> apart = far.head<2>() - middle;
    const double straight = std::sqrt(apart.squaredNorm() - r * r);
    const double towards = std::atan2(apart(1), apart(0)), aside = std::acos(r / apart.norm());
    CableCourse wound, round;
    for (const bool arrives : {true, false}) {
      const double angle = arrives ? towards + aside : towards - aside;
      const double whole = 2.0 * pi, from_first = angle - first;
      const double gone = from_first - whole * std::floor(from_first / whole);
      const auto ordered = [&](std::vector<CableStop> stops) {
        if (!arrives) std::reverse(stops.begin(), stops.end());
        return stops;
      };
      const auto fault = lay(ordered({point_at(far), cam}), wound);
      INFO("arrives " << arrives << " at " << turned);
      CHECK(!fault == (gone < last - first));
      if (fault) continue;
      const double wrap = arrives ? last - first - gone : gone;
      CHECK(wound.length == Approx(straight + r * wrap).epsilon(1e-13));
      CHECK(wound.wrap[arrives ? 1 : 0] == Approx(wrap).margin(1e-13));
      ++compared;
      if (lay(ordered({point_at(far), drum, end_at(arrives ? last : first)}), round)) continue;
      CHECK(wound.length == Approx(round.length).epsilon(1e-8));  // as a drum knows its end
    }
  }
  CHECK(compared > 60);
}

TEST_CASE("a cable on any cam is as long as a string around an edge of very many corners") {
  Random random(4411);
  constexpr std::size_t count = 20000;
  int compared = 0;
  for (int i = 0; i < trials(1000); ++i) {
    const Waves waves = random_waves(random);
    std::vector<Vec2<double>> corners;
    for (std::size_t k = 0; k < count; ++k)
      corners.push_back(waves.place(2.0 * pi * static_cast<double>(k) / count));
    const std::size_t end = count - 1;
    const CamProfile profile = waves.profile(0.0, 2.0 * pi * static_cast<double>(end) / count, 180);
    const Vec2<double> far(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
    if (far.norm() < 0.35) continue;
    const Mat3d axes = random.rotation();
    const Vec3d centre = random.vector(1.0);
    CableCourse course;
    const auto fault = lay({point_at(centre + axes * Vec3d(far(0), far(1), 0.0)),
                            cam_at(centre, axes.col(2), axes.col(0), profile)},
                           course);
    INFO("cam " << i);
    REQUIRE_FALSE(fault);
    CHECK(course.length == Approx(length_around(corners, far, end)).margin(3e-8));
    ++compared;
  }
  CHECK(compared > trials(700));
}

TEST_CASE("the length on a cam changes with every place and angle as a unit tension says") {
  Random random(4412);
  constexpr double step = 1e-6;
  int compared = 0;
  for (int i = 0; i < trials(1000); ++i) {
    const CamProfile profile = random_waves(random).profile(-2.5, 3.0, 120);
    const Mat3d axes = random.rotation();
    const Vec3d centre = random.vector(1.0);
    const double rise = random.chance(0.5) ? 0.0 : random.uniform(-0.2, 0.2);
    const auto in_axes = [&](double x, double y, double z) {
      return Vec3d(centre + axes * Vec3d(x, y, z));
    };
    std::vector<CableStop> stops = {
        point_at(in_axes(random.uniform(-0.6, 0.6), random.uniform(0.9, 1.4), rise)),
        cam_at(centre, axes.col(2), axes.col(0), profile)};
    if (random.chance(0.5))
      stops.insert(stops.begin() + 1,
                   {in_axes(random.uniform(-0.3, 0.3), random.uniform(0.5, 0.7), 0.0),
                    (random.chance(0.5) ? 1.0 : -1.0) * axes.col(2), random.uniform(0.02, 0.1)});
    if (random.chance(0.5)) std::reverse(stops.begin(), stops.end());
    const std::size_t cam = stops.front().cam != nullptr ? 0 : stops.size() - 1;
    CableCourse course, ahead, behind;
    if (lay(stops, course)) continue;
    INFO("run " << i);
    const auto slope_by = [&](auto change) {
      auto one = stops, other = stops;
      change(one, step);
      change(other, -step);
      if (lay(one, ahead) || lay(other, behind)) return std::optional<double>();
      for (std::size_t k = 0; k < stops.size(); ++k)
        if ((ahead.wrap[k] > 0.0) != (behind.wrap[k] > 0.0)) return std::optional<double>();
      return std::optional<double>((ahead.length - behind.length) / (2.0 * step));
    };
    const auto moved = static_cast<std::size_t>(random.below(static_cast<int>(stops.size())));
    const Vec3d way = random.direction();
    const auto by_place =
        slope_by([&](auto& changed, double by) { changed[moved].place += by * way; });
    const auto by_angle = slope_by([&](auto& changed, double by) {
      changed[cam].zero = Eigen::AngleAxisd(by, changed[cam].axis) * changed[cam].zero;
    });
    if (!by_place || !by_angle) continue;
    double slope = 0.0;
    if (moved > 0) slope += course.direction[moved - 1].dot(way);
    if (moved + 1 < stops.size()) slope -= course.direction[moved].dot(way);
    CHECK(*by_place == Approx(slope).margin(1e-6));
    // the cable pulls at the cam along the tangent
    const Vec3d& touched = cam == 0 ? course.out[cam] : course.in[cam];
    const Vec3d turned = stops[cam].axis.cross(touched - stops[cam].place);
    const double moment =
        cam == 0 ? -course.direction[0].dot(turned) : course.direction[cam - 1].dot(turned);
    CHECK(*by_angle == Approx(moment).margin(1e-6));
    ++compared;
  }
  CHECK(compared > trials(500));
}

TEST_CASE("levers alone make a smooth edge") {
  const Waves waves{0.1, {0.03, 0.01}, {0.4, -0.2}};
  std::vector<double> angles, levers;
  for (int i = 0; i <= 200; ++i) {
    angles.push_back(-1.0 + 0.02 * i);
    levers.push_back(waves.at(angles.back()).lever);
  }
  const CamProfile profile(CamProfile::smooth(angles, levers));
  for (double angle = 0.0; angle < 2.0; angle += 0.013) {  // away from the ends
    CHECK(profile.at(angle).lever == Approx(waves.at(angle).lever).margin(1e-9));
    CHECK(profile.at(angle).offset == Approx(waves.at(angle).offset).margin(1e-7));
    CHECK(profile.at(angle).radius == Approx(waves.at(angle).radius).margin(1e-4));
  }
  // a straight line, and the least that there is
  for (const CamProfile::Knot& knot : CamProfile::smooth({0.0, 1.0, 3.0}, {1.0, 1.5, 2.5}))
    CHECK(knot.offset == Approx(0.5));
  CHECK(CamProfile::smooth({0.0, 2.0}, {1.0, 2.0})[1].offset == Approx(0.5));
}

TEST_CASE("a cable that would touch its cam where that has no edge is a fault") {
  const Waves waves{0.1, {}, {}};
  const CamProfile profile = waves.profile(0.0, 2.0, 20);
  const CableStop cam = cam_at(Vec3d::Zero(), Vec3d::UnitZ(), Vec3d::UnitX(), profile);
  CableCourse course;
  const auto from = [&](double normal) {  // a point whose tangent has this normal
    const Vec3d n(std::cos(normal), std::sin(normal), 0.0), along(-n(1), n(0), 0.0);
    return point_at(0.1 * n - 0.5 * along);
  };
  for (const double inside : {0.0, 0.3, 2.0}) {
    CHECK_FALSE(lay({from(inside), cam}, course));
    CHECK(course.length == Approx(0.5 + 0.1 * (2.0 - inside)).epsilon(1e-13));
    CHECK(course.wrap[1] == Approx(2.0 - inside).margin(1e-13));
  }
  for (const double outside : {-1e-6, 2.0 + 1e-6, 3.0, 5.0}) {
    const auto fault = lay({from(outside), cam}, course);
    REQUIRE(fault);
    CHECK(fault->kind == CableFault::Kind::off_cam);
    CHECK(fault->distance == 0.0);
    CHECK(fault->least == 2.0);
  }
  CHECK(lay({point_at({0.05, 0.0, 0.0}), cam}, course)->kind == CableFault::Kind::off_cam);
  const CableStop askew{{0.0, 0.4, 0.0}, Vec3d(0.1, 0.0, 1.0).normalized(), 0.1};
  CHECK(lay({from(0.3), askew, cam}, course)->kind == CableFault::Kind::askew);
}

TEST_CASE("knots that are no edge are named") {
  const auto at = [](std::vector<CamProfile::Knot> knots) {
    std::size_t where = 0;
    REQUIRE(CamProfile::check(knots, where));
    return static_cast<int>(where);
  };
  const CamProfile::Knot one{0.0, 0.1, 0.0, 0.1};
  CHECK(at({one}) == 0);
  CHECK(at({one, {0.0, 0.1, 0.0, 0.1}}) == 1);
  CHECK(at({one, {6.4, 0.1, 0.0, 0.1}}) == 1);
  CHECK(at({one, {1.0, 0.1, 0.0, -0.1}}) == 1);
  CHECK(at({one, {1.0, 0.1, 0.0, 0.0}, {2.0, 0.1, 0.0, 0.1}}) == 1);
  CHECK(at({one, {1.0, 0.3, 0.0, 0.1}}) == 0);  // hollow between them
  CHECK(at({one, {1.0, std::nan(""), 0.0, 0.1}}) == 1);
}
