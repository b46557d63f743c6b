#include "bench/arms/check.hpp"

#include <Eigen/Geometry>
#include <cstdio>
#include <cstdlib>

#include "engine/kinematics/drive_samples.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise::bench {
namespace {

/// Tip and energy of the arm at time t, in world axes throughout.
struct Snapshot {
  Vec3d tip;
  double energy = 0.0;  // kinetic and potential [J]
};

Snapshot snapshot(const Mechanism& mechanism, const Motion& motion, double t) {
  Snapshot now;
  Eigen::Isometry3d link = Eigen::Isometry3d::Identity();
  Vec3d omega = Vec3d::Zero(), velocity = Vec3d::Zero();
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    const Body& body = mechanism.bodies[b];
    const ProfileValue joint = evaluate(motion.drives[b].profile, t, motion.duration);
    const Vec3d before = link.translation();
    link = link * Eigen::Translation3d(body.joint.origin) *
           Eigen::AngleAxisd(joint.position, body.joint.axis);
    velocity += omega.cross(link.translation() - before);
    omega += link.linear() * body.joint.axis * joint.velocity;
    const Vec3d centre = link * body.com;
    const Vec3d speed = velocity + omega.cross(centre - link.translation());
    const Vec3d turning = link.linear().transpose() * omega;
    now.energy += body.mass * (speed.squaredNorm() / 2.0 - mechanism.gravity.dot(centre)) +
                  turning.dot(body.inertia * turning) / 2.0;
  }
  now.tip = link * arm_tip;
  return now;
}

void require(double off, double size, const char* what) {
  if (off <= 1e-6 * size) return;  // truncation h^2 and rounding 1e-16 / h^2 of the differences
  std::fprintf(stderr, "%s of an arm is off by %g of %g; nothing is timed\n", what, off, size);
  std::exit(1);
}

template <class S>
Vec3d lane_of(const Vec3<S>& v, int i) {
  return {lane(v(0), i), lane(v(1), i), lane(v(2), i)};
}

}  // namespace

template <class S>
void require_right_answers(Arm<S>& arm) {
  arm.move();
  const Motion& motion = arm.motion();
  const double h = 1e-4;
  for (int k = 1; k < arm_samples - 1; ++k) {
    const double t = k * motion.step;
    if (std::abs(t - motion.duration / 2.0) <= h) continue;  // the acceleration jumps there
    const SamplePlace<S> place(k);
    const EndState<S> tip = arm.place(place.block);
    const std::span<const S> torques = arm.forces(place.block);
    const Snapshot now = snapshot(arm.mechanism(), motion, t);
    const Snapshot before = snapshot(arm.mechanism(), motion, t - h);
    const Snapshot after = snapshot(arm.mechanism(), motion, t + h);

    require((lane_of(tip.p, place.lane) - now.tip).norm(), 1.0, "The tip's position");
    const Vec3d velocity = (after.tip - before.tip) / (2.0 * h);
    require((lane_of(tip.v, place.lane) - velocity).norm(), 1.0, "The tip's velocity");
    const Vec3d acceleration = (after.tip - 2.0 * now.tip + before.tip) / (h * h);
    require((lane_of(tip.a, place.lane) - acceleration).norm(), 10.0, "The tip's acceleration");
    double power = 0.0;
    for (std::size_t b = 0; b < torques.size(); ++b)
      power += lane(torques[b], place.lane) *
               evaluate(motion.drives[b].profile, t, motion.duration).velocity;
    require(std::abs(power - (after.energy - before.energy) / (2.0 * h)), 10.0, "The power");
  }
}

template void require_right_answers(Arm<double>&);
template void require_right_answers(Arm<Pack>&);

}  // namespace counterpoise::bench
