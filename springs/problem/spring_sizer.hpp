#pragma once

#include <memory>
#include <optional>

#include "cases/case_evaluator.hpp"
#include "springs/problem/best_springs.hpp"
#include "springs/problem/problem_writer.hpp"

namespace counterpoise {

struct SizedCase {
  CaseOutcome outcome;        // as the engine evaluates `point`, like any other case
  std::vector<double> point;  // of the study, with the springs found
  bool solved = false;        // an optimum was found; the rest belongs to it
  ConvexSolution solution;    // of the goal; where springs are chosen, of the relaxed choice
  ChoiceSolution choice;      // where springs are chosen; the first is that of `point`
  /// Where drives decide which springs are best; `solution` and `choice` then say nothing.
  struct WithDrives {
    double value = 0.0;     // of the goal: no springs for which drives suffice do better
    std::int64_t open = 0;  // unless some of these do, of which it is not known
  };
  std::optional<WithDrives> drives;
};

/// Sizes and chooses the springs of one geometry after the other: the best of all within bounds and
/// limits, with a certificate. One per thread; `study` and `roles` must outlive it.
///
/// The engine splits the loads into bare loads and influences, and the model gives the springs'
/// laws. The optimum is then evaluated as any other case, and counts as failed if the evaluation
/// does not give the objective of the solution. A result depends on its geometry and the goal
/// alone.
class SpringSizer {
 public:
  /// Throws InputError where an objective or constraint is not convex in the springs. All member
  /// functions throw Interrupted if asked to stop.
  SpringSizer(const Study& study, const SpringRoles& roles, Reuse reuse = Reuse::remember,
              const Interruption& interrupted = {});
  ~SpringSizer();
  SpringSizer(SpringSizer&&) noexcept;

  /// Has to be called before the first geometry.
  void set_baselines(const std::shared_ptr<const Baselines>& baselines);

  /// Sizes the springs of one geometry. `outer` holds the values of the outer variables, in their
  /// order. Combinations of chosen springs up to the fraction `within` above the best are kept in
  /// `out.choice`. Throws InputError where an objective or constraint turns out not to be convex.
  void size(std::span<const double> outer, const SizingGoal& goal, SizedCase& out,
            double within = 0.0);

  /// Sizes the springs of the geometry that was sized last once more, now for a goal with further
  /// objectives, which that goal lacked: the same result as size() gives, at less cost.
  void settle(std::span<const double> outer, const SizingGoal& goal, SizedCase& out);

  /// The problem last solved, for explanation and for checking certificates.
  [[nodiscard]] const WrittenProblem& written() const;
  [[nodiscard]] const ProblemWriter& writer() const;
  /// The loads it was written from, per motion, and the point of the study.
  [[nodiscard]] const std::vector<AffineLoads>& loads() const;
  [[nodiscard]] const std::vector<double>& point() const;
  /// The same chosen springs as in this combination of the choice last made, with sized springs
  /// beside them that are as good and best in the further objectives.
  [[nodiscard]] Combination settled(const SizingGoal& goal, const Combination& combination);
  /// The point of one combination of the choice last made.
  [[nodiscard]] std::vector<double> point_of(const Combination& combination) const;
  /// Holds the variables of SpringRoles::held at these levels, in their order, from now on; before,
  /// all are at their first level.
  void hold(std::span<const int> levels);
  /// From now on writes problems of geometries that break bounds of the model's parameters, too.
  void leave_bounds_of_parameters();
  /// From now on spreads the search among chosen springs over threads; no result depends on them.
  void spread(EachIndex each);
  /// See ProblemWriter::fault_of().
  std::string fault_of(int variable, int level, const std::vector<double>& point);
  /// Writes the problem of a geometry without solving it. Returns false if the geometry has no
  /// problem, with the reason in `out`.
  bool write(std::span<const double> outer, const SizingGoal& goal, CaseOutcome& out);

  [[nodiscard]] CaseEvaluator& evaluator();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace counterpoise
