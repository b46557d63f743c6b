#pragma once

#include <optional>
#include <vector>

#include "engine/kinematics/closure/equation_system.hpp"
#include "engine/math/column_decomposition.hpp"
#include "engine/math/sparse_decomposition.hpp"

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
  /// Whether there are so many unknown joints that rows are decomposed by the entries that they
  /// have.
  [[nodiscard]] bool is_large() const { return unknown.size() > 32; }

  /// Parts the unknown joints into dependent ones, which are these columns, and independent ones.
  void part(std::vector<Eigen::Index> dependent_columns);
  /// Decomposes the dependent joints' columns of the present rows.
  void decompose();
  /// The smallest pivot of that.
  [[nodiscard]] double least_pivot() const;
  /// The dependent joints' least-squares solutions for right sides, which serve as workspace, and
  /// the rows' multipliers of least norm for what is on the dependent joints.
  void solve(Eigen::Ref<Eigen::MatrixXd> right_sides, Eigen::Ref<Eigen::MatrixXd> x);
  void solve_transposed(const Eigen::VectorXd& on_dependent, Eigen::VectorXd& of_rows);
  /// Copies the rows' columns of some joints.
  void copy_columns(const std::vector<Eigen::Index>& which, Eigen::MatrixXd& to) const;
  /// The columns of each row that may have entries.
  [[nodiscard]] SparseDecomposition::Pattern pattern_of(
      const std::vector<Eigen::Index>& which) const;
  /// The entries in such a pattern of these columns.
  void read_entries(const SparseDecomposition::Pattern& pattern,
                    const std::vector<Eigen::Index>& which);

  EquationSystem equations;         // loops, couplings and driven lines, which come first
  std::vector<std::size_t> places;  // of gaps among those that are held, one row each
  std::vector<BodyIndex> joints;    // moving joints in the rows, one column each
  std::vector<std::vector<Eigen::Index>> columns_of_rows;     // that may have entries
  std::vector<Eigen::Index> unknown, independent, dependent;  // columns
  Eigen::Index first_row = 0;                                 // among the rows of all groups

  Eigen::MatrixXd rows;      // rows x joints
  Eigen::VectorXd residual;  // of the rows
  Eigen::MatrixXd columns;   // of the dependent joints; of the unknown ones while these are chosen
  ColumnDecomposition factor;                 // of the dependent joints' columns
  std::optional<SparseDecomposition> sparse;  // the same of a large group
  SparseDecomposition::Pattern pattern;       // of the dependent joints' columns, if it is large
  Eigen::MatrixXd follow;  // dependent x independent: how the former move with the latter
  // smallest pivot of the dependent joints' columns over the largest column of an unknown joint
  double conditioning = 1.0, chosen_conditioning = 1.0;
  // within Newton's method: its last step was short, and no further one is needed
  bool is_near = false, arrived = false;

  // workspaces
  Eigen::VectorXd right, values, multipliers;
  std::vector<double> entries;
  Eigen::MatrixXd independent_columns;
};

}  // namespace counterpoise
