#pragma once

#include <vector>

#include "engine/kinematics/closure/equation_system.hpp"
#include "engine/math/column_decomposition.hpp"

namespace counterpoise {

/// Rows of the equations of motion that share unknown joints, directly or through one another.
/// These joints follow from each other apart from those of all other groups.
struct RowGroup {
  RowGroup(const std::vector<Equation>& given, std::vector<std::size_t> held,
           std::vector<BodyIndex> in_rows, const Mechanism& mechanism, const Paths& paths)
      : equations(given, mechanism, paths, in_rows),
        places(std::move(held)),
        joints(std::move(in_rows)) {}

  [[nodiscard]] Eigen::Index count() const { return rows.rows(); }

  EquationSystem equations;         // loops, couplings and driven lines, which come first
  std::vector<std::size_t> places;  // of gaps among those that are held, one row each
  std::vector<BodyIndex> joints;    // moving joints in the rows, one column each
  std::vector<Eigen::Index> unknown, independent, dependent;  // columns
  Eigen::Index first_row = 0;                                 // among the rows of all groups

  Eigen::MatrixXd rows;      // rows x joints
  Eigen::VectorXd residual;  // of the rows
  Eigen::MatrixXd columns;   // of the dependent joints; of the unknown ones while these are chosen
  ColumnDecomposition factor;  // of the dependent joints' columns
  Eigen::MatrixXd follow;      // dependent x independent: how the former move with the latter
  // smallest pivot of the dependent joints' columns over the largest column of an unknown joint
  double conditioning = 1.0, chosen_conditioning = 1.0;
  // within Newton's method: its last step was short, and no further one is needed
  bool is_near = false, arrived = false;

  // workspaces
  Eigen::VectorXd right, values, multipliers;
  Eigen::MatrixXd independent_columns;
};

}  // namespace counterpoise
