#pragma once

#include <cstdint>
#include <vector>

#include "drives/allowed_loads.hpp"
#include "optimizer/convex/choice/choose.hpp"

namespace counterpoise {

/// The springs of one geometry and the drives of its actuators, which are to be found together.
struct DriveProblem {
  struct Drive {
    const DriveChoice* choice = nullptr;
    AffineSeries load;  // of the actuator at all samples, a function of the springs
    OpenSamples samples;
    std::vector<DrivePair> pairs;  // those that it may have, in the order of the choice
  };
  ConvexProblem convex;             // of the springs
  std::vector<ChoiceGroup> groups;  // springs to choose; none: all are sized
  std::vector<Drive> drives;
  double most_cost = infinity;  // of all drives, as the choices minimise
};

/// Springs and pairs that suffice for them.
struct DrivenSprings {
  std::vector<DrivePair> pairs;  // one per drive; empty: none were found, whatever the springs
  int lacking = -1;              // then a drive for which none does by itself; -1: together none
  std::vector<double> x;         // springs with which they do
  std::vector<int> options;      // of the groups
  double cost = 0.0;             // price or mass of all pairs, as the choices minimise
  double value = 0.0;            // of the objective, where that was minimised
  // pairs, and sets of pairs, for which it is proved that they suffice for no springs, or for none
  // that are better
  std::int64_t excluded = 0;
  std::int64_t open = 0;  // passed over although they may be better, as that could not be decided
  std::vector<std::vector<DrivePair>> left;  // of each drive, those not looked at or sufficient
};

/// Finds the cheapest pairs of motors and gearboxes that some springs suffice for. `start` are
/// springs within the limits of the convex problem, whose objective is not read.
///
/// Method: pairs are taken in the order of their cost. What a pair demands of the loads is cut out
/// by linear limits, where its demands are broken most, until springs keep all demands or the
/// linear limits exclude each other. The multipliers of such a conflict are then tried on the pairs
/// that follow, most of which they exclude without another convex problem (Lagrange relaxation: the
/// sum of what multipliers weigh is least sample by sample). Gears make a mean torque not convex
/// where a load changes its sign; there the ranges of springs are split, a limited number of times.
/// Sets of pairs of several drives are looked at where each pair suffices by itself.
///
/// Demands and limits hold to 1e-9. Cost: some convex problems for each pair that is not excluded
/// at once, and a pass over the samples for each other one.
DrivenSprings cheapest_drives(const DriveProblem& problem, const Combination& start,
                              const ConvexOptions& options);

}  // namespace counterpoise
