#pragma once

#include <memory>

#include "studies/exact/proving/mount_corner.hpp"

namespace counterpoise {

/// The problems of a study's mounts, one per part, and what solves them on each thread. The same
/// for a search and for whoever checks its proof.
class MountSetup {
 public:
  /// All arguments must outlive it. Throws InputError where no geometry within the ranges is a
  /// design at all.
  MountSetup(const Study& study, const SpringRoles& roles, const SizingGoal& goal,
             const std::shared_ptr<const Baselines>& baselines, int threads,
             const Interruption& interrupted);

  [[nodiscard]] const std::vector<std::unique_ptr<MountProblem>>& problems() const {
    return problems_;
  }
  [[nodiscard]] std::vector<SpringSizer>& sizers() { return sizers_; }
  /// A solver per thread.
  [[nodiscard]] std::vector<CornerSolver> solvers(const MountProblem& problem);
  /// The outer variables at which the problems were written.
  [[nodiscard]] const std::vector<double>& reference() const { return reference_; }
  /// Puts the variables of a part where a point of its unit box says; nowhere else if it is empty.
  void place(const MountProblem& problem, std::span<const double> at,
             std::vector<double>& outer) const;
  /// The least gap that is looked for: 1e-9 of the objective without springs.
  [[nodiscard]] double floor() const { return floor_; }

 private:
  void find_reference(const Study& study);

  const SpringRoles& roles_;
  const SizingGoal& goal_;
  Interruption interrupted_;
  std::vector<SpringSizer> sizers_;
  std::vector<double> reference_;
  std::vector<std::unique_ptr<MountProblem>> problems_;
  double floor_ = 0.0;
};

}  // namespace counterpoise
