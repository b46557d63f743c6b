#pragma once

#include "bench/formulations/operation_tally.hpp"
#include "formulations/gibbs_appell/engine_equations.hpp"
#include "formulations/gibbs_appell/gibbs_appell.hpp"
#include "formulations/gibbs_appell/gibbs_appell_rotations.hpp"
#include "formulations/gibbs_appell/lagrangian_traces.hpp"

namespace counterpoise::bench {

/// What one evaluation of the equations of motion takes, sines and cosines given.
struct TreeOperations {
  Tally dense, sparse;  // see Tallied
};

/// n_b branches of n_m rods each from the floating base, of lengths and masses other than one.
inline rod_tree::RodTree star(int branches, int rods_each) {
  rod_tree::RodTree tree;
  for (int b = 0; b < branches; ++b)
    for (int i = 0; i < rods_each; ++i) {
      rod_tree::Rod rod;
      rod.parent = i == 0 ? rod_tree::floating_base : b * rods_each + i - 1;
      rod.length = 0.7;
      rod.mass_per_length = 1.3;
      rod.inertia_per_length = Vec3d(5.89e-5, 2.94e-5, 2.94e-5).asDiagonal();
      tree.rods.push_back(rod);
    }
  return tree;
}

/// A state in which everything varies, as numbers of any kind that `input` makes of doubles.
template <class S, class Input>
rod_tree::State<S> some_state(const rod_tree::RodTree& tree, Input input) {
  rod_tree::State<S> state(tree.rods.size());
  for (std::size_t i = 0; i < tree.rods.size(); ++i) {
    const double angle = 0.4 + 0.37 * static_cast<double>(i);
    state.sine[i] = input(std::sin(angle));
    state.cosine[i] = input(std::cos(angle));
    state.rate[i] = input(std::sin(3.0 * angle));
    state.torque[i] = input(std::cos(5.0 * angle));
  }
  state.base << input(0.3), input(-0.8);
  state.base_velocity << input(1.1), input(0.6);
  return state;
}

/// Operations between two looks at the tallies.
template <class Work>
TreeOperations operations_of(Work work) {
  const TreeOperations before{Tallied::dense(), Tallied::sparse()};
  work();
  return {Tallied::dense() - before.dense, Tallied::sparse() - before.sparse};
}

/// What one of the formulations takes for this tree.
template <template <class> class Formulation>
TreeOperations formulation_operations(const rod_tree::RodTree& tree) {
  const auto branches = rod_tree::divide_into_branches(tree);
  const auto state = some_state<Tallied>(tree, Tallied::input);
  Formulation<Tallied> formulation;
  rod_tree::Equations<Tallied> of_branch, of_tree;
  return operations_of([&] {
    rod_tree::derive_equations<Tallied>(tree, branches, state, formulation, of_branch, of_tree);
  });
}

/// What the engine's composite bodies and recursive Newton-Euler take for this tree.
inline TreeOperations engine_operations(const rod_tree::RodTree& tree) {
  const auto state = some_state<Tallied>(tree, Tallied::input);
  rod_tree::EngineEquations<Tallied> engine(tree);
  rod_tree::Equations<Tallied> equations;
  return operations_of([&] { engine(state, equations); });
}

/// A row of paper 002, Table 1: operations for one branch of n_m rods.
struct PrintedOperations {
  std::array<double, 3> products, sums;  // coefficients of n_m^2, n_m, 1

  static double of(const std::array<double, 3>& coefficients, double rods) {
    return (coefficients[0] * rods + coefficients[1]) * rods + coefficients[2];
  }
};
inline constexpr PrintedOperations printed_lagrangian = {{340.0, 1296.0, 504.0},
                                                         {463.0 / 2, 2111.0 / 2, 350.0}};
inline constexpr PrintedOperations printed_rotations = {{186.0, 57.0, -162.0},
                                                        {148.0, 145.0, -215.0}};
inline constexpr PrintedOperations printed_gibbs_appell = {{507.0 / 2, 1631.0 / 2, 297.0},
                                                           {146.0, 643.0, 165.0}};

}  // namespace counterpoise::bench
