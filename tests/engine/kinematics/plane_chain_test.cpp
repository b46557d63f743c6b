// Chains that move in a plane, in two coordinates, against the same chains in space.
#include <catch2/catch.hpp>
#include <cmath>

#include "engine/kinematics/closure/closed_form.hpp"
#include "engine/kinematics/closure/equation_system.hpp"
#include "engine/kinematics/closure/sample_state.hpp"
#include "engine/math/pack.hpp"
#include "tests/support/numbered.hpp"
#include "tests/support/random.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// A chain of turns and slides in a plane anywhere in space, among them fixed bodies whose axes are
/// turned about any direction.
struct InPlane {
  PlaneAxes plane;
  Mechanism mechanism;
  Paths paths;
  std::vector<JointFrame> frames;

  static Mechanism make(Random& random, const PlaneAxes& plane, int bodies) {
    Mechanism mechanism;
    Mat3d turned = Mat3d::Identity();  // axes of the last body with all joints at zero
    for (int b = 0; b < bodies; ++b) {
      Body body;
      body.name = numbered("b", mechanism.bodies.size());
      body.parent = b - 1;
      body.joint.origin = turned.transpose() * random.vector(0.5);
      const Mat3d mount =
          Eigen::AngleAxisd(random.uniform(-3.0, 3.0), random.direction()).toRotationMatrix();
      body.joint.rotation = mount;
      turned *= mount;
      const double angle = random.uniform(-3.0, 3.0);
      const Vec3d along = plane.e1 * std::cos(angle) + plane.e2 * std::sin(angle);
      const int kind = random.below(5);
      body.joint.type = kind == 0   ? JointType::fixed
                        : kind == 1 ? JointType::prismatic
                                    : JointType::revolute;
      const double sign = random.below(2) == 0 ? -1.0 : 1.0;
      body.joint.axis = turned.transpose() *
                        (body.joint.type == JointType::prismatic ? along : plane.normal * sign);
      mechanism.bodies.push_back(body);
    }
    mechanism.points = {{"start", world_body, Vec3d::Zero()},
                        {"end", bodies - 1, random.vector(0.5)}};
    mechanism.loops = {{"loop", {0, 1}}};
    return mechanism;
  }
  static PlaneAxes some_plane(Random& random) {
    PlaneAxes plane;
    plane.normal = random.direction();
    plane.e1 = plane.normal.unitOrthogonal();
    plane.e2 = plane.normal.cross(plane.e1);
    return plane;
  }
  InPlane(Random& random, int bodies)
      : plane(some_plane(random)), mechanism(make(random, plane, bodies)), paths(mechanism) {
    prepare_frames(mechanism, frames);
  }
};

}  // namespace

TEST_CASE("a chain in a plane moves in two coordinates as it does in space") {
  Random random(20270301);
  for (int trial = 0; trial < test::trials(300); ++trial) {
    CAPTURE(trial);
    const int bodies = 1 + random.below(6);
    const InPlane chain(random, bodies);
    const Path& path = chain.paths.loops.front();
    const DesignGeometry geometry{chain.mechanism, chain.frames};
    Trace<double> scratch;
    scratch.resize(path.chains[1].size());
    PlaneChain planar;
    planar.set(geometry, path, 1, chain.plane, SampleState(bodies).view(), scratch);

    JointMotion<Pack> motion;
    motion.resize(bodies, lanes<Pack>);
    const JointState<Pack> state = motion.block(0);
    for (int body = 0; body < bodies; ++body)
      for (int k = 0; k < lanes<Pack>; ++k) {
        if (!chain.mechanism.moves(body)) continue;
        const auto b = static_cast<std::size_t>(body);
        set_lane(state.q[b], k, random.uniform(-3.0, 3.0));
        set_lane(state.v[b], k, random.uniform(-1.0, 1.0));
        set_lane(state.a[b], k, random.uniform(-1.0, 1.0));
        if (chain.frames[b].type == JointType::revolute)
          sincos(state.q[b], state.sine[b], state.cosine[b]);
      }
    PlaneTrace<Pack> found;
    found.follow(planar, state);
    const Vec2<Pack> acceleration = found.acceleration(planar, state);

    for (int k = 0; k < lanes<Pack>; ++k) {
      SampleState sample(bodies);
      sample.read(motion, k);
      Trace<double> trace;
      trace.resize(path.chains[1].size());
      trace_end<double>(geometry, path, 1, sample.view(), trace);
      const EndState<double> end =
          trace_motion<double>(chain.frames, path.chains[1], sample.view(), trace);
      const auto same = [&](const Vec2<Pack>& a, const Vec3d& b) {
        CHECK(lane(a(0), k) == Approx(chain.plane.e1.dot(b)).margin(1e-12));
        CHECK(lane(a(1), k) == Approx(chain.plane.e2.dot(b)).margin(1e-12));
      };
      same(found.p, trace.p);
      same(acceleration, end.a);
      CHECK(planar.height == Approx(chain.plane.normal.dot(trace.p)).margin(1e-12));
      for (std::size_t i = 0; i < planar.joints.size(); ++i) {
        same(found.origin[i], trace.origin[planar.joints[i].position]);
        same(found.column[i], trace.column[planar.joints[i].position]);
      }
    }
  }
}
