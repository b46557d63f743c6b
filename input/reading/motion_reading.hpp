#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "input/definition/parametric_motion.hpp"
#include "input/text/json_document.hpp"

namespace counterpoise {

/// What readers of motions and scenarios share: profiles, sample times and coordinates. All
/// functions throw InputError at the place of the mistake.

/// What a profile's numbers measure: positions or loads, and their SI unit. The unit is empty if
/// the coordinate is not known; then any unit of positions, or of loads, is accepted.
struct Measured {
  enum class Of { positions, loads };
  Of of = Of::positions;
  std::string_view si;
};

/// Refuses a unit that does not measure the values that `name` names.
void require_measure(const Unit& unit, const Measured& measured, std::string_view name,
                     const Location& where);

/// Reads one profile of values measured so. Tables are read from `folder` through `files`;
/// `duration` is the motion's.
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
