#include "studies/proof/certificate_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/text/cells.hpp"
#include "studies/proof/witness_weights.hpp"

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
    if (!text.empty()) json += (json.empty() ? "" : ", ") + text;
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
  const std::string bounds = array_of(goal.bounds, [&](std::size_t i) {
    return fmt::format(R"({{"objective": {}, "most": {}}})", name(goal.bounds[i].objective),
                       goal.bounds[i].most);
  });
  return fmt::format(R"({{"largest": {}, "bounds": {}}})", largest, bounds);
}

/// The metric of a norm; of an actuator's own limit, its largest load.
std::string norm_name(const Study& study, const WrittenProblem& written, std::size_t norm) {
  const int metric = written.norm_metrics[norm];
  if (metric >= 0) return study.metrics[static_cast<std::size_t>(metric)].name;
  const auto series = static_cast<std::size_t>(written.problem.norms[norm].parts.front().series);
  const auto actuator = static_cast<std::size_t>(written.origins[series].actuator);
  return study.model->nominal.actuators[actuator].name + ".max";
}

std::string instants_text(const Study& study, const WrittenProblem& written,
                          const std::vector<WitnessInstant>& instants) {
  return array_of(instants, [&](std::size_t i) {
    const WitnessInstant& instant = instants[i];
    const SeriesNorm& norm = written.problem.norms[instant.norm];
    const auto series = static_cast<std::size_t>(norm.parts[instant.part].series);
    const SizingProblem::SeriesOrigin& origin = written.origins[series];
    const double step = study.motions[origin.motion].motion.nominal.step;
    const std::string time = origin.actuator < 0
                                 ? "null"
                                 : fmt::format("{}", static_cast<double>(instant.sample) * step);
    return fmt::format(
        R"({{"norm": {}, "metric": {}, "motion": {}, "t": {}, "part": {}, "sample": {}, )"
        R"("weight": {}}})",
        instant.norm, quoted(norm_name(study, written, instant.norm)),
        quoted(study.motions[origin.motion].name), time, instant.part, instant.sample,
        instant.weight);
  });
}

double number_in(const JsonValue& object, std::string_view key) {
  const JsonValue* value = object.find(key);
  if (value == nullptr || value->kind != JsonValue::Kind::number)
    throw InputError(object.location(), fmt::format("a certificate needs the number \"{}\"", key));
  return value->number;
}

const std::vector<JsonValue>& array_in(const JsonValue& object, std::string_view key) {
  const JsonValue* value = object.find(key);
  if (value == nullptr || value->kind != JsonValue::Kind::array)
    throw InputError(object.location(), fmt::format("a certificate needs the array \"{}\"", key));
  return value->items;
}

std::size_t index_in(const JsonValue& object, std::string_view key, std::size_t count) {
  const double number = number_in(object, key);
  if (!(number >= 0.0 && number < static_cast<double>(count)) || number != std::floor(number))
    throw InputError(object.location(),
                     fmt::format("\"{}\" is {}, expected 0 to {}", key, number, count - 1));
  return static_cast<std::size_t>(number);
}

}  // namespace

std::string certificate_text(const Study& study, const WrittenProblem& written,
                             const SizingGoal& goal, ConvexSolution& solution) {
  const ConvexProblem& problem = written.problem;
  Certificate& certificate = solution.certificate;
  const WitnessWeights weights(problem, certificate, solution.x);
  const std::vector<WitnessInstant> instants = weights.instants(certificate);
  certificate.witnesses = weights.witnesses(instants);
  add_up(problem, certificate);
  solution.gap = solution.value - certificate.bound;
  const std::string unknowns = array_of(problem.names, [&](std::size_t i) {
    return fmt::format(R"({{"name": {}, "value": {}}})", quoted(problem.names[i]), solution.x[i]);
  });
  const std::string pieces = array_of(
      certificate.pieces, [&](std::size_t i) { return fmt::format("{}", certificate.pieces[i]); });
  const std::string limits = array_of(problem.limits, [&](std::size_t i) {
    if (certificate.limits[i] == 0.0) return std::string();
    return fmt::format(R"({{"index": {}, "name": {}, "multiplier": {}}})", i,
                       quoted(problem.limits[i].name), certificate.limits[i]);
  });
  return fmt::format(
      R"({{"goal": {}, "value": {}, "bound": {}, "gap": {}, "unknowns": {}, "pieces": {}, )"
      R"("limits": {}, "instants": {}}})",
      goal_text(study, goal), solution.value, certificate.bound, solution.gap, unknowns, pieces,
      limits, instants_text(study, written, instants));
}

std::string choice_text(const Study& study, const WrittenProblem& written, const SizingGoal& goal,
                        ConvexSolution& relaxed, const ChoiceSolution& choice) {
  std::string text = certificate_text(study, written, goal, relaxed);
  text.pop_back();
  return fmt::format(R"({}, "choice": {{"best": {}, "combinations": {}, "excluded_by_bound": {}, )"
                     R"("evaluated": {}, "against_limits": {}}}}})",
                     text, choice.best.front().value, choice.combinations, choice.excluded,
                     choice.evaluated, choice.infeasible);
}

std::string choice_summary(const Study& study, const WrittenProblem& written,
                           const ChoiceSolution& choice, const StockPrice& price) {
  std::int64_t all = 1;
  for (const StockGroup& group : written.stock.groups)
    all *= static_cast<std::int64_t>(group.levels.size() + group.refused.size());
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
      R"({{"best": {}, "combinations": {}, "against_own_limits": {}, "excluded_by_bound": {}, )"
      R"("evaluated": {}, "against_limits": {}, "near_best": {}, "all_made_to_order": {}, )"
      R"("variables": {}}})",
      choice.best.front().value, all, all - choice.combinations, choice.excluded, choice.evaluated,
      choice.infeasible, choice.best.size(), number(price.all), variables);
}

SizingGoal goal_in(const JsonValue& certificate, const Study& study) {
  const JsonValue* goal = certificate.find("goal");
  if (goal == nullptr) throw InputError(certificate.location(), "a certificate needs a \"goal\"");
  const auto objective_in = [&](const JsonValue& part) {
    const JsonValue* name = part.find("objective");
    for (std::size_t i = 0; i < study.objectives.size() && name != nullptr; ++i)
      if (study.objectives[i].name == name->text) return static_cast<int>(i);
    throw InputError(part.location(), "a part of a goal needs an objective of the study");
  };
  SizingGoal result;
  result.largest.clear();
  for (const JsonValue& part : array_in(*goal, "largest"))
    result.largest.push_back(
        {objective_in(part), number_in(part, "weight"), number_in(part, "reference")});
  for (const JsonValue& bound : array_in(*goal, "bounds"))
    result.bounds.push_back({objective_in(bound), number_in(bound, "most")});
  return result;
}

StoredCertificate certificate_in(const JsonValue& text, const WrittenProblem& written) {
  const ConvexProblem& problem = written.problem;
  StoredCertificate stored;
  Certificate& certificate = stored.certificate;
  const auto& unknowns = array_in(text, "unknowns");
  const auto& pieces = array_in(text, "pieces");
  if (unknowns.size() != problem.lower.size() || pieces.size() != problem.objective.size())
    throw InputError(text.location(),
                     "the certificate is of another problem: unknowns or pieces differ in number");
  for (const JsonValue& unknown : unknowns) stored.x.push_back(number_in(unknown, "value"));
  for (const JsonValue& piece : pieces) certificate.pieces.push_back(piece.number);
  certificate.limits.assign(problem.limits.size(), 0.0);
  for (const JsonValue& limit : array_in(text, "limits"))
    certificate.limits[index_in(limit, "index", problem.limits.size())] =
        number_in(limit, "multiplier");
  certificate.bound = number_in(text, "bound");

  const WitnessWeights weights(problem, certificate, stored.x);
  std::vector<WitnessInstant> instants;
  for (const JsonValue& instant : array_in(text, "instants")) {
    const std::size_t norm = index_in(instant, "norm", problem.norms.size());
    const std::size_t part = index_in(instant, "part", weights.parts(norm));
    const std::size_t sample = index_in(instant, "sample", weights.samples(norm, part));
    instants.push_back({norm, part, sample, number_in(instant, "weight")});
  }
  certificate.witnesses = weights.witnesses(instants);
  const double stated = certificate.bound;
  add_up(problem, certificate);  // for the slopes
  certificate.bound = stated;
  return stored;
}

}  // namespace counterpoise
