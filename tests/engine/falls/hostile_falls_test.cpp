// Falls that are easy to get wrong: what is followed meets what does not give way, rebounds without
// end, more contacts than freedoms.
#include <cmath>
#include <numbers>

#include "tests/engine/falls/falling.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

using std::numbers::pi;
using Kind = FallEvent::Kind;

constexpr double g = 10.0;

int count(const Fall& fall, Kind kind) {
  return static_cast<int>(std::count_if(fall.events.begin(), fall.events.end(),
                                        [kind](const auto& event) { return event.kind == kind; }));
}

void add_motor(Mechanism& mechanism, BodyIndex joint) {
  Actuator actuator;
  actuator.name = "motor";
  actuator.joint = joint;
  mechanism.actuators.push_back(actuator);
}

ActuatorRule following(const Profile& profile) {
  return {ActuatorMode::follow, profile, 100.0};
}

/// A ball of mass 2 over the floor.
Mechanism ball() {
  Mechanism mechanism;
  mechanism.gravity = Vec3d(0.0, 0.0, -g);
  add_slider(mechanism, "ball", world_body, Vec3d::UnitZ(), 2.0);
  mechanism.points = {{"centre", 0, Vec3d::Zero()}};
  return mechanism;
}

/// A rod of 2 m and 3 kg in the plane of x and z, with a point at each end.
Mechanism rod() {
  Mechanism mechanism;
  mechanism.gravity = Vec3d(0.0, 0.0, -g);
  add_slider(mechanism, "x", world_body, Vec3d::UnitX(), 0.0);
  add_slider(mechanism, "z", 0, Vec3d::UnitZ(), 0.0);
  add_hinge(mechanism, "rod", 1, Vec3d::UnitY(), 3.0, Vec3d::Zero(), Vec3d(0.0, 1.0, 1.0));
  mechanism.points = {{"left", 2, Vec3d(-1, 0, 0)}, {"right", 2, Vec3d(1, 0, 0)}};
  return mechanism;
}

/// A square plate of 2 m and 4 kg that tilts and sinks, with feet at its corners and its centre. A
/// ram pushes it up at `lever` from its centre along x; the plate rests on the floor.
Mechanism plate(double lever) {
  Mechanism mechanism;
  mechanism.gravity = Vec3d(0.0, 0.0, -g);
  add_slider(mechanism, "z", world_body, Vec3d::UnitZ(), 0.0);
  add_hinge(mechanism, "roll", 0, Vec3d::UnitX(), 0.0, Vec3d::Zero(), Vec3d::Zero());
  add_hinge(mechanism, "plate", 1, Vec3d::UnitY(), 4.0, Vec3d::Zero(), Vec3d(1.0, 1.0, 2.0));
  for (const Vec3d& place : {Vec3d(-1, -1, 0), Vec3d(-1, 1, 0), Vec3d(1, -1, 0), Vec3d(1, 1, 0),
                             Vec3d(0, 0, 0), Vec3d(lever, 0, 0)})
    mechanism.points.push_back({"p" + std::to_string(mechanism.points.size()), 2, place});
  mechanism.points.push_back({"anchor", world_body, Vec3d(lever, 0.0, -3.0)});
  Actuator ram;
  ram.name = "ram";
  ram.points = {6, 5};
  mechanism.actuators.push_back(ram);
  return mechanism;
}

}  // namespace

TEST_CASE("what is followed through a floor hits it once each time, without an impulse") {
  for (const bool more : {false, true}) {
    CAPTURE(more);
    Mechanism mechanism = ball();
    add_motor(mechanism, 0);
    if (more) add_slider(mechanism, "free", 0, Vec3d::UnitX(), 1.0);
    Scenario scenario{.duration = 2.0, .step = 0.05};
    scenario.actuators = {following(Sine{0.5, 1.0, 1.0, 0.0})};
    scenario.contacts.push_back(floor_contact({0}, 0.3));
    JointStart start{{0.5}, {2.0 * pi}};
    if (more) start = {{0.5, 0.0}, {2.0 * pi, 0.0}};
    const Fall fall = let_go(mechanism, scenario, start);
    REQUIRE(fall.events.size() == 2);
    for (const int period : {0, 1}) {
      const FallEvent& event = fall.events[period];
      CHECK(event.kind == Kind::impact);
      CHECK(event.time == Approx(7.0 / 12.0 + period).epsilon(1e-12));
      CHECK(event.normal_velocity_before == Approx(-pi * std::sqrt(3.0)).epsilon(1e-9));
      CHECK(event.normal_velocity_after == event.normal_velocity_before);
      CHECK(event.impulse == 0.0);
    }
    CHECK(fall.extremes.energy_lost == 0.0);
    CHECK(energy_drift(fall) <= 1e-8);
  }
}

TEST_CASE("a point that grazes a floor within a long step is seen, and one that misses it is not") {
  // an arm turns at 1 rad/s, and its point comes down to a depth below the floor or above it
  Mechanism mechanism;
  mechanism.gravity.setZero();
  add_hinge(mechanism, "arm", world_body, Vec3d::UnitY(), 1.0, Vec3d::Zero(), Vec3d(1, 1, 1));
  mechanism.points = {{"tip", 0, Vec3d::UnitX()}};
  for (const double depth : {1e-2, 1e-4, 1e-6, 1e-8, -1e-8, -1e-6, -1e-4, -1e-2}) {
    CAPTURE(depth);
    Scenario scenario{.duration = 3.0, .step = 3.0};
    scenario.contacts.push_back(floor_contact({0}, 1.0));
    scenario.contacts[0].surface.point.z() = depth - 1.0;
    const Fall fall = let_go(mechanism, scenario, {{0.0}, {1.0}});
    REQUIRE(fall.events.size() == (depth > 0.0 ? 1 : 0));
    if (depth > 0.0) {
      // 1 - cos(angle before the lowest place) = depth
      const double before = 2.0 * std::asin(std::sqrt(depth / 2.0));
      CHECK(fall.events[0].time == Approx(pi / 2.0 - before).epsilon(1e-9));
    }
  }
}

TEST_CASE("where a path ends in motion, what follows it is stopped by an impulse") {
  // a carriage of 2 kg follows, and a trolley of 3 kg on it is free and goes on
  for (const bool ram : {false, true}) {
    CAPTURE(ram);
    Mechanism mechanism;
    mechanism.gravity.setZero();
    add_slider(mechanism, "carriage", world_body, Vec3d::UnitX(), 2.0);
    add_slider(mechanism, "trolley", 0, Vec3d::UnitX(), 3.0);
    mechanism.points = {{"wall", world_body, Vec3d(-2, 0, 0)}, {"end", 0, Vec3d::Zero()}};
    add_motor(mechanism, ram ? world_body : BodyIndex(0));
    if (ram) mechanism.actuators[std::size_t{0}].points = {0, 1};
    Scenario scenario{.duration = 1.0, .step = 0.1};
    // position 2 + sin(pi t / 2) from t = 0.2 on, for 0.45 s
    scenario.actuators = {{ActuatorMode::follow, Sine{2.0, 1.0, 4.0, 0.0}, 0.65, 0.2}};
    if (!ram) scenario.actuators[0].profile = Sine{0.0, 1.0, 4.0, 0.0};
    const double first = pi / 2.0 * std::cos(0.1 * pi), final = pi / 2.0 * std::cos(0.325 * pi);
    const Fall fall = let_go(mechanism, scenario, {{std::sin(0.1 * pi), 0.0}, {first, 0.0}});
    REQUIRE(fall.events.size() == 1);
    const FallEvent& event = fall.events.front();
    CHECK(event.contact == 0);
    CHECK(event.time == Approx(0.45).epsilon(1e-12));
    CHECK(event.normal_velocity_before == Approx(final).epsilon(1e-9));
    CHECK(event.impulse == Approx(-2.0 * final).epsilon(1e-9));
    CHECK(event.energy_lost == Approx(final * final).epsilon(1e-9));
    CHECK(last(fall, "carriage.q") == Approx(std::sin(0.325 * pi)).epsilon(1e-9));
    CHECK(last(fall, "carriage.qd") == Approx(0.0).margin(1e-12));
    CHECK(last(fall, "trolley.qd") == Approx(first).epsilon(1e-9));  // nothing ever pushed it
    CHECK(energy_drift(fall) <= 1e-9);
  }
}

TEST_CASE("what is held touches a floor without events") {
  Mechanism mechanism = ball();
  add_motor(mechanism, 0);
  Scenario scenario{.duration = 1.0, .step = 0.1};
  scenario.actuators.resize(1);
  scenario.actuators[0].mode = ActuatorMode::held;
  scenario.contacts.push_back(floor_contact({0}, 0.3));
  CHECK(let_go(mechanism, scenario, {{0.0}, {0.0}}).events.empty());
}

TEST_CASE("a platform that lifts a ball to the ceiling ends the fall there, by name") {
  Mechanism mechanism = ball();
  add_slider(mechanism, "platform", world_body, Vec3d::UnitZ(), 1.0);
  add_motor(mechanism, 1);
  Scenario scenario{.duration = 2.0, .step = 0.1};
  scenario.actuators = {following(Sine{-1.0, 1.0, 4.0, 0.0})};
  Contact lift = floor_contact({0}, 0.0), ceiling = floor_contact({0}, 0.5);
  lift.name = "lift";
  lift.surface.body = 1;
  lift.surface.point.z() = 1.0;
  ceiling.name = "ceiling";
  ceiling.surface.direction = -Vec3d::UnitZ();
  ceiling.surface.point.z() = 0.5;
  scenario.contacts = {lift, ceiling};
  // the ball rests on the lift, which rises as sin(pi t / 2), and both are at 0.5 after 1/3 s
  const double speed = pi / 2.0;
  const auto result = simulate_fall(mechanism, scenario, {{0.0, -1.0}, {speed, speed}}, {});
  REQUIRE(std::holds_alternative<Fall>(result));
  const Fall& fall = std::get<Fall>(result);
  REQUIRE(fall.stopped);
  CHECK(fall.stopped->kind == FallStop::Kind::jammed);
  CHECK(fall.stopped->time == Approx(1.0 / 3.0).epsilon(1e-10));
  CHECK(fall.stopped->words ==
        "what is followed presses against ceiling, lift, and nothing can give way");
  CHECK(last(fall, "t") == fall.stopped->time);
}

TEST_CASE("a shut contact passes an impulse on, and leaves the others their restitution") {
  // a ball of 2 kg falls onto a block of 5 kg that rests on the floor
  Mechanism mechanism = ball();
  add_slider(mechanism, "block", world_body, Vec3d::UnitZ(), 5.0);
  mechanism.points.push_back({"foot", 1, Vec3d::Zero()});
  Scenario scenario{.duration = 0.5, .step = 0.1};
  Contact top = floor_contact({0}, 0.8);
  top.surface.body = 1;
  top.surface.point.z() = 1.0;
  scenario.contacts = {floor_contact({1}, 0.1), top};
  const Fall fall = let_go(mechanism, scenario, {{1.45, 0.0}, {0.0, 0.0}});
  REQUIRE(fall.events.size() == 3);  // the block rests, both are hit
  const double speed = 3.0;          // after 0.45 m
  const FallEvent &hit = fall.events[1], &passed = fall.events[2];
  CHECK(hit.contact == 1);
  CHECK(hit.normal_velocity_after == Approx(0.8 * speed).epsilon(1e-10));
  CHECK(hit.impulse == Approx(2.0 * 1.8 * speed).epsilon(1e-10));
  CHECK_FALSE(hit.restitution_lowered);
  CHECK(passed.contact == 0);
  CHECK(passed.group == hit.group);
  CHECK(passed.impulse == Approx(hit.impulse).epsilon(1e-10));
  CHECK(passed.normal_velocity_after == Approx(0.0).margin(1e-14));
  CHECK(last(fall, "block.q") == Approx(0.0).margin(1e-14));
}

TEST_CASE("rebounds without end come to rest, with a restitution near 1 and any speed of rest") {
  struct Case {
    double restitution, rest_speed;
  };
  for (const auto& [e, rest_speed] : {Case{0.99, 1e-4}, Case{0.99, 1e-12}, Case{0.5, 1e-300}}) {
    CAPTURE(e, rest_speed);
    Scenario scenario{.duration = 120.0, .step = 1.0, .rest_speed = rest_speed};
    scenario.contacts.push_back(floor_contact({0}, e));
    const Fall fall = let_go(ball(), scenario, {{1.0}, {0.0}});
    CHECK(fall.events.back().kind == Kind::rest);
    const double known = std::sqrt(2.0 / g) * (1.0 + e) / (1.0 - e);
    // what does not rise by 1e-11 m is left out
    const double slowest = std::max(rest_speed, std::sqrt(2.0 * g * 1e-11));
    CHECK(fall.events.back().time == Approx(known).margin(2.0 * slowest / g / (1.0 - e) + 1e-7));
    CHECK(count(fall, Kind::impact) ==
          std::lround(std::ceil(std::log(slowest / std::sqrt(2.0 * g)) / std::log(e))));
    CHECK(fall.extremes.energy_lost == Approx(2.0 * g).epsilon(1e-8));
    CHECK(energy_drift(fall) <= 1e-9 * 2.0 * g);
  }
}

TEST_CASE("a rod that falls askew rattles on both ends and comes to rest") {
  for (const double e : {0.0, 0.5, 0.8}) {
    CAPTURE(e);
    Scenario scenario{.duration = 30.0, .step = 0.1};
    scenario.contacts.push_back(floor_contact({0, 1}, e));
    const Fall fall = let_go(rod(), scenario, {{0.0, 1.0, 0.3}, {0.5, 0.0, 0.0}});
    CHECK(fall.events.size() < 3000);
    for (const char* name : {"z.q", "rod.q"}) CHECK(last(fall, name) == Approx(0.0).margin(1e-10));
    for (const char* name : {"z.qd", "rod.qd"})
      CHECK(last(fall, name) == Approx(0.0).margin(1e-12));
    CHECK(last(fall, "x.qd") == Approx(0.5).epsilon(1e-10));
    CHECK(count(fall, Kind::rest) - count(fall, Kind::leave) == 2);
    CHECK(fall.extremes.energy_lost == Approx(3.0 * g).epsilon(1e-8));
    CHECK(energy_drift(fall) <= 1e-8 * 3.0 * g);
  }
}

TEST_CASE("a plate on five feet leaves the floor when a ram lifts it") {
  const double weight = 4.0 * g;
  for (const double lever : {0.0, 0.5, 0.9}) {
    CAPTURE(lever);
    Scenario scenario{.duration = 0.5, .step = 0.05};
    // the ram pushes with 60 N sin(pi t / 2)
    scenario.actuators = {{ActuatorMode::load, Sine{0.0, 60.0, 4.0, 0.0}, 1.0}};
    scenario.contacts.push_back(floor_contact({0, 1, 2, 3, 4}, 0.0));
    const Fall fall = let_go(plate(lever), scenario, {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}});
    REQUIRE(fall.events.size() >= 8);
    for (std::size_t i = 0; i < 5; ++i) CHECK(fall.events[i].kind == Kind::rest);
    CHECK(fall.events[4].group == 1);
    // about the feet at x = -1: weight * 1 = force * (1 + lever); without a lever all feet leave
    const double known = std::asin(weight / (1.0 + lever) / 60.0) * 2.0 / pi;
    for (std::size_t i = 5; i < 8; ++i) {
      CHECK(fall.events[i].kind == Kind::leave);
      CHECK(fall.events[i].time == Approx(known).epsilon(1e-9));
      if (lever > 0.0) CHECK(fall.events[i].point >= 2);
    }
    if (lever == 0.0) {
      CHECK(fall.events.size() == 10);
      CHECK(fall.events[9].time == Approx(known).epsilon(1e-9));
    }
    CHECK(count(fall, Kind::impact) == 0);
    CHECK(energy_drift(fall) <= 1e-9);
  }
}

TEST_CASE("a plate rests on five feet wherever a ram presses inside them") {
  // forces of least norm would pull where others push
  Scenario scenario{.duration = 1.0, .step = 0.05};
  scenario.actuators = {{ActuatorMode::load, Sine{0.0, -400.0, 4.0, 0.0}, 1.0}};
  scenario.contacts.push_back(floor_contact({0, 1, 2, 3, 4}, 0.0));
  const Fall fall = let_go(plate(0.95), scenario, {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}});
  CHECK(count(fall, Kind::rest) == 5);
  CHECK(fall.events.size() == 5);
  CHECK(last(fall, "plate.q") == Approx(0.0).margin(1e-12));
}
