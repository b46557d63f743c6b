#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "optimizer/convex/choice/choose.hpp"
#include "optimizer/convex/choice/part_values.hpp"

namespace counterpoise {

/// Some options of each group of a choice in which every unknown is chosen, and so all their
/// combinations.
using OptionBox = std::vector<std::vector<int>>;

/// All options of each group.
OptionBox whole_box(const ChoiceProblem& problem);

/// The number of options, of all groups together.
std::size_t size_of(const OptionBox& box);

/// Lower bounds of the combinations of a box, which multipliers prove: a sum over groups. In place
/// of the multipliers of a norm that reads one group it has the norm itself.
class BoxBounds {
 public:
  /// Whether a combination with this bound is not wanted; true for any larger bound as well.
  using Excludes = std::function<bool(double bound)>;
  struct Listed {
    double bound = 0.0;
    std::vector<int> options;
  };

  /// `at_zero` is the problem with each unknown at 0. Multipliers of limits beyond its own, such as
  /// those of hulls, are left out. Cost: one pass over the samples of the multipliers, and one over
  /// the options.
  BoxBounds(const ChoiceProblem& problem, const ConvexProblem& at_zero, const PartValues& values,
            Certificate certificate, const OptionBox& box);

  /// The least bound of the combinations.
  [[nodiscard]] double least() const;
  /// Leaves out of the box the options with which no combination is wanted, and sorts the others by
  /// their parts of the bound. Returns false if none is left of some group.
  [[nodiscard]] bool leave_out(const Excludes& excludes, OptionBox& box);
  /// After that: the number of combinations that may be wanted; stops beyond `enough`.
  [[nodiscard]] std::size_t count(const Excludes& excludes, std::size_t enough) const;
  /// After that: those combinations, least bound first, then by options.
  [[nodiscard]] std::vector<Listed> list(const Excludes& excludes, const OptionBox& box) const;

 private:
  [[nodiscard]] std::size_t count_from(std::size_t group, double bound, const Excludes& excludes,
                                       std::size_t enough) const;
  void list_from(double bound, const Excludes& excludes, const OptionBox& box,
                 std::vector<int>& options, std::vector<Listed>& listed) const;

  double constant_ = 0.0;
  std::vector<std::vector<double>> parts_;  // of each group's options in the box
  std::vector<double> rest_;                // least parts of each group and all behind it
};

/// How much an objective or a limit may change with each unknown.
std::vector<double> unknown_sizes(const ConvexProblem& problem);

/// Two boxes with the options of one group on both sides of a value of one unknown: where x, of a
/// relaxed problem, is farthest from any option's, in terms of the objective. Where no unknown is
/// between options, the middle of the unknown whose options lie farthest apart. One option of the
/// box must differ from another.
std::pair<OptionBox, OptionBox> split_box(const ChoiceProblem& problem,
                                          const std::vector<double>& sizes, const OptionBox& box,
                                          const std::vector<double>& x);

}  // namespace counterpoise
