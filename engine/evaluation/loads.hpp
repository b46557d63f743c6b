#pragma once

#include "engine/evaluation/limits.hpp"
#include "engine/evaluation/metrics.hpp"

namespace counterpoise {

/// The affine stage: load = bare + sum of influence * tension, tension affine in the length
/// (paper 001, eq. 5). Pass `springs` false for the robot without springs.
template <class S>
void sum_loads(const Mechanism& mechanism, const Pipeline<S>& pipeline, double step, bool springs,
               LoadHistory<S>& history);

/// Metrics of all actuators and springs. Without springs their metrics are 0.
template <class S>
void summarise(const Pipeline<S>& pipeline, const LoadHistory<S>& history, Metrics& out);

}  // namespace counterpoise
