#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>

#include "optimizer/convex/choice/choose.hpp"
#include "optimizer/convex/choice/equal_options.hpp"
#include "optimizer/convex/problem.hpp"
#include "optimizer/convex/witness_weights.hpp"

namespace counterpoise {

/// The problem with every chosen unknown within its options.
ConvexProblem within_options(ConvexProblem problem, const std::vector<ChoiceGroup>& groups);

/// Checks all combinations of chosen springs again by adding up: first by the bounds that dual
/// multipliers give them, then one by one where these bounds do not exclude them.
///
/// Every set of multipliers gives every combination a lower bound: a sum over the chosen variables,
/// with the sized springs at their best. Where all springs are chosen, the combinations that are
/// left are evaluated, or where they are many, multipliers that prove more of some of them are
/// found first (see ChosenCheck); where the choice falls into parts of one group each, the options
/// of each group are evaluated alone. Where others are sized beside them, a combination is settled
/// when some set proves that its objective is no less than required: the best value, or its own
/// where it is kept as a case. Among combinations that the problem cannot tell apart only one is
/// checked.
class ChoiceCheck {
 public:
  struct Count {
    std::int64_t combinations = 0;
    std::int64_t near = 0;  // combinations with a value up to `most`, counted only if all springs
                            // are chosen, up to a few beyond `enough`
    std::int64_t unsettled =
        0;                // combinations with sized springs for which no multipliers prove enough
    bool beaten = false;  // whether one of them is better than the best
    double bound = 0.0;   // no combination is below this; set where springs are sized
  };
  /// Called for a combination that nothing settles; it may add multipliers. Returns false if there
  /// are no more.
  using Settle = std::function<bool(const std::vector<int>& options)>;

  /// `relaxed` has the multipliers of the relaxed choice; `best` is the value that no combination
  /// may be below; `most` is the value up to which combinations are kept. `share` is the part of
  /// the allowed gap that a combination may be below these values.
  ChoiceCheck(const ConvexProblem& problem, const std::vector<ChoiceGroup>& groups,
              const Certificate& relaxed, double best, double most, double share = 1.0);

  /// Adds further multipliers, which must be valid.
  void add(const Certificate& witness);
  /// Adds a combination that is kept, with its value. Options that do not exist are ignored.
  void keep(const std::vector<int>& options, double value);

  /// Whether no springs are sized beside the chosen ones.
  [[nodiscard]] bool all_chosen() const { return all_chosen_; }

  /// Checks all combinations; counts those up to `most` until they are more than `enough`. Throws
  /// Interrupted if `interrupted` asks to stop.
  [[nodiscard]] Count run(const Settle& settle = {}, const Interruption& interrupted = {},
                          std::int64_t enough = std::numeric_limits<std::int64_t>::max());
  /// Whether a combination with sized springs is settled by the multipliers that were added.
  [[nodiscard]] bool settles(const std::vector<int>& options) const;

 private:
  /// The bound of one set of multipliers, split into a constant and parts.
  struct Bound {
    double constant = 0.0;
    std::vector<std::vector<double>> parts;  // per group and option
    std::vector<double> least_rest;  // least sum of the parts of each group and those after it
    // of a proof that limits cannot be met: a sum above this number proves it
    std::optional<double> conflict;

    [[nodiscard]] double of(double sum) const {
      if (!conflict) return sum;
      return sum > *conflict ? infinity : -infinity;
    }
  };
  /// The kept ones among combinations that are equal.
  struct Kept {
    double most = 0.0;  // largest of their values
    std::int64_t count = 0;
  };
  [[nodiscard]] Bound bound_of(const Certificate& certificate) const;
  [[nodiscard]] double bound_of(const std::vector<int>& options) const;
  [[nodiscard]] double asked_of(const std::vector<int>& options) const;
  [[nodiscard]] std::vector<int> first_of(const std::vector<int>& options) const;
  void visit(const Settle& settle, const Interruption& interrupted);
  void look_at(const Settle& settle);

  const ConvexProblem& problem_;
  const std::vector<ChoiceGroup>& groups_;
  const ConvexProblem within_options_;     // each chosen unknown between its options
  const ConvexProblem without_chosen_;     // each at 0
  const std::vector<EqualOptions> equal_;  // of the groups
  double best_, most_, share_;
  std::vector<Bound> bounds_;
  std::map<std::vector<int>, Kept> kept_;  // by the first of equal combinations
  std::vector<int> options_;               // of the groups gone through so far
  Certificate relaxed_;
  bool all_chosen_ = true, asking_ = true;
  Count count_;
};

/// The proof that no combination of chosen springs, with the best sized springs beside it, is below
/// the best one found. Empty where all springs are chosen, because then each combination that
/// bounds leave open can be evaluated.
struct ChoiceWitnesses {
  struct Witness {
    ConvexSolution solution;  // of one combination; x at the bounds where its limits cannot be met
    std::vector<WitnessInstant> instants;  // of its certificate
  };
  std::vector<Witness> all;
  double bound = 0.0;  // the lower bound that all of them and the relaxed choice prove
};

/// Solves the combinations that the multipliers of the relaxed choice leave open, those kept first,
/// and keeps the multipliers of each combination that earlier ones do not settle (one set gives all
/// combinations a bound). At most 1000 sets are kept; combinations that are then still open are not
/// proved. Cost: one solve() per witness and one sum per witness and combination.
ChoiceWitnesses choice_witnesses(const ConvexProblem& problem,
                                 const std::vector<ChoiceGroup>& groups, const Certificate& relaxed,
                                 const ChoiceSolution& choice, double within, int max_cases,
                                 const Interruption& interrupted = {});

/// The value up to which combinations are kept, where those kept have values up to `last`.
double most_kept(double best, double within, double last, bool all_that_may);

}  // namespace counterpoise
