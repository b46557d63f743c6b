#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "optimizer/convex/choice/equal_options.hpp"
#include "optimizer/convex/problem/infinity.hpp"

namespace counterpoise {

/// All combinations of chosen springs, looked at again: at the bounds that multipliers give them
/// first, one by one where these leave hope. No solver.
///
/// Every set of multipliers gives every combination a bound: a sum over the chosen variables, with
/// the sized springs at their best. Where all springs are chosen, what is left is evaluated. Where
/// others are sized beside them, a combination is settled when some set proves that it reaches no
/// less than is asked of it: the best value, or its own where it is kept as a case. One of those
/// that are equal in all that the problem reads is looked at for all.
class ChoiceCheck {
 public:
  struct Count {
    std::int64_t combinations = 0;
    std::int64_t near = 0;       // up to what is kept, each looked at; all springs chosen
    std::int64_t unsettled = 0;  // with sized springs, for which no multipliers prove enough
    bool beaten = false;         // by one of them the best is
    double bound = 0.0;          // no combination is below it; where springs are sized
  };
  /// Asked for a combination that nothing settles: may add multipliers. False: no more of them.
  using Settle = std::function<bool(const std::vector<int>& options)>;

  /// `relaxed`: the multipliers of the relaxed choice; `best`: the value that none may be below;
  /// `most`: up to which combinations are kept. `share` of the gap that is allowed is granted.
  ChoiceCheck(const ConvexProblem& problem, const std::vector<ChoiceGroup>& groups,
              const Certificate& relaxed, double best, double most, double share = 1.0);

  /// Further multipliers, valid ones.
  void add(const Certificate& witness);
  /// A combination that is kept, with its value. Options that there are not are none.
  void keep(const std::vector<int>& options, double value);

  /// Whether no springs are sized beside the chosen ones.
  [[nodiscard]] bool all_chosen() const { return all_chosen_; }

  /// Throws Interrupted where it is asked to stop.
  [[nodiscard]] Count run(const Settle& settle = {}, const Interruption& interrupted = {});
  /// Whether a combination with sized springs is settled by what was added.
  [[nodiscard]] bool settles(const std::vector<int>& options) const;

 private:
  /// The bound of one set of multipliers, taken apart.
  struct Bound {
    double constant = 0.0;
    std::vector<std::vector<double>> parts;  // per group and option
    std::vector<double> least_rest;          // by the groups from each on
    // of a proof that limits cannot be met: a sum above this says so
    std::optional<double> conflict;

    [[nodiscard]] double of(double sum) const {
      if (!conflict) return sum;
      return sum > *conflict ? infinity : -infinity;
    }
  };
  /// What is kept of combinations that are equal.
  struct Kept {
    double most = 0.0;  // of their values
    std::int64_t count = 0;
  };
  [[nodiscard]] Bound bound_of(const Certificate& certificate) const;
  [[nodiscard]] double bound_of(const std::vector<int>& options) const;
  [[nodiscard]] double asked_of(const std::vector<int>& options) const;
  [[nodiscard]] std::vector<int> first_of(const std::vector<int>& options) const;
  void visit(const Settle& settle, const Interruption& interrupted);
  void look_at(const Settle& settle);
  void evaluate(std::int64_t equal);
  [[nodiscard]] bool meets_limits() const;

  const ConvexProblem& problem_;
  const std::vector<ChoiceGroup>& groups_;
  const ConvexProblem within_options_;     // each chosen unknown between its options
  const ConvexProblem without_chosen_;     // each at 0
  const std::vector<EqualOptions> equal_;  // of the groups
  double best_, most_, share_;
  std::vector<Bound> bounds_;
  std::map<std::vector<int>, Kept> kept_;  // by the first of those that are equal
  std::vector<int> options_;               // of the groups gone through so far
  std::vector<double> x_;
  bool all_chosen_ = true, asking_ = true;
  Count count_;
};

}  // namespace counterpoise
