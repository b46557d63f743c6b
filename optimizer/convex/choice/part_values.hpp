#pragma once

#include <optional>
#include <vector>

#include "optimizer/convex/choice/choose.hpp"

namespace counterpoise {

/// The values of a choice in which every unknown is chosen, as objective_of() has them. A norm
/// that reads the unknowns of one group only is computed once for each of its options.
class PartValues {
 public:
  /// Workspace of value_of(), one for each thread.
  struct Scratch {
    std::vector<double> x, norms;
  };

  /// Keeps a reference to the problem. Cost: one pass over the samples of each norm of one group
  /// for each option of that group.
  explicit PartValues(const ChoiceProblem& problem);

  /// The objective of these options; none where a limit is broken by more than 1e-9 of its size.
  [[nodiscard]] std::optional<double> value_of(const std::vector<int>& options,
                                               Scratch& scratch) const;

  /// The group whose unknowns alone a norm reads; -1 where it reads none or those of several.
  [[nodiscard]] int group_of(std::size_t norm) const { return group_of_[norm]; }
  /// The values of a norm that reads one group, by its options.
  [[nodiscard]] const std::vector<double>& of_options(std::size_t norm) const {
    return of_options_[norm];
  }

 private:
  const ChoiceProblem& problem_;
  std::vector<int> group_of_;
  std::vector<std::vector<double>> of_options_;  // of each norm of one group
};

}  // namespace counterpoise
