#pragma once

#include "engine/evaluation/pipeline.hpp"

namespace counterpoise {

/// The first sample at which the ends of a spring under tension are as near to each other as their
/// coordinates are rounded, so that nothing says which way it pulls. A spring whose tension
/// vanishes with its length needs no direction. Needs the spring placed.
template <class S>
std::optional<Finding> find_lost_direction(const Mechanism& mechanism, const Pipeline<S>& pipeline,
                                           std::size_t spring);

/// Adds the first broken limit of each kind of one spring; a limit is broken beyond 1e-9 of its
/// size. Each finding's violation is its own worst excess over the motion. Needs the spring placed,
/// and no loads.
template <class S>
void find_broken_spring_limits(const Mechanism& mechanism, const Pipeline<S>& pipeline,
                               std::size_t spring, std::vector<Finding>& findings);

/// Likewise of all actuators of the design last judged, whose metrics these are.
template <class S>
void find_broken_actuator_limits(const Mechanism& mechanism, const Pipeline<S>& pipeline,
                                 const Metrics& metrics, std::vector<Finding>& findings);

}  // namespace counterpoise
