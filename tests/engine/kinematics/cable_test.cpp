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

CableCourse laid(const std::vector<CableStop>& stops) {
  CableCourse course;
  course.resize(stops.size());
  REQUIRE_FALSE(course.lay(stops));
  return course;
}

std::optional<CableFault> fault_of(const std::vector<CableStop>& stops) {
  CableCourse course;
  course.resize(stops.size());
  return course.lay(stops);
}

CableStop point(const Vec3d& place) {
  return {place, Vec3d::UnitZ(), 0.0};
}

/// Two points with up to three parallel pulleys of random senses between them, in random axes.
std::vector<CableStop> random_run(Random& random, int pulleys, double rise) {
  const Mat3d axes = random.rotation();
  const Vec3d origin = random.vector(1.0);
  std::vector<CableStop> stops;
  for (int i = 0; i < pulleys + 2; ++i) {
    const bool end = i == 0 || i == pulleys + 1;
    const Vec3d flat(i + random.uniform(-0.2, 0.2), random.uniform(-0.7, 0.7),
                     end ? random.uniform(-rise, rise) : random.uniform(-1.0, 1.0));
    const double sense = random.chance(0.5) ? 1.0 : -1.0;
    stops.push_back(
        {origin + axes * flat, sense * axes.col(2), end ? 0.0 : random.uniform(0.02, 0.25)});
  }
  return stops;
}

/// How far a pulley that is not touched is from the straight part of the cable that passes it,
/// across its axis.
double distance_to_cable(const std::vector<CableStop>& stops, const CableCourse& course,
                         std::size_t k) {
  std::size_t before = k - 1, behind = k + 1;
  while (before > 0 && course.wrap[before] == 0.0) --before;
  while (behind + 1 < stops.size() && course.wrap[behind] == 0.0) ++behind;
  const auto flat = [&](const Vec3d& v) { return Vec3d(v - stops[k].axis * stops[k].axis.dot(v)); };
  const Vec3d from = flat(course.out[before] - stops[k].place);
  const Vec3d along = flat(course.in[behind] - stops[k].place) - from;
  const double share = std::clamp(-from.dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (from + share * along).norm();
}

/// The length of a cable that the course describes, measured piece by piece.
double measured(const std::vector<CableStop>& stops, const CableCourse& course) {
  double length = 0.0;
  Vec3d at = stops.front().place;
  for (std::size_t i = 1; i < stops.size(); ++i) {
    if (i + 1 < stops.size() && stops[i].radius > 0.0 && course.wrap[i] == 0.0) continue;
    length += (course.in[i] - at).norm();
    at = i + 1 < stops.size() ? course.out[i] : at;
    if (i + 1 < stops.size() && stops[i].radius > 0.0) {
      const double rise = stops[i].axis.dot(course.out[i] - course.in[i]);
      length += std::hypot(stops[i].radius * course.wrap[i], rise);
    }
  }
  return length;
}

}  // namespace

TEST_CASE("a cable over one pulley has the length of the closed form") {
  const double h = 0.5, r = 0.1;
  for (const double x : {0.1, 0.3, 0.9}) {
    // from below, over the top, and down again: half a turn and two plumb lines
    const CableCourse course =
        laid({point({-r, -h, 0.0}), {Vec3d::Zero(), -Vec3d::UnitZ(), r}, point({r, -x, 0.0})});
    CHECK(course.length == Approx(h + pi * r + x).epsilon(1e-14));
    CHECK(course.wrap[1] == Approx(pi).epsilon(1e-14));
    CHECK((course.in[1] - Vec3d(-r, 0.0, 0.0)).norm() < 1e-15);
    CHECK((course.out[1] - Vec3d(r, 0.0, 0.0)).norm() < 1e-15);
  }
}

TEST_CASE("the axis says on which side a cable passes") {
  const Vec3d left(-1.0, 0.05, 0.0), right(1.0, 0.05, 0.0);
  const CableStop below{Vec3d::Zero(), Vec3d::UnitZ(), 0.2};
  const CableStop above{Vec3d::Zero(), -Vec3d::UnitZ(), 0.2};
  CHECK(laid({point(left), below, point(right)}).in[1].y() < 0.0);
  CHECK(laid({point(left), above, point(right)}).in[1].y() > 0.0);
}

TEST_CASE("a cable that a pulley does not push aside is straight") {
  for (const double gap : {0.2 + 1e-9, 0.25, 0.4}) {
    const Vec3d left(-1.0, gap, 0.0), right(1.0, gap, 0.0);
    const CableCourse course =
        laid({point(left), {Vec3d::Zero(), -Vec3d::UnitZ(), 0.2}, point(right)});
    CHECK(course.wrap[1] == 0.0);
    CHECK(course.length == Approx(2.0).epsilon(1e-14));
  }
  const double touching = laid({point({-1.0, 0.2 - 1e-9, 0.0}),
                                {Vec3d::Zero(), -Vec3d::UnitZ(), 0.2},
                                point({1.0, 0.2 - 1e-9, 0.0})})
                              .length;
  CHECK(touching == Approx(2.0).epsilon(1e-12));
  CHECK(touching >= 2.0);
}

TEST_CASE("a cable that also climbs lies on the pulley as a helix") {
  const CableCourse course = laid(
      {point({-0.1, -0.5, 0.0}), {Vec3d::Zero(), -Vec3d::UnitZ(), 0.1}, point({0.1, -0.3, 0.4})});
  CHECK(course.length == Approx(std::hypot(0.5 + 0.1 * pi + 0.3, 0.4)).epsilon(1e-14));
}

TEST_CASE("the end of a cable may be on the rim, where it winds up as on a drum") {
  double before = 0.0;
  for (int i = 0; i < 48; ++i) {  // to its neighbour on the other side less than a turn
    const double angle = 0.1 * i;
    const CableCourse course = laid({point({0.1 * std::cos(angle), -0.1 * std::sin(angle), 0.0}),
                                     {Vec3d::Zero(), Vec3d::UnitZ(), 0.1},
                                     point({0.1, 1.0, 0.0})});
    CHECK(course.length == Approx(1.0 + 0.1 * angle).margin(1e-12));
    CHECK(course.length >= before);
    before = course.length;
  }
}

TEST_CASE(
    "any course touches its pulleys tangentially, passes none that is in its way, and is as long "
    "as measured") {
  Random random(4401);
  int touched = 0, lifted = 0;
  for (int i = 0; i < trials(10000); ++i) {
    const int pulleys = 1 + random.below(3);
    const auto stops = random_run(random, pulleys, random.chance(0.5) ? 0.0 : 1.0);
    CableCourse course;
    course.resize(stops.size());
    if (course.lay(stops)) continue;
    INFO("run " << i);
    CHECK(course.length == Approx(measured(stops, course)).epsilon(1e-11));
    for (std::size_t k = 1; k + 1 < stops.size(); ++k) {
      const Vec3d& axis = stops[k].axis;
      if (course.wrap[k] == 0.0) {
        ++lifted;
        CHECK(distance_to_cable(stops, course, k) > stops[k].radius - 1e-9);
        continue;
      }
      ++touched;
      for (const auto& [place, along] : {std::pair{course.in[k], course.direction[k - 1]},
                                         {course.out[k], course.direction[k]}}) {
        const Vec3d from_axis = (place - stops[k].place) - axis * axis.dot(place - stops[k].place);
        CHECK(from_axis.norm() == Approx(stops[k].radius).epsilon(1e-10));
        CHECK(std::abs(from_axis.dot(along)) < 1e-10);
        CHECK(axis.dot(from_axis.cross(along)) > 0.0);  // by the right hand rule
      }
      CHECK(course.wrap[k] > 0.0);
      CHECK(course.wrap[k] < 2.0 * pi);
    }
  }
  CHECK(touched > 100);
  CHECK(lifted > 100);
}

TEST_CASE("the length changes with every end, centre and radius as forces of a unit tension say") {
  Random random(4402);
  constexpr double step = 1e-6;
  int compared = 0;
  for (int i = 0; i < trials(10000); ++i) {
    auto stops = random_run(random, 1 + random.below(3), random.chance(0.5) ? 0.0 : 1.0);
    CableCourse course;
    course.resize(stops.size());
    if (course.lay(stops)) continue;
    const auto at = static_cast<std::size_t>(random.below(static_cast<int>(stops.size())));
    const Vec3d way = random.direction();
    const auto moved = [&](double by) {
      auto other = stops;
      other[at].place += by * way;
      return laid(other);
    };
    const CableCourse ahead = moved(step), behind = moved(-step);
    bool same_contacts = true;
    for (std::size_t k = 1; k + 1 < stops.size(); ++k)
      same_contacts &= (ahead.wrap[k] > 0.0) == (behind.wrap[k] > 0.0);
    if (!same_contacts) continue;
    double slope = 0.0;
    if (at > 0) slope += course.direction[at - 1].dot(way);
    if (at + 1 < stops.size()) slope -= course.direction[at].dot(way);
    INFO("run " << i);
    CHECK((ahead.length - behind.length) / (2.0 * step) == Approx(slope).margin(1e-6));
    ++compared;
  }
  CHECK(compared > trials(8000));
}

TEST_CASE("a course is found over pulleys that are listed out of their order") {
  const auto pulley = [](double x, double z, double sense, double radius) {
    return CableStop{{x, 0.0, z}, sense * Vec3d::UnitY(), radius};
  };
  const std::vector<CableStop> stops = {
      point({0.4696, 0.0, 0.4536}), pulley(-0.2036, -0.1539, -1.0, 0.05),
      pulley(0.1197, -0.4321, 1.0, 0.02), pulley(-0.2824, -0.094, -1.0, 0.02),
      point({0.2438, 0.0, 0.0934})};
  const CableCourse course = laid(stops);
  CHECK(course.length == Approx(measured(stops, course)).epsilon(1e-12));
  for (std::size_t k = 1; k < 4; ++k)
    if (course.wrap[k] == 0.0) CHECK(distance_to_cable(stops, course, k) > stops[k].radius - 1e-9);
}

TEST_CASE("what no cable can do is a fault") {
  const CableStop wheel{Vec3d::Zero(), Vec3d::UnitZ(), 0.2};
  const Vec3d far(1.0, 0.0, 0.0);
  CHECK(fault_of({point({0.1, 0.0, 0.0}), wheel, point(far)})->kind == CableFault::Kind::inside);
  CHECK(fault_of({point({-1.0, 0.0, 0.0}), wheel, point({0.0, 0.0, 0.3})})->kind ==
        CableFault::Kind::inside);
  CHECK(fault_of({point(far), point(far)})->kind == CableFault::Kind::meeting);
  // both ends at one place, and an end that would leave the rim on which it is
  CHECK(fault_of({point(far), wheel, point(far)})->kind == CableFault::Kind::no_course);
  CHECK(fault_of(
            {point({0.2 * std::cos(0.1), 0.2 * std::sin(0.1), 0.0}), wheel, point({0.2, 1.0, 0.0})})
            ->kind == CableFault::Kind::no_course);
  // an S over two pulleys, the first of which the cable would have to leave on its other side
  CHECK(fault_of({point({-0.277, 0.0, 0.347}),
                  {{0.39, 0.0, -0.03}, Vec3d::UnitY(), 0.1},
                  {{-0.13, 0.0, 0.16}, -Vec3d::UnitY(), 0.1},
                  point({-0.02, 0.0, -0.167})})
            ->kind == CableFault::Kind::no_course);
  const CableStop askew{{0.5, 0.0, 0.0}, Vec3d(0.0, 0.1, 1.0).normalized(), 0.1};
  CHECK(fault_of({point({-1.0, 0.0, 0.0}), wheel, askew, point(far)})->kind ==
        CableFault::Kind::askew);
}
