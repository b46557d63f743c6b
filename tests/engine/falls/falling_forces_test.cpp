#include <cmath>
#include <numbers>

#include "engine/falls/profile_corners.hpp"
#include "tests/engine/falls/falling.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// A sledge of 2 kg that a force of 6 N pushes along its rail.
Mechanism pushed() {
  Mechanism mechanism;
  mechanism.gravity = Vec3d::Zero();
  add_slider(mechanism, "sledge", world_body, Vec3d::UnitX(), 2.0);
  mechanism.points.push_back({"back", 0, Vec3d::Zero()});
  mechanism.forces.push_back({.name = "push", .point = 0, .force = Vec3d(6.0, 0.0, 0.0)});
  return mechanism;
}

Scenario with(const Profile& profile, double duration, double start = 0.0) {
  Scenario scenario{.duration = 3.0, .step = 0.25};
  scenario.forces.push_back(
      {.force = 0, .profile = profile, .profile_duration = duration, .profile_start = start});
  return scenario;
}

}  // namespace

TEST_CASE("a force without a course pushes all the time") {
  const Fall fall = let_go(pushed(), {.duration = 2.0, .step = 0.5}, {{0.0}, {0.0}});
  CHECK(last(fall, "sledge.q") == Approx(0.5 * 3.0 * 4.0).epsilon(1e-12));
}

TEST_CASE("a force that swells as a sine pushes as its integral says") {
  const Fall fall = let_go(pushed(), with(Sine{0.0, 1.0, 2.0, 0.0}, 3.0), {{0.0}, {0.0}});
  for (std::size_t k = 0; k < values(fall, "t").size(); ++k) {
    const double t = values(fall, "t")[k], w = std::numbers::pi;
    CHECK(values(fall, "sledge.qd")[k] == Approx(3.0 / w * (1.0 - std::cos(w * t))).margin(1e-10));
    CHECK(values(fall, "sledge.q")[k] == Approx(3.0 / w * (t - std::sin(w * t) / w)).margin(1e-10));
  }
  CHECK(energy_drift(fall) < 1e-9);
}

TEST_CASE("a short push between corners acts as its area, whatever the steps") {
  // 0 up to 1.1 s, then to 1 within 2 ms and back within 3 ms: a step over it would miss it
  const auto line = [](double from, double to, double start, double end) {
    return Moves::Piece{start, {from, (to - from) / (end - start)}};
  };
  const Moves pulse{
      .pieces = {{0.0, {}}, line(0.0, 1.0, 1.1, 1.102), line(1.0, 0.0, 1.102, 1.105), {1.105, {}}}};
  for (const double start : {0.0, 0.4}) {
    CAPTURE(start);
    const Fall fall = let_go(pushed(), with(pulse, 3.0, start), {{0.0}, {0.0}});
    const double v = 3.0 * 0.5 * 0.005;
    CHECK(last(fall, "sledge.qd") == Approx(v).epsilon(1e-11));
    CHECK(energy_drift(fall) < 1e-12);
  }
}

TEST_CASE("behind the end of its course a force stays as it is there") {
  const Fall fall = let_go(pushed(), with(BangBang{0.0, 2.0}, 1.0, 0.25), {{0.0}, {0.0}});
  // the factor: t^2 up to 0.5, 0.5 - (1 - t)^2 up to 1, then 0.5; from 0.25 on
  const auto area = [](double t) {
    const double last = 1.0 - std::min(t, 1.0);
    return t < 0.5 ? t * t * t / 3.0
                   : 0.125 / 3.0 + 0.5 * (std::min(t, 1.0) - 0.5) -
                         (0.125 - last * last * last) / 3.0 + 0.5 * std::max(0.0, t - 1.0);
  };
  for (std::size_t k = 0; k < values(fall, "t").size(); ++k)
    CHECK(values(fall, "sledge.qd")[k] ==
          Approx(3.0 * (area(values(fall, "t")[k] + 0.25) - area(0.25))).margin(1e-10));
}

TEST_CASE("a push beyond dry friction moves what stuck, at its instant") {
  // friction of 4 N holds until the factor is 2/3; afterwards what is left accelerates
  Mechanism mechanism = pushed();
  mechanism.bodies[0].friction.coulomb = 4.0;
  const Moves ramp{.pieces = {{0.0, {0.0, 0.5}}, {2.0, {1.0}}}};
  const Fall fall = let_go(mechanism, with(ramp, 3.0), {{0.0}, {0.0}});
  const double slips = 4.0 / 3.0;
  for (std::size_t k = 0; k < values(fall, "t").size(); ++k) {
    const double t = values(fall, "t")[k], since = std::clamp(t - slips, 0.0, 2.0 - slips);
    // (3 t - 4) / 2 from the slip on, and 1 from 2 s on
    const double v = 0.75 * since * since + std::max(0.0, t - 2.0);
    CHECK(values(fall, "sledge.qd")[k] == Approx(v).margin(1e-9));
    if (t < slips) CHECK(values(fall, "sledge.q")[k] == 0.0);
  }
}

TEST_CASE("corners of profiles are where one piece goes over into the next") {
  CHECK(corners_of(Hold{1.0}, 2.0).empty());
  CHECK(corners_of(Sine{}, 2.0).empty());
  CHECK(corners_of(BangBang{}, 2.0) == std::vector<double>{1.0});
  CHECK(corners_of(PointToPoint{0.0, 1.0, 0.5, 1.5}, 2.0) == std::vector<double>{0.5, 1.5});
  CHECK(corners_of(PointToPoint{0.0, 1.0, 0.5, 1.5, MoveShape::trapezoid, 0.25}, 2.0) ==
        std::vector<double>{0.5, 0.75, 1.25, 1.5});
  CHECK(corners_of(clamped_spline({0.0, 0.5, 2.0}, {0.0, 1.0, 0.0}), 2.0) ==
        std::vector<double>{0.0, 0.5, 2.0});
}
