#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/results_file.hpp"
#include "studies/definition/study.hpp"

namespace counterpoise {

/// Where a case stands among the feasible ones of its results file by the first objective; ties by
/// id. Where a variable selects the motion, among those of its own motion.
struct Standing {
  /// Continuous variables closer than this, of their range, count as the same choice.
  static constexpr double same_choice = 0.01;

  struct Difference {
    std::string variable;
    Value own, other;
  };
  /// The next-ranked case of another choice.
  struct Next {
    CaseRow row;
    std::int64_t rank = 0;
    std::vector<Difference> differences;
  };
  std::int64_t rank = 0;      // from 1; 0: not feasible
  std::int64_t feasible = 0;  // cases
  std::optional<Next> next;   // of a case that is not feasible: the best of another choice
};

/// Two passes over the feasible cases.
Standing standing_of(const Study& study, const ResultsFile& results, const CaseRow& row);

}  // namespace counterpoise
