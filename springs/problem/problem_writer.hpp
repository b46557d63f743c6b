#pragma once

#include <optional>

#include "cases/case_evaluator.hpp"
#include "cases/case_outcome.hpp"
#include "springs/problem/spring_limits.hpp"
#include "springs/problem/spring_stock.hpp"

namespace counterpoise {

/// The goal for which springs are sized: to minimise the largest of some weighted objectives, under
/// bounds on objectives. Then further objectives are minimised in turn without making the earlier
/// ones worse.
struct SizingGoal {
  struct Part {
    int objective = 0;  // index of Study::objectives
    double weight = 1.0;
    double reference = 0.0;  // subtracted before it is weighted
  };
  struct Bound {
    int objective = 0;
    double most = 0.0;
  };
  std::vector<Part> largest = {{}};
  std::vector<Bound> bounds;
  std::vector<int> then;  // objectives, in turn

  /// The largest weighted part for a case with these objectives (all objectives of the study).
  [[nodiscard]] double value(std::span<const double> objectives) const;
};

/// A geometry with the affine loads of its motions (CaseEvaluator::take_apart()).
struct Geometry {
  std::vector<double> point;  // of the study; sized and chosen variables at any value
  const std::vector<AffineLoads>* loads = nullptr;  // per motion
  std::vector<const Mechanism*> mechanisms;         // per motion
  std::vector<std::vector<MassLoads>> masses;       // per motion, in the order of unknowns
  std::span<const double> parameters;               // of the model
};

/// Writes the convex problem of one geometry after the other. One per thread; `study` and `roles`
/// must outlive it.
class ProblemWriter {
 public:
  /// Throws InputError where an objective or constraint is not convex in the springs, springs are
  /// not affine in their variables, or a range ends where no spring is possible.
  ProblemWriter(const Study& study, const SpringRoles& roles, Interruption interrupted = {});
  void set_baselines(const Baselines& baselines);

  /// Writes the problem of a geometry, whose members must outlive the problem. Throws InputError
  /// where a factor of an objective or constraint is negative or NaN.
  void write(const Geometry& geometry, const SizingGoal& goal, WrittenProblem& out);

  /// Why no spring can have a level of a variable, where the others are at this point of the study;
  /// empty if one can.
  std::string fault_of(int variable, int level, const std::vector<double>& point);
  /// The values that expressions read and springs do not change, ordered as Study::metric_scope,
  /// for the problem last written.
  [[nodiscard]] std::span<const double> values() const { return values_; }
  /// The expression of an objective, or of a constraint's upper or lower bound; null where it has
  /// none.
  [[nodiscard]] const MetricExpression* objective(std::size_t index) const {
    return objectives_[index] ? &*objectives_[index] : nullptr;
  }
  [[nodiscard]] const MetricExpression* constraint(std::size_t index, bool lower) const {
    const auto& side = constraints_[index][lower ? 1 : 0];
    return side ? &*side : nullptr;
  }
  /// A broken constraint of the problem last written that neither springs nor their lengths change;
  /// empty if all hold.
  [[nodiscard]] std::string broken_constraint() const;
  /// Sets chosen variables to their first level that a spring can have, if there is one.
  void choose_possible(std::vector<double>& point);

  /// The values of the sized variables at an x of the problem last written.
  [[nodiscard]] std::vector<double> sized_at(const std::vector<double>& x) const {
    return unknowns_->variables_at(x, lengths_);
  }
  /// The motions of the problem last written, with the laws of the springs, and its unknowns.
  [[nodiscard]] const std::vector<MotionLoads>& motions() const { return motions_; }
  [[nodiscard]] const SpringUnknowns& unknowns() const { return *unknowns_; }
  /// The parameters of the model whose bounds springs decide, so that a geometry alone cannot break
  /// them.
  [[nodiscard]] const std::vector<bool>& judged_with_springs() const {
    return judged_with_springs_;
  }
  /// The limits that every possible spring keeps in the problem last written, whatever the ranges
  /// of its variables: a rate and a free length that are not negative, and bounds of parameters.
  [[nodiscard]] std::vector<ConvexLimit> limits_of_any_spring();
  /// Removes what rounding left in an x of the problem last written.
  void tidy(std::vector<double>& x) const { unknowns_->tidy(x, lengths_); }

 private:
  void note_parameters(const Expression& expression);
  void require_possible_ranges();
  void set_values(const Geometry& geometry);
  [[nodiscard]] MetricForm form_of_objective(int index) const;
  [[nodiscard]] bool follows_choice(std::size_t parameter) const;
  [[nodiscard]] std::vector<ParameterBound> parameter_bounds(WrittenProblem& out) const;
  void bind();
  [[nodiscard]] DesignSprings springs();
  [[nodiscard]] StockLevel level_at(int variable, int level);
  void add_unknowns(WrittenProblem& out) const;
  void set_parameters(SizingProblem& builder) const;
  [[noreturn]] void refuse_parameter(int parameter, const char* why) const;
  void add_stock_to(WrittenProblem& out, SizingProblem& builder);
  void add_forms(const SizingGoal& goal, SizingProblem& builder) const;

  const Study& study_;
  const SpringRoles& roles_;
  const Interruption interrupted_;  // asked before each level of a chosen variable
  CaseDesign design_;               // of the geometry, to ask for its springs
  SpringLaws laws_;
  std::vector<double> values_;                               // of Study::metric_scope
  std::vector<std::optional<MetricExpression>> objectives_;  // objectives that are expressions
  std::vector<std::array<std::optional<MetricExpression>, 2>> constraints_;  // and its negative
  std::vector<int> read_parameters_;  // set by springs and read by forms
  std::vector<bool> judged_with_springs_;
  std::vector<double> shares_;  // of motions in metrics that are integrals
  std::vector<double> point_;
  std::vector<MotionLoads> motions_;
  std::optional<SpringUnknowns> unknowns_;
  std::vector<IdleLength> lengths_;  // of free lengths that stand for products
};

}  // namespace counterpoise
