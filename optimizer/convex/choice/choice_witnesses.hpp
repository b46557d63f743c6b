#pragma once

#include "optimizer/convex/choice/choose.hpp"
#include "optimizer/convex/witness_weights.hpp"

namespace counterpoise {

/// Why no combination of chosen springs with the best of sized ones beside it is below what was
/// found. Empty where all springs are chosen: then a combination can be evaluated.
struct ChoiceWitnesses {
  struct Witness {
    ConvexSolution solution;  // of one combination; x at the bounds where its limits cannot be met
    std::vector<WitnessInstant> instants;  // of its certificate
  };
  std::vector<Witness> all;
  double bound = 0.0;  // all of them and the relaxed choice prove no less
};

/// Solves the combinations that the multipliers of the relaxed choice leave open, those kept first,
/// and keeps the multipliers of each that the ones before do not settle: one set gives all
/// combinations a bound. At most 1000; what is left open then is not proved. Cost: a solve() per
/// witness and a sum per witness and combination.
ChoiceWitnesses choice_witnesses(const ConvexProblem& problem,
                                 const std::vector<ChoiceGroup>& groups, const Certificate& relaxed,
                                 const ChoiceSolution& choice, double within, int max_cases,
                                 const Interruption& interrupted = {});

/// Up to which value combinations are kept, of `count` kept ones with values up to `last`.
double most_kept(double best, double within, double last, bool all_that_may);

}  // namespace counterpoise
