#include "studies/exact/proof/certificate_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "optimizer/convex/choice/equal_options.hpp"
#include "optimizer/convex/problem/allowed_gap.hpp"
#include "results/text/cells.hpp"
#include "studies/exact/proof/instant_in_words.hpp"

namespace counterpoise {
namespace {

Json or_null(const std::optional<double>& number) {
  return number ? Json(*number) : Json();
}

Json goal_json(const Study& study, const SizingGoal& goal) {
  Json largest = Json::array();
  for (const SizingGoal::Part& part : goal.largest)
    largest.push_back(
        {{"objective", study.objectives[static_cast<std::size_t>(part.objective)].name},
         {"weight", part.weight},
         {"reference", part.reference}});
  return {{"largest", largest}};
}

/// What is common to a certificate and to each witness of a choice.
void add_multipliers(Json& object, const Study& study, const WrittenProblem& written,
                     const ConvexSolution& solution, const std::vector<WitnessInstant>& instants) {
  const Certificate& certificate = solution.certificate;
  Json unknowns = Json::array(), limits = Json::array(), carrying = Json::array();
  for (std::size_t i = 0; i < written.names.size(); ++i)
    unknowns.push_back({{"name", written.names[i]}, {"value", solution.x[i]}});
  for (std::size_t i = 0; i < written.limits.size(); ++i)
    if (certificate.limits[i] != 0.0)
      limits.push_back(
          {{"index", i}, {"name", written.limits[i].name}, {"multiplier", certificate.limits[i]}});
  for (const WitnessInstant& instant : instants) {
    const InstantInWords words(study, written, instant);
    carrying.push_back({{"norm", instant.norm},
                        {"metric", words.metric},
                        {"motion", words.motion},
                        {"t", or_null(words.time)},
                        {"part", instant.part},
                        {"sample", instant.sample},
                        {"weight", instant.weight}});
  }
  object["unknowns"] = unknowns;
  object["pieces"] = certificate.pieces;
  object["limits"] = limits;
  object["instants"] = carrying;
}

Json certificate_json(const Study& study, const WrittenProblem& written, const SizingGoal& goal,
                      ConvexSolution& solution) {
  const std::vector<WitnessInstant> instants = keep_what_is_told(written.problem, solution);
  Json object = {{"goal", goal_json(study, goal)},
                 {"value", solution.value},
                 {"bound", solution.certificate.bound},
                 {"gap", solution.gap},
                 {"allowed_gap", allowed_gap(written.problem, solution.value)}};
  add_multipliers(object, study, written, solution, instants);
  return object;
}

}  // namespace

std::string certificate_text(const Study& study, const WrittenProblem& written,
                             const SizingGoal& goal, ConvexSolution& solution) {
  return json_text(certificate_json(study, written, goal, solution));
}

std::string choice_text(const Study& study, const WrittenProblem& written, const SizingGoal& goal,
                        ConvexSolution& relaxed, const ChoiceSolution& choice,
                        const ChoiceWitnesses& witnesses) {
  Json others = Json::array();
  for (const ChoiceWitnesses::Witness& witness : witnesses.all)
    add_multipliers(others.emplace_back(Json::object()), study, written, witness.solution,
                    witness.instants);
  Json object = certificate_json(study, written, goal, relaxed);
  object["choice"] = {{"best", choice.best.front().value},
                      {"combinations", choice.combinations},
                      {"equal_to_others", choice.equal},
                      {"excluded_by_bound", choice.excluded},
                      {"evaluated", choice.evaluated},
                      {"against_limits", choice.infeasible},
                      {"witnesses", others}};
  return json_text(object);
}

std::string choice_summary(const Study& study, const WrittenProblem& written,
                           const ChoiceSolution& choice, const StockPrice& price) {
  std::int64_t all = 1;
  Json variables = Json::array();
  for (std::size_t i = 0; i < written.stock.groups.size(); ++i) {
    const StockGroup& group = written.stock.groups[i];
    const Variable& variable = study.variables[static_cast<std::size_t>(group.variable)];
    const std::size_t choices = group.levels.size() + group.refused.size();
    all = times(all, static_cast<std::int64_t>(choices));
    Json refused = Json::array();
    for (std::size_t r = 0; r < group.refused.size(); ++r) {
      const auto level = static_cast<std::size_t>(group.refused[r]);
      const std::string name = variable.labels.empty() ? fmt::format("{}", variable.values[level])
                                                       : variable.labels[level];
      refused.push_back({{"choice", name}, {"reason", group.reasons[r]}});
    }
    variables.push_back({{"variable", variable.name},
                         {"choices", choices},
                         {"refused", refused},
                         {"made_to_order", or_null(price.one[i])}});
  }
  return json_text({{"best", choice.best.front().value},
                    {"combinations", all},
                    {"against_own_limits", all - choice.combinations},
                    {"equal_to_others", choice.equal},
                    {"excluded_by_bound", choice.excluded},
                    {"evaluated", choice.evaluated},
                    {"against_limits", choice.infeasible},
                    {"near_best", choice.best.size()},
                    {"all_made_to_order", or_null(price.all)},
                    {"variables", variables}});
}

}  // namespace counterpoise
