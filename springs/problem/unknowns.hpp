#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cases/case_evaluator.hpp"
#include "engine/mechanism/elements.hpp"
#include "input/expressions/affine.hpp"
#include "springs/problem/spring_roles.hpp"

namespace counterpoise {

/// A spring's numbers as affine functions of the sized variables, in one motion.
struct AffineSpring {
  AffineNumber rate, free_length, initial_tension;
  AffineNumber min_length, max_length, max_load;  // constant infinite where there is no such limit
  AffineNumber radius, min_clearance;             // likewise
};

/// Springs' numbers as affine functions of a study's sized variables, derived from the expressions
/// of its variables and its model by the rules of algebra.
class SpringLaws {
 public:
  /// Throws InputError at the expression and the character where a number of a spring is not affine
  /// in the sized variables over their whole ranges, whatever the other variables are. `study` and
  /// `roles` must outlive it.
  SpringLaws(const Study& study, const SpringRoles& roles);

  /// Tells which coefficients may be nonzero for some value of the other variables: such a
  /// coefficient is 1 here, or its own value if it is fixed. One AffineSpring per motion and
  /// spring.
  [[nodiscard]] const std::vector<std::vector<AffineSpring>>& structure() const {
    return structure_;
  }

  /// The laws of one design, one AffineSpring per motion and spring. `design` is bound, with every
  /// motion, at the case's point; sized variables may have any value there.
  [[nodiscard]] std::vector<std::vector<AffineSpring>> of(const CaseDesign& design);
  /// The affine value of a parameter of the model in one motion, in the design last given to of().
  [[nodiscard]] const AffineValue& parameter(std::size_t motion, std::size_t parameter) const {
    return parameters_[motion][parameter];
  }
  /// The same of an expression of the model.
  [[nodiscard]] AffineValue expression(std::size_t motion, std::size_t expression) const {
    return analysis_.of(study_.model->expressions[expression], parameters_[motion]);
  }
  [[nodiscard]] const AffineAnalysis& analysis() const { return analysis_; }

 private:
  /// A field that depends on sized variables in one motion.
  struct Law {
    std::size_t spring;
    AffineNumber AffineSpring::*number;
    int expression;  // index into Model::expressions
  };

  [[nodiscard]] AffineValue set_value(const Variable& variable, std::size_t index,
                                      const VariableTarget& target) const;
  void follow_parameters(std::size_t motion);
  [[nodiscard]] AffineValue computed(std::size_t motion, int parameter) const;
  void find_laws(std::size_t motion);
  static void refuse(const AffineRefusal& refusal, std::string_view number,
                     const std::string& spring);
  void take_present(std::size_t motion, std::span<const double> parameters);

  const Study& study_;
  const SpringRoles& roles_;
  AffineAnalysis analysis_;
  std::vector<std::vector<AffineValue>> parameters_;  // per motion and parameter of the model
  std::vector<std::vector<int>> computed_;  // per motion: parameters that depend on sized variables
  std::vector<std::vector<Law>> laws_;      // per motion
  std::vector<std::vector<AffineSpring>> structure_;
};

/// One of the unknowns x in which springs' tensions and limits are linear. With rate k, free length
/// L0 and initial tension F0 a tension is F0 + k * length - k * L0, which contains a product of two
/// variables but is linear in k, p = k * L0 and F0. So every sized variable has one unknown; for a
/// free length that goes with a sized rate it is the product of the two. Bounds of L0 become k *
/// low <= p <= k * high. A limit on L0 is also multiplied by k; a limit on the tension is already
/// linear.
struct SpringUnknown {
  int variable = -1;  // index among SpringRoles::sized
  int rate = -1;      // of a product: the sized rate, index among SpringRoles::sized; else -1
};

/// The range of a free length that goes with a sized rate, whatever the rate.
struct IdleLength {
  double low = 0.0, high = 0.0;
  double idle = 0.0;  // where the rate is zero
};

/// constant + sum of weight * x.
struct LinearInUnknowns {
  double constant = 0.0;
  std::vector<double> weights;  // one per unknown
};

/// The tension of a spring, affine in its length and linear in the unknowns:
///   offset + rate * length + sum over terms of (offset + rate * length) * x
struct TensionLaw {
  struct Term {
    int unknown = -1;
    double offset = 0.0;
    double rate = 0.0;
  };
  double offset = 0.0;
  double rate = 0.0;
  std::vector<Term> terms;
  /// Of a spring that may go slack: its tension where it is shortest and longest.
  std::optional<std::array<double, 2>> ends{};

  /// The part without unknowns where the spring is shortest or longest.
  [[nodiscard]] double known_at(bool longest, double length) const {
    return ends ? (*ends)[longest ? 1 : 0] : offset + rate * length;
  }
};

/// The unknowns of a study's sized variables, one for each, in their order.
class SpringUnknowns {
 public:
  /// Throws InputError, with the place of a variable, where a free length goes with several rates,
  /// or with a sized one and enters an initial tension too, or a variable is a rate and a free
  /// length.
  SpringUnknowns(const Study& study, const SpringRoles& roles,
                 const std::vector<std::vector<AffineSpring>>& springs);

  [[nodiscard]] const std::vector<SpringUnknown>& all() const { return unknowns_; }
  [[nodiscard]] std::size_t count() const { return unknowns_.size(); }

  /// The tension of a spring that sized variables change, or that nothing changes.
  [[nodiscard]] TensionLaw law_of(const AffineSpring& spring) const;
  /// A length or load that depends on sized variables, times `factor` >= 0 that makes it linear:
  /// the sized rate where it depends on a free length that goes with it, else 1. `rate` tells
  /// which. Null where there is no such factor.
  [[nodiscard]] std::optional<LinearInUnknowns> times_rate(const AffineNumber& number,
                                                           int& rate) const;

  /// The values of the sized variables at x. A free length that goes with a rate lies within its
  /// range in `lengths`; where the rate is zero it is that range's `idle`.
  [[nodiscard]] std::vector<double> variables_at(const std::vector<double>& x,
                                                 const std::vector<IdleLength>& lengths) const;
  /// Moves products in x that rounding has put outside their bounds back to the bounds, and numbers
  /// that are 0 but for rounding to 0, where a limit may need it.
  void tidy(std::vector<double>& x, const std::vector<IdleLength>& lengths) const;

 private:
  /// 0 for a value of a variable that is 0 but for rounding, within its range.
  [[nodiscard]] double without_rounding(std::size_t i, double number) const;

  std::vector<SpringUnknown> unknowns_;
  std::vector<double> low_, high_;  // of the variables
};

}  // namespace counterpoise
