#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "engine/kinematics/closure/cable.hpp"
#include "tests/support/random.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

using std::numbers::pi;
using Measure = CamProfile::Measure;
using CurvePoint = CamProfile::CurvePoint;

std::vector<CamProfile::Knot> followed(const CamProfile::Curve& curve, Measure measure, double from,
                                       double to) {
  auto found = CamProfile::along(curve, measure, from, to);
  if (const auto* reason = std::get_if<std::string>(&found)) FAIL(*reason);
  return std::get<0>(found);
}

std::string refusal(const CamProfile::Curve& curve, Measure measure, double from, double to) {
  const auto found = CamProfile::along(curve, measure, from, to);
  const auto* reason = std::get_if<std::string>(&found);
  return reason == nullptr ? "" : *reason;
}

CableStop turned_cam(const CamProfile& profile, double start, double turned) {
  CableStop stop{Vec3d::Zero(), Vec3d::UnitZ(), 0.0};
  stop.zero = Vec3d(std::cos(turned), std::sin(turned), 0.0);
  stop.cam = &profile;
  stop.near = start - turned;
  return stop;
}

CableStop eye(double x, double y) {
  return {Vec3d(x, y, 0.0), Vec3d::UnitZ(), 0.0};
}

/// The cable from a place to a cam, or the other way.
std::optional<CableFault> lay(const CableStop& place, const CableStop& cam, bool arrives,
                              CableCourse& course) {
  course.resize(2);
  return course.lay(arrives ? std::vector<CableStop>{place, cam}
                            : std::vector<CableStop>{cam, place});
}

}  // namespace

TEST_CASE("a round cam of several turns winds up a drum's length for each turn") {
  const double r = 0.05, far = 0.7;
  const double straight = std::sqrt(far * far - r * r), aside = std::acos(r / far);
  const CamProfile profile(followed(
      [&](double) {
        return CurvePoint{r, 0.0, 0.0};
      },
      Measure::lever, -4.0 * pi, 6.0 * pi));
  CHECK(profile.length() == Approx(10.0 * pi * r).epsilon(1e-14));
  CableCourse course;
  for (int i = -50; i <= 50; ++i) {
    const double turned = 0.1 * i;
    INFO("turned by " << turned);
    // the tangent's normal is at `aside` in the world, and at `aside - turned` in the cam
    REQUIRE_FALSE(lay(eye(far, 0.0), turned_cam(profile, aside, turned), true, course));
    CHECK(course.wrap[1] == Approx(6.0 * pi - (aside - turned)).epsilon(1e-13));
    CHECK(course.length == Approx(straight + r * (6.0 * pi - aside + turned)).epsilon(1e-13));
    // a cable that leaves for the mirrored place has the mirrored tangent
    REQUIRE_FALSE(lay(eye(far * std::cos(2.0 * aside), far * std::sin(2.0 * aside)),
                      turned_cam(profile, aside, turned), false, course));
    CHECK(course.wrap[0] == Approx(4.0 * pi + aside - turned).epsilon(1e-13));
  }
  for (const double unwound : {-4.0 * pi - 0.1, 6.0 * pi + 0.1})
    CHECK(lay(eye(far, 0.0), turned_cam(profile, aside, aside - unwound), true, course)->kind ==
          CableFault::Kind::off_cam);
}

TEST_CASE("spirals are as long as their closed forms say") {
  const double a = 0.03, b = 0.004, from = 0.3, to = 6.5 * pi;
  SECTION("Archimedes' spiral, by its distance from the axis") {
    const auto length_to = [&](double angle) {
      const double rho = a + b * angle;
      return (rho * std::hypot(rho, b) + b * b * std::asinh(rho / b)) / (2.0 * b);
    };
    const CamProfile profile(followed(
        [&](double angle) {
          return CurvePoint{a + b * angle, b, 0.0};
        },
        Measure::distance, from, to));
    CHECK(profile.length() == Approx(length_to(to) - length_to(from)).epsilon(1e-12));
    for (double angle = from + 0.01; angle < to; angle += 0.37) {
      const double rho = a + b * angle, normal = angle - std::atan(b / rho);
      const CamProfile::Contact contact = profile.at(normal);
      const Vec2<double> place = CamProfile::place(contact);
      CHECK(place(0) == Approx(rho * std::cos(angle)).margin(1e-12));
      CHECK(place(1) == Approx(rho * std::sin(angle)).margin(1e-12));
      CHECK(contact.gone == Approx(length_to(angle) - length_to(from)).margin(1e-12));
      const double cube = std::pow(rho * rho + b * b, 1.5);
      CHECK(contact.radius == Approx(cube / (rho * rho + 2.0 * b * b)).epsilon(1e-6));
    }
  }
  SECTION("the involute of a circle, by its lever") {
    const CamProfile profile(followed(
        [&](double angle) {
          return CurvePoint{a + b * angle, b, 0.0};
        },
        Measure::lever, from, to));
    CHECK(profile.length() ==
          Approx(a * (to - from) + 0.5 * b * (to * to - from * from)).epsilon(1e-13));
    CHECK(profile.at(5.0).offset == Approx(b).epsilon(1e-12));
  }
}

TEST_CASE("an eccentric circle is a circle about another centre, by distance and by lever") {
  const double r = 0.06, e = 0.035, shift = 0.4;
  const auto by_lever = [&](double angle) {
    return CurvePoint{r + e * std::cos(angle - shift), -e * std::sin(angle - shift),
                      -e * std::cos(angle - shift)};
  };
  const auto by_distance = [&](double angle) {
    const double c = std::cos(angle - shift), s = std::sin(angle - shift);
    const double root = std::sqrt(r * r - e * e * s * s);
    const double slope = -e * s - e * e * s * c / root;
    const double bend = -e * c - e * e * (c * c - s * s) / root -
                        e * e * e * e * s * s * c * c / (root * root * root);
    return CurvePoint{e * c + root, slope, bend};
  };
  const Vec2<double> middle(e * std::cos(shift), e * std::sin(shift));
  const CamProfile lever(followed(by_lever, Measure::lever, -pi, pi));
  const CamProfile distance(followed(by_distance, Measure::distance, -pi, pi - 1e-3));
  CHECK(lever.length() == Approx(2.0 * pi * r).epsilon(1e-13));
  CHECK(lever.knots().size() < 400);
  for (double angle = -2.5; angle < 2.5; angle += 0.13)
    for (const CamProfile* profile : {&lever, &distance}) {
      const CamProfile::Contact contact = profile->at(angle);
      const Vec2<double> from_middle = CamProfile::place(contact) - middle;
      CHECK(from_middle(0) == Approx(r * std::cos(angle)).margin(1e-11));
      CHECK(from_middle(1) == Approx(r * std::sin(angle)).margin(1e-11));
      CHECK(contact.radius == Approx(r).epsilon(1e-7));
    }
}

TEST_CASE("a cable on a spiral of several turns follows its joint, with slopes by differences") {
  Random random(4421);
  constexpr double step = 1e-6;
  int compared = 0;
  for (int i = 0; i < trials(1000); ++i) {
    const double mean = random.uniform(0.04, 0.07), growth = random.signed_uniform(5e-4, 1.5e-3);
    const double wave = random.uniform(0.0, 0.004), shift = random.uniform(-pi, pi);
    const CamProfile profile(followed(
        [&](double angle) {
          const double at = 2.0 * angle + shift;
          return CurvePoint{mean + growth * angle + wave * std::cos(at),
                            growth - 2.0 * wave * std::sin(at), -4.0 * wave * std::cos(at)};
        },
        Measure::lever, -5.0 * pi, 5.0 * pi));
    const bool arrives = random.chance(0.5);
    CableStop next = eye(random.uniform(0.3, 0.6), random.uniform(-0.2, 0.2));
    if (random.chance(0.5)) next.place = {-next.place(0), next.place(1), 0.0};
    const double seen = std::atan2(next.place(1), next.place(0));
    const double start =
        std::remainder(seen + (arrives ? pi : -pi) / 2.0 + random.uniform(-1.5, 1.5), 2.0 * pi);
    const double turned = random.uniform(-2.9 * pi, 2.9 * pi);
    CableCourse course, ahead, behind;
    INFO("run " << i);
    REQUIRE_FALSE(lay(next, turned_cam(profile, start, turned), arrives, course));
    REQUIRE_FALSE(lay(next, turned_cam(profile, start, turned + step), arrives, ahead));
    REQUIRE_FALSE(lay(next, turned_cam(profile, start, turned - step), arrives, behind));
    const std::size_t cam = arrives ? 1 : 0;
    const CamProfile::Contact contact = profile.at(course.around[cam]);
    const double slope = (ahead.length - behind.length) / (2.0 * step);
    CHECK(slope == Approx(arrives ? contact.lever : -contact.lever).margin(2e-8));
    // all the cable: the straight part, and the edge by the sum of many chords
    const double end = arrives ? 5.0 * pi : -5.0 * pi;
    Vec2<double> last = CamProfile::place(contact);
    double length = (course.in[1] - course.out[0]).norm();
    constexpr int chords = 4000;
    for (int k = 1; k <= chords; ++k) {
      const double angle = contact.angle + (end - contact.angle) * k / chords;
      const Vec2<double> place = CamProfile::place(profile.at(angle));
      length += (place - last).norm();
      last = place;
    }
    CHECK(course.length == Approx(length).epsilon(2e-6));
    // the turn is the one that the start and the joint say
    CHECK(std::abs(contact.angle + turned - start) < pi);
    // and none where what is next is seen far from there
    const double middle = seen + (arrives ? pi : -pi) / 2.0;
    for (const double off : {-0.76 * pi, 0.76 * pi, pi})
      CHECK(lay(next, turned_cam(profile, middle + off, turned), arrives, ahead)->kind ==
            CableFault::Kind::off_cam);
    ++compared;
  }
  CHECK(compared == trials(1000));
}

TEST_CASE("a closed table repeats, and any part of a table is the table's own edge") {
  const auto curve = [](double angle) {
    return CurvePoint{0.05 + 0.01 * std::cos(2.0 * angle) / 3.0,
                      -0.02 * std::sin(2.0 * angle) / 3.0, -0.04 * std::cos(2.0 * angle) / 3.0};
  };
  std::vector<CamProfile::Knot> table;
  std::vector<double> angles, levers;
  for (int i = 0; i <= 360; ++i) {
    const double angle = -1.0 + 2.0 * pi * i / 360;
    const CurvePoint at = curve(angle);
    table.push_back({angle, at.value, at.slope, at.value + at.bend});
    angles.push_back(angle);
    levers.push_back(at.value);
  }
  REQUIRE(CamProfile::is_closed(table));
  const auto part_of = [&](double from, double to) {
    auto found = CamProfile::part(table, from, to);
    if (const auto* reason = std::get_if<std::string>(&found)) FAIL(*reason);
    std::size_t at = 0;
    const auto wrong = CamProfile::check(std::get<0>(found), at, true);
    if (wrong) FAIL(*wrong);
    return CamProfile(std::get<0>(found));
  };
  const CamProfile long_one = part_of(-17.3, 12.9);
  const CamProfile followed_one(followed(curve, Measure::lever, -17.3, 12.9));
  CHECK(long_one.length() == Approx(followed_one.length()).epsilon(1e-12));
  for (double angle = -17.3; angle < 12.9; angle += 0.11) {
    CHECK(long_one.at(angle).lever == Approx(followed_one.at(angle).lever).margin(1e-14));
    CHECK(long_one.at(angle).gone == Approx(followed_one.at(angle).gone).margin(1e-12));
  }
  const CamProfile whole(table), cut = part_of(0.123, 2.345);
  CHECK(cut.length() == Approx(whole.at(2.345).gone - whole.at(0.123).gone).epsilon(1e-12));
  for (double angle = 0.123; angle < 2.345; angle += 0.01)
    CHECK(cut.at(angle).lever == Approx(whole.at(angle).lever).margin(1e-15));

  // levers alone that close have no ends at which the spline is straight
  const auto closed = CamProfile::smooth_closed(angles, levers);
  REQUIRE(closed.size() == table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    CHECK(closed[i].offset == Approx(table[i].offset).margin(1e-7));
    CHECK(closed[i].radius == Approx(table[i].radius).margin(1e-5));
  }
  const auto sparse =
      CamProfile::smooth_closed({0.0, 2.0, 4.0, 2.0 * pi}, {0.05, 0.052, 0.049, 0.05});
  CHECK(sparse.front().offset == Approx(sparse.back().offset).margin(1e-15));
  CHECK(sparse.front().radius == Approx(sparse.back().radius).margin(1e-15));

  table.pop_back();
  const auto open = CamProfile::part(table, -2.0, 1.0);
  REQUIRE(std::holds_alternative<std::string>(open));
  CHECK(std::get<std::string>(open).find("expected a part of that, or a closed table") !=
        std::string::npos);
}

TEST_CASE("curves that are no edge are refused in words") {
  const auto says = [](const std::string& text, const std::string& part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  };
  const auto constant = [](double value) {
    return [value](double) { return CurvePoint{value, 0.0, 0.0}; };
  };
  says(refusal(constant(0.1), Measure::lever, 1.0, 1.0), "an end above its beginning");
  says(refusal(constant(0.1), Measure::lever, 0.0, 1000.0), "at most 100 turns");
  says(refusal(constant(0.1), Measure::lever, 1e17, 1e17 + 64.0), "within 1000 turns from 0");
  says(refusal(constant(-0.1), Measure::lever, 0.0, 1.0),
       "its radius of curvature is -0.1 m at 0 rad");
  says(refusal(constant(0.0), Measure::distance, 0.0, 1.0), "its distance is 0 m");
  says(refusal(constant(std::nan("")), Measure::distance, 0.0, 1.0),
       "its distance or a derivative");
  says(refusal(constant(std::nan("")), Measure::lever, 0.0, 1.0), "its lever or a derivative");
  const auto corner = [](double angle) {
    return CurvePoint{0.1 + 0.01 * std::abs(angle - 0.31), angle < 0.31 ? -0.01 : 0.01, 0.0};
  };
  says(refusal(corner, Measure::lever, 0.0, 1.0), "it has a corner, or changes too fast, at 0.31");
  const auto hollow = [](double angle) {
    return CurvePoint{0.1 + 0.04 * std::cos(2.0 * angle), -0.08 * std::sin(2.0 * angle),
                      -0.16 * std::cos(2.0 * angle)};
  };
  says(refusal(hollow, Measure::distance, 0.0, 3.0), "expected a convex edge");
  says(refusal(hollow, Measure::lever, 0.0, 3.0), "its radius of curvature is -0.02 m at 0 rad");
  // a radius of curvature may jump, where two arcs meet
  const auto arcs = [](double angle) {
    const double beyond = std::max(angle - 0.5, 0.0);
    return CurvePoint{0.1 + 0.02 * (1.0 - std::cos(beyond)), 0.02 * std::sin(beyond),
                      angle > 0.5 ? 0.02 * std::cos(beyond) : 0.0};
  };
  const CamProfile two_arcs(followed(arcs, Measure::lever, 0.0, 1.5));
  CHECK(two_arcs.length() == Approx(0.1 * 0.5 + 0.12 * 1.0).epsilon(1e-11));
}

TEST_CASE("what a curve does within a degree or two is seen wherever it is") {
  for (int i = 0; i < 60; ++i) {
    const double at = -1.9 + 0.0773 * i;
    const auto bump = [at](double angle) {
      const double high = std::max(0.0, 0.01 - std::abs(angle - at));
      return CurvePoint{0.03 + high, high > 0.0 ? (angle < at ? 1.0 : -1.0) : 0.0, 0.0};
    };
    CAPTURE(at);
    CHECK(refusal(bump, Measure::lever, -2.5, 3.0)
              .starts_with("it has a corner, or changes too fast, at "));
  }
  // waves that are 0 at every degree and a half
  const auto waves = [](double angle) {
    const double phase = 120.0 * angle;
    return CurvePoint{0.03 + 2e-6 * std::sin(phase), 2.4e-4 * std::cos(phase),
                      -0.0288 * std::sin(phase)};
  };
  const CamProfile edge(followed(waves, Measure::lever, -pi, pi));
  for (double angle = -3.1; angle < 3.1; angle += 0.00371)
    CHECK(edge.at(angle).lever == Approx(waves(angle).value).epsilon(1e-13).margin(1e-13));
}

TEST_CASE("the joints that turn a cam are the last ones about parallel axes, with their signs") {
  Mechanism mechanism;
  const auto add = [&](JointType type, const Vec3d& axis, const Mat3d& rotation) {
    Body body;
    body.parent = mechanism.bodies.empty() ? world_body : BodyIndex(mechanism.body_count() - 1);
    body.joint.type = type;
    body.joint.axis = axis;
    body.joint.rotation = rotation;
    mechanism.bodies.push_back(body);
  };
  const Mat3d quarter = Eigen::AngleAxisd(pi / 2.0, Vec3d::UnitX()).toRotationMatrix();
  add(JointType::revolute, Vec3d::UnitZ(), Mat3d::Identity());   // z of the world
  add(JointType::revolute, Vec3d::UnitX(), Mat3d::Identity());   // not parallel
  add(JointType::revolute, Vec3d::UnitZ(), Mat3d::Identity());   // z of its parent
  add(JointType::prismatic, Vec3d::UnitX(), quarter);            // its y is its parent's z
  add(JointType::revolute, -Vec3d::UnitY(), Mat3d::Identity());  // minus that
  Point cam;
  cam.is_cam = true;
  cam.axis = Vec3d::UnitY();
  const std::vector<double> q = {1.0, 2.0, 4.0, 8.0, 16.0};
  const std::vector<BodyIndex> chain = {BodyIndex(0), BodyIndex(1), BodyIndex(2), BodyIndex(3),
                                        BodyIndex(4)};
  const auto position = [&](BodyIndex body) { return q[static_cast<std::size_t>(int{body})]; };
  CHECK(turned_by(mechanism, cam, chain, position) == 4.0 - 16.0);
  cam.axis = -Vec3d::UnitY();
  CHECK(turned_by(mechanism, cam, chain, position) == 16.0 - 4.0);
  CHECK(turned_by(mechanism, cam, std::span(chain).last(1), position) == 16.0);
  CHECK(turned_by(mechanism, cam, {}, position) == 0.0);
}
