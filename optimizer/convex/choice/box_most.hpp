#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "optimizer/convex/choice/choose.hpp"
#include "optimizer/convex/choice/part_values.hpp"

namespace counterpoise {

/// The most that combinations of some options of each group can have, by intervals: every sample
/// is at its largest by itself. It is exact where each group has one option left, except for
/// rounding, which is added.
class BoxMost {
 public:
  /// Keeps references to both, of which `values` is of this problem.
  BoxMost(const ChoiceProblem& problem, const PartValues& values);

  /// A number that PartValues::value_of() is not above for any combination of these options, at
  /// least one of each group; none where one of them may break a limit. Cost: one pass over the
  /// samples for each option and series.
  [[nodiscard]] std::optional<double> of(const std::vector<std::vector<int>>& left) const;

 private:
  /// The columns of a series that belong to one group.
  struct Reads {
    std::size_t group = 0;
    std::vector<std::size_t> columns, places;  // of the series, and of its unknowns in the group
  };
  /// The largest that something may be, and the largest sum of the sizes of its terms.
  struct Most {
    double value = 0.0;
    double size = 0.0;
  };
  using Options = std::vector<std::vector<int>>;
  [[nodiscard]] Most of_norm(std::size_t norm, const Options& left) const;
  void of_series(std::size_t series, const Options& left, std::vector<Most>& samples) const;
  [[nodiscard]] Most of_sum(const ConvexSum& sum, const std::vector<Most>& norms,
                            const Options& left) const;

  const ChoiceProblem& problem_;
  const PartValues& values_;
  std::vector<std::vector<Reads>> reads_;         // of each series
  std::vector<std::size_t> group_of_, place_of_;  // of each unknown
};

}  // namespace counterpoise
