#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "results/results_file.hpp"
#include "results/rows/rows.hpp"

namespace counterpoise {

/// Where a case stands in the ranking of its motion by the study's first objective.
struct CasePlace {
  struct Next {
    CaseRow row;
    std::int64_t rank = 0;
  };
  std::int64_t rank =
      0;  // from 1; 0 if the file has no such feasible case, or its value is unknown
  std::int64_t feasible = 0;  // cases of its motion
  std::optional<Next> next;   // the first wanted case behind it; of all cases where `rank` is 0
};

/// Finds the place of a case, and the first case behind it that is `wanted`. Cost: where both are
/// among the first cases that the file's digest names, a look-up of these; else one pass over the
/// objectives of all feasible cases, which holds `room` of them on each side of the case, and a
/// look-up for each case between both. A further pass with more room is needed where so many cases
/// tie, or are not wanted, that these do not suffice. Throws StoreError (unusable) for damaged
/// results.
CasePlace place_of(const ResultsFile& results, const CaseRow& row,
                   const std::function<bool(const CaseRow&)>& wanted,
                   std::size_t room = std::size_t{1} << 16);

}  // namespace counterpoise
