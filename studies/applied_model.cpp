#include "studies/applied_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "cases/case_evaluator.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {
namespace {

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// The number that this unit turns into exactly these bits, if there is one.
std::optional<double> in_unit(const Unit& unit, double si) {
  constexpr int neighbours = 4;
  const double near = unit.from_si(si);
  double below = near, above = near;
  for (int i = 0; i <= neighbours; ++i) {
    for (const double candidate : {above, below})
      if (same_bits(unit.to_si(candidate), si)) return candidate;
    above = std::nextafter(above, INFINITY);
    below = std::nextafter(below, -INFINITY);
  }
  return std::nullopt;
}

/// A bound that was given in the parameter's unit, in SI.
Json bound_in_si(const Number& bound, const Unit& unit, const Json& stated) {
  if (bound.fixed()) return bound.value;
  return fmt::format("({}) * {} / {}", stated.get<std::string>(), unit.times, unit.over);
}

void set_parameter(const Parameter& parameter, double si, const std::string& source,
                   Json& parameters) {
  Json& member = parameters[parameter.name];
  if (!member.is_object()) member = Json{{"value", nullptr}};
  if (const auto number = in_unit(parameter.unit, si)) {
    member["value"] = *number;
  } else {
    member["value"] = si;
    if (parameter.min) member["min"] = bound_in_si(*parameter.min, parameter.unit, member["min"]);
    if (parameter.max) member["max"] = bound_in_si(*parameter.max, parameter.unit, member["max"]);
    const std::string unit(si_unit(parameter.unit));
    member["unit"] = unit.empty() ? "1" : unit;
  }
  member["source"] = source;
}

/// What set a parameter: the part of a catalogue, or the case as a whole.
std::string source_of(const Study& study, const std::vector<double>& point, int parameter,
                      const std::string& otherwise) {
  for (std::size_t v = 0; v < study.variables.size(); ++v) {
    const Variable& variable = study.variables[v];
    const bool sets =
        std::any_of(variable.targets.begin(), variable.targets.end(),
                    [&](const auto& target) { return target.parameter == parameter; });
    if (!sets || variable.kind != VariableKind::catalogue) continue;
    const auto level = static_cast<std::size_t>(point[v]);
    return fmt::format("{}: {} (row {}); {}", variable.catalogue, variable.labels[level],
                       variable.rows[level], otherwise);
  }
  return otherwise;
}

Json parsed(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return Json::parse(text);
}

/// The study's model file as it was read.
const SourceText& model_source(const Study& study) {
  return *std::find_if(study.sources.begin(), study.sources.end(),
                       [](const SourceText& source) { return source.role == "model"; });
}

/// The place of a drive as the model file says it: the numbers of the study, or those of the point.
Json place_of(const DriveMount& mount, const Mechanism& nominal, const Json& bodies) {
  if (mount.point < 0) return {mount.position.x(), mount.position.y(), mount.position.z()};
  const Body& body = nominal.bodies[mount.body];
  const auto of = std::find_if(bodies.begin(), bodies.end(),
                               [&](const Json& one) { return one["name"] == body.name; });
  return (*of)["points"][nominal.points[mount.point].name.substr(body.name.size() + 1)];
}

/// Adds the drives that a design carries, each as a body without extent.
void add_drives(const Study& study, const std::vector<double>& masses, Json& root,
                AppliedModel& applied) {
  const Mechanism& nominal = study.model->nominal;
  for (std::size_t d = 0; d < masses.size(); ++d) {
    const std::optional<DriveMount>& mount = study.drives[d].mount;
    if (!mount || masses[d] == 0.0) continue;
    std::string name = nominal.actuators[study.drives[d].actuator].name + "_drive";
    while (find_body(nominal, name) >= 0) name += '_';
    root["bodies"].push_back(
        {{"name", name},
         {"parent", nominal.bodies[mount->body].name},
         {"joint", {{"type", "fixed"}, {"origin", place_of(*mount, nominal, root["bodies"])}}},
         {"mass", masses[d]}});
    applied.drives.push_back(name);
  }
}

}  // namespace

MovedModel moved_model(std::string_view text, const Study& study, const std::filesystem::path& to) {
  namespace fs = std::filesystem;
  const fs::path model = *study.model->document.file;
  std::ifstream file(model, std::ios::binary);
  const std::string now{std::istreambuf_iterator<char>(file), {}};
  const bool as_read = model_source(study).text == now;
  const fs::path old_folder = fs::weakly_canonical(fs::absolute(model)).parent_path();
  const fs::path new_folder = fs::weakly_canonical(fs::absolute(to)).parent_path();
  MovedModel moved{std::string(text), {}};
  Json root = parsed(text);
  bool named = false;
  const auto move = [&](Json& name) {
    const fs::path path = name.get<std::string>();
    if (path.is_absolute()) return;
    if (as_read && old_folder != new_folder && fs::exists(old_folder / path)) {
      name = (old_folder / path).lexically_relative(new_folder).generic_string();
      named = true;
    } else if (!fs::exists(new_folder / path)) {
      moved.missing.push_back(path.string());
    }
  };
  const auto move_profiles = [&](Json& holder) {
    if (holder.contains("pulleys"))
      for (Json& pulley : holder["pulleys"]) {
        if (!pulley.contains("profile")) continue;
        Json& profile = pulley["profile"];
        if (profile.is_string())
          move(profile);
        else if (profile.contains("table"))
          move(profile["table"]);
      }
  };
  if (root.contains("world")) move_profiles(root["world"]);
  for (Json& body : root["bodies"]) {
    move_profiles(body);
    if (body.contains("visual")) move(body["visual"]["mesh"]);
  }
  if (named) moved.text = json_file_text(root);
  return moved;
}

std::string text_with_values(const Model& model, std::string_view text,
                             std::span<const ParameterSetting> settings,
                             const std::string& source) {
  Json root = parsed(text);
  for (const ParameterSetting& setting : settings)
    set_parameter(model.parameters[setting.parameter], setting.value, source, root["parameters"]);
  return json_file_text(root);
}

std::vector<ParameterSetting> settings_of(const Study& study, const std::vector<double>& point,
                                          int motion) {
  CaseDesign design(study);
  design.set_point(point);
  if (motion >= 0) design.set_besides(study.motions[motion].settings);
  std::vector<ParameterSetting> settings(design.settings().begin(), design.settings().end());
  std::sort(settings.begin(), settings.end(),
            [](const auto& a, const auto& b) { return a.parameter < b.parameter; });
  return settings;
}

AppliedModel applied_model(const Study& study, const std::vector<double>& point, std::int64_t id,
                           int motion) {
  Json root = parsed(model_source(study).text);
  AppliedModel applied;
  const std::string by_case = fmt::format("case {} of {}", id, study.name);
  for (const ParameterSetting& setting : settings_of(study, point, motion)) {
    const Parameter& parameter = study.model->parameters[setting.parameter];
    std::string source = source_of(study, point, setting.parameter, by_case);
    if (motion >= 0) {
      const LoadCase& load_case = study.motions[motion];
      for (const ParameterSetting& own : load_case.settings)
        if (own.parameter == setting.parameter)
          source = fmt::format("motion {} of {}", load_case.name, study.name);
    }
    set_parameter(parameter, setting.value, source, root["parameters"]);
    applied.changed.push_back(parameter.name);
  }
  for (std::size_t m = 0; m < study.motions.size(); ++m)
    if (!study.motions[m].settings.empty() && static_cast<int>(m) != motion)
      applied.own_settings.push_back(study.motions[m].name);
  if (study.carries_drives())
    add_drives(study, CaseEvaluator(study).carried_masses(point), root, applied);
  applied.text = json_file_text(root);
  return applied;
}

}  // namespace counterpoise
