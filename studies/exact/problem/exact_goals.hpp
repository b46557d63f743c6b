#pragma once

#include "results/results_file.hpp"
#include "studies/exact/problem/problem_writer.hpp"

namespace counterpoise {

/// The tasks of an exact search, in the order of their ids. Without a trade-off there is one: the
/// first objective, and the others in turn among designs that are as good.
///
/// A trade-off has a task for each point of a regular grid over its front, two or three objectives:
/// the corners minimise one objective alone; from the best values of all (the ideal point) every
/// other task goes in its own direction as far as designs exist (weighted Chebyshev distance,
/// Bowman 1976; reaches every point of a front, convex or not). Among equals the objectives decide
/// in turn, so that no point is dominated.
class ExactGoals {
 public:
  explicit ExactGoals(const Study& study);

  [[nodiscard]] int count() const { return static_cast<int>(directions_.size()); }
  /// Tasks that need no others: the only one, or the corners of the front.
  [[nodiscard]] bool is_corner(int task) const;
  [[nodiscard]] std::vector<int> corners() const;

  [[nodiscard]] SizingGoal corner_goal(int task) const;
  /// The objectives of the best case that each corner reached, in the order of corners(), from the
  /// rows stored of it. Empty where it has none.
  [[nodiscard]] std::vector<std::vector<double>> reached_at_corners(
      const ResultsFile& results) const;

  /// The goal of any other task, from the objectives (all of the study) that the corners reached,
  /// in the order of corners(). Empty ones: a corner with no design.
  [[nodiscard]] SizingGoal goal(int task, const std::vector<std::vector<double>>& reached) const;

 private:
  const Study& study_;
  std::vector<int> objectives_;                  // of the trade-off; the first alone without one
  std::vector<std::vector<double>> directions_;  // per task, sum 1
};

}  // namespace counterpoise
