#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "input/definition/number.hpp"
#include "input/reading/study_reading.hpp"
#include "input/text/csv.hpp"

namespace counterpoise {
namespace {

constexpr std::int64_t most_robust_samples = 65536;

/// The deviating value is the file's or a variable's; one that follows, or that a motion or
/// scenario sets for itself, has no interval of its own.
void require_free(const Study& study, int parameter, const Location& where) {
  const Parameter& named = study.model->parameters[parameter];
  const auto refuse_set = [&](std::span<const ParameterSetting> settings, const char* what,
                              const std::string& name) {
    if (std::none_of(settings.begin(), settings.end(), [&](const ParameterSetting& setting) {
          return setting.parameter == parameter;
        }))
      return;
    throw InputError(
        where,
        fmt::format("parameter {0} cannot have a tolerance: {1} {2} sets it for itself, and that "
                    "value would not deviate; let {0} be \"{0}_nominal + {0}_error\", let the {1} "
                    "set {0}_nominal, and give {0}_error, which is 0, the tolerance",
                    named.name, what, name));
  };
  for (const LoadCase& load_case : study.motions)
    refuse_set(load_case.settings, "motion", load_case.name);
  for (const ScenarioCase& scenario_case : study.scenarios)
    refuse_set(scenario_case.scenario.settings, "scenario", scenario_case.name);
  for (const Variable& variable : study.variables)
    for (const VariableTarget& target : variable.targets)
      if (target.parameter == parameter) return;
  if (named.value.fixed()) return;
  std::string read;
  const auto expression = static_cast<std::size_t>(named.value.expression);
  for (int used : study.model->expressions[expression].used())
    read += (read.empty() ? "" : ", ") + study.model->parameters[used].name;
  throw InputError(where,
                   fmt::format("parameter {} cannot have a tolerance: its value follows from an "
                               "expression; give one to what that reads: {}",
                               named.name, read));
}

double read_plus_minus(const ObjectReader& object, const Parameter& parameter) {
  Unit unit = parameter.unit;
  if (const JsonValue* name = object.find("unit")) {
    unit = unit_in(*name);
    require_fit(unit, parameter.unit, parameter.name, name->location());
  }
  const JsonValue& value = object.required("plus_minus");
  const bool beside = object.find("unit") != nullptr;
  const double size =
      fixed_quantity(value, "a deviation", unit,
                     beside ? TextUnit::none() : TextUnit{parameter.unit, parameter.name});
  if (!(size >= 0.0)) refuse(value, "a deviation of at least 0");
  return size;
}

std::size_t catalogue_variable(const JsonValue& value, const Study& study) {
  const std::string& name = string_of(value, "the name of a variable with a catalogue");
  std::vector<std::string> known;
  for (const Variable& variable : study.variables)
    if (variable.kind == VariableKind::catalogue) known.push_back(variable.name);
  for (std::size_t v = 0; v < study.variables.size(); ++v)
    if (study.variables[v].name == name) {
      if (study.variables[v].kind == VariableKind::catalogue) return v;
      throw InputError(value.location(),
                       fmt::format("variable {} has no catalogue to take a fraction from", name));
    }
  refuse_name(value, name, "a variable of the study with a catalogue", known);
}

/// The fraction of each level: an expression of the catalogue's columns.
void read_fractions(const ObjectReader& object, const Study& study, const StudyFiles& files,
                    Tolerance& tolerance) {
  const JsonValue& fraction = object.required("fraction");
  const std::size_t v = catalogue_variable(object.required("variable"), study);
  const Variable& variable = study.variables[v];
  const std::filesystem::path path = files.folder() / variable.catalogue;
  const CsvTable table = parse_csv(files.keep_as("catalogue")(path), path.string());
  Scope scope("a column of " + path.filename().string());
  for (const CsvColumn& column : table.columns)
    scope.add(column.name, column.text, si_unit(column.unit));
  const Expression parsed = Expression::parse(string_of(fraction, "an expression of columns"),
                                              scope, fraction.location());
  require_unit(parsed, TextUnit::none(), fraction.location());
  std::vector<double> values;
  for (const int row : variable.rows) {
    const auto at = static_cast<std::size_t>(row) - 1;
    values.clear();
    for (const CsvColumn& column : table.columns)
      values.push_back(column.text ? scope.number_of(column.texts[at]) : column.numbers[at]);
    tolerance.by_level.push_back(parsed.evaluate(values.data()));
    if (!(tolerance.by_level.back() >= 0.0 && tolerance.by_level.back() <= 1.0))
      throw InputError(fraction.location(),
                       fmt::format("gives {} for {} (row {}), expected a "
                                   "fraction from 0 to 1",
                                   tolerance.by_level.back(),
                                   variable.labels[tolerance.by_level.size() - 1], row));
  }
  tolerance.variable = static_cast<int>(v);
}

Tolerance read_tolerance(const JsonValue& value, const Study& study, const StudyFiles& files) {
  Tolerance tolerance;
  tolerance.parameter = parameter_of(*study.model, value.key, value.key_location());
  require_free(study, tolerance.parameter, value.key_location());
  const ObjectReader object(value, "a tolerance",
                            {"percent", "plus_minus", "unit", "variable", "fraction"});
  const auto has = [&](std::string_view key) { return object.find(key) != nullptr; };
  const bool from_catalogue = has("variable") || has("fraction");
  if (int{has("percent")} + int{has("plus_minus")} + int{from_catalogue} != 1)
    refuse(value, "one of \"percent\", \"plus_minus\", or \"variable\" with \"fraction\"");
  if (has("unit") && !has("plus_minus"))
    throw InputError(object.find("unit")->key_location(), "\"unit\" goes with \"plus_minus\"");
  if (has("percent")) {
    const double percent = fixed_number(object.required("percent"), "a percentage");
    if (!(percent >= 0.0)) refuse(object.required("percent"), "a percentage of at least 0");
    if (percent > 100.0) refuse(object.required("percent"), "a percentage of at most 100");
    tolerance.fraction = percent / 100.0;
  } else if (has("plus_minus")) {
    const auto p = static_cast<std::size_t>(tolerance.parameter);
    tolerance.plus_minus = read_plus_minus(object, study.model->parameters[p]);
  } else {
    read_fractions(object, study, files, tolerance);
  }
  return tolerance;
}

}  // namespace

double Tolerance::half_width(double value, std::span<const double> point) const {
  const double own = variable < 0 ? fraction : by_level[point[static_cast<std::size_t>(variable)]];
  return std::abs(value) * own + plus_minus;
}

Tolerances read_tolerances(const JsonValue& value, const Study& study, const StudyFiles& files) {
  const ObjectReader object(value, "tolerances", {"samples", "seed", "percentile", "of"});
  Tolerances tolerances;
  if (const JsonValue* samples = object.find("samples"))
    tolerances.samples =
        static_cast<int>(integer_of(*samples, "a number of samples", 1, most_robust_samples));
  if (const JsonValue* seed = object.find("seed"))
    tolerances.seed = static_cast<std::uint64_t>(integer_of(*seed, "a seed", 0, largest_seed));
  if (const JsonValue* percentile = object.find("percentile")) {
    tolerances.percentile = fixed_number(*percentile, "a percentile");
    if (!(tolerances.percentile > 0.0 && tolerances.percentile < 100.0))
      refuse(*percentile, "a percentile between 0 and 100");
  }
  const JsonValue& of = object.required("of");
  for (const JsonValue& member : object_of(of, "an object of tolerances by parameter"))
    tolerances.of.push_back(read_tolerance(member, study, files));
  if (tolerances.of.empty()) refuse(of, "at least one parameter");
  return tolerances;
}

Tolerances read_tolerances(const std::filesystem::path& path, const Study& study,
                           const FileProvider& study_files) {
  std::vector<SourceText> kept;
  const StudyFiles files(study.path.parent_path(), study_files, kept);
  const JsonValue root = parse_json(read_text_file(path), path.string());
  const auto look_at = [&](const Expression& expression, const std::string& of) {
    for (const int value : expression.used())
      if (const MetricName* metric = study.metric_of(value);
          metric != nullptr && metric->lacks_worst_case())
        throw InputError(
            root.location(),
            fmt::format("{} reads {}, which has no worst case over tolerances", of, metric->name));
  };
  for (const Objective& objective : study.objectives)
    if (objective.expression) look_at(*objective.expression, "objective " + objective.name);
  for (const Constraint& constraint : study.constraints)
    look_at(constraint.expression, "constraint " + constraint.name);
  return read_tolerances(root, study, files);
}

}  // namespace counterpoise
