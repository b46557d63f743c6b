#include "cli/text/explanation_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cases/study_units.hpp"
#include "cli/output/answer.hpp"
#include "results/text/cells.hpp"
#include "results/text/printable.hpp"
#include "results/text/table_format.hpp"

namespace counterpoise {
namespace {

const std::string& motion_name(const Study& study, std::size_t motion) {
  return study.motions[motion].name;
}

Value cell_if_known(const std::optional<double>& number) {
  return number ? Value{*number} : Value{};
}

/// The relative size of rounding in numbers that come from solved equations and sized springs.
constexpr double solved_part = 1e-9;

/// The relative change of a value: "-12.3 %"; empty if the value before was only rounding relative
/// to `size`.
std::string change_in_percent(double value, double before, double size = 0.0) {
  if (std::abs(before) <= solved_part * size) return "";
  const double more = value / before - 1.0, change = before > 0.0 ? more : -more;
  return std::abs(change) <= solved_part ? "0 %" : fmt::format("{:+.3g} %", 100.0 * change);
}

std::string instants_text(const Study& study, const Explanation& explanation,
                          const TextStyle& style) {
  const Mechanism& mechanism = study.model->nominal;
  const bool forces = !mechanism.forces.empty(), friction = study.model->has_friction();
  std::string text = fmt::format("critical instants: load = gravity + inertia{}{} + springs\n",
                                 forces ? " + forces" : "", friction ? " + friction" : "");
  if (explanation.actuators.empty()) return text + "  no objective names an actuator\n";
  for (const ActuatorInstants& of : explanation.actuators) {
    const Actuator& actuator = mechanism.actuators[of.actuator];
    text += fmt::format("  {} [{}]", actuator.name, load_unit(mechanism, actuator));
    if (of.left_out > 0) text += fmt::format(", and {} more within 1 %", of.left_out);
    Table table{{"motion", time_heading(study), "load", "gravity", "inertia"}, {}};
    if (forces) table.columns.emplace_back("forces");
    if (friction) table.columns.emplace_back("friction");
    for (const LoadSplit::Share& share : of.instants.front().split.springs)
      table.columns.push_back(mechanism.springs[share.spring].name);
    table.columns.emplace_back("baseline");
    for (const CriticalInstant& instant : of.instants) {
      const LoadSplit& split = instant.split;
      auto& row = table.rows.emplace_back();
      row = {motion_name(study, instant.motion), time_cell(study, instant.motion, instant.time),
             split.load, split.gravity, split.inertia};
      if (forces) row.emplace_back(split.forces);
      if (friction) row.emplace_back(split.friction);
      for (const LoadSplit::Share& share : split.springs) row.emplace_back(share.load);
      row.push_back(cell_if_known(instant.baseline));
    }
    clear_rounding(table, 2, table.columns.size() - 1, 0.0, solved_part);
    text += '\n';
    text += indented_table(table, style, 2, 2);
    for (const CriticalInstant& instant : of.instants)
      if (!instant.pose.empty())
        text += fmt::format("    pose {}: {}\n", instant.sample + 1,
                            style.units.sentence(pose_text(instant.pose)));
  }
  return text;
}

std::string step_text(const ShadowPrice& price, const ShownUnits& units) {
  const char* direction = price.less ? "less" : "more";
  const bool as_usual = !units.replaces(price.unit);
  if (as_usual && price.unit == "m" && price.step == 1e-3) return fmt::format("1 mm {}", direction);
  if (as_usual && price.unit == "rad" && price.step == std::numbers::pi / 180.0)
    return fmt::format("1 deg {}", direction);
  return fmt::format("{} {}", units.words(price.step, price.unit), direction);
}

/// "takes 2.31 N off lean_peak".
std::string price_text(const Study& study, const SpringOptimum& optimum, const ShadowPrice& price,
                       const ShownUnits& units) {
  std::string text;
  for (const SpringOptimum::Least& least : optimum.least) {
    const Objective& objective = study.objectives[least.objective];
    const double gain = price.per_unit * price.step * least.per_goal;
    text += fmt::format("{}{} off {}", text.empty() ? "" : " and ",
                        units.words(gain, unit_of(study, objective)), objective.name);
  }
  return fmt::format("  {}: {} takes {}\n", price.name, step_text(price, units), text);
}

std::string hold_text(const Study& study, const MetricHold& hold) {
  std::string text =
      fmt::format("  {} {}", study.metrics[hold.metric].name, percent_text(hold.share));
  for (std::size_t i = 0; i < hold.instants.size(); ++i) {
    const MetricHold::Instant& instant = hold.instants[i];
    text +=
        fmt::format("{}{} {} {}", i == 0 ? ": " : ", ", motion_name(study, instant.motion),
                    time_text(study, instant.motion, instant.time), percent_text(instant.share));
  }
  return text + "\n";
}

std::string bound_text(const Study& study, const SpringOptimum& optimum, const ShownUnits& units) {
  std::string names, unit;
  for (const SpringOptimum::Least& least : optimum.least) {
    const Objective& objective = study.objectives[least.objective];
    if (!names.empty()) names += " and ";
    names += objective.name;
    unit = unit_of(study, objective);
  }
  if (optimum.largest_of) {
    names = "the largest weighted distance of " + names;
    unit.clear();
  }
  const double size = std::abs(optimum.value);
  const bool reached = optimum.gap() <= 1e-9 * size;
  const auto number = [&](double value) {
    return units.words(optimum.is_rounding(value) ? 0.0 : value, unit);
  };
  std::string text =
      fmt::format("  {} is {}: in this geometry no {} within bounds and limits get it below {}",
                  names, number(optimum.value), optimum.sized, number(optimum.bound));
  if (optimum.is_rounding(optimum.value) && optimum.is_rounding(optimum.gap()))
    text += " (gap below 1e-9 of what it is without springs)";
  else if (reached)
    text += " (gap below 1e-9 of it)";
  else if (optimum.gap() > size)  // a perfect balance
    text += fmt::format(" (gap {})", units.words(optimum.gap(), unit));
  else
    text += fmt::format(" (gap {}, {:.2g} %)", units.words(optimum.gap(), unit),
                        100.0 * optimum.gap() / size);
  if (optimum.combinations > 0)
    text += fmt::format("; the best of {} combinations has that", optimum.combinations);
  return text + "\n";
}

std::string binding_text(const Explanation& explanation, const ShownUnits& units) {
  std::string text;
  for (const BindingLimit& limit : explanation.binding) {
    const std::string name =
        limit.stem.empty()
            ? limit.name
            : limit.stem + " " + units.words(without_rounding(limit.bound, limit.size), limit.unit);
    const std::string value = units.words(without_rounding(limit.value, limit.size), limit.unit);
    text += limit.broken ? fmt::format("  {}: broken, {} against {}\n", printable(name), value,
                                       units.words(limit.bound, limit.unit))
            : limit.beyond.empty()
                ? fmt::format("  {}: reached with {}\n", printable(name), value)
                : fmt::format("  {}: {}\n", printable(name), printable(limit.beyond));
  }
  return text;
}

std::string limits_text(const Study& study, const Explanation& explanation,
                        const ShownUnits& units) {
  const auto& optimum = explanation.optimum;
  std::string text = "limits that bind, and their shadow prices";
  if (optimum && optimum->largest_of) text += " while this point's direction and references stay";
  text += "\n";
  if (optimum) {
    text += bound_text(study, *optimum, units);
    if (!optimum->no_shadow_prices.empty())
      text += "  no shadow prices: " + optimum->no_shadow_prices + "\n";
    for (const ShadowPrice& price : optimum->limits)
      text += price_text(study, *optimum, price, units);
    if (!optimum->limits.empty())
      text += fmt::format("  (for small changes of one limit; the rest of the {} follow)\n",
                          optimum->sized);
    else if (optimum->no_shadow_prices.empty())
      text += "  no limit or bound of what is sized has a shadow price\n";
    if (!optimum->held_by.empty()) text += "it is held up by\n";
    for (const MetricHold& hold : optimum->held_by) text += hold_text(study, hold);
  } else if (explanation.exact) {
    text += "  this case has no certificate: shadow prices are not known\n";
  }
  const std::string binding = binding_text(explanation, units);
  if (!binding.empty() && optimum)
    text +=
        "also reached, but without a shadow price of their own, with an unknown one, or not to be "
        "loosened\n";
  if (binding.empty() && !optimum)
    text +=
        "  none: no limit of a spring or actuator, no constraint, and no bound of a variable or of "
        "what it changes is within 1e-6 of its size\n";
  return text + binding;
}

std::vector<Value> difference_row(const Study& study, const Standing::Difference& difference,
                                  const ShownUnits& units) {
  const auto variable =
      std::find_if(study.variables.begin(), study.variables.end(),
                   [&](const Variable& one) { return one.name == difference.variable; });
  const bool known = variable != study.variables.end();
  const std::string unit = known ? unit_of(study, *variable) : "";
  const double size = known ? largest_number(*variable) : 0.0;
  const auto words = [&](const Value& value) {
    if (const auto* real = std::get_if<double>(&value))
      return as_printed(units.number(without_rounding(*real, size), unit));
    return as_printed(value);
  };
  return {units.heading(difference.variable, unit), words(difference.own), words(difference.other)};
}

std::string standing_text(const Study& study, const Explanation& explanation,
                          const TextStyle& style) {
  const Standing& standing = explanation.standing;
  std::string text = "the next best choice\n";
  if (standing.rank > 0)
    text += fmt::format("  this case is number {} of {} feasible ones{} by {}\n", standing.rank,
                        standing.feasible, study.keep ? " that are kept" : "",
                        study.objectives.front().name);
  if (!standing.next) {
    const bool last = standing.rank > 1 && standing.rank == standing.feasible;
    const bool others = standing.feasible > (standing.rank > 0 ? 1 : 0);
    if (last) return text + "  none is ranked behind it\n";
    if (others)
      return text + fmt::format(
                        "  no other {}that is {}settled differs by more than {:g} % of the "
                        "range of a variable\n",
                        standing.rank > 1 ? "behind it " : "", study.keep ? "kept and " : "",
                        100.0 * Standing::same_choice);
    return text + (study.keep ? "  no other is kept\n" : "  there is no other\n");
  }
  const Standing::Next& next = *standing.next;
  text += fmt::format("  case {}, number {}:\n", next.row.id, next.rank);
  Table variables{{"variable", "here", "there"}, {}};
  for (const Standing::Difference& difference : next.differences)
    variables.rows.push_back(difference_row(study, difference, style.units));
  Table changes{{"objective", "here", "there", "change"}, {}};
  for (std::size_t i = 0; i < study.objectives.size(); ++i) {
    const double size = explanation.objective_sizes[i];
    const double here = without_rounding(explanation.objectives[i], size);
    const double there = without_rounding(next.row.objectives[i], size);
    const std::string unit = unit_of(study, study.objectives[i]);
    changes.rows.push_back({style.units.heading(study.objectives[i].name, unit),
                            style.units.number(here, unit), style.units.number(there, unit),
                            change_in_percent(there, here, size)});
  }
  return text + indented_table(variables, style, 2) + indented_table(changes, style, 2);
}

std::string reactions_text(const Study& study, const char* kind, const char* unit,
                           const std::vector<ReactionChange>& reactions, std::size_t left_out,
                           const TextStyle& style) {
  if (reactions.empty()) return fmt::format("  no {} through a joint changes by 1 %\n", kind);
  Table table{{"joint", "here", "motion", time_heading(study), "baseline", "change"}, {}};
  for (const ReactionChange& reaction : reactions)
    table.rows.push_back({reaction.joint + (reaction.open ? " (shared)" : ""), reaction.robot.value,
                          motion_name(study, reaction.robot.motion),
                          time_cell(study, reaction.robot.motion, reaction.robot.time),
                          reaction.baseline.value,
                          change_in_percent(reaction.robot.value, reaction.baseline.value)});
  std::string more = left_out > 0 ? fmt::format(", and {} smaller changes", left_out) : "";
  double size = 0.0;  // of both robots, whose numbers are compared
  for (const ReactionChange& reaction : reactions)
    size = std::max({size, reaction.robot.value, reaction.baseline.value});
  clear_rounding(table, 1, 1, size);
  clear_rounding(table, 4, 4, size);
  return fmt::format("  largest {} through joints [{}]{}\n", kind, unit, more) +
         indented_table(table, style, 2);
}

std::string pulls_text(const Study& study, const SideEffects& effects, const TextStyle& style) {
  if (effects.springs.empty()) return "";
  Table table{{"spring", "here", "motion", time_heading(study), "baseline"}, {}};
  for (const SpringPull& pull : effects.springs)
    table.rows.push_back({study.model->nominal.springs[pull.spring].name, pull.robot.value,
                          motion_name(study, pull.robot.motion),
                          time_cell(study, pull.robot.motion, pull.robot.time),
                          pull.baseline ? Value{pull.baseline->value} : Value{}});
  clear_rounding(table, 1, 1, 0.0, solved_part);
  clear_rounding(table, 4, 4, 0.0, solved_part);
  return "  largest tension at the anchors [N; torsion N*m]\n" + indented_table(table, style, 2);
}

std::string work_text(const Study& study, const SideEffects& effects, const TextStyle& style) {
  if (effects.actuators.empty()) return "";
  Table table{{"actuator", "motion", "robot", "sign changes", "peak power [W]", "energy [J]"}, {}};
  for (const ActuatorWork& work : effects.actuators) {
    if (study.motions[work.motion].motion.nominal.poses)
      continue;  // takes no work, and poses have no order in time
    const std::string& name = study.model->nominal.actuators[work.actuator].name;
    const auto add = [&](const char* robot, const Work& of) {
      table.rows.push_back({name, motion_name(study, work.motion), std::string(robot),
                            std::int64_t{of.sign_changes}, of.peak_power, of.energy});
    };
    add("this case", work.robot);
    if (work.baseline) add("baseline", *work.baseline);
    if (work.without_springs) add("baseline without springs", *work.without_springs);
  }
  if (table.rows.empty()) return "";
  clear_rounding(table, 4, 4, 0.0, solved_part);
  clear_rounding(table, 5, 5, 0.0, solved_part);
  return "  work of the actuators (a load that changes sign goes through backlash)\n" +
         indented_table(table, style, 2, 3);
}

std::string effects_text(const Study& study, const SideEffects& effects, const TextStyle& style) {
  std::string text = "side effects\n";
  if (effects.no_reactions.empty()) {
    text += reactions_text(study, "force", "N", effects.forces, effects.forces_left_out, style);
    text +=
        reactions_text(study, "moment", "N*m", effects.moments, effects.moments_left_out, style);
  } else {
    text += "  no reactions to compare: " + effects.no_reactions + "\n";
  }
  return text + pulls_text(study, effects, style) + work_text(study, effects, style);
}

}  // namespace

std::string to_text(const Study& study, const Explanation& explanation, const TextStyle& style) {
  return instants_text(study, explanation, style) + limits_text(study, explanation, style.units) +
         standing_text(study, explanation, style) +
         effects_text(study, explanation.side_effects, style);
}

namespace {

Json instants_json(const Study& study, const Explanation& explanation) {
  const Mechanism& mechanism = study.model->nominal;
  const auto instant_json = [&](const CriticalInstant& instant) -> Json {
    const LoadSplit& split = instant.split;
    Json springs = Json::object();
    for (const LoadSplit::Share& share : split.springs)
      springs[mechanism.springs[share.spring].name] = share.load;
    Json json = {{"motion", study.motions[instant.motion].name},
                 {"t", instant.time},
                 {"load", split.load},
                 {"gravity", split.gravity},
                 {"inertia", split.inertia},
                 {"springs", springs},
                 {"baseline_load", or_null(instant.baseline)}};
    if (!mechanism.forces.empty()) json["forces"] = split.forces;
    if (study.model->has_friction()) json["friction"] = split.friction;
    for (const PosePosition& of : instant.pose)
      json["pose"].push_back(
          {{"coordinate", of.coordinate}, {"position", of.position}, {"unit", of.unit}});
    return json;
  };
  return array_of(explanation.actuators, [&](const ActuatorInstants& of) -> Json {
    const Actuator& own = mechanism.actuators[of.actuator];
    return {{"actuator", own.name},
            {"unit", load_unit(mechanism, own)},
            {"left_out", of.left_out},
            {"instants", array_of(of.instants, instant_json)}};
  });
}

Json price_json(const Study& study, const SpringOptimum& optimum, const ShadowPrice& price) {
  Json gains = Json::object();
  for (const SpringOptimum::Least& least : optimum.least)
    gains[study.objectives[least.objective].name] = price.per_unit * price.step * least.per_goal;
  return {{"name", price.name},
          {"loosened_by", price.less ? "less" : "more"},
          {"unit", text_or_null(price.unit)},
          {"step", price.step},
          {"per_unit", price.per_unit},
          {"shadow_price", gains}};
}

Json hold_json(const Study& study, const MetricHold& hold) {
  const auto instant_json = [&](const MetricHold::Instant& instant) -> Json {
    return {{"motion", study.motions[instant.motion].name},
            {"t", instant.time},
            {"share", instant.share}};
  };
  return {{"metric", study.metrics[hold.metric].name},
          {"share", hold.share},
          {"instants", array_of(hold.instants, instant_json)}};
}

Json optimum_json(const Study& study, const std::optional<SpringOptimum>& optimum) {
  if (!optimum) return nullptr;
  const auto least_json = [&](const SpringOptimum::Least& least) -> Json {
    return {{"objective", study.objectives[least.objective].name}, {"per_goal", least.per_goal}};
  };
  const auto limit_json = [&](const ShadowPrice& price) {
    return price_json(study, *optimum, price);
  };
  const auto held_json = [&](const MetricHold& hold) { return hold_json(study, hold); };
  return {{"objectives", array_of(optimum->least, least_json)},
          {"value", optimum->value},
          {"bound", optimum->bound},
          {"gap", optimum->gap()},
          {"stored", optimum->stored},
          {"combinations", if_known(optimum->combinations > 0, optimum->combinations)},
          {"no_shadow_prices", text_or_null(optimum->no_shadow_prices)},
          {"limits", array_of(optimum->limits, limit_json)},
          {"held_by", array_of(optimum->held_by, held_json)}};
}

Json binding_json(const Explanation& explanation) {
  return array_of(explanation.binding, [](const BindingLimit& limit) -> Json {
    return {{"name", limit.name},     {"value", limit.value},
            {"bound", limit.bound},   {"unit", text_or_null(limit.unit)},
            {"broken", limit.broken}, {"beyond", text_or_null(limit.beyond)}};
  });
}

Json next_json(const Study& study, const Explanation& explanation) {
  if (!explanation.standing.next) return nullptr;
  const Standing::Next& next = *explanation.standing.next;
  Json variables = Json::object(), objectives = Json::object();
  for (const Standing::Difference& difference : next.differences)
    variables[difference.variable] = {{"here", json_of(difference.own)},
                                      {"there", json_of(difference.other)}};
  for (std::size_t i = 0; i < study.objectives.size(); ++i) {
    const double here = explanation.objectives[i], there = next.row.objectives[i];
    objectives[study.objectives[i].name] = {
        {"here", here}, {"there", there}, {"change", there - here}};
  }
  return {{"case", next.row.id},
          {"rank", next.rank},
          {"variables", variables},
          {"objectives", objectives}};
}

Json extreme_json(const Study& study, const Extreme& extreme) {
  return {{"value", extreme.value},
          {"motion", study.motions[extreme.motion].name},
          {"t", extreme.time}};
}

Json reactions_json(const Study& study, const std::vector<ReactionChange>& reactions) {
  return array_of(reactions, [&](const ReactionChange& reaction) -> Json {
    return {{"joint", reaction.joint},
            {"shared", reaction.open},
            {"case", extreme_json(study, reaction.robot)},
            {"baseline", extreme_json(study, reaction.baseline)}};
  });
}

Json work_json(const std::optional<Work>& work) {
  if (!work) return nullptr;
  return {{"sign_changes", work->sign_changes},
          {"peak_power", work->peak_power},
          {"energy", work->energy}};
}

Json effects_json(const Study& study, const SideEffects& effects) {
  const Mechanism& mechanism = study.model->nominal;
  const auto pull_json = [&](const SpringPull& pull) -> Json {
    return {{"spring", mechanism.springs[pull.spring].name},
            {"case", extreme_json(study, pull.robot)},
            {"baseline", pull.baseline ? extreme_json(study, *pull.baseline) : Json()}};
  };
  const auto actuator_json = [&](const ActuatorWork& work) -> Json {
    return {{"actuator", mechanism.actuators[work.actuator].name},
            {"motion", study.motions[work.motion].name},
            {"case", work_json(work.robot)},
            {"baseline", work_json(work.baseline)},
            {"without_springs", work_json(work.without_springs)}};
  };
  return {{"no_reactions", text_or_null(effects.no_reactions)},
          {"forces", reactions_json(study, effects.forces)},
          {"moments", reactions_json(study, effects.moments)},
          {"tensions", array_of(effects.springs, pull_json)},
          {"actuators", array_of(effects.actuators, actuator_json)}};
}

}  // namespace

Json json_of(const Study& study, const Explanation& explanation) {
  const Standing& standing = explanation.standing;
  Json json = {{"critical_instants", instants_json(study, explanation)},
               {"optimum", optimum_json(study, explanation.optimum)},
               {"binding", binding_json(explanation)},
               {"rank", if_known(standing.rank > 0, standing.rank)},
               {"feasible_cases", standing.feasible},
               {"of_kept_cases", study.keep.has_value()},
               {"next_best", next_json(study, explanation)},
               {"side_effects", effects_json(study, explanation.side_effects)}};
  for (const UnreachedPoses& of : explanation.unreached)
    json["unreachable"].push_back({{"motion", study.motions[of.motion].name},
                                   {"poses", of.poses},
                                   {"left_out", of.left_out},
                                   {"regions", of.regions},
                                   {"elsewhere", of.elsewhere}});
  return json;
}

}  // namespace counterpoise
