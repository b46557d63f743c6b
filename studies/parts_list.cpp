#include "studies/parts_list.hpp"

#include <algorithm>
#include <cmath>

#include "engine/evaluation/simulation.hpp"
#include "engine/evaluation/structure.hpp"
#include "input/text/csv.hpp"
#include "input/text/json_document.hpp"

namespace counterpoise {
namespace {

/// The variable that chooses this spring from a catalogue, or null.
const Variable* chosen_variable(const Study& study, std::size_t spring) {
  for (std::size_t v = 0; v < study.variables.size(); ++v) {
    if (study.variables[v].kind != VariableKind::catalogue) continue;
    for (const int f : study.reach[v].fields()) {
      const FieldNumbers& field = study.model->varying[static_cast<std::size_t>(f)];
      if (field.field == Field::spring_rate && field.element == static_cast<int>(spring))
        return &study.variables[v];
    }
  }
  return nullptr;
}

/// How often a series rises and falls again when it is run through over and over. Changes of less
/// than a thousandth of its range are no turns.
int count_cycles(const std::vector<double>& series) {
  constexpr double rounding = 1e-9, part_of_range = 1e-3;
  const auto [least, most] = std::minmax_element(series.begin(), series.end());
  const double noise = rounding * std::abs(*most) + part_of_range * (*most - *least);
  std::vector<int> directions;
  double extreme = series.front();
  const auto go_to = [&](double value) {
    const int last = directions.empty() ? 0 : directions.back();
    const bool onward = last != 0 && (value - extreme) * last >= 0.0;
    if (!onward && std::abs(value - extreme) <= noise) return;
    if (!onward) directions.push_back(value > extreme ? 1 : -1);
    extreme = value;
  };
  for (const double value : series) go_to(value);
  go_to(series.front());
  if (directions.size() > 1 && directions.front() == directions.back()) directions.pop_back();
  return static_cast<int>(directions.size() / 2);
}

const std::vector<double>& column(const Simulation& simulation, const std::string& name) {
  return std::find_if(simulation.columns.begin(), simulation.columns.end(),
                      [&](const Series& series) { return series.name == name; })
      ->values;
}

std::vector<PartPoint> points_of(const Mechanism& mechanism) {
  std::vector<PartPoint> points(mechanism.points.size());
  const std::vector<Vec3d> world = points_in_zero_configuration(mechanism);
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].point = mechanism.points[i].name;
    points[i].in_body = mechanism.points[i].position;
    points[i].in_world = world[i];
  }
  const auto hold = [&](const auto& elements, const char* kind) {
    for (const auto& element : elements)
      for (const PointIndex point : element.points)
        if (point >= 0)
          points[static_cast<std::size_t>(point)].holds.push_back(kind + element.name);
  };
  hold(mechanism.springs, "spring ");
  hold(mechanism.actuators, "actuator ");
  hold(mechanism.loops, "loop ");
  std::erase_if(points, [](const PartPoint& point) { return point.holds.empty(); });
  return points;
}

}  // namespace

std::vector<std::size_t> motions_of(const Study& study, const std::vector<double>& point) {
  if (study.motion_variable >= 0) {
    const auto v = static_cast<std::size_t>(study.motion_variable);
    const int chosen = study.variables[v].motions[static_cast<std::size_t>(point[v])];
    return {static_cast<std::size_t>(chosen)};
  }
  std::vector<std::size_t> all(study.motions.size());
  for (std::size_t m = 0; m < all.size(); ++m) all[m] = m;
  return all;
}

std::vector<CatalogueChoice> catalogue_choices(const Study& study,
                                               const std::vector<double>& point) {
  std::vector<CatalogueChoice> choices;
  for (std::size_t v = 0; v < study.variables.size(); ++v) {
    const Variable& variable = study.variables[v];
    if (variable.kind != VariableKind::catalogue) continue;
    const auto level = static_cast<std::size_t>(point[v]);
    CatalogueChoice& choice = choices.emplace_back();
    choice.variable = variable.name;
    choice.file = variable.catalogue;
    choice.part = variable.labels[level];
    choice.row = variable.rows[level];
    for (const SourceText& source : study.sources) {
      if (source.role != "catalogue" || !source.path.ends_with(variable.catalogue)) continue;
      const CsvTable table = parse_csv(source.text, source.path);
      for (const CsvColumn& of : table.columns) {
        choice.columns.push_back(
            of.unit.name == "1" ? of.name : of.name + " [" + std::string(of.unit.name) + "]");
        choice.cells.push_back(of.texts[static_cast<std::size_t>(choice.row) - 1]);
      }
      const JsonValue definition = parse_json(variable.definition, variable.name);
      const JsonValue* sets = definition.find("sets");
      if (sets != nullptr && sets->kind == JsonValue::Kind::object)
        for (const JsonValue& member : sets->items)
          if (table.find(member.text) == nullptr)
            choice.made.push_back(member.key + " = " + compact_text(member));
      break;
    }
  }
  return choices;
}

PartsList parts_of(const Study& study, const std::vector<double>& point, const CaseOutcome& outcome,
                   CaseEvaluator& evaluator) {
  PartsList parts;
  const std::vector<CatalogueChoice> choices = catalogue_choices(study, point);
  for (const std::size_t m : motions_of(study, point)) {
    const MotionDesign design = evaluator.design(point, m);
    if (parts.points.empty()) parts.points = points_of(design.mechanism);
    const auto result = simulate(design.mechanism, design.motion, {});
    if (const Finding* finding = std::get_if<Finding>(&result))
      throw InputError({.file = study.motions[m].name}, describe(*finding, design.mechanism));
    const std::vector<Spring>& springs = design.mechanism.springs;
    parts.springs.resize(springs.size());
    for (std::size_t s = 0; s < springs.size(); ++s) {
      SpringPart& part = parts.springs[s];
      part.spring = springs[s].name;
      part.torsion = springs[s].type == SpringType::torsion;
      part.rate = springs[s].rate;
      part.free_length = springs[s].free_length;
      part.initial_tension = springs[s].initial_tension;
      if (const Variable* variable = chosen_variable(study, s))
        for (const CatalogueChoice& choice : choices)
          if (choice.variable == variable->name) {
            part.part = choice.part;
            part.catalogue = choice.file;
            part.made = choice.made;
          }
      if (s < outcome.metrics.springs.size()) {
        part.shortest = outcome.metrics.springs[s].min_length;
        part.longest = outcome.metrics.springs[s].max_length;
        part.largest_load = outcome.metrics.springs[s].max_tension;
      }
      const std::string name = part.spring + (part.torsion ? ".angle" : ".length");
      part.cycles.push_back({study.motions[m].name,
                             count_cycles(column(std::get<Simulation>(result), name)),
                             design.motion.duration});
    }
  }
  return parts;
}

}  // namespace counterpoise
