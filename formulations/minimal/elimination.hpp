#pragma once

#include "formulations/minimal/elimination_steps.hpp"

namespace counterpoise {

/// Eliminates the dependent joints of a mechanism explicitly, in the two ways of paper 003. Both
/// give the joints and their slopes W = dq/dq1 from the independent coordinates q1 [rad, m]; a loop
/// that is open there gives numbers that are none. Cost: per dyad one square root (none for two
/// lines) and a sweep along its chains per coordinate that moves them; no allocation.

/// Direct elimination, eq. 2: the angles of dependent joints by arctangents, what hangs on them
/// again by their sines and cosines; slopes by differentiating these closed forms term by term.
/// Angles of dyads within (-pi, pi].
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

/// Only the positions of direct elimination: what implicit constraints start from.
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

/// Trigonometric elimination, eqs. 3 and 4: sines and cosines of dependent joints are the unknowns.
/// They are quotients of products of known ones, gears add angles by the identities for sums, and
/// rates follow from the same vectors: no arctangent, and no sine or cosine of a dependent angle.
/// Positions q are set only where they are not angles of dyads or of gears that turn with these.
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
