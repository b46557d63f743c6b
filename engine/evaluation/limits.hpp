#pragma once

#include "engine/evaluation/pipeline.hpp"

namespace counterpoise {

/// Finds the first sample at which the ends of a spring under tension are as near to each other as
/// their coordinates are rounded, so that nothing says which way it pulls. A spring with a tension
/// that vanishes with its length needs no direction. The spring must have been placed.
template <class S>
std::optional<Finding> find_lost_direction(const Mechanism& mechanism, const Pipeline<S>& pipeline,
                                           std::size_t spring);

/// Adds to `findings` the first broken limit of each kind of one spring; a limit is broken beyond
/// 1e-9 of its size. Each finding's violation is its own largest excess over the motion. The spring
/// must have been placed; loads are not needed.
template <class S>
void find_broken_spring_limits(const Mechanism& mechanism, const Pipeline<S>& pipeline,
                               std::size_t spring, std::vector<Finding>& findings);

/// Finds where a spring that is built to pull pushes most, or is most below its free length, which
/// is that of its closed coils; or where one that is built to push pulls most, or is longest.
/// Nothing breaks by it. The spring's type says what it is built for; a coil spring with an initial
/// tension can only be an extension spring. Springs of which the model says how they act are left
/// to their limits. The spring must have been placed. Cost: up to two passes over the samples.
template <class S>
std::optional<Finding> find_wrong_sense(const Mechanism& mechanism, const Pipeline<S>& pipeline,
                                        std::size_t spring);

/// Adds to `findings` the first broken limit of each kind of all actuators of the design last
/// judged, which has these `metrics`. Slack and violations are as for springs.
template <class S>
void find_broken_actuator_limits(const Mechanism& mechanism, const Pipeline<S>& pipeline,
                                 const Metrics& metrics, std::vector<Finding>& findings);

}  // namespace counterpoise
