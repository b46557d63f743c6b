#include <fmt/format.h>

#include <cmath>

#include "studies/definition/mechanism_units.hpp"
#include "studies/reading/read.hpp"
#include "studies/reading/scenario/scenario_reading.hpp"
#include "studies/reading/study_reading.hpp"

namespace counterpoise {
namespace {

constexpr double most_instants = 1e5;
constexpr double share_tolerance = 1e-9;  // of the duration

double time_of(const JsonValue& value, double duration) {
  const double time = fixed_number(value, "a time, which cannot depend on parameters");
  if (!(time >= 0.0 && time <= duration * (1.0 + share_tolerance)))
    throw InputError(
        value.location(),
        fmt::format("found {} s, expected a time of the motion, from 0 to {} s", time, duration));
  return time;
}

std::vector<double> increasing_times(const JsonValue& value, double duration) {
  std::vector<double> times;
  for (const JsonValue& item : array_of(value, "an array of times")) {
    const double time = time_of(item, duration);
    if (!times.empty() && time <= times.back())
      throw InputError(item.location(), fmt::format("found {} s behind {} s, expected times that "
                                                    "increase",
                                                    time, times.back()));
    times.push_back(time);
  }
  if (times.empty()) refuse(value, "at least one time");
  return times;
}

std::vector<double> times_every(const JsonValue& value, double duration) {
  const double step = fixed_number(value, "a time, which cannot depend on parameters");
  if (!(step > 0.0))
    throw InputError(value.location(), fmt::format("found {}, expected more than 0 s", step));
  const double count = std::floor(duration * (1.0 + share_tolerance) / step) + 1.0;
  if (count > most_instants)
    throw InputError(value.location(), fmt::format("the motion of {} s has {:.12g} instants every "
                                                   "{} s, expected at most {:.0f}",
                                                   duration, count, step, most_instants));
  std::vector<double> times;
  for (int i = 0; i < static_cast<int>(count); ++i) times.push_back(i * step);
  return times;
}

void read_times(const JsonValue& start, double duration, ScenarioStart& out) {
  const JsonValue* given = nullptr;
  for (const std::string_view key : {"time", "times", "every"}) {
    const JsonValue* value = start.find(key);
    if (value == nullptr) continue;
    if (given != nullptr)
      throw InputError(value->key_location(),
                       fmt::format("found {} beside {}, expected one of time, times, every",
                                   in_quotes(key), in_quotes(given->key)));
    given = value;
  }
  out.times = {0.0};
  if (given == nullptr) return;
  out.times_where = given->key_location();
  out.several = given->key != "time";
  if (given->key == "time")
    out.times = {time_of(*given, duration)};
  else
    out.times =
        given->key == "times" ? increasing_times(*given, duration) : times_every(*given, duration);
}

void read_motion_start(const JsonValue& value, ScenarioReading& reading) {
  const ObjectReader object(value, "a start", {"motion", "time", "times", "every"});
  reading.of_motion = true;
  ScenarioStart& start = reading.out.start;
  const JsonValue& file = object.required("motion");
  start.file = string_of(file, "the file of a motion");
  const std::filesystem::path path = reading.folder / start.file;
  double duration = 0.0;
  if (reading.model == nullptr) {
    duration = reading_file(file, path, [&] { return check_motion(path, reading.files); }).duration;
  } else {
    start.motion =
        reading_file(file, path, [&] { return read_motion(path, *reading.model, reading.files); });
    duration = start.motion->nominal.duration;
    if (const auto reason = MotionBinder(*start.motion).bind(reading.values()))
      throw InputError(start.motion->where, *reason);
  }
  read_times(value, duration, start);
}

/// The coordinates of a start, whose velocities follow later.
void read_positions(const JsonValue& object, ScenarioReading& reading) {
  std::vector<Drive> earlier;
  read_each(object_of(object, "coordinate -> position"), [&](const JsonValue& member) {
    StartCoordinate coordinate;
    std::string si;
    if (reading.model != nullptr) {
      const Mechanism& mechanism = reading.model->nominal;
      const Drive drive = find_coordinate(member, mechanism);
      refuse_same_coordinate(member, drive, mechanism, earlier);
      coordinate.nominal.actuator = drive.actuator;
      coordinate.nominal.joint = drive.joint;
      si = position_unit(mechanism, drive);
      earlier.push_back(drive);
    }
    const std::size_t before = reading.expression_count();
    coordinate.position = reading.position(member, si);
    reading.make(before, [&](const ScenarioValues& values) {
      return make_coordinate(coordinate, values, coordinate.nominal);
    });
    reading.out.start.coordinates.push_back(coordinate);
  });
}

void read_velocities(const JsonValue& object, const JsonValue& positions,
                     ScenarioReading& reading) {
  read_each(object_of(object, "coordinate -> velocity"), [&](const JsonValue& member) {
    const JsonValue* position = positions.find(member.key);
    if (position == nullptr)
      throw InputError(member.key_location(),
                       fmt::format("{} has a velocity but no position; give it in \"coordinates\" "
                                   "too",
                                   in_quotes(member.key)));
    const auto at = static_cast<std::size_t>(position - positions.items.data());
    StartCoordinate& coordinate = reading.out.start.coordinates[at];
    std::string si;
    if (reading.model != nullptr)
      si = position_unit(reading.model->nominal, {.actuator = coordinate.nominal.actuator,
                                                  .joint = coordinate.nominal.joint,
                                                  .profile = {}});
    const std::size_t before = reading.expression_count();
    coordinate.velocity = reading.position(member, si);
    reading.make(before, [&](const ScenarioValues& values) {
      const StartCoordinate velocity{coordinate.nominal, {}, coordinate.velocity};
      GivenCoordinate made = coordinate.nominal;
      return make_coordinate(velocity, values, made);
    });
  });
}

}  // namespace

void read_start(const JsonValue& value, ScenarioReading& reading) {
  const ObjectReader object(value, "a start",
                            {"motion", "time", "times", "every", "coordinates", "velocities"});
  reading.out.start.where = value.location();
  const JsonValue* positions = object.find("coordinates");
  const JsonValue* velocities = object.find("velocities");
  if (object.find("motion") != nullptr) {
    for (const JsonValue* given : {positions, velocities})
      if (given != nullptr)
        throw InputError(given->key_location(),
                         fmt::format("found {} beside \"motion\", which gives all of them; leave "
                                     "one of the two out",
                                     in_quotes(given->key)));
    return read_motion_start(value, reading);
  }
  for (const std::string_view key : {"time", "times", "every"})
    if (const JsonValue* given = object.find(key))
      throw InputError(given->key_location(),
                       fmt::format("{} is of a motion, and the start names none", in_quotes(key)));
  if (positions == nullptr)
    throw InputError(value.location(),
                     "found no start, expected \"motion\" with a \"time\", or \"coordinates\"");
  reading.out.start.times = {0.0};
  read_positions(*positions, reading);
  if (velocities != nullptr) read_velocities(*velocities, *positions, reading);
}

}  // namespace counterpoise
