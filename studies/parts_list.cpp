#include "studies/parts_list.hpp"

#include "cases/case_drives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

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
      const FieldNumbers& field = study.model->varying[f];
      if (field.field == Field::spring_rate && field.element == static_cast<int>(spring))
        return &study.variables[v];
    }
  }
  return nullptr;
}

/// The variable that chooses this spring of a group from a catalogue, or null.
const Variable* chosen_variable(const Study& study, std::size_t spring, std::size_t part) {
  const Model& model = *study.model;
  for (std::size_t v = 0; v < study.variables.size(); ++v) {
    if (study.variables[v].kind != VariableKind::catalogue) continue;
    for (const FieldNumbers& field : model.varying) {
      const Number& number = field.numbers[part];
      if (field.field == Field::part_rates && field.element == static_cast<int>(spring) &&
          !number.fixed() && study.reach[v].design.changes(model.expressions[number.expression]))
        return &study.variables[v];
    }
  }
  return nullptr;
}

/// The source of the catalogue of a variable, or null.
const SourceText* catalogue_of(const Study& study, const Variable& variable) {
  const auto found =
      std::find_if(study.sources.begin(), study.sources.end(), [&](const SourceText& source) {
        return source.role == "catalogue" && source.path.ends_with(variable.catalogue);
      });
  return found == study.sources.end() ? nullptr : &*found;
}

constexpr double part_closeness = 1e-9;  // relative

bool is_number_of(double a, double b) {
  return std::abs(a - b) <= part_closeness * std::max(std::abs(a), std::abs(b));
}

/// The numbers of the part that a variable chose for a spring.
class PartNumbers {
 public:
  PartNumbers(const Study& study, const Variable& variable, std::size_t level)
      : study_(study), replaced_(set_by_variables(study)) {
    const SourceText* const source = catalogue_of(study, variable);
    const JsonValue definition = parse_json(variable.definition, variable.name);
    const JsonValue* const sets = definition.find("sets");
    if (source == nullptr || sets == nullptr || sets->kind != JsonValue::Kind::object) return;
    const CsvTable table = parse_csv(source->text, source->path);
    Scope scope("a column");
    for (const CsvColumn& column : table.columns) scope.add(column.name, column.text);
    const auto row = static_cast<std::size_t>(variable.rows[level]) - 1;
    for (const VariableTarget& target : variable.targets) {
      const std::string& name = study.model->parameters[target.parameter].name;
      const JsonValue* const set = sets->find(name);
      if (set == nullptr || set->kind != JsonValue::Kind::string) continue;
      const Expression expression = Expression::parse(set->text, scope, variable.where);
      if (expression.used().size() != 1) continue;
      const CsvColumn& column = table.columns[expression.used().front()];
      if (!column.text)
        set_.push_back({target.parameter, column.numbers[row], target.by_level[level]});
    }
  }

  /// The part's own number where a field of a spring is made from it alone; else nothing.
  [[nodiscard]] std::optional<double> of(Field field, std::size_t spring) const {
    std::optional<double> own;
    for (const Set& set : set_) {
      if (!reaches(set.parameter, field, spring)) continue;
      if (own && !is_number_of(*own, set.own)) return std::nullopt;
      own = set.own;
    }
    return own;
  }

  /// The parameters that the study gives so many times the part's number.
  [[nodiscard]] std::vector<std::string> set_to(int times) const {
    std::vector<std::string> names;
    for (const Set& set : set_)
      if (is_number_of(set.value, times * set.own))
        names.push_back(study_.model->parameters[set.parameter].name);
    return names;
  }

 private:
  struct Set {
    int parameter;
    double own, value;  // of the part, and what the study makes of it
  };

  [[nodiscard]] bool reaches(int parameter, Field field, std::size_t spring) const {
    const Reach reach = reach_of(*study_.model, std::span(&parameter, 1), replaced_);
    return std::any_of(reach.fields.begin(), reach.fields.end(), [&](int f) {
      const FieldNumbers& varying = study_.model->varying[f];
      return varying.field == field && varying.element == static_cast<int>(spring);
    });
  }

  const Study& study_;
  std::vector<bool> replaced_;
  std::vector<Set> set_;
};

std::vector<WeightPart> weights_of(const Study& study, const Mechanism& mechanism) {
  std::vector<bool> varies(mechanism.bodies.size(), false);
  for (const VariableReach& reach : study.reach)
    for (const int f : reach.fields())
      if (study.model->varying[f].field == Field::mass)
        varies[static_cast<std::size_t>(study.model->varying[f].element)] = true;
  std::vector<WeightPart> weights;
  for (BodyIndex b = 0; b < mechanism.body_count(); ++b) {
    if (!varies[b]) continue;
    const Body& body = mechanism.bodies[b];
    WeightPart& weight = weights.emplace_back();
    weight.body = weight.on = body.name;
    weight.mass = body.mass;
    weight.place = body.com;
    if (mechanism.moves(b)) continue;
    weight.on = body.parent == world_body ? "world" : mechanism.bodies[body.parent].name;
    weight.place = body.joint.origin + body.joint.rotation * body.com;
  }
  return weights;
}

/// How many of the same part make up a number of a spring: 1 where none do.
int pieces_of(double whole, std::optional<double> own) {
  constexpr double most = 1000.0;
  if (!own || *own == 0.0) return 1;
  const double pieces = std::round(whole / *own);
  return pieces > 1.0 && pieces <= most && is_number_of(whole, pieces * *own)
             ? static_cast<int>(pieces)
             : 1;
}

/// How many of the same part side by side have a spring's numbers: 1 where none do.
int pieces_of(const SpringPart& part, std::optional<double> rate, std::optional<double> free_length,
              std::optional<double> tension) {
  const int pieces = pieces_of(part.rate, rate);
  const bool fits = (!free_length || is_number_of(part.free_length, *free_length)) &&
                    (!tension || is_number_of(part.initial_tension, pieces * *tension));
  return fits ? pieces : 1;
}

/// Converts from what the robot feels to what is to be ordered: a spring that stands for several
/// parts side by side gets the numbers of one. Notes numbers that match no part.
void take_apart(const PartNumbers& numbers, std::size_t spring, SpringPart& part) {
  auto rate = numbers.of(Field::spring_rate, spring),
       free_length = numbers.of(Field::spring_free_length, spring),
       tension = numbers.of(Field::spring_initial_tension, spring);
  if (part.gas) {  // catalogues have the force with which it pushes, and none has a rate
    rate.reset();
    free_length.reset();
    if (tension) tension = std::copysign(*tension, part.initial_tension);
    part.pieces = pieces_of(part.initial_tension, tension);
  } else {
    part.pieces = pieces_of(part, rate, free_length, tension);
  }
  if (part.pieces > 1) {
    for (const std::string& name : numbers.set_to(part.pieces))
      std::erase_if(part.made,
                    [&](const std::string& made) { return made.starts_with(name + " = "); });
    part.rate /= part.pieces;
    part.initial_tension /= part.pieces;
    part.friction /= part.pieces;
    part.mass /= part.pieces;
    part.largest_load /= part.pieces;
    part.at_shortest.load /= part.pieces;
    part.at_longest.load /= part.pieces;
    part.at_largest_load.load /= part.pieces;
    return;
  }
  if (!part.made.empty()) return;
  const auto compare = [&](const char* what, double here, std::optional<double> own,
                           const char* unit, const char* torsion_unit) {
    if (own && !is_number_of(here, *own))
      part.made.push_back(fmt::format("{} {:.6g} {}, where the part has {:.6g}", what, here,
                                      part.turns ? torsion_unit : unit, *own));
  };
  compare("rate", part.rate, rate, "N/m", "N*m/rad");
  compare(part.turns ? "free angle" : "free length", part.free_length, free_length, "m", "rad");
  compare(part.turns ? "initial torque" : "initial tension", part.initial_tension, tension, "N",
          "N*m");
}

/// The springs of a group, each with the row of a catalogue that was chosen for it.
std::vector<SpringPart::Member> members_of(const Study& study, const Spring& spring,
                                           std::size_t index,
                                           const std::vector<CatalogueChoice>& choices) {
  std::vector<SpringPart::Member> members;
  for (std::size_t p = 0; p < spring.group.parts.size(); ++p) {
    const SpringGroup::Part& part = spring.group.parts[p];
    SpringPart::Member& member = members.emplace_back();
    member.rate = part.rate;
    member.free_length = part.free_length;
    member.initial_tension = part.initial_tension;
    const Variable* const variable = chosen_variable(study, index, p);
    for (const CatalogueChoice& choice : choices)
      if (variable != nullptr && choice.variable == variable->name) {
        member.part = choice.part;
        member.catalogue = choice.file;
        member.row = choice.row;
      }
  }
  return members;
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

/// Takes the ends of a motion where the spring is shorter or longer there than in those before, and
/// where its load is larger.
void take_ends(const Simulation& simulation, const MotionDesign& design, const std::string& motion,
               const Spring& spring, SpringPart& part) {
  const std::vector<double>& lengths =
      column(simulation, part.spring + (part.torsion ? ".angle" : ".length"));
  const std::vector<double>& loads =
      column(simulation, part.spring + (part.torsion ? ".torque" : ".tension"));
  if (lengths.empty()) return;
  const auto least = std::min_element(lengths.begin(), lengths.end());
  const auto most = std::max_element(lengths.begin(), lengths.end());
  const auto take = [&](std::vector<double>::const_iterator found, SpringPart::End& end) {
    const auto k = static_cast<std::size_t>(found - lengths.begin());
    end = {lengths[k], loads[k], motion, column(simulation, "t")[k], design.motion.poses, {}};
    if (!spring.is_cable()) return;
    std::vector<double> q;
    for (BodyIndex b = 0; b < design.mechanism.body_count(); ++b)
      q.push_back(design.mechanism.moves(b)
                      ? column(simulation, design.mechanism.bodies[b].name + ".q")[k]
                      : 0.0);
    end.straight = straight_parts(design.mechanism, spring, q);
  };
  const bool first = part.at_shortest.motion.empty();
  const auto strongest = std::max_element(
      loads.begin(), loads.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  const auto at_load = lengths.begin() + (strongest - loads.begin());
  if (first || std::abs(*strongest) > std::abs(part.at_largest_load.load))
    take(at_load, part.at_largest_load);
  if (first || *least < part.at_shortest.length) take(least, part.at_shortest);
  if (first || *most > part.at_longest.length) take(most, part.at_longest);
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
        if (point >= 0) points[point].holds.push_back(kind + element.name);
  };
  hold(mechanism.springs, "spring ");
  for (const Spring& spring : mechanism.springs)
    for (const PointIndex point : spring.over)
      points[point].holds.push_back("the cable of spring " + spring.name);
  hold(mechanism.actuators, "actuator ");
  hold(mechanism.loops, "loop ");
  std::erase_if(points, [](const PartPoint& point) { return point.holds.empty(); });
  return points;
}

}  // namespace

Json members_json(const SpringPart& part) {
  Json members = Json::array();
  for (const SpringPart::Member& member : part.members) {
    const bool bought = !member.part.empty();
    members.push_back({{"part", bought ? Json(member.part) : Json()},
                       {"catalogue", bought ? Json(member.catalogue) : Json()},
                       {"row", bought ? Json(member.row) : Json()},
                       {"rate", member.rate},
                       {"free_length", member.free_length},
                       {"initial_tension", member.initial_tension}});
  }
  return members;
}

std::vector<std::size_t> motions_of(const Study& study, const std::vector<double>& point) {
  if (study.motion_variable >= 0) {
    const auto v = static_cast<std::size_t>(study.motion_variable);
    const int chosen = study.variables[v].motions[point[v]];
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
    if (const SourceText* const source = catalogue_of(study, variable)) {
      const CsvTable table = parse_csv(source->text, source->path);
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
    }
  }
  return choices;
}

PartsList parts_of(const Study& study, const std::vector<double>& point, const CaseOutcome& outcome,
                   CaseEvaluator& evaluator) {
  PartsList parts;
  const std::vector<CatalogueChoice> choices = catalogue_choices(study, point);
  CaseDesign own(study);
  own.set_point(point);
  ModelBinder binder(*study.model);
  const bool bound = !binder.bind(own.settings());
  for (const std::size_t m : motions_of(study, point)) {
    const MotionDesign design = evaluator.design(point, m);
    const Mechanism& mechanism = bound ? binder.mechanism() : design.mechanism;
    if (parts.springs.empty()) {
      parts.points = points_of(mechanism);
      parts.weights = weights_of(study, mechanism);
      parts.mechanism = mechanism;
    }
    auto result = simulate(design.mechanism, design.motion, {});
    if (auto* simulation = std::get_if<Simulation>(&result)) remove_left_out(simulation->columns);
    if (const Finding* finding = std::get_if<Finding>(&result))
      throw InputError({.file = study.motions[m].name},
                       describe(*finding, design.mechanism, design.motion));
    const std::vector<Spring>& springs = mechanism.springs;
    parts.springs.resize(springs.size());
    for (std::size_t s = 0; s < springs.size(); ++s) {
      SpringPart& part = parts.springs[s];
      part.spring = springs[s].name;
      part.torsion = springs[s].type == SpringType::torsion;
      part.turns = turns(mechanism, springs[s]);
      part.side = side_of(springs[s]);
      part.gas = springs[s].type == SpringType::gas;
      part.rate = springs[s].rate;
      part.free_length = springs[s].free_length;
      part.initial_tension = springs[s].initial_tension;
      part.members = members_of(study, springs[s], s, choices);
      part.joined = words_of(springs[s].group);
      part.friction = springs[s].friction;
      part.mass = springs[s].mass;
      if (const Variable* variable = chosen_variable(study, s))
        for (const CatalogueChoice& choice : choices)
          if (choice.variable == variable->name) {
            part.part = choice.part;
            part.catalogue = choice.file;
            part.row = choice.row;
            part.columns = choice.columns;
            part.cells = choice.cells;
            part.made = choice.made;
          }
      if (s < outcome.metrics.springs.size()) {
        part.shortest = outcome.metrics.springs[s].min_length;
        part.longest = outcome.metrics.springs[s].max_length;
        part.largest_load = outcome.metrics.springs[s].max_tension;
      }
      const std::string name = part.spring + (part.torsion ? ".angle" : ".length");
      take_ends(std::get<Simulation>(result), design, study.motions[m].name,
                design.mechanism.springs[s], part);
      if (!design.motion.poses)  // else nothing says in which order the poses are taken
        part.cycles.push_back({study.motions[m].name,
                               count_cycles(column(std::get<Simulation>(result), name)),
                               design.motion.duration});
    }
  }
  for (std::size_t d = 0; d < study.drives.size(); ++d) {
    const StudyDrive& drive = study.drives[d];
    if (!drive.chosen()) continue;
    const auto index = static_cast<int>(d);
    const DriveNames names = chosen_names(study, outcome.metrics, index);
    parts.drives.push_back(
        {.actuator = study.model->nominal.actuators[drive.actuator].name,
         .motor = names.motor,
         .motors_file = drive.motors_file,
         .gearbox = names.gearbox,
         .gearboxes_file = names.gearbox.empty() ? "" : drive.gearboxes_file,
         .price = motor_metric(study, outcome.metrics, index, MotorStatistic::price),
         .mass = motor_metric(study, outcome.metrics, index, MotorStatistic::mass)});
  }
  for (std::size_t s = 0; s < parts.springs.size(); ++s)
    if (const Variable* variable = chosen_variable(study, s)) {
      const auto v = static_cast<std::size_t>(variable - study.variables.data());
      take_apart(PartNumbers(study, *variable, static_cast<std::size_t>(point[v])), s,
                 parts.springs[s]);
    }
  return parts;
}

}  // namespace counterpoise
