#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <utility>

#include "input/definition/number.hpp"
#include "input/reading/read.hpp"
#include "input/reading/study_reading.hpp"

namespace counterpoise {
namespace {

LoadCase read_load_case(const JsonValue& value, const Model& model, const StudyFiles& files,
                        std::vector<std::string>& warnings) {
  LoadCase load_case;
  load_case.name = load_case.motion_name = value.key;
  load_case.where = value.location();
  if (!is_name(value.key))
    throw InputError(value.key_location(), fmt::format("found {}, expected a name [A-Za-z_]"
                                                       "[A-Za-z0-9_]*",
                                                       in_quotes(value.key)));
  const JsonValue* file = value.kind == JsonValue::Kind::string ? &value : value.find("file");
  if (file == nullptr) {
    load_case.motion =
        read_motion(value, files.folder(), value.key, model, files.keep_as("motion"));
    return load_case;
  }
  const std::filesystem::path path =
      (static_cast<void>(string_of(*file, "the file of a motion")), files.path_of(*file));
  load_case.motion =
      reading_file(*file, path, [&] { return read_motion(path, model, files.keep_as("motion")); });
  if (file == &value) return load_case;

  const ObjectReader object(value, "a motion", {"file", "weight", "pause", "parameters"});
  if (const JsonValue* weight = object.find("weight")) {
    load_case.weight = fixed_number(*weight, "a weight");
    if (!(load_case.weight > 0.0)) refuse(*weight, "a weight above 0");
  }
  if (const JsonValue* pause = object.find("pause")) {
    load_case.pause = fixed_number(*pause, "a pause", TextUnit::of("s", "pause"));
    if (!(load_case.pause >= 0.0 && std::isfinite(load_case.pause)))
      refuse(*pause, "a pause of 0 s or more");
    if (load_case.motion.nominal.poses)
      refuse(*pause, "no pause where a motion has poses, which take no time");
  }
  if (const JsonValue* settings = object.find("parameters"))
    load_case.settings = read_settings(*settings, model, warnings);
  return load_case;
}

/// The values of a parameter in its own unit: "5deg". They have as few digits, but at least six, as
/// tell them apart.
std::vector<std::string> value_texts(const ParameterAxis& axis, const Parameter& parameter) {
  const std::string_view unit = parameter.unit.name == "1" ? "" : parameter.unit.name;
  constexpr int most_digits = 17;
  std::vector<std::string> texts;
  for (int digits = 6; digits <= most_digits; ++digits) {
    texts.clear();
    for (const double value : axis.values)
      texts.push_back(fmt::format("{:.{}g}{}", parameter.unit.from_si(value), digits, unit));
    if (std::set<std::string>(texts.begin(), texts.end()).size() == texts.size()) break;
  }
  return texts;
}

/// The load cases of a motion: one for each combination of values of its parameters, the last
/// parameter changing fastest.
std::vector<LoadCase> with_axes(LoadCase load_case, const Model& model) {
  const std::vector<ParameterAxis> axes = load_case.motion.axes;
  if (axes.empty()) return {std::move(load_case)};
  for (const ParameterAxis& axis : axes)
    for (const ParameterSetting& setting : load_case.settings)
      if (setting.parameter == axis.parameter)
        throw InputError(load_case.where, fmt::format("sets {}, whose values are those that motion "
                                                      "{} is gone through with",
                                                      axis.name, load_case.name));
  std::vector<std::vector<std::string>> texts;  // by axis
  for (const ParameterAxis& axis : axes)
    texts.push_back(value_texts(axis, model.parameters[axis.parameter]));
  std::vector<LoadCase> all(load_case.motion.combinations(), load_case);
  for (std::size_t c = 0; c < all.size(); ++c) {
    LoadCase& one = all[c];
    one.combination = c;
    std::size_t repeat = all.size();
    char before = '@';
    for (std::size_t a = 0; a < axes.size(); ++a) {
      const ParameterAxis& axis = axes[a];
      repeat /= axis.values.size();
      const std::size_t at = c / repeat % axis.values.size();
      one.settings.push_back({axis.parameter, axis.values[at]});
      if (!axis.weights.empty()) one.weight *= axis.weights[at];
      one.name += before + axis.name + '=' + texts[a][at];
      before = ',';
    }
  }
  return all;
}

ScenarioCase read_scenario_case(const JsonValue& value, const Model& model,
                                const StudyFiles& files) {
  ScenarioCase scenario_case;
  scenario_case.name = value.key;
  scenario_case.where = value.location();
  if (!is_name(value.key) || value.key == "baseline" || value.key == "without_springs")
    throw InputError(value.key_location(),
                     fmt::format("found {}, expected a name [A-Za-z_][A-Za-z0-9_]* other than "
                                 "\"baseline\" and \"without_springs\"",
                                 in_quotes(value.key)));
  const std::filesystem::path path =
      (static_cast<void>(string_of(value, "the file of a scenario")), files.path_of(value));
  scenario_case.scenario = reading_file(
      value, path, [&] { return read_scenario(path, model, files.keep_as("scenario")); });
  return scenario_case;
}

int find_motion_variable(const std::vector<Variable>& variables) {
  int found = -1;
  for (std::size_t v = 0; v < variables.size(); ++v) {
    if (variables[v].kind != VariableKind::motion) continue;
    if (found >= 0)
      throw InputError(variables[v].where, "a second variable that selects the motion");
    found = static_cast<int>(v);
  }
  return found;
}

/// The study's name becomes that of its results file.
bool names_a_file(const std::string& name) {
  const auto fits = [](char c) { return c != '/' && static_cast<unsigned char>(c) >= 32; };
  return !name.empty() && name.front() != '.' && std::all_of(name.begin(), name.end(), fits);
}

/// SQL does not tell upper and lower case apart in column names.
std::string in_lower_case(std::string text) {
  for (char& c : text)
    if ('A' <= c && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

/// Column names of the results: what is already taken, and where.
void require_distinct_columns(const Study& study) {
  std::vector<std::string> taken = {"id", "status", "reason", "rank", "case"};
  const auto take = [&](const std::string& name, const Location& where) {
    for (const std::string& other : taken)
      if (in_lower_case(name) == other)
        throw InputError(where, fmt::format("the name {} is taken by another column of the results",
                                            in_quotes(name)));
    taken.push_back(in_lower_case(name));
  };
  for (const Variable& variable : study.variables) take(variable.name, variable.where);
  for (const Objective& objective : study.objectives) take(objective.name, objective.name_where);
}

}  // namespace

std::filesystem::path StudyFiles::path_of(const JsonValue& name) const {
  return folder_ / name.text;
}

FileProvider StudyFiles::keep_as(std::string role) const {
  return [this, role = std::move(role)](const std::filesystem::path& path) {
    std::string text = files_(path);
    for (const SourceText& kept : kept_)
      if (kept.path == path.string()) return text;
    kept_.push_back({role, path.string(), text});
    return text;
  };
}

std::int64_t Variable::level_count() const {
  if (kind == VariableKind::catalogue) return static_cast<std::int64_t>(rows.size());
  if (kind == VariableKind::motion) return static_cast<std::int64_t>(motions.size());
  return static_cast<std::int64_t>(values.size());
}

const MetricName* Study::metric_of(int value) const {
  if (value < metric_offset()) return nullptr;
  // the last block, without springs, begins with the same metrics as the other two
  return &metrics[static_cast<std::size_t>(value - metric_offset()) % metrics.size()];
}

std::optional<CostOfDrives> Study::cost_in(const Expression& expression) const {
  const ExpressionNode& node = expression.nodes().back();
  if (node.kind != ExpressionNode::Kind::linear || node.factor != 1.0 || node.offset != 0.0 ||
      node.value < metric_offset() || node.value >= baseline_offset())
    return std::nullopt;
  const MetricName& metric = *metric_of(node.value);
  if (metric.of != MetricOf::motor) return std::nullopt;
  const MotorMetric& motor = motor_metrics[static_cast<std::size_t>(metric.element)];
  if (motor.statistic == MotorStatistic::price) return CostOfDrives{motor.drive, DriveCost::price};
  if (motor.statistic == MotorStatistic::mass) return CostOfDrives{motor.drive, DriveCost::mass};
  return std::nullopt;
}

std::optional<DriveCost> Study::cost_of_drives(const Expression& expression) const {
  const std::optional<CostOfDrives> cost = cost_in(expression);
  const auto chosen = std::count_if(drives.begin(), drives.end(),
                                    [](const StudyDrive& drive) { return drive.chosen(); });
  if (!cost || (cost->drive >= 0 && chosen > 1)) return std::nullopt;
  return cost->cost;
}

bool Study::reads_scenario(const Expression& expression) const {
  const auto used = expression.used();
  return std::any_of(used.begin(), used.end(), [&](const int value) {
    const MetricName* metric = metric_of(value);
    return metric != nullptr && metric->of == MetricOf::scenario;
  });
}

std::vector<std::size_t> Study::motions_by_design() const {
  std::vector<std::size_t> found;
  bool shared = false;
  for (std::size_t m = 0; m < motions.size(); ++m) {
    if (motions[m].settings.empty() && std::exchange(shared, true)) continue;
    found.push_back(m);
  }
  return found;
}

std::vector<bool> Study::scenarios_read() const {
  std::vector<bool> read(scenarios.size(), false);
  const auto note = [&](const MetricName* metric) {
    if (metric == nullptr || metric->of != MetricOf::scenario) return;
    const FallMetric& fall = fall_metrics[metric->element];
    read[fall.scenario] = true;
  };
  const auto note_all = [&](const Expression& expression) {
    for (const int value : expression.used()) note(metric_of(value));
  };
  for (const Objective& objective : objectives)
    if (objective.expression) note_all(*objective.expression);
  for (const Constraint& constraint : constraints) note_all(constraint.expression);
  for (const int metric : stored) note(&metrics[metric]);
  return read;
}

bool Study::runs_scenarios() const {
  const std::vector<bool> read = scenarios_read();
  return std::find(read.begin(), read.end(), true) != read.end();
}

std::int64_t Study::case_count() const {
  if (const Search* searched = search())
    return searched->within > 0.0
               ? searched->max_cases
               : searched->task_count() * searched->starts * searched->max_evaluations;
  return std::get<Sampling>(method).count;
}

namespace {

ObjectReader study_reader(const JsonValue& root) {
  return ObjectReader::of_file(
      root, "counterpoise-study/1", "a study",
      {"model", "motions", "scenarios", "variables", "sampling", "search", "objectives",
       "constraints", "drives", "cycles_per_year", "baseline", "store", "tolerances", "ties",
       "display", "keep", "variants"});
}

std::string study_name(const ObjectReader& study, const std::filesystem::path& path) {
  const JsonValue* name = study.find("name");
  if (name == nullptr) return path.stem().string();
  if (!names_a_file(string_of(*name, "a name")))
    refuse(*name, "a name for the results file: no slash, no control character, no leading dot");
  return name->text;
}

/// Reads the study of a file whose text, and what it says, are given; `variant` is the one to read,
/// or empty where there are none.
Study read_one(const JsonValue& document, const std::string& text,
               const std::filesystem::path& path, const std::string& variant,
               const FileProvider& provider) {
  Study study;
  study.path = path;
  study.variant = variant;
  const StudyFiles files(path.parent_path(), provider, study.sources);
  const JsonValue root =
      variant.empty() ? document
                      : with_variant(document, variant, study_name(study_reader(document), path));
  study.sources.push_back({"study", path.string(), variant.empty() ? text : compact_text(root)});
  const ObjectReader object = study_reader(root);
  study.name = study_name(object, path);

  const JsonValue& model_name = object.required("model");
  static_cast<void>(string_of(model_name, "the file of a model"));
  const std::filesystem::path model_path = files.path_of(model_name);
  const JsonValue* changes =
      variant.empty() ? nullptr : document.find("variants")->find(variant)->find("model");
  study.model = reading_file(model_name, model_path, [&] {
    if (changes == nullptr || changes->kind != JsonValue::Kind::object)
      return std::make_unique<const Model>(read_model(model_path, files.keep_as("model")));
    return std::make_unique<const Model>(read_model(
        files.read_changed("model", model_path,
                           [&](JsonValue model) { return merged(std::move(model), *changes); }),
        model_path, files.keep_as("model")));
  });
  const Model& model = *study.model;
  examine_model(model);

  const JsonValue& motions = object.required("motions");
  read_each(object_of(motions, "an object of motions"), [&](const JsonValue& motion) {
    for (LoadCase& one : with_axes(read_load_case(motion, model, files, study.warnings), model))
      study.motions.push_back(std::move(one));
  });
  if (study.motions.empty()) refuse(motions, "at least one motion");

  if (const JsonValue* scenarios = object.find("scenarios"))
    read_each(object_of(*scenarios, "an object of scenarios"), [&](const JsonValue& scenario) {
      study.scenarios.push_back(read_scenario_case(scenario, model, files));
      const std::vector<std::string>& told = study.scenarios.back().scenario.warnings;
      study.warnings.insert(study.warnings.end(), told.begin(), told.end());
    });

  if (const JsonValue* variables = object.find("variables"))
    study.variables = read_variables(*variables, model, study.motions, files, study.warnings);
  study.reach = find_reach(study);
  study.motion_variable = find_motion_variable(study.variables);
  study.method = read_method(object, root, study.variables, files);
  if (study.search() != nullptr && study.search()->method == SearchMethod::nlopt)
    for (const Variable& variable : study.variables)
      if (variable.discrete())
        throw InputError(variable.where,
                         "a search needs continuous variables: give a \"range\" "
                         "without \"count\"");

  if (const JsonValue* baseline = object.find("baseline"))
    study.baseline = read_settings(*baseline, model, study.warnings);
  if (const JsonValue* tolerances = object.find("tolerances"))
    study.tolerances = read_tolerances(*tolerances, study, files);
  read_drives(object.find("drives"), files, study);
  if (const JsonValue* cycles = object.find("cycles_per_year")) {
    study.cycles_per_year = fixed_number(*cycles, "a number of cycles");
    if (!(study.cycles_per_year > 0.0 && std::isfinite(study.cycles_per_year)))
      refuse(*cycles, "a number of cycles above 0");
  }
  name_metrics(study);
  read_objectives(object.required("objectives"), study);
  read_ties(object.find("ties"), study);
  read_display(object.find("display"), study);
  read_trade_off(root, study);
  if (const JsonValue* constraints = object.find("constraints"))
    read_constraints(*constraints, study);
  check_goals_of_poses(study);
  read_store(object.find("store"), study);
  read_keep(object.find("keep"), study);
  require_distinct_columns(study);
  return study;
}

double read_setting_value(const JsonValue& value, const Parameter& parameter,
                          std::vector<std::string>& warnings) {
  constexpr const char* what = "a number";
  if (value.kind == JsonValue::Kind::object) {
    const ObjectReader object(value, "a parameter's value", {"value", "unit"});
    const JsonValue& name = object.required("unit");
    const Unit unit = unit_in(name);
    require_fit(unit, parameter.unit, parameter.name, name.location());
    return fixed_quantity(object.required("value"), what, unit);
  }
  std::optional<Unit> written;
  const double number = fixed_number(value, what, {parameter.unit, parameter.name}, &written);
  if (written) return number;
  if (const auto other = other_reading(number, parameter))
    warnings.push_back(located(value.location(),
                               fmt::format("warning: {}: write {{\"value\": {}, \"unit\": \"{}\"}}",
                                           *other, number, si_unit(parameter.unit))));
  return number;
}

}  // namespace

namespace {

/// The file of a study, and which variants of it are asked for; none where it has none.
struct StudyFile {
  StudyFile(const std::filesystem::path& path, const FileProvider& files)
      : named(path), text(files(named.file)), document(parse_json(text, named.file.string())) {
    study_reader(document);
    asked = variants_in(document);
    if (named.variant.empty()) return;
    if (asked.empty())
      throw InputError(document.location(),
                       fmt::format("found a study without variants, expected one named {}",
                                   in_quotes(named.variant)));
    if (std::find(asked.begin(), asked.end(), named.variant) == asked.end())
      throw InputError(document.find("variants")->location(),
                       fmt::format("has no {}; the variants are {}{}", in_quotes(named.variant),
                                   fmt::join(asked, ", "), did_you_mean(named.variant, asked)));
    asked = {named.variant};
  }

  [[nodiscard]] Study read(const std::string& variant, const FileProvider& files) const {
    return read_one(document, text, named.file, variant, files);
  }

  StudyPath named;
  std::string text;
  JsonValue document;
  std::vector<std::string> asked;
};

}  // namespace

std::vector<Study> read_studies(const std::filesystem::path& path, const FileProvider& files) {
  const StudyFile study(path, files);
  std::vector<Study> studies;
  if (study.asked.empty()) studies.push_back(study.read("", files));
  read_each(study.asked,
            [&](const std::string& variant) { studies.push_back(study.read(variant, files)); });
  return studies;
}

bool names_variants(const std::vector<Study>& studies, const std::filesystem::path& path) {
  return !studies.front().variant.empty() && StudyPath(path).variant.empty();
}

std::string name_of_all(const Study& variant) {
  return variant.name.substr(0, variant.name.size() - variant.variant.size() - 1);
}

Study read_study(const std::filesystem::path& path, const FileProvider& files) {
  const StudyFile study(path, files);
  if (study.asked.empty()) return study.read("", files);
  if (study.named.variant.empty())
    throw InputError(study.document.find("variants")->location(),
                     fmt::format("found the variants {}, expected that one is named, as {}#{}; "
                                 "run, check, sensitivity and submit take all",
                                 fmt::join(study.asked, ", "), path.string(), study.asked.front()));
  return study.read(study.named.variant, files);
}

double fixed_number(const JsonValue& value, const std::string& what, const TextUnit& allowed,
                    std::optional<Unit>* written) {
  std::vector<Expression> none;
  return NumberReader(Scope(what), none).read(value, allowed, written).value;
}

double fixed_quantity(const JsonValue& value, const std::string& what, const Unit& unit,
                      const TextUnit& allowed, std::optional<Unit>* written) {
  std::optional<Unit> own;
  double number = fixed_number(value, what, allowed, &own);
  if (written != nullptr) *written = own;
  if (!own) number = unit.to_si(number);
  if (!std::isfinite(number)) refuse(value, what + " that is finite in SI");
  return number;
}

std::optional<std::string> other_reading(double value, const Parameter& parameter) {
  const double other = parameter.unit.to_si(value);
  if (other == value) return std::nullopt;
  const std::string_view si = si_unit(parameter.unit);
  return fmt::format("{} is read as {} {}; parameter {} is given in {}, so {} {} would be {} {}",
                     value, value, si, parameter.name, parameter.unit.name, value,
                     parameter.unit.name, other, si);
}

int parameter_of(const Model& model, const std::string& name, const Location& where) {
  const int parameter = model.find_parameter(name);
  if (parameter >= 0) return parameter;
  throw InputError(where, fmt::format("found {}, expected a parameter of the model{}",
                                      in_quotes(name), did_you_mean(name, model.scope.names())));
}

void require_in_bounds(const Model& model, int parameter, double value, const Location& where) {
  const Parameter& bounded = model.parameters[parameter];
  const auto bound = [&](const Number& number) {
    const double* values = model.nominal_values.data();
    const double raw = evaluate(number, model.expressions, values);
    return number.fixed() ? raw : bounded.unit.to_si(raw);
  };
  if (bounded.min && value < bound(*bounded.min))
    throw InputError(where, fmt::format("found {} for {}, expected at least its min {}", value,
                                        bounded.name, bound(*bounded.min)));
  if (bounded.max && value > bound(*bounded.max))
    throw InputError(where, fmt::format("found {} for {}, expected at most its max {}", value,
                                        bounded.name, bound(*bounded.max)));
}

std::vector<ParameterSetting> read_settings(const JsonValue& object, const Model& model,
                                            std::vector<std::string>& warnings) {
  std::vector<ParameterSetting> settings;
  for (const JsonValue& member : object_of(object, "an object of parameter values")) {
    const int parameter = parameter_of(model, member.key, member.key_location());
    const double value = read_setting_value(member, model.parameters[parameter], warnings);
    require_in_bounds(model, parameter, value, member.location());
    settings.push_back({parameter, value});
  }
  return settings;
}

double read_quantity(const std::string& text, const Unit& own, const std::string& owner,
                     const Location& where) {
  const Expression expression = Expression::parse(text, Scope("a number"), where);
  require_unit(expression, {own, owner}, where);
  return expression.evaluate(nullptr);
}

ParameterSetting read_setting(const std::string& text, const Location& where, const Model& model) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) throw InputError(where, "expected parameter=value");
  const int index = parameter_of(model, text.substr(0, equals), where);
  const Parameter& parameter = model.parameters[index];
  return {index, read_quantity(text.substr(equals + 1), parameter.unit, parameter.name, where)};
}

}  // namespace counterpoise
