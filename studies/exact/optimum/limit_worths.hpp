#pragma once

#include <string>
#include <vector>

namespace counterpoise {

struct Certificate;
struct SpringRoles;
struct Study;
struct WrittenProblem;

/// What loosening one limit is worth: the multiplier of the optimum, which is the slope of the best
/// value by the limit. Limits that say the same, such as those of a left and a right spring, count
/// as one that is loosened for all.
struct LimitWorth {
  std::string name;
  bool less = false;      // loosened by making it less
  double bound = 0.0;     // of a constraint, an objective or a variable; else 0
  std::string unit;       // SI, of the limit; empty: none
  double per_unit = 0.0;  // what the goal's value falls by per unit, >= 0
  double step = 0.0;      // a sensible small change, in the unit
  int variable = -1;      // whose bound it is, index of Study::variables; else -1
};

/// What the multipliers of a problem's optimum at x say. Free lengths that stand as products with
/// their rate are turned back into lengths.
std::vector<LimitWorth> limit_worths(const Study& study, const SpringRoles& roles,
                                     const WrittenProblem& written, const Certificate& certificate,
                                     const std::vector<double>& x);

}  // namespace counterpoise
