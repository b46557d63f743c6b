#pragma once

#include <optional>

#include "studies/exact/laws/affine_law.hpp"

namespace counterpoise {

/// One of the unknowns x in which springs' tensions and limits are linear. With rate k, free length
/// L0 and initial tension F0 a tension is F0 + k * length - k * L0, which contains a product of two
/// variables but is linear in k, p = k * L0 and F0. So every sized variable has one unknown, and
/// that of a free length which goes with a sized rate is the product of the two. Bounds of L0
/// become k * low <= p <= k * high. A limit on L0 is also multiplied by k; a limit on the tension
/// is already linear.
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
  /// Moves products in x that rounding has put outside their bounds back to the bounds.
  void tidy(std::vector<double>& x, const std::vector<IdleLength>& lengths) const;

 private:
  std::vector<SpringUnknown> unknowns_;
  std::vector<double> low_, high_;  // of the variables
};

}  // namespace counterpoise
