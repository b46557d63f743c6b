#include "cli/studio/what_if.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "cases/provenance.hpp"
#include "cases/study_units.hpp"
#include "cli/studio/request.hpp"
#include "cli/text/text_style.hpp"
#include "input/definition/mechanism_units.hpp"
#include "input/text/input_error.hpp"
#include "studies/pages/design_verdict.hpp"
#include "studies/pages/mechanism_data.hpp"
#include "studies/pages/run_data.hpp"

namespace counterpoise {
namespace {

/// How many numbers of poses at rest an answer may have, some 3 MB.
constexpr std::size_t most_numbers = 500'000;

/// Where a slider of a parameter without bounds ends: half its value to either side; about 0, what
/// is usual for its unit.
std::pair<double, double> usual_range(double value, const Unit& unit) {
  if (value != 0.0) return std::minmax({0.5 * value, 1.5 * value});
  const std::string_view si = si_unit(unit);
  const double reach = si == "m" ? 0.1 : si == "rad" ? 0.5 : 1.0;
  return {-reach, reach};
}

/// What actuators bear in a motion, as pages draw it: type `Loads` of studio_data.ts. Nothing
/// where the mechanism does not close or cannot follow it; `followed` gets what else is known. With
/// `only`, of these actuators.
Json loads_of(const Mechanism& mechanism, const Motion& motion, bool springs, const Json& only,
              const std::function<void(const std::variant<ShownRun, Finding>&)>& followed) {
  Json loads = Json::object();
  try {
    const ShownPoses shown(motion, most_poses(mechanism, most_numbers));
    auto result = simulate_shown(mechanism, motion, {.springs = springs}, shown);
    if (followed) followed(result);
    auto* run = std::get_if<ShownRun>(&result);
    if (run == nullptr) return loads;
    stand_still(run->simulation.columns);
    const std::vector<Series> columns =
        without_rounding(mechanism, std::move(run->simulation.columns));
    for (const Actuator& actuator : mechanism.actuators) {
      if (only.is_array() && std::find(only.begin(), only.end(), actuator.name) == only.end())
        continue;
      if (const Series* load = find_column(columns, actuator.name + ".load"))
        loads[actuator.name] = float32_column(load->values);
    }
  } catch (const MechanismError&) {
    return Json::object();
  }
  return loads;
}

/// The value or level of a variable at which the model's own design lies, or is nearest to.
double own_value(const Variable& variable, std::span<const double> parameters) {
  std::optional<double> own;
  if (variable.numeric() && variable.targets.size() == 1)
    own = parameters[static_cast<std::size_t>(variable.targets.front().parameter)];
  if (variable.kind == VariableKind::continuous) {
    const bool direct = own && sets_directly(variable, variable.targets.front());
    const double middle = 0.5 * (variable.low + variable.high);
    return std::clamp(direct ? *own : middle, variable.low, variable.high);
  }
  if (!own) return 0.0;
  const std::vector<double>& values = variable.targets.front().by_level;
  const auto nearer = [&](double a, double b) { return std::abs(a - *own) < std::abs(b - *own); };
  return static_cast<double>(std::min_element(values.begin(), values.end(), nearer) -
                             values.begin());
}

}  // namespace

WhatIf::WhatIf(Study study, std::optional<std::vector<double>> point)
    : study_(std::move(study)),
      design_(study_),
      cases_(study_),
      evaluators_(study_.motions.size()) {
  const Location where{.file = study_.path.string()};
  if (study_.motions.empty())
    throw InputError(where, "found no motion, expected one: the studio shows loads in motions");
  if (study_.carries_drives())
    throw InputError(where,
                     "drives that are mounted are not part of the studio yet; leave out "
                     "\"mounted_on\"");
  const Search* search = study_.search();
  if (search != nullptr && search->method == SearchMethod::exact_springs) sizer_.emplace(study_);
  cases_.set_baselines(std::make_shared<const Baselines>(cases_.evaluate_baselines()));
  const Model& model = *study_.model;
  ModelBinder own(model);
  static_cast<void>(own.bind({}));
  std::vector<char> set(model.parameters.size(), 0);
  for (std::size_t v = 0; v < study_.variables.size(); ++v) {
    const Variable& variable = study_.variables[v];
    begin_.push_back(point ? (*point)[v] : own_value(variable, own.values()));
    for (const VariableTarget& target : variable.targets)
      set[static_cast<std::size_t>(target.parameter)] = 1;
    if (variable.kind == VariableKind::motion) continue;
    Slider slider{.name = variable.name, .variable = static_cast<int>(v), .begin = begin_.back()};
    slider.low = variable.discrete() ? 0.0 : variable.low;
    slider.high =
        variable.discrete() ? static_cast<double>(variable.level_count() - 1) : variable.high;
    sliders_.push_back(slider);
  }
  const std::vector<ParameterSetting> settings = [&] {
    design_.set_point(begin_);
    return std::vector<ParameterSetting>(design_.settings().begin(), design_.settings().end());
  }();
  ModelBinder first(model);
  static_cast<void>(first.bind(settings));
  for (std::size_t p = 0; p < model.parameters.size(); ++p) {
    const Parameter& parameter = model.parameters[p];
    const bool named = std::any_of(study_.variables.begin(), study_.variables.end(),
                                   [&](const Variable& one) { return one.name == parameter.name; });
    if (set[p] != 0 || named || !parameter.value.fixed()) continue;
    Slider slider{
        .name = parameter.name, .parameter = static_cast<int>(p), .begin = first.values()[p]};
    std::tie(slider.low, slider.high) = usual_range(slider.begin, parameter.unit);
    if (parameter.min && parameter.min->fixed()) slider.low = parameter.min->value;
    if (parameter.max && parameter.max->fixed()) slider.high = parameter.max->value;
    sliders_.push_back(slider);
  }
}

Json WhatIf::slider_json(const Slider& slider) const {
  Json json = {{"name", slider.name},
               {"of", slider.variable >= 0 ? "variable" : "parameter"},
               {"begin", slider.begin},
               {"low", slider.low},
               {"high", slider.high}};
  if (slider.variable < 0) {
    const Parameter& parameter =
        study_.model->parameters[static_cast<std::size_t>(slider.parameter)];
    json["unit"] = si_unit(parameter.unit);
    json["note"] = parameter.note;
    return json;
  }
  const Variable& variable = study_.variables[static_cast<std::size_t>(slider.variable)];
  json["unit"] = si_unit(variable.unit);
  json["note"] = "";
  if (!variable.discrete()) return json;
  Json labels = Json::array();
  for (std::int64_t level = 0; level < variable.level_count(); ++level) {
    const auto i = static_cast<std::size_t>(level);
    if (variable.numeric())
      labels.push_back(variable.values[i]);
    else
      labels.push_back(variable.labels[i]);
  }
  json["levels"] = labels;
  return json;
}

Json WhatIf::page_data() const {
  Json data = {{"program", fmt::format("counterpoise {}", build_info().version)},
               {"name", study_.name},
               {"model", study_.model->name},
               {"display", units_for(study_, {}).json()},
               {"sliders", Json::array()},
               {"motions", Json::array()},
               {"sized", Json::array()},
               {"sized_are", sizer_ ? sizer_->sized() : ""},
               {"meshes", Json::array()}};
  for (const Slider& slider : sliders_) data["sliders"].push_back(slider_json(slider));
  for (const LoadCase& load_case : study_.motions)
    data["motions"].push_back(
        {{"name", load_case.name}, {"poses", load_case.motion.nominal.poses}});
  if (sizer_)
    for (std::size_t v = 0; v < study_.variables.size(); ++v)
      if (is_sized(v)) data["sized"].push_back(study_.variables[v].name);
  for (const BodyMesh& mesh : read_meshes(study_.model->visuals))
    data["meshes"].push_back(mesh_data(mesh));
  return data;
}

Json WhatIf::values_at(std::span<const double> point) const {
  Json values = Json::object();
  for (const Slider& slider : sliders_)
    if (slider.variable >= 0)
      values[slider.name] = point[static_cast<std::size_t>(slider.variable)];
  return values;
}

std::size_t WhatIf::motion_named(const Json& request) const {
  const auto name = request.find("motion");
  if (name == request.end() || !name->is_string())
    throw wrong_request("expected the name of a motion under \"motion\"");
  for (std::size_t m = 0; m < study_.motions.size(); ++m)
    if (study_.motions[m].name == name->get_ref<const std::string&>()) return m;
  throw wrong_request(fmt::format("the study has no motion {}", json_text(*name)));
}

double WhatIf::value_of(const Slider& slider, const Json& value) const {
  if (!value.is_number() || !std::isfinite(value.get<double>()))
    throw wrong_request(
        fmt::format("{}: found {}, expected a number", slider.name, json_text(value)));
  const auto number = value.get<double>();
  if (slider.variable < 0) return number;
  const Variable& variable = study_.variables[static_cast<std::size_t>(slider.variable)];
  if (variable.discrete() && number != std::floor(number))
    throw wrong_request(
        fmt::format("{}: found {}, expected the number of a level", slider.name, json_text(value)));
  if (number < slider.low || number > slider.high)
    throw wrong_request(fmt::format("{}: found {}, expected {} to {}", slider.name,
                                    json_text(value), slider.low, slider.high));
  return number;
}

WhatIf::Asked WhatIf::asked(const Json& request) const {
  Asked asked{.point = begin_, .besides = {}, .motion = motion_named(request)};
  const auto size = request.find("size");
  asked.size = size != request.end() && size->is_boolean() && size->get<bool>();
  const auto scene = request.find("scene");
  asked.scene = scene == request.end() || !scene->is_boolean() || scene->get<bool>();
  if (const auto actuators = request.find("actuators"); actuators != request.end())
    asked.actuators = *actuators;
  if (asked.size && !sizer_)
    throw wrong_request("the study has no exact springs: its method is not \"exact-springs\"");
  const auto values = request.find("values");
  if (values == request.end() || !values->is_object())
    throw wrong_request("expected an object of values under \"values\"");
  for (const auto& given : values->items()) {
    const std::string& name = given.key();
    const auto slider = std::find_if(sliders_.begin(), sliders_.end(),
                                     [&](const Slider& one) { return one.name == name; });
    if (slider == sliders_.end())
      throw wrong_request(
          fmt::format("found {}, expected a variable of the study or a parameter "
                      "that none of them sets",
                      json_text(name)));
    const double number = value_of(*slider, given.value());
    if (slider->variable >= 0) {
      asked.point[static_cast<std::size_t>(slider->variable)] = number;
    } else if (number != slider->begin) {
      asked.besides.push_back({slider->parameter, number});
      asked.same_parameters = false;
    }
  }
  if (study_.motion_variable >= 0) {
    const auto v = static_cast<std::size_t>(study_.motion_variable);
    const std::vector<int>& motions = study_.variables[v].motions;
    const auto level = std::find(motions.begin(), motions.end(), static_cast<int>(asked.motion));
    if (level != motions.end()) asked.point[v] = static_cast<double>(level - motions.begin());
  }
  return asked;
}

bool WhatIf::is_sized(std::size_t variable) const {
  const std::vector<int>& geometry = sizer_->geometry();
  return std::find(geometry.begin(), geometry.end(), static_cast<int>(variable)) == geometry.end();
}

/// Puts the best springs of the geometry into the point; returns in words why there are none.
std::optional<std::string> WhatIf::size(Asked& asked, Json& answer) {
  if (!asked.same_parameters)
    return "springs are sized for the parameters of the study; put the others back where they "
           "began";
  SizedGeometry sized = sizer_->size(asked.point);
  if (!sized.value) return "no springs suffice here: " + sized.outcome.reason;
  asked.point = std::move(sized.point);
  answer["certain"] = sized.bound > -no_limit;  // where drives are undecided, better ones may exist
  answer["optimum"] = optimum();
  answer["sized"] = Json::object();
  for (std::size_t v = 0; v < study_.variables.size(); ++v)
    if (is_sized(v)) answer["sized"][study_.variables[v].name] = asked.point[v];
  return std::nullopt;
}

/// What is proved of the springs that were sized last, and what loosening limits is worth.
Json WhatIf::optimum() {
  const std::optional<SpringOptimum> optimum = sizer_->optimum();
  if (!optimum) return nullptr;
  const Objective& objective = study_.objectives[static_cast<std::size_t>(sizer_->objective())];
  return {{"objective", objective.name},
          {"unit", unit_of(study_, objective)},
          {"bound", optimum->is_rounding(optimum->bound) ? 0.0 : optimum->bound},
          {"sized", optimum->sized},
          {"priced", priced_json(study_, *optimum)},
          {"prices_unknown", optimum->no_shadow_prices}};
}

/// Makes the design and its motion; returns in words why there is none.
std::optional<std::string> WhatIf::bind(const Asked& asked) {
  design_.set_point(asked.point);
  design_.set_besides(asked.besides);
  if (auto reason = design_.bind()) return reason;
  return design_.bind_motion(asked.motion);
}

/// What the actuators bear in the motion, as the engine sums it up for studies.
Json WhatIf::metrics(std::size_t m, const Mechanism& mechanism, const Motion& motion,
                     bool springs) {
  std::optional<Evaluator>& evaluator = evaluators_[m];
  if (!evaluator)
    evaluator.emplace(mechanism, motion);
  else
    evaluator->set_motion(motion);
  Metrics of_design;
  static_cast<void>(
      evaluator->evaluate(mechanism, {.springs = springs, .limits = false}, of_design));
  Json all = Json::array();
  if (!evaluator->followed()) return all;
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
    const ActuatorMetrics& of = of_design.actuators[a];
    all.push_back({{"actuator", mechanism.actuators[a].name},
                   {"unit", load_unit(mechanism, mechanism.actuators[a])},
                   {"max", of.max},
                   {"mean", of.mean},
                   {"rms", of.rms}});
  }
  return all;
}

/// What the study says of the design in all its motions.
Json WhatIf::verdict(const Asked& asked) {
  CaseOutcome outcome;
  cases_.evaluate(asked.point, outcome);
  Json json = {{"status", status_name(outcome.status)},
               {"reason", outcome.reason},
               {"objectives", Json::array()}};
  if (!outcome.computable) return json;
  for (std::size_t o = 0; o < study_.objectives.size(); ++o)
    json["objectives"].push_back({{"name", study_.objectives[o].name},
                                  {"value", outcome.objectives[o]},
                                  {"unit", unit_of(study_, study_.objectives[o])}});
  return json;
}

/// How sliders move points in their bodies: derivatives of positions by values, where they are not
/// zero. Cost: two binds a slider.
Json WhatIf::handles(const Asked& asked) {
  const std::vector<Point> points = design_.mechanism(asked.motion).points;
  Json all = Json::array();
  for (const Slider& slider : sliders_) {
    const Variable* variable = slider.variable < 0
                                   ? nullptr
                                   : &study_.variables[static_cast<std::size_t>(slider.variable)];
    if (variable != nullptr && variable->discrete()) continue;
    Asked beside = asked;
    double* moved = nullptr;
    if (variable != nullptr) {
      moved = &beside.point[static_cast<std::size_t>(slider.variable)];
    } else {
      const auto of = std::find_if(
          beside.besides.begin(), beside.besides.end(),
          [&](const ParameterSetting& one) { return one.parameter == slider.parameter; });
      if (of == beside.besides.end()) {
        beside.besides.push_back({slider.parameter, slider.begin});
        moved = &beside.besides.back().value;
      } else {
        moved = &of->value;
      }
    }
    const double before = *moved;
    const double size = std::max(std::abs(slider.high - slider.low), 1e-9);
    for (const double step : {1e-6 * size, -1e-6 * size}) {
      *moved = before + step;
      if (variable != nullptr && (*moved < slider.low || *moved > slider.high)) continue;
      if (bind(beside)) continue;  // out of bounds that way
      const std::vector<Point>& there = design_.mechanism(asked.motion).points;
      for (std::size_t p = 0; p < points.size(); ++p) {
        const Vec3d along = (there[p].position - points[p].position) / step;
        if (along.norm() > 1e-9)
          all.push_back({{"slider", slider.name},
                         {"point", p},
                         {"along", {along.x(), along.y(), along.z()}}});
      }
      break;
    }
  }
  return all;
}

/// The command line that simulates the design; nothing where the motion has no file of its own, or
/// a variant of the study may have changed the model.
std::string WhatIf::command(const Asked& asked) const {
  const LoadCase& load_case = study_.motions[asked.motion];
  const std::string& motion = load_case.motion.where.file;
  if (motion == study_.path || !study_.variant.empty()) return "";
  std::vector<ParameterSetting> settings(design_.settings().begin(), design_.settings().end());
  for (const ParameterSetting& own : load_case.settings) {
    std::erase_if(settings, [&](const auto& one) { return one.parameter == own.parameter; });
    settings.push_back(own);
  }
  const Model& model = *study_.model;
  std::string line = fmt::format("counterpoise simulate {} --motion {}",
                                 shell_word(model.location("").file), shell_word(motion));
  for (const ParameterSetting& setting : settings)
    line += fmt::format(" --set {}={}",
                        model.parameters[static_cast<std::size_t>(setting.parameter)].name,
                        setting.value);
  return line;
}

/// The design as it is drawn, and how it can be dragged.
void WhatIf::add_scene(const Asked& asked, Json& answer) {
  DesignView view(*study_.model, design_.mechanism(asked.motion), "");
  const Motion& motion = design_.motion(asked.motion);
  view.follow(motion, most_numbers);
  view.add_bare_loads(motion);
  answer["design"] = view.json();
  answer["findings"] = std::exchange(answer["design"]["findings"], Json::array());
  answer["handles"] = handles(asked);
}

/// What actuators bear in the motion with springs and without, and what is to be said of that.
void WhatIf::add_loads(const Asked& asked, Json& answer) {
  const Mechanism& mechanism = design_.mechanism(asked.motion);
  const Motion& motion = design_.motion(asked.motion);
  std::vector<ViewFinding> findings;
  std::vector<double> times;
  answer["loads"] = loads_of(mechanism, motion, true, asked.actuators, [&](const auto& result) {
    if (const Finding* finding = std::get_if<Finding>(&result)) {
      findings.push_back(
          {ViewFinding::Kind::error, describe(*finding, mechanism, motion), finding->time});
    } else {
      const Simulation& simulation = std::get<ShownRun>(result).simulation;
      times = simulation.columns.front().values;
      findings = findings_of(*study_.model, mechanism, motion, simulation);
    }
  });
  answer["times"] = float64_column(times);
  answer["bare_loads"] = mechanism.springs.empty()
                             ? Json::object()
                             : loads_of(mechanism, motion, false, asked.actuators, {});
  answer["findings"] = Json::array();
  for (const ViewFinding& finding : findings) answer["findings"].push_back(json_of(finding));
}

Json WhatIf::design(const Json& request) {
  Asked asked = this->asked(request);
  Json answer;
  if (asked.size)
    if (const auto reason = size(asked, answer)) return {{"refused", *reason}};
  if (const auto reason = bind(asked)) return {{"refused", *reason}};
  const Mechanism& mechanism = design_.mechanism(asked.motion);
  const Motion& motion = design_.motion(asked.motion);
  answer["metrics"] = metrics(asked.motion, mechanism, motion, true);
  answer["bare"] =
      mechanism.springs.empty() ? Json::array() : metrics(asked.motion, mechanism, motion, false);
  answer["command"] = command(asked);
  answer["verdict"] = asked.same_parameters ? verdict(asked) : Json();
  if (asked.scene)
    add_scene(asked, answer);
  else
    add_loads(asked, answer);
  return answer;
}

Json WhatIf::baseline(const Json& request) {
  const std::size_t m = motion_named(request);
  const MotionDesign baseline = cases_.baseline_design(m);
  const Json loads = loads_of(baseline.mechanism, baseline.motion, true, {}, {});
  if (loads.empty()) return {{"loads", loads}, {"metrics", Json::array()}};
  return {{"loads", loads}, {"metrics", metrics(m, baseline.mechanism, baseline.motion, true)}};
}

}  // namespace counterpoise
