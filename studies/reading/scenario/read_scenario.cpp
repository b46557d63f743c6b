#include <fmt/format.h>

#include "studies/reading/read.hpp"
#include "studies/reading/scenario/scenario_reading.hpp"
#include "studies/reading/study_reading.hpp"

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
  ScenarioBinder binder(scenario);
  if (const auto reason = binder.bind(parameters)) throw InputError(where, *reason);
  scenario.nominal = binder.scenario();
}

ParametricScenario read_for(const std::filesystem::path& path, const Model* model,
                            const FileProvider& files) {
  const JsonValue root = parse_json(files(path), path.string());
  const ObjectReader object = ObjectReader::of_file(
      root, "counterpoise-scenario/1", "a scenario",
      {"duration", "step", "start", "actuators", "others", "contacts", "stops", "parameters",
       "tolerance", "simultaneous", "rest_speed", "settled_speed", "max_events"});
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
  if (timed) mistakes.attempt([&] { read_rules(root, reading); });
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

NumberInUnit ScenarioReading::number(const JsonValue& value) const {
  return {.number = numbers.read(value), .unit = {}, .where = value.location()};
}

NumberInUnit ScenarioReading::number(const ObjectReader& object, std::string_view key,
                                     double otherwise) const {
  if (const JsonValue* value = object.find(key)) return number(*value);
  return {.number = {.value = otherwise}, .unit = {}, .where = {}};
}

NumberInUnit ScenarioReading::position(const JsonValue& value, std::string_view si) const {
  if (value.kind != JsonValue::Kind::object) return number(value);
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

}  // namespace counterpoise
