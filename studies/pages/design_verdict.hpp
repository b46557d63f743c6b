#pragma once

#include <string>
#include <vector>

#include "cases/case_outcome.hpp"
#include "results/text/cells.hpp"
#include "studies/explanation.hpp"

namespace counterpoise {

/// A number that is larger in a design than in a robot it is compared with, where less is better.
struct Worsened {
  std::string name;  // of the metric or the objective: "lift.max"
  std::string what;  // the same in words: "peak load of lift"
  std::string unit;  // SI; empty: none
  double value = 0.0;
  double before = 0.0;
  bool without_springs = false;  // compared with the baseline without springs, else the baseline
};

/// What a design costs: the peak and the mean of every actuator, every stored metric for which less
/// is better (all but lengths and smallest tensions of springs), and every objective that is not
/// one of these, against both robots. Changes that tables print as 0.0 % are left out. The largest
/// change stands first.
std::vector<Worsened> what_got_worse(const Study& study, const CaseOutcome& outcome,
                                     const Baselines::Pair& beside);

/// What loosening limits is worth, the most first, type `Priced` of report/src/common/data.ts.
Json priced_json(const Study& study, const SpringOptimum& optimum);

/// What a page says of a design before all else, type `VerdictData` of report/src/report/data.ts:
/// what got worse, and which limits bind.
Json verdict_json(const Study& study, const CaseOutcome& outcome, const Baselines::Pair& beside,
                  const Explanation& explanation);

}  // namespace counterpoise
