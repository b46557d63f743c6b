#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/mechanism/finding.hpp"
#include "input/definition/mechanism_units.hpp"
#include "input/reading/read.hpp"
#include "input/reading/scenario_reading.hpp"
#include "input/reading/study_reading.hpp"

namespace counterpoise {
namespace {

constexpr double loosest_tolerance = 1e-3;
constexpr std::int64_t most_events = 1'000'000'000;

Scope any_name() {
  Scope scope;
  scope.accept_any_name();
  return scope;
}

/// A number that depends on no parameter, above 0.
void read_positive(const ObjectReader& object, std::string_view key, double& out) {
  const JsonValue* value = object.find(key);
  if (value == nullptr) return;
  out = fixed_number(*value, fmt::format("a number ({} cannot depend on parameters)", key));
  if (!(out > 0.0))
    throw InputError(value->location(), fmt::format("found {}, expected more than 0", out));
}

void read_tolerance(const ObjectReader& object, double& out) {
  const JsonValue* value = object.find("tolerance");
  if (value == nullptr) return;
  out = fixed_number(*value, "a number (the tolerance cannot depend on parameters)");
  if (!(out > 0.0 && out <= loosest_tolerance))
    throw InputError(value->location(), fmt::format("found {}, expected a tolerance above 0 and at "
                                                    "most {}",
                                                    out, loosest_tolerance));
}

void read_numerics(const ObjectReader& object, Mistakes& mistakes, Scenario& scenario) {
  mistakes.attempt([&] { read_tolerance(object, scenario.tolerance); });
  mistakes.attempt([&] { read_positive(object, "simultaneous", scenario.simultaneous); });
  mistakes.attempt([&] { read_positive(object, "rest_speed", scenario.rest_speed); });
  mistakes.attempt([&] { read_positive(object, "settled_speed", scenario.settled_speed); });
  mistakes.attempt([&] {
    if (const JsonValue* events = object.find("max_events"))
      scenario.max_events =
          static_cast<int>(integer_of(*events, "a number of events", 1, most_events));
  });
}

/// The parts with the numbers that they have at the first instant.
void make_nominal(ParametricScenario& scenario, std::span<const double> parameters,
                  const Location& where) {
  for (const ContactNumbers& contact : scenario.contacts)
    scenario.nominal.contacts.push_back(contact.nominal);
  for (const StopNumbers& stop : scenario.stops) scenario.nominal.stops.push_back(stop.nominal);
  scenario.nominal.actuators.resize(scenario.actuators.size());
  scenario.nominal.forces.resize(scenario.forces.size());
  ScenarioBinder binder(scenario);
  if (const auto reason = binder.bind(parameters)) throw InputError(where, *reason);
  scenario.nominal = binder.scenario();
}

/// Refuses a model of which falls do not know the friction: a joint that slips would need to know
/// the forces of joints that stick, and the other way round.
void require_constant_friction(const Model& model) {
  const int joint = model.load_friction_joint();
  if (joint < 0) return;
  throw InputError(
      model.location(
          fmt::format("/bodies/{}/joint/friction/load_coefficient", model.file_order[joint])),
      fmt::format("found friction of the joint {} that grows with its reaction, expected none in a "
                  "scenario: what is let go rubs by \"coulomb\" and \"viscous\" alone; leave "
                  "\"load_coefficient\" out of a copy of the model",
                  model.nominal.bodies[joint].name));
}

ParametricScenario read_for(const std::filesystem::path& path, const Model* model,
                            const FileProvider& files) {
  const JsonValue root = parse_json(files(path), path.string());
  const ObjectReader object = ObjectReader::of_file(
      root, "counterpoise-scenario/1", "a scenario",
      {"duration", "step", "start", "actuators", "others", "contacts", "stops", "parameters",
       "forces", "tolerance", "simultaneous", "rest_speed", "settled_speed", "max_events"});
  if (model != nullptr) require_constant_friction(*model);
  ParametricScenario scenario;
  const JsonValue* name = object.find("name");
  scenario.nominal.name = name == nullptr ? path.stem().string() : name->text;
  ScenarioReading reading(model, path.parent_path(), files, scenario);
  Mistakes mistakes;
  bool timed = false;
  mistakes.attempt([&] {
    const SampleTimes clock = read_clock(object);
    scenario.nominal.duration = clock.duration;
    scenario.nominal.step = clock.step;
    timed = true;
  });
  mistakes.attempt([&] {
    if (const JsonValue* settings = object.find("parameters")) reading.read_settings(*settings);
  });
  mistakes.attempt([&] { read_start(object.required("start"), reading); });
  if (timed) {
    mistakes.attempt([&] { read_rules(root, reading); });
    mistakes.attempt([&] {
      if (const JsonValue* forces = object.find("forces")) read_falling_forces(*forces, reading);
    });
  }
  std::vector<std::string> names;
  mistakes.attempt([&] {
    if (const JsonValue* contacts = object.find("contacts"))
      read_contacts(*contacts, names, reading);
  });
  mistakes.attempt([&] {
    if (const JsonValue* stops = object.find("stops")) read_stops(*stops, names, reading);
  });
  read_numerics(object, mistakes, scenario.nominal);
  mistakes.raise();
  if (model != nullptr) make_nominal(scenario, reading.values(), root.location());
  return scenario;
}

}  // namespace

ScenarioReading::ScenarioReading(const Model* given, std::filesystem::path beside,
                                 const FileProvider& provider, ParametricScenario& target)
    : model(given),
      folder(std::move(beside)),
      files(provider),
      out(target),
      any_(any_name()),
      numbers(given == nullptr ? any_ : given->scope, target.expressions) {
  if (model != nullptr) values_ = model->nominal_values;
}

void ScenarioReading::read_settings(const JsonValue& object) {
  object_of(object, "an object of parameter values");
  if (model == nullptr) return;
  out.settings = counterpoise::read_settings(object, *model, out.warnings);
  ModelBinder binder(*model);
  if (const auto reason = binder.bind(out.settings)) throw InputError(object.location(), *reason);
  values_.assign(binder.values().begin(), binder.values().end());
}

NumberInUnit ScenarioReading::number(const JsonValue& value, const TextUnit& allowed) const {
  return {.number = numbers.read(value, allowed), .unit = {}, .where = value.location()};
}

NumberInUnit ScenarioReading::number(const ObjectReader& object, std::string_view key,
                                     double otherwise) const {
  if (const JsonValue* value = object.find(key)) return number(*value);
  return {.number = {.value = otherwise}, .unit = {}, .where = {}};
}

NumberInUnit ScenarioReading::position(const JsonValue& value, std::string_view si) const {
  if (value.kind != JsonValue::Kind::object) return number(value, TextUnit::of(si, value.key));
  const ObjectReader object(value, "a number with a unit", {"value", "unit"});
  const JsonValue& unit = object.required("unit");
  NumberInUnit quantity = number(object.required("value"));
  quantity.unit = unit_in(unit);
  require_measure(quantity.unit, {.si = si}, value.key, unit.location());
  return quantity;
}

ParametricScenario read_scenario(const std::filesystem::path& path, const Model& model,
                                 const FileProvider& files) {
  return read_for(path, &model, files);
}

ParametricScenario check_scenario(const std::filesystem::path& path, const FileProvider& files) {
  return read_for(path, nullptr, files);
}

namespace {

constexpr double most_instants = 1e5;
constexpr double share_tolerance = 1e-9;  // of the duration

double time_of(const JsonValue& value, double duration) {
  const double time = fixed_number(value, "a time, which cannot depend on parameters",
                                   TextUnit::of("s", value.key));
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
  const double step = fixed_number(value, "a time, which cannot depend on parameters",
                                   TextUnit::of("s", value.key));
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
  const auto duration_of = [&](const ParametricMotion& motion) {
    if (motion.nominal.poses) refuse(file, "a motion in time, not poses");
    if (!motion.axes.empty()) refuse(file, "a motion without \"parameters\"");
    return motion.nominal.duration;
  };
  double duration = 0.0;
  if (reading.model == nullptr) {
    duration =
        duration_of(reading_file(file, path, [&] { return check_motion(path, reading.files); }));
  } else {
    start.motion =
        reading_file(file, path, [&] { return read_motion(path, *reading.model, reading.files); });
    duration = duration_of(*start.motion);
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
                                                  .joint = coordinate.nominal.joint});
    const std::size_t before = reading.expression_count();
    coordinate.velocity =
        member.kind == JsonValue::Kind::object
            ? reading.position(member, si)
            : reading.number(member, TextUnit::of(si.empty() ? si : si + "/s", member.key));
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
