#pragma once

#include <cstdint>
#include <vector>

#include "optimizer/convex/choice/box_bounds.hpp"
#include "optimizer/convex/choice/equal_options.hpp"
#include "optimizer/convex/choice/part_values.hpp"

namespace counterpoise {

/// Checks all combinations of a choice in which every unknown is chosen.
///
/// Multipliers give every combination of a box a bound, which is added up here. Combinations that
/// it does not exclude are evaluated where they are few; else the box is split, and multipliers for
/// each half are asked of solve(). These are checked as any others, so that the check does not
/// depend on how good they are, nor on how they were found. Cost: where the multipliers at hand are
/// not enough, a relaxed problem for each box, usually some dozen.
class ChosenCheck {
 public:
  /// `options` are those that equal none before them. Throws Interrupted if asked to stop.
  ChosenCheck(const ConvexProblem& problem, const std::vector<ChoiceGroup>& groups,
              const std::vector<EqualOptions>& equal, Certificate relaxed,
              Interruption interrupted);

  /// Whether a combination that meets the limits is below a value by more than 1e-9 of it, or than
  /// the rounding of bounds: 1e-13 of the objective without springs.
  [[nodiscard]] bool is_beaten(double best);
  /// How many combinations that meet the limits have a value up to this, to 1e-9 of it; stops
  /// beyond `enough`.
  [[nodiscard]] std::int64_t count_up_to(double most, std::int64_t enough);

 private:
  struct Box {
    OptionBox left;
    bool whole = false;
  };
  /// Calls `meet` for each combination that no bound excludes, with its value, until it returns
  /// false. A bound of at least `from` excludes.
  template <class Meet>
  void visit(double from, const Meet& meet);
  [[nodiscard]] BoxBounds::Excludes excluding(const Certificate& certificate, double from) const;
  [[nodiscard]] bool meets_limits(const std::vector<double>& x) const;
  [[nodiscard]] std::vector<double> x_of(const std::vector<int>& options) const;

  const ChoiceProblem problem_;  // with distinct options
  const std::vector<EqualOptions>& equal_;
  const PartValues values_;
  const Certificate relaxed_;
  const Interruption interrupted_;
  ConvexProblem at_zero_, within_options_;
  const std::vector<double> sizes_;
  double rounding_;  // of bounds
};

}  // namespace counterpoise
