#include "tests/formulations/rod_tree_case.hpp"

#include "formulations/gibbs_appell/engine_equations.hpp"

namespace counterpoise::test {

using rod_tree::Rod;
using rod_tree::RodTree;

RodTree random_rod_tree(Random& random, int rods) {
  RodTree tree;
  tree.gravity = random.vector(10.0);
  for (int i = 0; i < rods; ++i) {
    Rod rod;
    rod.parent = random.chance(0.6) ? i - 1 : random.below(i + 1) - 1;
    rod.length = random.uniform(0.3, 1.5);
    rod.mass_per_length = random.uniform(0.2, 3.0);
    rod.inertia_per_length = random.inertia(0.1, 0.3);
    rod.inertia_per_length = (rod.inertia_per_length + rod.inertia_per_length.transpose()).eval();
    tree.rods.push_back(rod);
  }
  return tree;
}

rod_tree::State<double> RodTreeMotion::state() const {
  rod_tree::State<double> state = rod_tree::state_at(theta, rates);
  for (std::size_t i = 0; i < state.torque.size(); ++i)
    state.torque[i] = torques(static_cast<Eigen::Index>(i));
  return state;
}

RodTreeMotion random_rod_tree_motion(Random& random, const RodTree& tree) {
  const Eigen::Index n = tree.freedoms();
  RodTreeMotion motion{Eigen::VectorXd(n), Eigen::VectorXd(n), Eigen::VectorXd::Zero(n)};
  for (Eigen::Index i = 0; i < n; ++i) {
    motion.theta(i) = random.uniform(-3.0, 3.0);
    motion.rates(i) = random.uniform(-2.0, 2.0);
    if (i + 2 < n) motion.torques(i) = random.uniform(-5.0, 5.0);
  }
  return motion;
}

rod_tree::Equations<double> engine_equations(const RodTree& tree, const RodTreeMotion& motion) {
  rod_tree::Equations<double> equations;
  rod_tree::EngineEquations<double> engine(tree);
  engine(motion.state(), equations);
  return equations;
}

Eigen::VectorXd engine_forces(const RodTree& tree, const RodTreeMotion& motion,
                              const Eigen::VectorXd& accelerations) {
  Eigen::VectorXd forces;
  rod_tree::EngineEquations<double> engine(tree);
  engine.needed_forces(motion.state(), accelerations, forces);
  return forces;
}

}  // namespace counterpoise::test
