#pragma once

#include <span>
#include <vector>

#include "springs/mounts/mount_functions.hpp"
#include "springs/problem/problem_writer.hpp"

namespace counterpoise {

/// Some of the terms of a sum of the objective.
struct SumTerms {
  bool constant = false;
  std::vector<bool> norms, unknowns;  // per norm and unknown of the problem

  /// Adds the terms of a sum; its constant where asked to.
  void take(const ConvexSum& sum, bool with_constant);
  /// The sum with these terms alone.
  [[nodiscard]] ConvexSum of(ConvexSum sum) const;
};

/// The numbers of a problem's sums that mounts change (weights, and terms of mounts alone), as
/// functions of the variables. Immutable.
class MountNumbers {
 public:
  /// The numbers of one sum: for each the index of its function, or -1 where it is the same at all
  /// mounts.
  struct OfSum {
    int constant = -1;
    int tension = -1;           // weight of its least tension
    std::vector<int> norms;     // weights, one per ConvexSum::norms
    std::vector<int> unknowns;  // weights, one per term of ConvexSum::linear that is not a tension

    [[nodiscard]] std::vector<int> all() const;
  };

  /// `writer` has written the problem of a geometry in the box. Throws InputError where a number is
  /// not twice differentiable in the variables, or where a weight that must be above 0 is not shown
  /// to be so at all mounts.
  MountNumbers(const Study& study, const ProblemWriter& writer, const WrittenProblem& written,
               const MountFunctions& functions);

  [[nodiscard]] const OfSum& of_objective(std::size_t sum) const { return objectives_[sum]; }
  [[nodiscard]] const OfSum& of_limit(std::size_t limit) const { return limits_[limit]; }
  /// Leaves out all other terms of a sum of the objective, which is this one as a whole.
  void keep(const SumTerms& terms, std::size_t sum, const ConvexSum& whole);
  /// Whether mounts change any number.
  [[nodiscard]] bool any() const { return !places_.empty(); }
  /// Whether mounts change the weight of a norm in some sum.
  [[nodiscard]] bool weighs(std::size_t norm) const { return weighed_[norm]; }
  /// The functions over a part of the unit box. `functions` are the constructor's. Cost: the
  /// expressions that read mounts are evaluated once.
  [[nodiscard]] std::vector<SmoothNumber> over(const MountFunctions& functions,
                                               std::span<const Interval> box) const;

 private:
  /// Where a number stands in the form of an expression.
  struct Place {
    enum class Kind { constant, metric, parameter };
    std::size_t form = 0, sum = 0;
    Kind kind = Kind::constant;
    std::size_t term = 0;
    bool operator==(const Place&) const = default;
  };

  /// A form that is being looked through, over the whole box.
  struct Found {
    const MetricExpression* expression;
    SmoothMetricForm form;
    int index = -1;  // in forms_, once a number of it varies
  };
  OfSum numbers_of(const Study& study, const WrittenProblem& written, const ConvexSum& sum,
                   Found& in, int index);
  int number_at(Found& in, Place place, const SmoothNumber& value);
  [[nodiscard]] std::vector<SmoothNumber> values_over(const MountFunctions& functions,
                                                      std::span<const Interval> box) const;
  void require_positive(const MountFunctions& functions) const;

  std::vector<SmoothNumber> fixed_;  // of Study::metric_scope, without what mounts change
  std::vector<MetricExpression> forms_;
  std::vector<Place> places_;  // of each function
  std::vector<OfSum> objectives_, limits_;
  std::vector<bool> weighed_;
};

}  // namespace counterpoise
