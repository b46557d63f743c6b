#include "studies/exact/proof/certificate_text.hpp"

#include <fmt/format.h>

#include "optimizer/convex/choice/equal_options.hpp"
#include "optimizer/convex/problem/allowed_gap.hpp"
#include "results/text/cells.hpp"
#include "studies/exact/proof/instant_in_words.hpp"

namespace counterpoise {
namespace {

std::string quoted(const std::string& text) {
  std::string json;
  append_json(json, std::string_view(text));
  return json;
}

/// An array of what `item` makes of each element; nothing where it makes an empty text.
template <class Items, class Item>
std::string array_of(const Items& items, const Item& item) {
  std::string json;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string text = item(i);
    if (text.empty()) continue;
    if (!json.empty()) json += ", ";
    json += text;
  }
  return "[" + json + "]";
}

std::string goal_text(const Study& study, const SizingGoal& goal) {
  const auto name = [&](int objective) {
    return quoted(study.objectives[static_cast<std::size_t>(objective)].name);
  };
  const std::string largest = array_of(goal.largest, [&](std::size_t i) {
    const SizingGoal::Part& part = goal.largest[i];
    return fmt::format(R"({{"objective": {}, "weight": {}, "reference": {}}})",
                       name(part.objective), part.weight, part.reference);
  });
  return fmt::format(R"({{"largest": {}}})", largest);
}

std::string instants_text(const Study& study, const WrittenProblem& written,
                          const std::vector<WitnessInstant>& instants) {
  return array_of(instants, [&](std::size_t i) {
    const WitnessInstant& instant = instants[i];
    const InstantInWords words(study, written, instant);
    return fmt::format(
        R"({{"norm": {}, "metric": {}, "motion": {}, "t": {}, "part": {}, "sample": {}, )"
        R"("weight": {}}})",
        instant.norm, quoted(words.metric), quoted(words.motion),
        words.time ? fmt::format("{}", *words.time) : "null", instant.part, instant.sample,
        instant.weight);
  });
}

/// What is common to a certificate and to each witness of a choice, without the braces.
std::string multipliers_text(const Study& study, const WrittenProblem& written,
                             const ConvexSolution& solution,
                             const std::vector<WitnessInstant>& instants) {
  const Certificate& certificate = solution.certificate;
  const std::string unknowns = array_of(written.names, [&](std::size_t i) {
    return fmt::format(R"({{"name": {}, "value": {}}})", quoted(written.names[i]), solution.x[i]);
  });
  const std::string pieces = array_of(
      certificate.pieces, [&](std::size_t i) { return fmt::format("{}", certificate.pieces[i]); });
  const std::string limits = array_of(written.limits, [&](std::size_t i) {
    if (certificate.limits[i] == 0.0) return std::string();
    return fmt::format(R"({{"index": {}, "name": {}, "multiplier": {}}})", i,
                       quoted(written.limits[i].name), certificate.limits[i]);
  });
  return fmt::format(R"("unknowns": {}, "pieces": {}, "limits": {}, "instants": {})", unknowns,
                     pieces, limits, instants_text(study, written, instants));
}

}  // namespace

std::string certificate_text(const Study& study, const WrittenProblem& written,
                             const SizingGoal& goal, ConvexSolution& solution) {
  const std::vector<WitnessInstant> instants = keep_what_is_told(written.problem, solution);
  return fmt::format(
      R"({{"goal": {}, "value": {}, "bound": {}, "gap": {}, "allowed_gap": {}, {}}})",
      goal_text(study, goal), solution.value, solution.certificate.bound, solution.gap,
      allowed_gap(written.problem, solution.value),
      multipliers_text(study, written, solution, instants));
}

std::string choice_text(const Study& study, const WrittenProblem& written, const SizingGoal& goal,
                        ConvexSolution& relaxed, const ChoiceSolution& choice,
                        const ChoiceWitnesses& witnesses) {
  const std::string others = array_of(witnesses.all, [&](std::size_t i) {
    const ChoiceWitnesses::Witness& witness = witnesses.all[i];
    return "{" + multipliers_text(study, written, witness.solution, witness.instants) + "}";
  });
  std::string text = certificate_text(study, written, goal, relaxed);
  text.pop_back();
  return fmt::format(R"({}, "choice": {{"best": {}, "combinations": {}, "equal_to_others": {}, )"
                     R"("excluded_by_bound": {}, "evaluated": {}, "against_limits": {}, )"
                     R"("witnesses": {}}}}})",
                     text, choice.best.front().value, choice.combinations, choice.equal,
                     choice.excluded, choice.evaluated, choice.infeasible, others);
}

std::string choice_summary(const Study& study, const WrittenProblem& written,
                           const ChoiceSolution& choice, const StockPrice& price) {
  std::int64_t all = 1;
  for (const StockGroup& group : written.stock.groups)
    all = times(all, static_cast<std::int64_t>(group.levels.size() + group.refused.size()));
  const auto number = [](const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : "null";
  };
  const std::string variables = array_of(written.stock.groups, [&](std::size_t i) {
    const StockGroup& group = written.stock.groups[i];
    const Variable& variable = study.variables[static_cast<std::size_t>(group.variable)];
    const std::string refused = array_of(group.refused, [&](std::size_t r) {
      const auto level = static_cast<std::size_t>(group.refused[r]);
      const std::string name = variable.labels.empty() ? fmt::format("{}", variable.values[level])
                                                       : variable.labels[level];
      return fmt::format(R"({{"choice": {}, "reason": {}}})", quoted(name),
                         quoted(group.reasons[r]));
    });
    return fmt::format(R"({{"variable": {}, "choices": {}, "refused": {}, "made_to_order": {}}})",
                       quoted(variable.name), group.levels.size() + group.refused.size(), refused,
                       number(price.one[i]));
  });
  return fmt::format(
      R"({{"best": {}, "combinations": {}, "against_own_limits": {}, "equal_to_others": {}, )"
      R"("excluded_by_bound": {}, "evaluated": {}, "against_limits": {}, "near_best": {}, )"
      R"("all_made_to_order": {}, "variables": {}}})",
      choice.best.front().value, all, all - choice.combinations, choice.equal, choice.excluded,
      choice.evaluated, choice.infeasible, choice.best.size(), number(price.all), variables);
}

}  // namespace counterpoise
