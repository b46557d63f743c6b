#include "springs/proof/certificate_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cases/searches.hpp"
#include "input/text/json_document.hpp"
#include "input/text/stored_json.hpp"
#include "optimizer/convex/choice/equal_options.hpp"
#include "optimizer/convex/problem.hpp"
#include "optimizer/convex/solve.hpp"
#include "optimizer/convex/tolerances.hpp"
#include "optimizer/convex/witness_weights.hpp"
#include "results/text/cells.hpp"
#include "springs/problem/problem_writer.hpp"

namespace counterpoise {

/// A sample that carries weight, described for people.
struct InstantInWords {
  std::string metric;  // of an actuator's own limit, its largest load
  std::string motion;
  std::optional<double> time;  // s; a spring's tension has none

  InstantInWords(const Study& study, const WrittenProblem& written, const WitnessInstant& instant);
};

namespace {

Json goal_json(const Study& study, const SizingGoal& goal) {
  Json largest = Json::array();
  for (const SizingGoal::Part& part : goal.largest)
    largest.push_back({{"objective", study.objectives[part.objective].name},
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

std::size_t index_in(const JsonValue& object, std::string_view key, std::size_t count) {
  const double number = number_in(object, key);
  if (!(number >= 0.0 && number < static_cast<double>(count)) || number != std::floor(number))
    throw InputError(object.location(),
                     fmt::format("\"{}\" is {}, expected 0 to {}", key, number, count - 1));
  return static_cast<std::size_t>(number);
}

WitnessInstant instant_in(const JsonValue& text, const ConvexProblem& problem) {
  const std::size_t norm = index_in(text, "norm", problem.norms.size());
  const auto& parts = problem.norms[norm].parts;
  const std::size_t part = index_in(text, "part", parts.size());
  const auto series = static_cast<std::size_t>(parts[part].series);
  const std::size_t sample = index_in(text, "sample", problem.series[series].constant.size());
  return {norm, part, sample, number_in(text, "weight")};
}

/// Reads everything but the bound and the slopes, which are added up again.
void read_multipliers(const JsonValue& text, const ConvexProblem& problem, Certificate& certificate,
                      std::vector<double>& x) {
  const auto unknowns = array_in(text, "unknowns");
  const auto pieces = array_in(text, "pieces");
  if (unknowns.size() != problem.lower.size() || pieces.size() != problem.objective.size())
    throw InputError(
        text.location(),
        "the certificate belongs to another problem: unknowns or pieces differ in number");
  for (const JsonValue& unknown : unknowns) x.push_back(number_in(unknown, "value"));
  for (const JsonValue& piece : pieces)
    certificate.pieces.push_back(number_of(piece, "a multiplier"));
  certificate.limits.assign(problem.limits.size(), 0.0);
  for (const JsonValue& limit : array_in(text, "limits"))
    certificate.limits[index_in(limit, "index", problem.limits.size())] =
        number_in(limit, "multiplier");

  const WitnessWeights weights(problem, certificate, x);
  std::vector<WitnessInstant> instants;
  for (const JsonValue& instant : array_in(text, "instants"))
    instants.push_back(instant_in(instant, problem));
  certificate.witnesses = weights.witnesses(instants);
  add_up(problem, certificate);
}

/// Compares a key with an expected value; says in words if it differs.
std::string fault_of_name(const JsonValue& object, const char* key, const std::string& expected) {
  const JsonValue* value = object.find(key);
  if (value != nullptr && value->kind == JsonValue::Kind::string && value->text == expected)
    return {};
  return fmt::format("\"{}\" at {} is {}, expected \"{}\"", key, object.pointer,
                     value == nullptr ? "missing" : describe(*value), expected);
}

std::string fault_of_time(const JsonValue& instant, const std::optional<double>& time) {
  const JsonValue* value = instant.find("t");
  const bool same =
      value != nullptr &&
      (time ? value->kind == JsonValue::Kind::number &&
                  std::abs(value->number - *time) <= ConvexTolerances::agreement * std::abs(*time)
            : value->kind == JsonValue::Kind::null);
  if (same) return {};
  return fmt::format("\"t\" at {} is {}, expected {}", instant.pointer,
                     value == nullptr ? "missing" : describe(*value),
                     time ? fmt::format("{}", *time) : "null");
}

/// The first of some faults.
std::string first_of(std::initializer_list<std::string> faults) {
  for (const std::string& fault : faults)
    if (!fault.empty()) return fault;
  return {};
}

/// Says which names in a certificate, or in one of its witnesses, the problem does not have.
std::string fault_of_names(const JsonValue& text, const Study& study,
                           const WrittenProblem& written) {
  const ConvexProblem& problem = written.problem;
  std::string fault;
  const auto unknowns = array_in(text, "unknowns");
  for (std::size_t i = 0; i < unknowns.size() && fault.empty(); ++i)
    fault = fault_of_name(unknowns[i], "name", written.names[i]);
  for (const JsonValue& limit : array_in(text, "limits"))
    if (fault.empty())
      fault = fault_of_name(limit, "name",
                            written.limits[index_in(limit, "index", problem.limits.size())].name);
  for (const JsonValue& instant : array_in(text, "instants")) {
    if (!fault.empty()) break;
    const InstantInWords words(study, written, instant_in(instant, problem));
    fault = first_of({fault_of_name(instant, "metric", words.metric),
                      fault_of_name(instant, "motion", words.motion),
                      fault_of_time(instant, words.time)});
  }
  return fault;
}

}  // namespace

std::string certificate_text(const Study& study, const WrittenProblem& written,
                             const SizingGoal& goal, ConvexSolution& solution) {
  return json_text(certificate_json(study, written, goal, solution));
}

namespace {

/// A number of combinations as it is stored: 2^53 stands for any beyond it, as every reader of JSON
/// knows whole numbers up to there.
std::int64_t stored_count(std::int64_t combinations) {
  return std::min(combinations, std::int64_t{1} << 53);
}

/// Combinations that were not looked at, where there are any.
void add_left(const ChoiceSolution& choice, Json& object) {
  if (choice.left > 0) object["not_looked_at"] = stored_count(choice.left);
}

}  // namespace

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
                      {"evaluated", stored_count(choice.evaluated)},
                      {"against_limits", choice.infeasible},
                      {"witnesses", others}};
  add_left(choice, object["choice"]);
  return json_text(object);
}

std::string choice_summary(const Study& study, const WrittenProblem& written,
                           const ChoiceSolution& choice, const StockPrice& price) {
  std::int64_t all = 1;
  Json variables = Json::array();
  for (std::size_t i = 0; i < written.stock.groups.size(); ++i) {
    const StockGroup& group = written.stock.groups[i];
    const Variable& variable = study.variables[group.variable];
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
  Json summary = {
      {"best", choice.best.front().value},
      {"combinations", all},
      {"against_own_limits", all - choice.combinations},
      {"equal_to_others", choice.equal},
      {"excluded_by_bound", choice.excluded},
      {"evaluated", stored_count(choice.evaluated)},
      {"against_limits", choice.infeasible},
      {"near_best", stored_count(std::max<std::int64_t>(choice.near, std::ssize(choice.best)))},
      {"all_made_to_order", or_null(price.all)},
      {"variables", variables}};
  add_left(choice, summary);
  return json_text(summary);
}

SizingGoal goal_in(const JsonValue& certificate, const Study& study) {
  const JsonValue& goal = member_of(certificate, "goal");
  const auto objective_in = [&](const JsonValue& part) {
    const std::string& name = text_in(part, "objective");
    for (std::size_t i = 0; i < study.objectives.size(); ++i)
      if (study.objectives[i].name == name) return static_cast<int>(i);
    throw InputError(part.location(), "a part of a goal needs an objective of the study");
  };
  SizingGoal result;
  result.largest.clear();
  for (const JsonValue& part : array_in(goal, "largest"))
    result.largest.push_back(
        {objective_in(part), number_in(part, "weight"), number_in(part, "reference")});
  // earlier versions wrote an empty array of further conditions, which no goal has
  if (goal.find("bounds") != nullptr && !array_in(goal, "bounds").empty())
    throw InputError(goal.location(), "a goal has no \"bounds\"");
  return result;
}

StoredCertificate certificate_in(const JsonValue& text, const WrittenProblem& written) {
  StoredCertificate stored;
  read_multipliers(text, written.problem, stored.certificate, stored.x);
  stored.certificate.bound = number_in(text, "bound");
  const JsonValue* choice = text.find("choice");
  if (choice == nullptr || choice->find("witnesses") == nullptr) return stored;
  for (const JsonValue& witness : array_in(*choice, "witnesses")) {
    std::vector<double> x;
    read_multipliers(witness, written.problem, stored.witnesses.emplace_back(), x);
  }
  return stored;
}

std::string fault_of_words(const JsonValue& certificate, const Study& study,
                           const WrittenProblem& written) {
  std::string fault = fault_of_names(certificate, study, written);
  const JsonValue* choice = certificate.find("choice");
  if (choice == nullptr || choice->find("witnesses") == nullptr) return fault;
  for (const JsonValue& witness : array_in(*choice, "witnesses"))
    if (fault.empty()) fault = fault_of_names(witness, study, written);
  return fault;
}

namespace {

/// Frees the springs of a group within the ranges of springs made to order.
void free_springs(const CustomSpring& custom, ConvexProblem& problem) {
  const int rate = custom.unknown, offset = custom.unknown + 1;
  const auto at = static_cast<std::size_t>(rate);
  double free_high = std::min(custom.free_length[1], custom.most_free);
  if (custom.coils_close) free_high = std::min(free_high, custom.shortest);
  const double free_low = std::min(std::max(custom.free_length[0], custom.least_free), free_high);
  problem.lower[at] = custom.rate[0];
  problem.upper[at] = custom.rate[1];
  // a free angle may be negative
  problem.lower[at + 1] =
      custom.initial_tension[0] - std::max(custom.rate[0] * free_high, custom.rate[1] * free_high);
  problem.upper[at + 1] =
      custom.initial_tension[1] - std::min(custom.rate[0] * free_low, custom.rate[1] * free_low);
  // offset = initial tension - rate * free length, for some of either
  problem.limits.push_back(
      {{0.0, {}, {{offset, -1.0}, {rate, -free_high}}}, -custom.initial_tension[0]});
  problem.limits.push_back(
      {{0.0, {}, {{offset, 1.0}, {rate, free_low}}}, custom.initial_tension[1]});
  for (const CustomSpring::Sense& sense : custom.senses)
    problem.limits.push_back(
        {{0.0, {}, {{offset, -sense.sign}, {rate, -sense.sign * sense.length}}}, 0.0});
  if (std::isinf(custom.max_load)) return;
  for (const double length : {custom.shortest, custom.longest})
    for (const double sign : {1.0, -1.0})
      problem.limits.push_back(
          {{0.0, {}, {{offset, sign}, {rate, sign * length}}}, custom.max_load});
}

}  // namespace

StockPrice price_of_stock(const WrittenProblem& written, const Combination& best,
                          const Interruption& interrupted) {
  const ConvexOptions options{.interruption = interrupted};
  ConvexProblem chosen = written.problem;
  for (const ChoiceGroup& group : written.stock.options)
    for (const int unknown : group.unknowns) {
      const auto at = static_cast<std::size_t>(unknown);
      chosen.lower[at] = chosen.upper[at] = best.x[at];
    }
  const auto optimum = [&](const ConvexProblem& problem) {
    const ConvexSolution solved = solve(problem, options);
    // rounding, or a catalogue row at the very end of what could be made
    return solved.x.empty() ? best.value : std::min(solved.value, best.value);
  };
  StockPrice price;
  ConvexProblem all_free = chosen;
  bool all = true;
  for (const StockGroup& group : written.stock.groups) {
    if (group.custom.unknown < 0) {
      price.one.emplace_back();
      all = false;
      continue;
    }
    ConvexProblem one_free = chosen;
    free_springs(group.custom, one_free);
    free_springs(group.custom, all_free);
    price.one.emplace_back(optimum(one_free));
  }
  if (all) price.all = optimum(all_free);
  return price;
}

CertificateRow certificate_row(const Study& study, const WrittenProblem& written,
                               const SizingGoal& goal, const SizedCase& sized,
                               const Interruption& interrupted) {
  if (written.stock.groups.empty()) {
    ConvexSolution solution = sized.solution;
    const std::string text = certificate_text(study, written, goal, solution);
    return {0, solution.certificate.bound, solution.gap, text};
  }
  // of the relaxed choice, without the limits that stand for the convex hulls of the stock
  ConvexSolution relaxed = sized.solution;
  relaxed.certificate.limits.resize(written.problem.limits.size());
  add_up(written.problem, relaxed.certificate);
  const ChoiceWitnesses witnesses =
      choice_witnesses(written.problem, written.stock.options, relaxed.certificate, sized.choice,
                       study.search()->within, study.search()->max_cases, interrupted);
  return {0, witnesses.bound, sized.choice.best.front().value - witnesses.bound,
          choice_text(study, written, goal, relaxed, sized.choice, witnesses)};
}

std::vector<StudyEntry> choice_entries(const Study& study, const SpringSizer& sizer,
                                       const SizedCase& sized, int start,
                                       const Interruption& interrupted) {
  if (!sized.solved || sized.choice.best.empty() || sized.outcome.status != CaseStatus::feasible)
    return {};
  const StockPrice price = price_of_stock(sizer.written(), sized.choice.best.front(), interrupted);
  return {{choice_key(start), choice_summary(study, sizer.written(), sized.choice, price)}};
}

InstantInWords::InstantInWords(const Study& study, const WrittenProblem& written,
                               const WitnessInstant& instant) {
  const SeriesNorm& norm = written.problem.norms[instant.norm];
  const auto series = static_cast<std::size_t>(norm.parts[instant.part].series);
  const SeriesOrigin& origin = written.origins[series];
  const int of = written.norm_metrics[instant.norm];
  const auto& actuators = study.model->nominal.actuators;
  metric = of >= 0 ? study.metrics[of].name : actuators[origin.actuator].name + ".max";
  motion = study.motions[origin.motion].name;
  if (origin.actuator >= 0)
    time = static_cast<double>(instant.sample) * study.motions[origin.motion].motion.nominal.step;
}

}  // namespace counterpoise
