#include "tests/formulations/parallel_oracle.hpp"

#include <algorithm>
#include <cmath>

namespace counterpoise::test {
namespace {

/// sum over k of X^k / (k + shift)!, which is exp X for shift 0.
Mat3d exponential_series(const Vec3d& w, int shift) {
  Mat3d x;
  x << 0, -w.z(), w.y(), w.z(), 0, -w.x(), -w.y(), w.x(), 0;
  Mat3d term = Mat3d::Identity(), sum = term;
  for (int k = 1; k <= 16; ++k) sum += term = term * x / (k + shift);
  return sum;
}

/// A body that moves: adds what it holds.
struct Sum {
  MassesInMotion total;
  Vec3d gravity;

  void add(double mass, const Vec3d& place, const Vec3d& velocity, const Vec3d& spin_momentum,
           double spin_energy) {
    add_energy(0.5 * mass * velocity.squaredNorm());
    add_energy(spin_energy);
    add_energy(-mass * gravity.dot(place));
    total.momentum += mass * velocity;
    total.moment += mass * place.cross(velocity) + spin_momentum;
  }
  void add_energy(double term) {
    total.energy += term;
    total.size = std::max(total.size, std::abs(term));
  }
};

}  // namespace

PlatformPath path_through(const parallel::PlatformMotion& motion) {
  return [motion](double t) {
    const Vec3d turn = t * motion.omega + 0.5 * t * t * motion.alpha;
    parallel::PlatformMotion now;
    now.position = motion.position + t * motion.velocity + 0.5 * t * t * motion.acceleration;
    now.velocity = motion.velocity + t * motion.acceleration;
    now.rotation = exponential_series(turn, 0) * motion.rotation;
    now.omega = exponential_series(turn, 1) * (motion.omega + t * motion.alpha);
    return now;
  };
}

Line line_of(const parallel::Limb& limb, const parallel::PlatformMotion& motion) {
  const Vec3d arm = motion.rotation * limb.platform_point;
  Line line;
  line.r = motion.position + arm - limb.base_point;
  line.r_dot = motion.velocity + motion.omega.cross(arm);
  line.length = line.r.norm();
  line.rate = line.r.dot(line.r_dot) / line.length;
  line.e = line.r / line.length;
  line.e_dot = line.r_dot / line.length - line.rate * line.r / (line.length * line.length);
  return line;
}

MassesInMotion masses_in_motion(const parallel::Manipulator& manipulator,
                                const parallel::PlatformMotion& motion) {
  Sum sum{{}, manipulator.gravity};
  const auto& platform = manipulator.platform;
  const Vec3d com = motion.rotation * platform.com;
  const Mat3d inertia = motion.rotation * platform.inertia * motion.rotation.transpose();
  const Vec3d spin = inertia * motion.omega;
  sum.add(platform.mass, motion.position + com, motion.velocity + motion.omega.cross(com), spin,
          0.5 * motion.omega.dot(spin));
  for (const auto& limb : manipulator.limbs) {
    const Line line = line_of(limb, motion);
    const Vec3d turning = line.e.cross(line.e_dot);
    const double square = line.e_dot.squaredNorm();
    const LegPart &lower = limb.lower, &upper = limb.upper;
    sum.add(lower.mass, limb.base_point + lower.com * line.e, lower.com * line.e_dot,
            lower.transverse * turning, 0.5 * lower.transverse * square);
    sum.add(upper.mass, limb.base_point + line.r - upper.com * line.e,
            line.r_dot - upper.com * line.e_dot, upper.transverse * turning,
            0.5 * upper.transverse * square);
  }
  return sum.total;
}

UpperMomentum upper_momentum(const parallel::Limb& limb, const parallel::PlatformMotion& motion) {
  const Line line = line_of(limb, motion);
  const Vec3d momentum = limb.upper.mass * (line.r_dot - limb.upper.com * line.e_dot);
  return {momentum, (line.r - limb.upper.com * line.e).cross(momentum) +
                        limb.upper.transverse * line.e.cross(line.e_dot)};
}

}  // namespace counterpoise::test
