#pragma once

#include <optional>
#include <string>
#include <vector>

#include "input/definition/study.hpp"
#include "results/results_file.hpp"

namespace counterpoise {

/// The rank of a case among the feasible ones of its results file, as TieOrder puts them by the
/// study's objectives. If a variable selects the motion, the rank is among the cases of its own
/// motion.
struct Standing {
  /// Values of a continuous variable closer than this fraction of its range count as the same
  /// choice.
  static constexpr double same_choice = 0.01;

  struct Difference {
    std::string variable;
    Value own, other;
  };
  /// The next-ranked settled case with another choice.
  struct Next {
    CaseRow row;
    std::int64_t rank = 0;
    std::vector<Difference> differences;
  };
  std::int64_t rank = 0;      // from 1; 0 if not feasible, or unsettled in the first objective
  std::int64_t feasible = 0;  // cases
  std::optional<Next> next;   // for a case that is not feasible: the best one with another choice
};

/// Finds the standing of a case. Cost: one pass over the feasible cases, n log n to sort them, and
/// one look-up for each case of the same choice that is ranked behind it.
Standing standing_of(const Study& study, const ResultsFile& results, const CaseRow& row);

}  // namespace counterpoise
