#pragma once

#include <cstdint>
#include <vector>

#include "results/keeping/totals.hpp"
#include "studies/cases/case_outcome.hpp"

namespace counterpoise {

/// Which failed cases are evaluated on to find everything that is against them: the `most` of the
/// lowest ranks. A rank depends on the seed and the id alone, so that the choice does not depend on
/// the order in which cases fail, and all choices are as likely.
struct FailedChoice {
  std::size_t most = 0;
  std::uint64_t seed = 1;

  [[nodiscard]] std::uint64_t rank(std::int64_t id) const;
  /// The rank below which failed ones of so many cases are evaluated on at once, as that costs less
  /// than later: where four fifths of the cases fail, the number of these is that of the choice.
  [[nodiscard]] std::uint64_t highest(std::int64_t cases) const;
};

/// The cases that failed in a run, so that they need not be read again.
struct FailedCases {
  static constexpr std::size_t most = 1'000'000;  // ids that are remembered
  struct EvaluatedOn {
    std::int64_t id = 0;
    BrokenLimits broken;
  };

  // whether the run evaluated all cases of its file; else counts and ids say nothing
  bool all = true;
  Totals counts{StoreLayout()};  // of all cases; without metrics and objectives
  std::vector<std::int64_t> ids{};
  std::vector<EvaluatedOn> evaluated_on{};  // at once; some that should be may not be among them
  double seconds = 0.0;                     // CPU time that it took to evaluate them on

  void take(const RowBatch& rows);
  void take(FailedCases& other);
};

}  // namespace counterpoise
