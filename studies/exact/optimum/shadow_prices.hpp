#pragma once

#include <string>
#include <vector>

namespace counterpoise {

struct Certificate;
struct SpringRoles;
struct Study;
struct WrittenProblem;

/// The shadow price of one limit, which says what loosening it is worth: the dual multiplier at
/// the optimum, which is the derivative of the best value with respect to the limit. Limits that
/// say the same, such as those of a left and a right spring, count as one that is loosened for all.
struct ShadowPrice {
  std::string name;
  bool less = false;      // whether the limit is loosened by reducing it
  double bound = 0.0;     // of a constraint, an objective or a variable; else 0
  std::string unit;       // SI, of the limit; empty: none
  double per_unit = 0.0;  // decrease of the goal's value per unit, >= 0
  double step = 0.0;      // a sensible small change, in the unit
  int variable = -1;      // variable whose bound it is, index of Study::variables; else -1
};

/// The shadow prices of all limits from the dual multipliers of a problem's optimum at x. Limits on
/// products of free length and rate are turned back into limits on lengths.
std::vector<ShadowPrice> shadow_prices(const Study& study, const SpringRoles& roles,
                                       const WrittenProblem& written,
                                       const Certificate& certificate,
                                       const std::vector<double>& x);

}  // namespace counterpoise
