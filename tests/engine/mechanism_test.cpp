#include "engine/mechanism/mechanism.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "tests/support/flat.hpp"

using namespace counterpoise;
using test::Flat;

namespace {

Mechanism sound() {
  Flat flat;
  const int arm = flat.revolute(world_body, 0.0, 0.0);
  flat.load(arm, 2.0, 0.3, 0.1);
  flat.motor(arm);
  Spring spring;
  spring.name = "spring";
  spring.points = {flat.point(world_body, 0.0, 1.0), flat.point(arm, 0.5, 0.0)};
  flat.mechanism.springs.push_back(spring);
  return flat.mechanism;
}

/// What is found wrong after `change`, or "nothing".
template <class Change>
std::string wrong_after(const Change& change) {
  Mechanism mechanism = sound();
  change(mechanism);
  return find_impossible_number(mechanism).value_or("nothing");
}

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("possible numbers are left alone") {
  CHECK(wrong_after([](Mechanism&) {}) == "nothing");
  // a thin rod and a flat plate lie on the border of what is possible
  CHECK(wrong_after([](Mechanism& m) {
          m.bodies[0].inertia = Vec3d(0.0, 1.0, 1.0).asDiagonal();
        }) == "nothing");
  CHECK(wrong_after([](Mechanism& m) {
          m.bodies[0].inertia = Vec3d(1.0, 1.0, 2.0).asDiagonal();
        }) == "nothing");
  // a body without mass may carry a bare moment of inertia, as a rotor would
  CHECK(wrong_after([](Mechanism& m) {
          m.bodies[0].mass = 0.0;
          m.bodies[0].inertia = Vec3d(0.0, 0.0, 1.0).asDiagonal();
        }) == "nothing");
}

TEST_CASE("impossible numbers are found and named with their element") {
  using Catch::Contains;
  CHECK_THAT(wrong_after([](Mechanism& m) { m.bodies[0].mass = -1.0; }),
             Contains("b0") && Contains("negative"));
  CHECK_THAT(wrong_after([](Mechanism& m) { m.bodies[0].mass = not_a_number; }),
             Contains("b0") && Contains("finite"));
  CHECK_THAT(wrong_after([](Mechanism& m) { m.bodies[0].com.y() = not_a_number; }), Contains("b0"));
  CHECK_THAT(wrong_after([](Mechanism& m) { m.bodies[0].joint.origin.x() = not_a_number; }),
             Contains("b0"));
  CHECK_THAT(wrong_after([](Mechanism& m) { m.bodies[0].joint.axis.setZero(); }),
             Contains("b0") && Contains("axis"));
  CHECK_THAT(wrong_after([](Mechanism& m) { m.bodies[0].joint.rotation *= 1.01; }),
             Contains("b0") && Contains("rotation"));
  CHECK_THAT(wrong_after([](Mechanism& m) { m.bodies[0].joint.rotation = -Mat3d::Identity(); }),
             Contains("b0") && Contains("rotation"));
  CHECK_THAT(
      wrong_after([](Mechanism& m) { m.bodies[0].inertia = Vec3d(-0.1, 1.0, 1.0).asDiagonal(); }),
      Contains("b0") && Contains("semidefinite"));
  CHECK_THAT(
      wrong_after([](Mechanism& m) { m.bodies[0].inertia = Vec3d(0.1, 0.1, 1.0).asDiagonal(); }),
      Contains("b0") && Contains("triangle"));
  CHECK_THAT(wrong_after([](Mechanism& m) { m.points[1].position.z() = not_a_number; }),
             Contains("p1"));
  CHECK_THAT(wrong_after([](Mechanism& m) { m.gravity.z() = not_a_number; }), Contains("gravity"));
  CHECK_THAT(wrong_after([](Mechanism& m) { m.springs[0].rate = -1.0; }),
             Contains("spring") && Contains("rate"));
  CHECK_THAT(wrong_after([](Mechanism& m) { m.springs[0].free_length = -0.1; }),
             Contains("spring") && Contains("free length"));
  CHECK_THAT(wrong_after([](Mechanism& m) { m.springs[0].initial_tension = not_a_number; }),
             Contains("spring") && Contains("finite"));
}

TEST_CASE("elements are found by name") {
  const Mechanism mechanism = sound();
  CHECK(find_body(mechanism, "b0") == 0);
  CHECK(find_actuator(mechanism, "a0") == 0);
  CHECK(find_spring(mechanism, "spring") == 0);
  CHECK(find_body(mechanism, "b1") == -1);
}
