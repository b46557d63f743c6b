#include "engine/dynamics/reactions.hpp"

#include "engine/kinematics/closure/equations.hpp"

namespace counterpoise {

Reactions::Reactions(const Mechanism& mechanism)
    : wrenches_(mechanism.bodies.size()), tau_(mechanism.bodies.size()) {
  scratch_.resize(mechanism.bodies.size());
  for (const Body& body : mechanism.bodies) parents_.push_back(body.parent);
  const Paths paths(mechanism);
  for (int b = 0; b < mechanism.body_count(); ++b) {
    bool in_loop = false;
    for (const Path& loop : paths.loops) in_loop = in_loop || loop.contains(b);
    if (!in_loop) bodies_.push_back(b);
  }
}

bool Reactions::carried_by(int body, int ancestor) const {
  while (body != world_body && body != ancestor) body = parents_[static_cast<std::size_t>(body)];
  return body == ancestor;
}

void Reactions::add_line_force(const Mechanism& mechanism, std::array<int, 2> points, double pull) {
  std::array<Vec3d, 2> p;
  std::array<int, 2> on{};
  for (std::size_t end : {0u, 1u}) {
    const Point& point = mechanism.points[static_cast<std::size_t>(points[end])];
    on[end] = point.body;
    const Pose pose =
        point.body == world_body ? Pose{} : poses_[static_cast<std::size_t>(point.body)];
    p[end] = pose.origin + pose.rotation * point.position;
  }
  const Vec3d along = p[1] - p[0];
  if (along.norm() == 0.0) return;
  const Vec3d force = along.normalized() * pull;  // on the first point
  for (int b : bodies_) {
    const bool first = carried_by(on[0], b), second = carried_by(on[1], b);
    if (first == second) continue;
    const Pose& pose = poses_[static_cast<std::size_t>(b)];
    const Vec3d on_branch = first ? force : Vec3d(-force);
    const Vec3d arm = (first ? p[0] : p[1]) - pose.origin;
    Wrench& wrench = wrenches_[static_cast<std::size_t>(b)];
    wrench.force -= pose.rotation.transpose() * on_branch;
    wrench.moment -= pose.rotation.transpose() * arm.cross(on_branch);
  }
}

void Reactions::compute(const Mechanism& mechanism, const TreeModel& tree,
                        std::span<const JointFrame> frames, const JointState<double>& state,
                        std::span<const double> loads, std::span<const double> tensions) {
  inverse_dynamics<double>(tree, state, scratch_, tau_);
  place_bodies(frames, state, poses_);
  for (Wrench& wrench : wrenches_) wrench = {};
  for (const TreeModel::Body& body : tree.bodies) {
    const auto b = static_cast<std::size_t>(body.index);
    wrenches_[b] = {body.axes * scratch_.force[b], body.axes * scratch_.moment[b]};
  }
  for (std::size_t s = 0; s < tensions.size(); ++s) {
    const Spring& spring = mechanism.springs[s];
    if (spring.type == SpringType::torsion) {
      const auto b = static_cast<std::size_t>(spring.joint);
      wrenches_[b].moment += frames[b].axis * tensions[s];
    } else {
      add_line_force(mechanism, spring.points, tensions[s]);
    }
  }
  for (std::size_t a = 0; a < loads.size(); ++a)
    if (mechanism.actuators[a].linear())
      add_line_force(mechanism, mechanism.actuators[a].points, -loads[a]);
}

}  // namespace counterpoise
