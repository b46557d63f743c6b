#include "tests/oracles/kdl_tree.hpp"

#include <kdl/tree.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <stdexcept>
#include <string>

namespace counterpoise::oracle {
namespace {

KDL::Vector vector(const std::array<double, 3>& x) {
  return {x[0], x[1], x[2]};
}

std::string name(int link) {
  return link < 0 ? "ground" : std::to_string(link);
}

/// KDL's segment frame is a constant behind the joint; with the joint's axis given in the parent's
/// axes through the link's origin, that constant is the link's pose at q = 0.
KDL::Segment segment(const KdlLink& link, int index) {
  const auto& r = link.rotation;
  const KDL::Rotation rotation(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]);
  const KDL::Vector origin = vector(link.origin);
  const KDL::Vector axis = rotation * vector(link.axis);
  const auto& i = link.inertia;
  const KDL::RigidBodyInertia inertia(link.mass, vector(link.com),
                                      KDL::RotationalInertia(i[0], i[1], i[2], i[3], i[4], i[5]));
  KDL::Joint joint(name(index), KDL::Joint::Fixed);
  if (link.joint == KdlJoint::revolute)
    joint = KDL::Joint(name(index), origin, axis, KDL::Joint::RotAxis);
  if (link.joint == KdlJoint::prismatic)
    joint = KDL::Joint(name(index), origin, axis, KDL::Joint::TransAxis);
  return KDL::Segment(name(index), joint, KDL::Frame(rotation, origin), inertia);
}

}  // namespace

std::vector<double> kdl_inverse_dynamics(const std::vector<KdlLink>& links,
                                         const std::array<double, 3>& gravity,
                                         const std::vector<double>& q, const std::vector<double>& v,
                                         const std::vector<double>& a,
                                         const std::vector<KdlWrench>& outside) {
  KDL::Tree tree(name(-1));
  const int count = static_cast<int>(links.size());
  for (int i = 0; i < count; ++i) {
    const KdlLink& link = links[i];
    if (!tree.addSegment(segment(link, i), name(link.parent)))
      throw std::logic_error("KDL refuses a segment");
  }
  const unsigned joints = tree.getNrOfJoints();
  KDL::JntArray positions(joints), velocities(joints), accelerations(joints), torques(joints);
  const auto column = [&](int i) { return tree.getSegment(name(i))->second.q_nr; };
  const auto moves = [&](int i) { return links[i].joint != KdlJoint::fixed; };
  for (int i = 0; i < count; ++i) {
    if (!moves(i)) continue;
    const auto k = static_cast<std::size_t>(i);
    positions(column(i)) = q[k];
    velocities(column(i)) = v[k];
    accelerations(column(i)) = a[k];
  }
  KDL::WrenchMap wrenches;
  for (int i = 0; i < count; ++i)
    wrenches[name(i)] = KDL::Wrench(vector(outside[i].force), vector(outside[i].moment));
  KDL::TreeIdSolver_RNE solver(tree, vector(gravity));
  if (solver.CartToJnt(positions, velocities, accelerations, wrenches, torques) < 0)
    throw std::logic_error("KDL cannot solve the tree");
  std::vector<double> result(links.size(), 0.0);
  for (int i = 0; i < count; ++i)
    if (moves(i)) result[i] = torques(column(i));
  return result;
}

}  // namespace counterpoise::oracle
