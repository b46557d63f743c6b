#pragma once

#include "results/results_file.hpp"
#include "springs/problem/problem_writer.hpp"

namespace counterpoise {

/// The tasks of an exact search, in the order of their ids. Without a trade-off there is one task:
/// minimise the first objective, then the others in turn among designs that are as good.
///
/// A trade-off of two or three objectives has a task for each point of a regular grid over its
/// front. The corners minimise one objective alone. Every other task minimises the weighted
/// Chebyshev distance from the best values of all objectives (the ideal point) in its own
/// direction, which reaches every point of a front, convex or not (Bowman 1976). Among equal
/// designs the objectives decide in turn, so that no point is dominated.
class ExactGoals {
 public:
  explicit ExactGoals(const Study& study);

  [[nodiscard]] int count() const { return static_cast<int>(directions_.size()); }
  /// Whether a task does not depend on others: it is the only one, or a corner of the front.
  [[nodiscard]] bool is_corner(int task) const;
  [[nodiscard]] std::vector<int> corners() const;

  [[nodiscard]] SizingGoal corner_goal(int task) const;
  /// What the corners reached, from the rows that are stored.
  struct Reached {
    /// The objectives of the best case of each corner, in the order of corners(). Empty for a
    /// corner without rows.
    std::vector<std::vector<double>> best;
    std::vector<double> sizes;  // the largest size of each objective in any row that has it
  };
  [[nodiscard]] Reached reached_at_corners(const ResultsFile& results) const;

  /// The goal of any other task.
  [[nodiscard]] SizingGoal goal(int task, const Reached& reached) const;

 private:
  const Study& study_;
  std::vector<int> objectives_;                  // of the trade-off; the first alone without one
  std::vector<std::vector<double>> directions_;  // per task, sum 1
};

}  // namespace counterpoise
