#include "tests/formulations/gibbs_appell/rod_tree_case.hpp"

#include "engine/dynamics/inverse_dynamics.hpp"
#include "engine/dynamics/mass_matrix/mass_matrix.hpp"

namespace counterpoise::test {

using rod_tree::Rod;
using rod_tree::RodTree;

RodTree paper_tree() {
  RodTree tree;
  for (const int parent : {-1, 0, 1, 2, 1, 4, 5, 4, 4, 8}) {
    Rod rod;
    rod.parent = parent;
    rod.inertia_per_length = Vec3d(5.89e-5, 2.94e-5, 2.94e-5).asDiagonal();
    tree.rods.push_back(rod);
  }
  return tree;
}

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

Mechanism as_mechanism(const RodTree& tree) {
  Mechanism mechanism;
  mechanism.gravity = tree.gravity;
  for (int k = 0; k < 2; ++k) {
    Body slide;
    slide.name = "slide" + std::to_string(k);
    slide.parent = k - 1;
    slide.joint.type = JointType::prismatic;
    slide.joint.axis = Vec3d::Unit(k);
    mechanism.bodies.push_back(slide);
  }
  for (std::size_t i = 0; i < tree.rods.size(); ++i) {
    const Rod& rod = tree.rods[i];
    Body body;
    body.name = "rod" + std::to_string(i);
    body.parent = rod.parent + 2;  // the second slide for those at the base
    body.joint.type = JointType::revolute;
    if (rod.parent != rod_tree::floating_base)
      body.joint.origin.x() = tree.rods[static_cast<std::size_t>(rod.parent)].length;
    body.mass = rod.mass_per_length * rod.length;
    body.com = Vec3d(rod.length / 2.0, 0.0, 0.0);
    const double across = body.mass * rod.length * rod.length / 12.0;
    body.inertia = rod.inertia_per_length * rod.length;
    body.inertia(1, 1) += across;
    body.inertia(2, 2) += across;
    mechanism.bodies.push_back(body);
  }
  return mechanism;
}

namespace {

/// The engine's view of one motion of the tree.
struct Engine {
  Mechanism mechanism;
  TreeModel model;
  JointMotion<double> motion;

  Engine(const RodTree& tree, const RodTreeMotion& of, const Eigen::VectorXd& accelerations)
      : mechanism(as_mechanism(tree)) {
    model.prepare(mechanism);
    motion.resize(mechanism.body_count(), 1);
    const JointState<double> state = motion.block(0);
    for (Eigen::Index i = 0; i < of.theta.size(); ++i) {
      const std::size_t b = body_of(i);
      state.q[b] = of.theta(i);
      state.v[b] = of.rates(i);
      state.a[b] = accelerations(i);
      state.sine[b] = b < 2 ? 0.0 : std::sin(of.theta(i));
      state.cosine[b] = b < 2 ? 1.0 : std::cos(of.theta(i));
    }
  }
  [[nodiscard]] std::size_t body_of(Eigen::Index coordinate) const {
    return static_cast<std::size_t>((coordinate + 2) % mechanism.body_count());
  }
};

}  // namespace

rod_tree::Equations<double> engine_equations(const RodTree& tree, const RodTreeMotion& motion) {
  const Eigen::Index n = tree.freedoms();
  const Engine engine(tree, motion, Eigen::VectorXd::Zero(n));
  MassMatrixScratch<double> scratch;
  scratch.prepare(engine.model, static_cast<std::size_t>(n));
  Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(n, n);
  mass_matrix<double>(engine.model, engine.motion.block(0), scratch, mass);

  rod_tree::Equations<double> equations;
  equations.resize(tree.freedoms());
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      equations.inertia(i, j) = mass(static_cast<Eigen::Index>(engine.body_of(i)),
                                     static_cast<Eigen::Index>(engine.body_of(j)));
  equations.right_side = motion.torques - engine_forces(tree, motion, Eigen::VectorXd::Zero(n));
  return equations;
}

Eigen::VectorXd engine_forces(const RodTree& tree, const RodTreeMotion& motion,
                              const Eigen::VectorXd& accelerations) {
  const Engine engine(tree, motion, accelerations);
  InverseDynamicsScratch<double> scratch;
  scratch.resize(static_cast<std::size_t>(tree.freedoms()));
  std::vector<double> forces(static_cast<std::size_t>(tree.freedoms()));
  inverse_dynamics<double>(engine.model, engine.motion.block(0), scratch, forces);
  Eigen::VectorXd ordered(tree.freedoms());
  for (Eigen::Index i = 0; i < ordered.size(); ++i) ordered(i) = forces[engine.body_of(i)];
  return ordered;
}

}  // namespace counterpoise::test
