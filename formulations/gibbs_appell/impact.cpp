#include "formulations/gibbs_appell/impact.hpp"

#include <Eigen/LU>

namespace counterpoise::rod_tree {
namespace {

int start_of(const RodTree& tree, int rod) {
  return tree.rods[rod].parent + 1;  // point 0 is the floating base
}

}  // namespace

Eigen::Matrix3Xd point_positions(const RodTree& tree, const State<double>& state) {
  const int n = static_cast<int>(tree.rods.size());
  Eigen::Matrix3Xd positions(3, n + 1), directions(3, n);
  positions.col(0) << state.base, 0.0;
  for (int i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const int parent = tree.rods[at].parent;
    const Vec3d before =
        parent == floating_base ? Vec3d(Vec3d::UnitX()) : Vec3d(directions.col(parent));
    directions.col(i) = before * state.cosine[at] + Vec3d::UnitZ().cross(before) * state.sine[at];
    positions.col(i + 1) =
        positions.col(start_of(tree, i)) + directions.col(i) * tree.rods[at].length;
  }
  return positions;
}

Eigen::Matrix3Xd point_jacobian(const RodTree& tree, const Eigen::Matrix3Xd& positions, int point) {
  const int n = static_cast<int>(tree.rods.size());
  Eigen::Matrix3Xd jacobian = Eigen::Matrix3Xd::Zero(3, n + 2);
  for (int rod = point - 1; rod != floating_base; rod = tree.rods[rod].parent) {
    const Vec3d lever = positions.col(point) - positions.col(start_of(tree, rod));
    jacobian.col(rod) = Vec3d::UnitZ().cross(lever);
  }
  jacobian(0, n) = jacobian(1, n + 1) = 1.0;
  return jacobian;
}

double potential_energy(const RodTree& tree, const State<double>& state) {
  const Eigen::Matrix3Xd positions = point_positions(tree, state);
  double energy = 0.0;
  for (int i = 0; i < static_cast<int>(tree.rods.size()); ++i) {
    const Rod& rod = tree.rods[i];
    const Vec3d middle = (positions.col(start_of(tree, i)) + positions.col(i + 1)) / 2.0;
    energy -= rod.mass_per_length * rod.length * tree.gravity.dot(middle);
  }
  return energy;
}

std::optional<Impact> solve_impact(const RodTree& tree, const Eigen::MatrixXd& inertia,
                                   const Eigen::Matrix3Xd& positions, const Eigen::VectorXd& rates,
                                   std::span<const Contact> contacts, double restitution) {
  const Eigen::Index n = inertia.rows(), touching = static_cast<Eigen::Index>(contacts.size());
  Eigen::MatrixXd approach(touching, n);  // n . J of each contact
  for (Eigen::Index c = 0; c < touching; ++c) {
    const Contact& contact = contacts[c];
    approach.row(c) = contact.normal.transpose() * point_jacobian(tree, positions, contact.point);
  }
  Eigen::MatrixXd system = Eigen::MatrixXd::Zero(n + touching, n + touching);
  system.topLeftCorner(n, n) = inertia;
  system.topRightCorner(n, touching) = -approach.transpose();
  system.bottomLeftCorner(touching, n) = approach;
  Eigen::VectorXd known(n + touching);
  known << inertia * rates, -restitution * (approach * rates);

  const Eigen::FullPivLU<Eigen::MatrixXd> factors(system);
  if (!factors.isInvertible()) return std::nullopt;
  const Eigen::VectorXd solution = factors.solve(known);
  return Impact{solution.head(n), solution.tail(touching)};
}

}  // namespace counterpoise::rod_tree
