#pragma once

#include "formulations/minimal/elimination_steps.hpp"

namespace counterpoise {

/// Eliminates the dependent joints of a mechanism explicitly, in the two ways of paper 003. Both
/// compute the joints and their slopes W = dq/dq1 from the independent coordinates q1 [rad, m];
/// where a loop is open the results are NaN. Cost: per dyad one square root (none for two lines)
/// and a sweep along its chains per coordinate that moves them; no allocation.

/// Direct elimination (paper 003, eq. 2): the angles of dependent joints follow by arctangents, and
/// what hangs on them by their sines and cosines; slopes follow by differentiating these closed
/// forms term by term. Angles of dyads are within (-pi, pi].
template <class S>
void eliminate_directly(const MinimalPlan& plan, std::span<const S> q1, MinimalState<S>& state) {
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const MinimalStep& step = plan.steps[i];
    switch (step.kind) {
      case MinimalStep::Kind::driven:
        elimination::set_driven(plan, step, q1, state);
        break;
      case MinimalStep::Kind::coupled:
        elimination::couple_positions(plan, step, state);
        elimination::couple_slopes(plan, step, state);
        break;
      case MinimalStep::Kind::dyad:
        elimination::meet(step.dyad, state.joints(), state.dyads[i]);
        elimination::set_angles(step.dyad, state.joints(), state.dyads[i]);
        for (int k : step.dyad.coordinates)
          elimination::slope_of_angles(step.dyad, k, state.dyads[i], state.slopes);
    }
  }
}

/// Computes only the positions of direct elimination, from which implicit constraints start.
template <class S>
void close_directly(const MinimalPlan& plan, std::span<const S> q1, MinimalState<S>& state) {
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const MinimalStep& step = plan.steps[i];
    if (step.kind == MinimalStep::Kind::driven) {
      elimination::set_driven(plan, step, q1, state);
    } else if (step.kind == MinimalStep::Kind::coupled) {
      elimination::couple_positions(plan, step, state);
    } else {
      elimination::meet(step.dyad, state.joints(), state.dyads[i]);
      elimination::set_angles(step.dyad, state.joints(), state.dyads[i]);
    }
  }
}

/// Trigonometric elimination (paper 003, eqs. 3 and 4): the sines and cosines of dependent joints
/// are the unknowns. They are quotients of products of known ones, gears add angles by the
/// identities for sums, and rates follow from the same vectors: there is no arctangent, and no sine
/// or cosine of a dependent angle. Positions q are set only where they are not angles of dyads or
/// of gears that turn with these.
template <class S>
void eliminate_trigonometrically(const MinimalPlan& plan, std::span<const S> q1,
                                 MinimalState<S>& state) {
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const MinimalStep& step = plan.steps[i];
    switch (step.kind) {
      case MinimalStep::Kind::driven:
        elimination::set_driven(plan, step, q1, state);
        break;
      case MinimalStep::Kind::coupled:
        if (step.by_turns)
          elimination::couple_turns(step, state);
        else
          elimination::couple_positions(plan, step, state);
        elimination::couple_slopes(plan, step, state);
        break;
      case MinimalStep::Kind::dyad:
        elimination::meet(step.dyad, state.joints(), state.dyads[i]);
        elimination::set_turns(step.dyad, state.joints(), state.dyads[i]);
        for (int k : step.dyad.coordinates)
          elimination::rates_of_vectors(step.dyad, k, state.dyads[i], state.slopes);
    }
  }
}

}  // namespace counterpoise
