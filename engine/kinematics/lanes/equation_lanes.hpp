#pragma once

#include <span>
#include <vector>

#include "engine/kinematics/chains/two_point.hpp"
#include "engine/kinematics/closure/equations.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {

/// The equations of an EquationSystem, row by row the same, at as many samples at once as a Pack
/// has lanes. Of the Jacobian only the columns of those joints are kept that occur in the
/// equations: the unknowns first, in their order, then the others. Allocates only when made.
class EquationLanes {
 public:
  EquationLanes(std::vector<Equation> equations, const std::vector<BodyIndex>& unknowns,
                const Mechanism& mechanism, const Paths& paths);

  /// Sets residuals and Jacobian at the state's positions. `driven` has one entry per slot.
  void evaluate(const DesignGeometry& geometry, const JointView<Pack>& state,
                std::span<const Pack> driven);
  /// Sets `rows` to the second time derivatives of the equations at the state's v and a, without
  /// the share of the driven values. Call it after `evaluate` at the same positions.
  void accelerate(const DesignGeometry& geometry, const JointView<Pack>& state,
                  std::span<Pack> rows) const;
  /// Adds the driven value of each drive (its velocity or acceleration) to the row of that drive.
  void add_driven(std::span<const Pack> driven, std::span<Pack> rows) const;

  /// In which lanes every row is met, by the measure of EquationSystem::misfit.
  [[nodiscard]] PackMask met(double tolerance) const;
  /// The size of the geometry, as EquationSystem::scale has it [m].
  [[nodiscard]] Pack scale() const;

  [[nodiscard]] const std::vector<Equation>& equations() const { return equations_; }
  [[nodiscard]] int rows() const { return static_cast<int>(residual_.size()); }
  [[nodiscard]] std::span<const Pack> residual() const { return residual_; }
  /// The joint of each column.
  [[nodiscard]] const std::vector<BodyIndex>& joints() const { return joints_; }
  [[nodiscard]] std::span<const Pack> column(std::size_t j) const {
    return std::span(columns_).subspan(j * residual_.size(), residual_.size());
  }

 private:
  /// What an equation between two points needs: the traces of its ends, and the columns of the
  /// joints on its path, -1 for fixed ones.
  struct Way {
    Line<Pack> line;
    std::array<std::vector<int>, 2> columns;
  };

  int column_of(BodyIndex joint);
  Pack& entry(int row, int column) {
    return columns_[static_cast<std::size_t>(column) * residual_.size() +
                    static_cast<std::size_t>(row)];
  }
  void evaluate_coupling(const Coupling& coupling, const JointView<Pack>& state, int row);
  void evaluate_line(const Way& way, int row);
  void evaluate_loop(const DesignGeometry& geometry, const Equation& equation, const Path& path,
                     const Way& way, int row);

  std::vector<Equation> equations_;
  const Paths* paths_;
  std::vector<Way> ways_;  // one per equation
  std::vector<BodyIndex> joints_;
  std::vector<Pack> residual_, columns_;
  PackMask upright_{};  // lanes in which no weld is turned over
};

}  // namespace counterpoise
