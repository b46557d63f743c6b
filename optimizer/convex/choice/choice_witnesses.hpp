#pragma once

#include "optimizer/convex/choice/choose.hpp"
#include "optimizer/convex/witness_weights.hpp"

namespace counterpoise {

/// The proof that no combination of chosen springs, with the best sized springs beside it, is below
/// the best one found. Empty where all springs are chosen, because then each combination can be
/// evaluated.
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
