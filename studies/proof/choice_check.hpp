#pragma once

#include <cstdint>

#include "studies/springs/problem_writer.hpp"

namespace counterpoise {

/// All combinations of chosen springs, looked at again: at the bounds that multipliers give them
/// first, one by one where these leave hope. No solver.
class ChoiceCheck {
 public:
  struct Count {
    std::int64_t combinations = 0;
    std::int64_t near = 0;       // up to `within` above the best, each looked at
    std::int64_t unsettled = 0;  // whose bound leaves hope and whose sized springs only a solver
                                 // could find
    bool beaten = false;         // by one of them the best is
  };

  /// `best`: the value that none may be below; `within`: as in ChoiceOptions.
  ChoiceCheck(const WrittenProblem& written, Certificate certificate, double best, double within);

  [[nodiscard]] Count run();

 private:
  void note_what_follows();
  [[nodiscard]] double part_of(const ChoiceGroup& group, const std::vector<double>& option) const;
  void visit(std::size_t group, double bound);
  void look_at();
  [[nodiscard]] bool meets_limits() const;

  const WrittenProblem& written_;
  double best_, most_;
  double constant_ = 0.0;
  std::vector<double> slopes_, x_;
  std::vector<double> least_rest_;          // of a bound, by the groups from each on
  std::vector<std::int64_t> combinations_;  // of them
  bool all_chosen_ = true;
  Count count_;
};

}  // namespace counterpoise
