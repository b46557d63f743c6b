#include <fmt/format.h>

#include "cli/text/explanation_text.hpp"
#include "cli/text/json_writer.hpp"
#include "studies/cases/study_units.hpp"

namespace counterpoise {
namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

Value text_or_null(const std::string& text) {
  return text.empty() ? Value{} : Value{text};
}

/// An array of what `item` makes of each element.
template <class Items, class Item>
std::string array_of(const Items& items, const Item& item) {
  std::vector<std::string> objects;
  for (const auto& each : items) objects.push_back(item(each));
  return fmt::format("[{}]", fmt::join(objects, ",\n "));
}

Value motion_value(const Study& study, std::size_t motion) {
  return Value{study.motions[motion].name};
}

std::string instants_json(const Study& study, const Explanation& explanation) {
  const Mechanism& mechanism = study.model->nominal;
  return array_of(explanation.actuators, [&](const ActuatorInstants& of) {
    JsonObject actuator;
    const Actuator& own = mechanism.actuators[at(of.actuator)];
    actuator.add("actuator", Value{own.name}).add("unit", Value{load_unit(mechanism, own)});
    actuator.add("left_out", Value{static_cast<std::int64_t>(of.left_out)});
    actuator.add_raw(
        "instants", array_of(of.instants, [&](const CriticalInstant& instant) {
          const LoadSplit& split = instant.split;
          JsonObject springs, object;
          for (const LoadSplit::Share& share : split.springs)
            springs.add(mechanism.springs[at(share.spring)].name, Value{share.load});
          object.add("motion", motion_value(study, instant.motion)).add("t", Value{instant.time});
          object.add("load", Value{split.load}).add("gravity", Value{split.gravity});
          object.add("inertia", Value{split.inertia}).add_raw("springs", springs.text());
          object.add("baseline_load", instant.baseline ? Value{*instant.baseline} : Value{});
          return object.text();
        }));
    return actuator.text();
  });
}

std::string worth_json(const Study& study, const SpringOptimum& optimum, const LimitWorth& worth) {
  JsonObject gains, object;
  for (const SpringOptimum::Least& least : optimum.least)
    gains.add(study.objectives[at(least.objective)].name,
              Value{worth.per_unit * worth.step * least.per_goal});
  object.add("name", Value{worth.name}).add("loosened_by", Value{worth.less ? "less" : "more"});
  object.add("unit", text_or_null(worth.unit)).add("step", Value{worth.step});
  object.add("per_unit", Value{worth.per_unit}).add_raw("worth", gains.text());
  return object.text();
}

std::string hold_json(const Study& study, const MetricHold& hold) {
  JsonObject object;
  object.add("metric", Value{study.metrics[at(hold.metric)].name}).add("share", Value{hold.share});
  object.add_raw(
      "instants", array_of(hold.instants, [&](const MetricHold::Instant& instant) {
        JsonObject one;
        one.add("motion", motion_value(study, instant.motion)).add("t", Value{instant.time});
        return one.add("share", Value{instant.share}).text();
      }));
  return object.text();
}

std::string optimum_json(const Study& study, const std::optional<SpringOptimum>& optimum) {
  if (!optimum) return "null";
  JsonObject object;
  object.add_raw("objectives", array_of(optimum->least, [&](const SpringOptimum::Least& least) {
                   JsonObject one;
                   one.add("objective", Value{study.objectives[at(least.objective)].name});
                   return one.add("per_goal", Value{least.per_goal}).text();
                 }));
  object.add("value", Value{optimum->value}).add("bound", Value{optimum->bound});
  object.add("gap", Value{optimum->gap()}).add("stored", optimum->stored);
  object.add("combinations", optimum->combinations > 0 ? Value{optimum->combinations} : Value{});
  object.add("no_worths", text_or_null(optimum->no_worths));
  object.add_raw("limits", array_of(optimum->limits, [&](const LimitWorth& worth) {
                   return worth_json(study, *optimum, worth);
                 }));
  object.add_raw("held_by", array_of(optimum->held_by, [&](const MetricHold& hold) {
                   return hold_json(study, hold);
                 }));
  return object.text();
}

std::string binding_json(const Explanation& explanation) {
  return array_of(explanation.binding, [](const BindingLimit& limit) {
    JsonObject object;
    object.add("name", Value{limit.name}).add("value", Value{limit.value});
    object.add("bound", Value{limit.bound}).add("unit", text_or_null(limit.unit));
    return object.add("broken", limit.broken).add("beyond", text_or_null(limit.beyond)).text();
  });
}

std::string next_json(const Study& study, const Explanation& explanation) {
  if (!explanation.standing.next) return "null";
  const Standing::Next& next = *explanation.standing.next;
  JsonObject variables, objectives, object;
  for (const Standing::Difference& difference : next.differences) {
    JsonObject one;
    one.add("here", difference.own).add("there", difference.other);
    variables.add_raw(difference.variable, one.text());
  }
  for (std::size_t i = 0; i < study.objectives.size(); ++i) {
    const double here = explanation.objectives[i], there = next.row.objectives[i];
    JsonObject one;
    one.add("here", Value{here}).add("there", Value{there}).add("change", Value{there - here});
    objectives.add_raw(study.objectives[i].name, one.text());
  }
  object.add("case", Value{next.row.id}).add("rank", Value{next.rank});
  object.add_raw("variables", variables.text()).add_raw("objectives", objectives.text());
  return object.text();
}

std::string extreme_json(const Study& study, const Extreme& extreme) {
  JsonObject object;
  object.add("value", Value{extreme.value}).add("motion", motion_value(study, extreme.motion));
  return object.add("t", Value{extreme.time}).text();
}

std::string reactions_json(const Study& study, const std::vector<ReactionChange>& reactions) {
  return array_of(reactions, [&](const ReactionChange& reaction) {
    JsonObject object;
    object.add("joint", Value{reaction.joint}).add("shared", reaction.open);
    object.add_raw("case", extreme_json(study, reaction.robot));
    return object.add_raw("baseline", extreme_json(study, reaction.baseline)).text();
  });
}

std::string work_json(const std::optional<Work>& work) {
  if (!work) return "null";
  JsonObject object;
  object.add("sign_changes", work->sign_changes).add("peak_power", Value{work->peak_power});
  return object.add("energy", Value{work->energy}).text();
}

std::string effects_json(const Study& study, const SideEffects& effects) {
  const Mechanism& mechanism = study.model->nominal;
  JsonObject object;
  object.add("no_reactions", text_or_null(effects.no_reactions));
  object.add_raw("forces", reactions_json(study, effects.forces));
  object.add_raw("moments", reactions_json(study, effects.moments));
  object.add_raw("tensions", array_of(effects.springs, [&](const SpringPull& pull) {
                   JsonObject one;
                   one.add("spring", Value{mechanism.springs[at(pull.spring)].name});
                   one.add_raw("case", extreme_json(study, pull.robot));
                   one.add_raw("baseline",
                               pull.baseline ? extreme_json(study, *pull.baseline) : "null");
                   return one.text();
                 }));
  object.add_raw(
      "actuators", array_of(effects.actuators, [&](const ActuatorWork& work) {
        JsonObject one;
        one.add("actuator", Value{mechanism.actuators[at(work.actuator)].name});
        one.add("motion", motion_value(study, work.motion)).add_raw("case", work_json(work.robot));
        one.add_raw("baseline", work_json(work.baseline));
        return one.add_raw("without_springs", work_json(work.without_springs)).text();
      }));
  return object.text();
}

}  // namespace

std::string to_json(const Study& study, const Explanation& explanation) {
  const Standing& standing = explanation.standing;
  JsonObject object;
  object.add_raw("critical_instants", instants_json(study, explanation));
  object.add_raw("optimum", optimum_json(study, explanation.optimum));
  object.add_raw("binding", binding_json(explanation));
  object.add("rank", standing.rank > 0 ? Value{standing.rank} : Value{});
  object.add("feasible_cases", Value{standing.feasible});
  object.add_raw("next_best", next_json(study, explanation));
  object.add_raw("side_effects", effects_json(study, explanation.side_effects));
  return object.text();
}

}  // namespace counterpoise
