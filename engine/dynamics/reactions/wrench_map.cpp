#include "engine/dynamics/reactions/wrench_map.hpp"

#include <algorithm>

#include "engine/kinematics/closure/equations.hpp"

namespace counterpoise {
namespace {

/// The number of moments that a closure can carry, besides a force in any direction.
int moments_of(LoopKeep keep) {
  switch (keep) {
    case LoopKeep::point:
      return 0;
    case LoopKeep::perpendicular:
      return 1;
    case LoopKeep::parallel:
      return 2;
    case LoopKeep::weld:
      return 3;
  }
  return 0;
}

}  // namespace

WrenchMap::WrenchMap(const Mechanism& mechanism)
    : loops_(Paths(mechanism).loops), bodies_(mechanism.bodies.size()) {
  for (const Body& body : mechanism.bodies) parents_.push_back(body.parent);
  for (const Loop& loop : mechanism.loops) {
    columns_.push_back(first_coupling_);
    second_bodies_.push_back(mechanism.points[loop.points[1]].body);
    first_coupling_ += 3 + moments_of(loop.keep);
  }
  const auto rows = static_cast<Eigen::Index>(6 * (bodies_ + loops_.size()));
  base.setZero(rows);
  slopes.setZero(rows, first_coupling_ + static_cast<Eigen::Index>(mechanism.couplings.size()));
}

const Pose& WrenchMap::pose(BodyIndex body) const {
  static const Pose world;
  return body == world_body ? world : poses_[body];
}

void WrenchMap::begin(std::span<const Pose> poses) {
  poses_ = poses;
  base.setZero();
  slopes.setZero();
  reach_ = 0.0;
}

void WrenchMap::set_joint(BodyIndex body, const Vec3d& force, const Vec3d& moment) {
  base.segment<3>(6 * body) = force;
  base.segment<3>(6 * body + 3) = moment;
}

void WrenchMap::apply(BodyIndex body, const Vec3d& place, const Vec3d& force) {
  for (; body != world_body; body = parents_[body]) {
    const Mat3d to_body = pose(body).rotation.transpose();
    base.segment<3>(6 * body) -= to_body * force;
    base.segment<3>(6 * body + 3) -= to_body * (place - pose(body).origin).cross(force);
  }
}

void WrenchMap::apply_to_joint(BodyIndex body, JointType type, const Vec3d& along) {
  base.segment<3>(6 * body + (type == JointType::revolute ? 3 : 0)) -= along;
}

void WrenchMap::close(const Mechanism& mechanism) {
  for (std::size_t loop = 0; loop < loops_.size(); ++loop) close_loop(mechanism, loop);
}

void WrenchMap::close_loop(const Mechanism& mechanism, std::size_t index) {
  const Loop& loop = mechanism.loops[index];
  const Point& point = mechanism.points[loop.points[1]];
  const Pose& second = pose(point.body);
  const Pose& first = pose(mechanism.points[loop.points[0]].body);
  const Vec3d place = second.origin + second.rotation * point.position;

  std::vector<Vec3d> places = {place};
  for (const std::vector<BodyIndex>& chain : loops_[index].chains)
    for (const BodyIndex body : chain) places.push_back(pose(body).origin);
  for (const Vec3d& one : places)
    for (const Vec3d& other : places) reach_ = std::max(reach_, (one - other).norm());

  Eigen::Index x = columns_[index];
  const Vec3d none = Vec3d::Zero();
  for (Eigen::Index i = 0; i < 3; ++i) add_column(index, x++, place, second.rotation.col(i), none);
  const Vec3d b = second.rotation * loop.axes[1];
  if (loop.keep == LoopKeep::perpendicular)
    add_column(index, x, place, none, (first.rotation * loop.axes[0]).cross(b).normalized());
  if (loop.keep == LoopKeep::parallel) {
    const Vec3d e = second.rotation * loop.axes[1].unitOrthogonal();
    add_column(index, x++, place, none, e);
    add_column(index, x, place, none, b.cross(e));
  }
  if (loop.keep == LoopKeep::weld)
    for (Eigen::Index i = 0; i < 3; ++i)
      add_column(index, x++, place, none, second.rotation.col(i));
}

void WrenchMap::add_column(std::size_t loop, Eigen::Index x, const Vec3d& place, const Vec3d& force,
                           const Vec3d& moment) {
  const Path& path = loops_[loop];
  const Mat3d to_second = pose(second_bodies_[loop]).rotation.transpose();
  slopes.col(x).segment<3>(row_of_loop(loop)) = to_second * force;
  slopes.col(x).segment<3>(row_of_loop(loop) + 3) = to_second * moment;
  // the second chain is pushed and the first pushes back; from their common ancestor to the world
  // nothing changes
  for (std::size_t end : {0u, 1u})
    for (const BodyIndex body : path.chains[end]) {
      const Mat3d to_body = sign_of_end(end) * pose(body).rotation.transpose();
      const Vec3d arm = place - pose(body).origin;
      slopes.col(x).segment<3>(6 * body) = to_body * force;
      slopes.col(x).segment<3>(6 * body + 3) = to_body * (arm.cross(force) + moment);
    }
}

}  // namespace counterpoise
