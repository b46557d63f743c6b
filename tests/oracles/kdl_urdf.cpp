#include "tests/oracles/kdl_urdf.hpp"

#include <kdl/tree.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <kdl_parser/kdl_parser.hpp>
#include <map>
#include <stdexcept>

namespace counterpoise::oracle {

std::vector<double> kdl_urdf_loads(const std::string& urdf,
                                   const std::vector<UrdfJointState>& states, double gravity) {
  KDL::Tree tree;
  if (!kdl_parser::treeFromString(urdf, tree)) throw std::logic_error("KDL refuses the URDF text");
  std::map<std::string, unsigned> columns;
  for (const auto& [name, element] : tree.getSegments())
    if (element.segment.getJoint().getType() != KDL::Joint::None)
      columns[element.segment.getJoint().getName()] = element.q_nr;
  const unsigned joints = tree.getNrOfJoints();
  KDL::JntArray q(joints), v(joints), a(joints), torques(joints);
  for (const UrdfJointState& state : states) {
    const unsigned column = columns.at(state.joint);
    q(column) = state.q;
    v(column) = state.v;
    a(column) = state.a;
  }
  KDL::TreeIdSolver_RNE solver(tree, KDL::Vector(0.0, 0.0, -gravity));
  if (solver.CartToJnt(q, v, a, KDL::WrenchMap(), torques) < 0)
    throw std::logic_error("KDL cannot solve the tree");
  std::vector<double> loads;
  for (const UrdfJointState& state : states) loads.push_back(torques(columns.at(state.joint)));
  return loads;
}

}  // namespace counterpoise::oracle
