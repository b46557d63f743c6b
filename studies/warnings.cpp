#include "studies/warnings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "cases/case_rows.hpp"
#include "engine/evaluation/structure.hpp"

namespace counterpoise {
namespace {

std::string warning(const Location& where, const std::string& message) {
  return InputError(where, "warning: " + message).what();
}

bool follows_parameters(const Model& model, Field field, std::size_t spring) {
  return std::any_of(model.varying.begin(), model.varying.end(), [&](const FieldNumbers& given) {
    return given.field == field && given.element == static_cast<int>(spring);
  });
}

bool can_have_a_force(const Model& model, std::size_t s) {
  const Spring& spring = model.nominal.springs[s];
  const bool rate = spring.rate != 0.0 || follows_parameters(model, Field::spring_rate, s);
  return rate || !spring.group.empty() || spring.rubs || spring.heavy ||
         spring.initial_tension != 0.0 ||
         follows_parameters(model, Field::spring_initial_tension, s);
}

/// The first of the bodies, towards the world, to which this one is fixed.
BodyIndex fixed_to(const Mechanism& mechanism, BodyIndex body) {
  while (body != world_body && !mechanism.moves(body)) body = mechanism.bodies[body].parent;
  return body;
}

void add_idle_springs(const Model& model, std::vector<std::string>& found) {
  const Mechanism& nominal = model.nominal;
  for (std::size_t s = 0; s < nominal.springs.size(); ++s) {
    const Spring& spring = nominal.springs[s];
    const Location where = model.location(fmt::format("/springs/{}", s));
    const bool torsion = spring.type == SpringType::torsion;
    if (!can_have_a_force(model, s))
      found.push_back(
          warning(where, fmt::format("spring {} has no rate and no {}, so it has no force",
                                     spring.name, torsion ? "preload" : "initial_tension")));
    if (torsion) continue;
    const auto body = [&](std::size_t end) { return nominal.points[spring.points[end]].body; };
    const BodyIndex first = fixed_to(nominal, body(0));
    if (first == fixed_to(nominal, body(1)) &&
        std::all_of(spring.over.begin(), spring.over.end(), [&](PointIndex point) {
          return fixed_to(nominal, nominal.points[point].body) == first;
        }))
      found.push_back(warning(
          where, fmt::format("both ends of spring {} are on {}, so it moves nothing", spring.name,
                             body(0) == body(1) ? "one body" : "bodies fixed to each other")));
  }
}

/// A model without mass loads no actuator, which is a mistake more often than meant.
void add_masslessness(const Model& model, std::vector<std::string>& found) {
  const Mechanism& nominal = model.nominal;
  for (BodyIndex b = 0; b < nominal.body_count(); ++b)
    if (fixed_to(nominal, b) != world_body && nominal.bodies[b].mass != 0.0) return;
  for (const Actuator& actuator : nominal.actuators)
    if (!actuator.tube.massless() || !actuator.rod.massless()) return;
  for (const Spring& spring : nominal.springs)
    if (spring.heavy) return;
  for (const FieldNumbers& given : model.varying)
    if (given.field == Field::mass || given.field == Field::tube_mass ||
        given.field == Field::rod_mass)
      return;
  found.push_back(warning(model.location("/bodies"),
                          "no body that moves has mass: all loads are 0 but for springs"));
}

/// The parameters that the model itself reads.
std::vector<bool> read_by_model(const Model& model) {
  std::vector<bool> read;
  for (const ParameterReaders& readers : model.readers)
    read.push_back(!readers.parameters.empty() || !readers.bounds.empty() ||
                   !readers.fields.empty());
  return read;
}

void note_used(const Expression& expression, std::vector<bool>& read) {
  for (const int used : expression.used())
    if (static_cast<std::size_t>(used) < read.size()) read[used] = true;
}

/// Whether an expression of a scenario, or of the motion that it starts from, is one of those.
bool any_of_scenario(const ScenarioCase& of, const std::function<bool(const Expression&)>& wanted) {
  const ParametricScenario& scenario = of.scenario;
  const auto any = [&](const std::vector<Expression>& expressions) {
    return std::any_of(expressions.begin(), expressions.end(), wanted);
  };
  return any(scenario.expressions) ||
         (scenario.start.motion && any(scenario.start.motion->expressions));
}

/// The motions of a study in which times only order poses, in words: "motion m" or "motions m, n".
std::string motions_of_poses(const Study& study) {
  std::vector<std::string> names;
  for (const LoadCase& load_case : study.motions)
    if (!load_case.motion.nominal.inertia && !load_case.motion.nominal.poses)
      names.push_back(load_case.name);
  if (names.empty()) return {};
  return fmt::format("motion{} {}", names.size() > 1 ? "s" : "", fmt::join(names, ", "));
}

/// Warnings about quantities that need time, in a study whose motions only order poses.
void add_timeless_parts(const Study& study, std::vector<std::string>& found) {
  const std::string poses = motions_of_poses(study);
  if (poses.empty()) return;
  const auto& actuators = study.model->nominal.actuators;
  for (std::size_t a = 0; a < actuators.size(); ++a)
    if (std::isfinite(actuators[a].max_speed))
      found.push_back(
          warning(study.model->location(fmt::format("/actuators/{}/max_speed", a)),
                  fmt::format("max_speed of actuator {} is not judged in {}, as times only order "
                              "poses where \"inertia\" is false",
                              actuators[a].name, poses)));
  const auto add_power = [&](const Location& where, const std::string& what) {
    found.push_back(warning(
        where, fmt::format("{} reads peak_power, which in {} says how fast the profile goes from "
                           "pose to pose, as times only order poses where \"inertia\" is false",
                           what, poses)));
  };
  const auto reads_power = [&](const Expression& expression) {
    return std::any_of(expression.used().begin(), expression.used().end(), [&](int used) {
      const MetricName* metric = study.metric_of(used);
      return metric != nullptr && metric->of == MetricOf::actuator &&
             metric->statistic == static_cast<int>(Statistic::peak_power);
    });
  };
  for (const Objective& objective : study.objectives)
    if (objective.expression ? reads_power(*objective.expression)
                             : objective.statistic == Statistic::peak_power)
      add_power(objective.where, "objective " + objective.name);
  for (const Constraint& constraint : study.constraints)
    if (reads_power(constraint.expression))
      add_power(constraint.where, "constraint " + constraint.name);
}

/// Which numbers have an effect on objectives, constraints and limits of a study.
class Felt {
 public:
  explicit Felt(const Study& study)
      : study_(study),
        nominal_(study.model->nominal),
        actuators_(nominal_.actuators.size(), false),
        springs_(nominal_.springs.size(), false),
        loaded_(actuators_loaded_by_springs(nominal_)) {
    for (const Objective& objective : study.objectives) {
      for (const int a : objective.actuators) actuators_[a] = true;
      if (objective.expression) note_metrics(*objective.expression);
    }
    for (const Constraint& constraint : study.constraints) note_metrics(constraint.expression);
    for (std::size_t a = 0; a < actuators_.size(); ++a)
      if (std::isfinite(nominal_.actuators[a].max_load)) actuators_[a] = true;
    note_motors(-1);  // a design for which no drive suffices is infeasible
    for (std::size_t s = 0; s < springs_.size(); ++s) {
      const Spring& spring = nominal_.springs[s];
      if (std::isfinite(spring.min_length) || std::isfinite(spring.max_length) ||
          std::isfinite(spring.max_load) || spring.acts == SpringActs::pull ||
          spring.acts == SpringActs::push)
        springs_[s] = true;
    }
  }

  [[nodiscard]] bool feels(const Variable& variable, const VariableReach& reach) const {
    if (variable.kind == VariableKind::motion || reach.moves() || !reach.design.bounds.empty())
      return true;
    const auto reads = [&](const Expression& expression) {
      return reach.design.changes(expression);
    };
    for (const Objective& objective : study_.objectives)
      if (objective.expression && reads(*objective.expression)) return true;
    for (const Constraint& constraint : study_.constraints)
      if (reads(constraint.expression)) return true;
    const std::vector<bool> scenarios = study_.scenarios_read();
    for (std::size_t s = 0; s < scenarios.size(); ++s)
      if (scenarios[s] && (!reach.fields().empty() || any_of_scenario(study_.scenarios[s], reads)))
        return true;
    const std::vector<int> fields = reach.fields();
    return std::any_of(fields.begin(), fields.end(),
                       [&](int f) { return feels(study_.model->varying[f]); });
  }

 private:
  void note_metrics(const Expression& expression) {
    for (const int used : expression.used()) {
      if (used < study_.metric_offset() || used >= study_.baseline_offset()) continue;
      const MetricName& metric = study_.metrics[used - study_.metric_offset()];
      if (metric.of == MetricOf::scenario || metric.of == MetricOf::poses) continue;
      if (metric.of == MetricOf::motor) {
        note_motors(study_.motor_metrics[metric.element].drive);
        continue;
      }
      (metric.of == MetricOf::spring ? springs_ : actuators_)[metric.element] = true;
    }
  }

  /// Notes the actuator of a drive, or (-1) those of all that are chosen.
  void note_motors(int drive) {
    for (std::size_t d = 0; d < study_.drives.size(); ++d)
      if (drive < 0 ? study_.drives[d].chosen() : static_cast<int>(d) == drive)
        actuators_[study_.drives[d].actuator] = true;
  }

  [[nodiscard]] bool feels_spring(std::size_t spring) const {
    return springs_[spring] || std::any_of(loaded_[spring].begin(), loaded_[spring].end(),
                                           [&](int a) { return actuators_[a]; });
  }

  /// Only the law of a spring, and mounts of springs alone, are known to change nothing else.
  [[nodiscard]] bool feels(const FieldNumbers& field) const {
    if (describe(field.field).owner == FieldOwner::spring)
      return describe(field.field).quantity == Quantity::spring_limits ||
             feels_spring(static_cast<std::size_t>(field.element));
    if (describe(field.field).owner != FieldOwner::point) return true;
    const auto at = [&](const auto& element) { return is_on_point(element, field.element); };
    if (std::any_of(nominal_.loops.begin(), nominal_.loops.end(), at) ||
        std::any_of(nominal_.actuators.begin(), nominal_.actuators.end(), at) ||
        study_.mounts_at(field.element))
      return true;
    for (std::size_t s = 0; s < springs_.size(); ++s)
      if (at(nominal_.springs[s]) && feels_spring(s)) return true;
    return false;
  }

  const Study& study_;
  const Mechanism& nominal_;
  std::vector<bool> actuators_, springs_;
  std::vector<std::vector<ActuatorIndex>> loaded_;
};

/// Whether a parameter only has bounds for what it is computed from.
bool limits_others(const Parameter& parameter) {
  return !parameter.value.fixed() && (parameter.min || parameter.max);
}

}  // namespace

std::vector<std::string> idle_parts(const Model& model) {
  std::vector<std::string> found;
  add_masslessness(model, found);
  add_idle_springs(model, found);
  const std::vector<bool> read = read_by_model(model);
  for (std::size_t p = 0; p < read.size(); ++p)
    if (!read[p] && !limits_others(model.parameters[p]))
      found.push_back(
          warning(model.parameters[p].where,
                  fmt::format("nothing in the model reads parameter {}; a motion or a study may",
                              model.parameters[p].name)));
  return found;
}

std::vector<std::string> idle_parts(const Study& study) {
  const Model& model = *study.model;
  std::vector<std::string> found;
  add_masslessness(model, found);
  add_idle_springs(model, found);
  std::vector<bool> read = read_by_model(model);
  for (const LoadCase& load_case : study.motions)
    for (const Expression& expression : load_case.motion.expressions) note_used(expression, read);
  for (const ScenarioCase& scenario_case : study.scenarios)
    any_of_scenario(scenario_case, [&](const Expression& expression) {
      note_used(expression, read);
      return false;
    });
  for (const Objective& objective : study.objectives)
    if (objective.expression) note_used(*objective.expression, read);
  for (const Constraint& constraint : study.constraints) note_used(constraint.expression, read);
  for (std::size_t p = 0; p < read.size(); ++p)
    if (!read[p] && !limits_others(model.parameters[p]))
      found.push_back(warning(
          model.parameters[p].where,
          fmt::format("nothing reads parameter {}: not the model, no motion, "
                      "{}objective or constraint",
                      model.parameters[p].name, study.scenarios.empty() ? "" : "scenario, ")));
  const std::vector<bool> run = study.scenarios_read();
  for (std::size_t s = 0; s < run.size(); ++s)
    if (!run[s])
      found.push_back(
          warning(study.scenarios[s].where,
                  fmt::format("scenario {} is not run, because no objective, constraint or stored "
                              "metric reads it",
                              study.scenarios[s].name)));
  add_timeless_parts(study, found);
  const Felt felt(study);
  for (std::size_t v = 0; v < study.variables.size(); ++v)
    if (!felt.feels(study.variables[v], study.reach[v]))
      found.push_back(
          warning(study.variables[v].where,
                  fmt::format("variable {} has no effect on any objective, constraint or limit",
                              study.variables[v].name)));
  return found;
}

WrongSense wrong_sense(const Model& model, const Mechanism& mechanism, const Motion& motion,
                       const Finding& finding, const std::string& in) {
  const bool pulls = finding.kind == FindingKind::spring_pushes ||
                     finding.kind == FindingKind::spring_below_free_length;
  const Location where = model.location(fmt::format("/springs/{}", finding.element));
  std::string words = describe(finding, mechanism, motion) + in;
  const std::string advice = fmt::format(
      "\"acts\": \"{}\" refuses designs that need this, \"acts\": \"both\" ends this warning",
      pulls ? "pull" : "push");
  std::string warning = InputError(where, "warning: " + words + "; " + advice).what();
  return {std::move(words), std::move(warning)};
}

/// Adds the springs of one design in one motion; a design that does not exist has its own
/// reason elsewhere.
template <class MakeDesign>
void SpringSenses::add(const MakeDesign& make_design, std::size_t motion,
                       std::vector<WrongSense>& found) try {
  const MotionDesign design = make_design();
  std::optional<Evaluator>& engine = engines_[motion];
  if (engine)
    engine->set_motion(design.motion);
  else
    engine.emplace(design.mechanism, design.motion);
  const std::string in =
      study_.motions.size() > 1 ? " in motion " + study_.motions[motion].name : std::string();
  for (const Finding& finding : engine->find_wrong_senses(design.mechanism))
    found.push_back(wrong_sense(*study_.model, design.mechanism, design.motion, finding, in));
} catch (const InputError&) {
  return;
}

std::vector<WrongSense> SpringSenses::of(std::span<const double> point) {
  std::vector<WrongSense> found;
  for (std::size_t m = 0; m < study_.motions.size(); ++m) {
    if (study_.motion_variable >= 0) {
      const auto v = static_cast<std::size_t>(study_.motion_variable);
      const auto level = static_cast<std::size_t>(point[v]);
      if (study_.variables[v].motions[level] != static_cast<int>(m)) continue;
    }
    add([&] { return designs_.of(point, m); }, m, found);
  }
  return found;
}

std::vector<WrongSense> SpringSenses::of_baseline() {
  std::vector<WrongSense> found;
  for (std::size_t m = 0; m < study_.motions.size(); ++m)
    add([&] { return designs_.of_baseline(m); }, m, found);
  return found;
}

std::string SpringSenses::among(const ResultsFile& results, const std::vector<Ranking>& best) {
  const Table table = joined(best);
  const auto column = std::find(table.columns.begin(), table.columns.end(), "case");
  int wrong = 0;
  std::string first;
  for (const auto& cells : table.rows) {
    const auto id = std::get<std::int64_t>(cells[column - table.columns.begin()]);
    const auto row = results.find(id);
    const auto found = row ? of(point_of(study_, *row)) : std::vector<WrongSense>();
    if (found.empty()) continue;
    if (wrong++ == 0) first = fmt::format("case {}: {}", id, found.front().words);
  }
  if (wrong == 0) return {};
  return InputError({.file = study_.path.string()},
                    fmt::format("warning: {} of the {} best designs need{} a spring that cannot be "
                                "built so; {}{}",
                                wrong, table.rows.size(), wrong == 1 ? "s" : "",
                                wrong == 1 ? "" : "the best of them is ", first))
      .what();
}

}  // namespace counterpoise
