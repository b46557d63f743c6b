#include "tests/oracles/branch_force.hpp"

#include "tests/oracles/energy.hpp"

namespace counterpoise::oracle {
namespace {

/// All that the sums below need to know.
struct Instant {
  const Mechanism& mechanism;
  std::vector<Eigen::Matrix4d> poses;
  std::span<const double> v, a;

  [[nodiscard]] const Joint& joint(int b) const { return mechanism.bodies[b].joint; }
  [[nodiscard]] int parent(int b) const { return mechanism.bodies[b].parent; }
  [[nodiscard]] Mat3d turn(int b) const { return poses[b].topLeftCorner<3, 3>(); }
  [[nodiscard]] Vec3d origin(int b) const { return poses[b].topRightCorner<3, 1>(); }
  [[nodiscard]] Vec3d axis(int b) const { return turn(b) * joint(b).axis; }
  [[nodiscard]] bool turns(int b) const { return joint(b).type == JointType::revolute; }
  [[nodiscard]] bool slides(int b) const { return joint(b).type == JointType::prismatic; }
  [[nodiscard]] double rate(int b) const { return v[b]; }
  [[nodiscard]] double rate_of_rate(int b) const { return a[b]; }
};

Vec3d spin(const Instant& now, int body) {
  Vec3d sum = Vec3d::Zero();
  for (int j = body; j != world_body; j = now.parent(j))
    if (now.turns(j)) sum += now.rate(j) * now.axis(j);
  return sum;
}

Vec3d velocity(const Instant& now, int body, const Vec3d& place) {
  Vec3d sum = Vec3d::Zero();
  for (int j = body; j != world_body; j = now.parent(j)) {
    if (now.turns(j)) sum += now.rate(j) * now.axis(j).cross(place - now.origin(j));
    if (now.slides(j)) sum += now.rate(j) * now.axis(j);
  }
  return sum;
}

Vec3d spin_rate(const Instant& now, int body) {
  Vec3d sum = Vec3d::Zero();
  for (int j = body; j != world_body; j = now.parent(j))
    if (now.turns(j))
      sum += now.rate_of_rate(j) * now.axis(j) + now.rate(j) * spin(now, j).cross(now.axis(j));
  return sum;
}

/// Of a place fixed to the body: the time derivative of `velocity`, term by term.
Vec3d acceleration(const Instant& now, int body, const Vec3d& place) {
  const Vec3d of_place = velocity(now, body, place);
  Vec3d sum = Vec3d::Zero();
  for (int j = body; j != world_body; j = now.parent(j)) {
    const Vec3d axis = now.axis(j), turning = spin(now, j).cross(axis);
    const Vec3d arm = place - now.origin(j);
    if (now.turns(j))
      sum += now.rate_of_rate(j) * axis.cross(arm) +
             now.rate(j) *
                 (turning.cross(arm) + axis.cross(of_place - velocity(now, j, now.origin(j))));
    if (now.slides(j)) sum += now.rate_of_rate(j) * axis + now.rate(j) * turning;
  }
  return sum;
}

}  // namespace

Load branch_force(const Mechanism& mechanism, std::span<const double> q, std::span<const double> v,
                  std::span<const double> a, int body) {
  const Instant now{mechanism, world_poses(mechanism, q), v, a};
  Load load;
  for (int b = body; b < mechanism.body_count(); ++b) {
    int below = b;
    while (below > body) below = now.parent(below);
    if (below != body) continue;
    const Body& part = mechanism.bodies[b];
    const Vec3d centre = now.origin(b) + now.turn(b) * part.com;
    const Vec3d force = part.mass * (acceleration(now, b, centre) - mechanism.gravity);
    const Mat3d inertia = now.turn(b) * part.inertia * now.turn(b).transpose();
    const Vec3d omega = spin(now, b);
    load.force += force;
    load.moment += (centre - now.origin(body)).cross(force) + inertia * spin_rate(now, b) +
                   omega.cross(inertia * omega);
  }
  return load;
}

}  // namespace counterpoise::oracle
