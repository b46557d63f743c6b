#include "cases/study_units.hpp"
#include "cli/text/explanation/explanation_text.hpp"
#include "cli/text/json.hpp"

namespace counterpoise {
namespace {

/// An array of what `item` makes of each element.
template <class Items, class Item>
Json array_of(const Items& items, const Item& item) {
  Json array = Json::array();
  for (const auto& each : items) array.push_back(item(each));
  return array;
}

Json instants_json(const Study& study, const Explanation& explanation) {
  const Mechanism& mechanism = study.model->nominal;
  const auto instant_json = [&](const CriticalInstant& instant) -> Json {
    const LoadSplit& split = instant.split;
    Json springs = Json::object();
    for (const LoadSplit::Share& share : split.springs)
      springs[mechanism.springs[at(share.spring)].name] = share.load;
    return {{"motion", study.motions[instant.motion].name},
            {"t", instant.time},
            {"load", split.load},
            {"gravity", split.gravity},
            {"inertia", split.inertia},
            {"springs", springs},
            {"baseline_load", or_null(instant.baseline)}};
  };
  return array_of(explanation.actuators, [&](const ActuatorInstants& of) -> Json {
    const Actuator& own = mechanism.actuators[at(of.actuator)];
    return {{"actuator", own.name},
            {"unit", load_unit(mechanism, own)},
            {"left_out", of.left_out},
            {"instants", array_of(of.instants, instant_json)}};
  });
}

Json price_json(const Study& study, const SpringOptimum& optimum, const ShadowPrice& price) {
  Json gains = Json::object();
  for (const SpringOptimum::Least& least : optimum.least)
    gains[study.objectives[at(least.objective)].name] =
        price.per_unit * price.step * least.per_goal;
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
  return {{"metric", study.metrics[at(hold.metric)].name},
          {"share", hold.share},
          {"instants", array_of(hold.instants, instant_json)}};
}

Json optimum_json(const Study& study, const std::optional<SpringOptimum>& optimum) {
  if (!optimum) return nullptr;
  const auto least_json = [&](const SpringOptimum::Least& least) -> Json {
    return {{"objective", study.objectives[at(least.objective)].name},
            {"per_goal", least.per_goal}};
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
    return {{"spring", mechanism.springs[at(pull.spring)].name},
            {"case", extreme_json(study, pull.robot)},
            {"baseline", pull.baseline ? extreme_json(study, *pull.baseline) : Json()}};
  };
  const auto actuator_json = [&](const ActuatorWork& work) -> Json {
    return {{"actuator", mechanism.actuators[at(work.actuator)].name},
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
  return {{"critical_instants", instants_json(study, explanation)},
          {"optimum", optimum_json(study, explanation.optimum)},
          {"binding", binding_json(explanation)},
          {"rank", if_known(standing.rank > 0, standing.rank)},
          {"feasible_cases", standing.feasible},
          {"of_kept_cases", study.keep.has_value()},
          {"next_best", next_json(study, explanation)},
          {"side_effects", effects_json(study, explanation.side_effects)}};
}

}  // namespace counterpoise
