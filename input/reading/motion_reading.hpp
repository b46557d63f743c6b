#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "input/definition/parametric_motion.hpp"
#include "input/text/json_document.hpp"

namespace counterpoise {

/// What motions and scenarios have in common. All functions throw InputError at the place of the
/// mistake.

/// What numbers measure: positions or loads, and their SI unit. It is empty where the coordinate is
/// not known, and then all units of positions, or of loads, are accepted.
struct Measured {
  enum class Of { positions, loads };
  Of of = Of::positions;
  std::string_view si;
};

/// Refuses a unit that does not measure the values that `name` names.
void require_measure(const Unit& unit, const Measured& measured, std::string_view name,
                     const Location& where);

/// Reads one profile of such values. Tables are read from `folder` through `files`; `duration` is
/// that of the motion.
ProfileNumbers read_profile(const JsonValue& value, const Measured& measured, double duration,
                            const NumberReader& numbers, const std::filesystem::path& folder,
                            const FileProvider& files);

/// "duration" and "step", which depend on no parameter: a whole number of steps, and at most ten
/// million samples.
struct SampleTimes {
  double duration = 0.0;  // [s]
  double step = 0.0;      // [s]
};
SampleTimes read_clock(const ObjectReader& object);

/// The actuator or moving joint a coordinate names by its key.
Drive find_coordinate(const JsonValue& coordinate, const Mechanism& mechanism);
/// Refuses a coordinate that moves the same joint as an earlier one.
void refuse_same_coordinate(const JsonValue& coordinate, const Drive& drive,
                            const Mechanism& mechanism, const std::vector<Drive>& earlier);

}  // namespace counterpoise
