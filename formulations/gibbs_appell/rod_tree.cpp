#include "formulations/gibbs_appell/rod_tree.hpp"

#include <cmath>

namespace counterpoise::rod_tree {
namespace {

BranchRod in_branch(const RodTree& tree, int index, bool real) {
  const Rod& rod = tree.rods[index];
  BranchRod at;
  at.rod = index;
  at.real = real;
  at.end(0, 3) = rod.length;
  if (!real) return at;
  const double mass = rod.mass_per_length * rod.length;
  at.first_moment << mass * rod.length / 2.0, 0.0, 0.0, mass;
  at.second_moment(0, 0) = mass * rod.length * rod.length / 6.0;
  at.second_moment(0, 3) = at.second_moment(3, 0) = mass * rod.length / 4.0;
  at.second_moment(3, 3) = mass / 2.0;
  at.inertia = rod.inertia_per_length * rod.length;
  return at;
}

}  // namespace

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

std::optional<std::string> find_fault(const RodTree& tree) {
  if (!tree.gravity.allFinite()) return "gravity is not finite";
  for (std::size_t i = 0; i < tree.rods.size(); ++i) {
    const Rod& rod = tree.rods[i];
    const std::string name = "rod " + std::to_string(i) + ": ";
    if (rod.parent < floating_base || rod.parent >= static_cast<int>(i))
      return name + "its parent " + std::to_string(rod.parent) + " is not a rod before it, nor " +
             std::to_string(floating_base) + " for the floating base";
    if (!(rod.length > 0.0) || !std::isfinite(rod.length))
      return name + "its length is not a positive number";
    if (!(rod.mass_per_length > 0.0) || !std::isfinite(rod.mass_per_length))
      return name + "its mass per length is not a positive number";
    const Mat3d& inertia = rod.inertia_per_length;
    if (!inertia.allFinite() || inertia != inertia.transpose() || inertia.diagonal().minCoeff() < 0)
      return name + "its inertia per length is not a symmetric matrix of finite numbers with a " +
             "diagonal that is not negative";
  }
  return std::nullopt;
}

std::vector<Branch> divide_into_branches(const RodTree& tree) {
  const std::size_t n = tree.rods.size();
  std::vector<bool> is_tip(n, true), placed(n, false);
  for (const Rod& rod : tree.rods)
    if (rod.parent != floating_base) is_tip[rod.parent] = false;

  std::vector<Branch> branches;
  for (std::size_t tip = 0; tip < n; ++tip) {
    if (!is_tip[tip]) continue;
    std::vector<int> path;
    for (int i = static_cast<int>(tip); i != floating_base; i = tree.rods[i].parent)
      path.push_back(i);
    Branch& branch = branches.emplace_back();
    for (std::size_t i = path.size(); i-- > 0;) {
      const auto rod = static_cast<std::size_t>(path[i]);
      branch.push_back(in_branch(tree, path[i], !placed[rod]));
      placed[rod] = true;
    }
  }
  return branches;
}

State<double> state_at(const Eigen::VectorXd& theta, const Eigen::VectorXd& rates) {
  const auto rods = static_cast<std::size_t>(theta.size() - 2);
  State<double> state(rods);
  for (std::size_t i = 0; i < rods; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    state.sine[i] = std::sin(theta(row));
    state.cosine[i] = std::cos(theta(row));
    state.rate[i] = rates(row);
  }
  state.base = theta.tail<2>();
  state.base_velocity = rates.tail<2>();
  return state;
}

}  // namespace counterpoise::rod_tree
