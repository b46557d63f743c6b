#pragma once

#include <string>

#include "input/definition/study.hpp"

namespace counterpoise {

/// The SI unit of an actuator's load: "N" or "N*m".
std::string load_unit(const Mechanism& mechanism, const Actuator& actuator);

/// The SI unit of a metric: also "m" and "rad" for springs, "J" and "W" for actuators, and units of
/// distance, speed, impulse, time and energy for scenarios.
std::string unit_of(const Study& study, const MetricName& metric);

}  // namespace counterpoise
