#include "cli/text/sensitivity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "cases/study_units.hpp"
#include "cli/output/answer.hpp"
#include "results/text/printable.hpp"
#include "studies/sensitivity.hpp"

namespace counterpoise {
namespace {

constexpr double wide_interval = 0.1;     // of a total effect; wider ones are mentioned
constexpr double worth_a_warning = 0.05;  // share of designs that cannot be computed

/// Rounds to 0 where three decimals would print -0.000.
double rounded(double value) {
  return std::abs(value) < 0.0005 ? 0.0 : value;
}

std::string interval(const Estimate& estimate) {
  return fmt::format("{:.3f}..{:.3f}", rounded(estimate.low), rounded(estimate.high));
}

std::vector<std::size_t> most_influential_first(const ObjectiveSensitivity& of) {
  std::vector<std::size_t> order(of.morris.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const bool indices = of.sobol.none == NoIndices::there_are;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return indices ? of.sobol.total[a].value > of.sobol.total[b].value
                   : of.morris[a].mu_star.value > of.morris[b].mu_star.value;
  });
  return order;
}

using Cells = std::vector<std::string>;

/// Rows as lines of text, the first column aligned to the left and the others to the right. A width
/// of 0 becomes that of the widest cell in the column.
std::vector<std::string> aligned(const std::vector<Cells>& rows,
                                 const std::vector<std::size_t>& given) {
  std::vector<std::size_t> widths = given;
  for (const Cells& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c)
      if (given[c] == 0) widths[c] = std::max(widths[c], row[c].size());
  std::vector<std::string> lines;
  for (const Cells& row : rows) {
    std::string& line = lines.emplace_back(fmt::format("{:<{}}", row[0], widths[0]));
    for (std::size_t c = 1; c < row.size(); ++c) line += fmt::format(" {:>{}}", row[c], widths[c]);
  }
  return lines;
}

Cells indices_of(const ObjectiveSensitivity& of, std::size_t factor, const std::string& name) {
  if (of.sobol.none != NoIndices::there_are) return {name, "-", "-", "-", "-", "-"};
  const Estimate &s = of.sobol.first[factor], &t = of.sobol.total[factor];
  const auto three = [](double value) { return fmt::format("{:.3f}", rounded(value)); };
  return {name, three(s.value), interval(s), three(t.value), interval(t), three(t.value - s.value)};
}

Cells effects_of(const SensitivityPlan& plan, const ObjectiveSensitivity& of, std::size_t factor,
                 const std::string& name, const std::string& unit, const ShownUnits& units) {
  const MorrisEffect& effect = of.morris[factor];
  const bool known = effect.known(plan.trajectories);
  const double size = std::abs(of.sobol.mean);
  const auto shown = [&](double value) {
    return known ? fmt::format("{:.4g}", units.number(without_rounding(value, size), unit)) : "-";
  };
  return {name, shown(effect.mu_star.value), shown(effect.mu), shown(effect.sigma)};
}

/// Sobol's indices, and beside them, or below where lines are too short, Morris's effects.
std::string indices_table(const Study& study, const SensitivityPlan& plan,
                          const ObjectiveSensitivity& of, const TextStyle& style) {
  const std::string unit = unit_of(study, study.objectives[of.objective]);
  std::vector<Cells> indices = {{"variable", "first", "95 %", "total", "95 %", "more"}};
  std::vector<Cells> effects = {{"variable", "mu*", "mu", "sigma"}};
  std::size_t names = 0;
  for (const std::size_t i : most_influential_first(of)) {
    const std::string& name = study.variables[plan.factors[i].variable].name;
    indices.push_back(indices_of(of, i, name));
    effects.push_back(effects_of(plan, of, i, name, unit, style.units));
  }
  for (const Cells& row : indices) names = std::max(names, row.front().size());
  const std::vector<std::string> first = aligned(indices, {0, 6, 13, 6, 13, 6});
  const std::vector<std::string> second = aligned(effects, {0, 9, 9, 9});
  const bool apart =
      style.width > 0 && first.front().size() + second.front().size() - names > style.width;
  std::string above, below;
  for (std::size_t i = 0; i < first.size(); ++i) {
    above += first[i] + (apart ? "" : second[i].substr(names)) + '\n';
    below += second[i] + '\n';
  }
  return apart ? above + '\n' + below : above;
}

/// What the sum of the first-order indices means, and a hint if intervals are wide.
std::string remarks(const SensitivityPlan& plan, const ObjectiveSensitivity& of) {
  const Estimate& sum = of.sobol.first_sum;
  std::string text = fmt::format(
      "first orders sum to {:.3f} ({}): {}\n", rounded(sum.value), interval(sum),
      sum.high < 1.0 ? "what is missing to 1 is interaction" : "no interaction is seen");
  double widest = 0.0;
  for (const Estimate& total : of.sobol.total) widest = std::max(widest, total.high - total.low);
  if (widest > wide_interval && plan.base_samples < most_samples)
    text += fmt::format(
        "intervals of totals are up to {:.2f} wide: take more samples, e.g. --samples {}\n", widest,
        std::min(4 * plan.base_samples, most_samples));
  return text;
}

constexpr std::size_t line_width = 100;
constexpr std::size_t shortest_bar = 16, longest_bar = 36;

/// The value of a variable at a coordinate: its number, or the label of its catalogue row.
Value value_at(const Variable& variable, double coordinate) {
  const auto level = static_cast<std::size_t>(coordinate);
  if (!variable.numeric()) return Value{variable.labels[level]};
  return Value{variable.discrete() ? variable.values[level] : coordinate};
}

/// Whether the place of an end is known. For a catalogue it is the row with the extreme value, so
/// there is none without a value.
bool is_placed(const Variable& variable, const TornadoEnd& end) {
  return end.known || variable.kind != VariableKind::catalogue;
}

std::string place_text(const Variable& variable, double coordinate, const std::string& unit,
                       const ShownUnits& units) {
  const Value value = value_at(variable, coordinate);
  if (const auto* label = std::get_if<std::string>(&value)) return printable(*label);
  const double number = without_rounding(std::get<double>(value), largest_number(variable));
  return fmt::format("{:.4g}", units.number(number, unit));
}

/// `size`: of the objective, beside which tiny values are rounding.
Cells cells_of(const Study& study, const SensitivityPlan& plan, const TornadoBar& bar, double size,
               const std::string& unit, const ShownUnits& units) {
  const StudyFactor& factor = plan.factors[bar.factor];
  const Variable& variable = study.variables[factor.variable];
  const auto place = [&](const TornadoEnd& end) {
    return is_placed(variable, end) ? place_text(variable, end.at, factor.unit, units) : "-";
  };
  const auto value = [&](const TornadoEnd& end) {
    return end.known ? fmt::format("{:.4g}", units.number(without_rounding(end.value, size), unit))
                     : "-";
  };
  return {units.heading(variable.name, factor.unit),
          place(bar.low),
          place_text(variable, factor.centre, factor.unit, units),
          place(bar.high),
          value(bar.low),
          value(bar.high)};
}

/// The range of values that the bars of an objective span together.
struct BarRange {
  double low, high;

  [[nodiscard]] std::size_t column(double value, std::size_t width) const {
    if (!(high > low)) return 0;
    return static_cast<std::size_t>(
        std::lround((value - low) / (high - low) * static_cast<double>(width - 1)));
  }
};

BarRange range_of(const ObjectiveSensitivity& of) {
  BarRange range{of.centre.value, of.centre.value};
  for (const TornadoBar& bar : of.tornado)
    for (const TornadoEnd& end : {bar.low, bar.high})
      if (end.known) {
        range.low = std::min(range.low, end.value);
        range.high = std::max(range.high, end.value);
      }
  return range;
}

/// Draws a bar from the centre to both ends; if both lie on one side, the shorter is drawn on top.
std::string bar_text(const TornadoBar& bar, const BarRange& range, double centre,
                     std::size_t width) {
  std::string text(width, ' ');
  const std::size_t middle = range.column(centre, width);
  const auto draw = [&](const TornadoEnd& end, char mark) {
    if (!end.known) return;
    const std::size_t at = range.column(end.value, width);
    for (std::size_t i = std::min(at, middle); i <= std::max(at, middle); ++i) text[i] = mark;
  };
  const bool low_is_nearer =
      bar.low.known && std::abs(bar.low.value - centre) < std::abs(bar.high.value - centre);
  if (low_is_nearer) draw(bar.high, '+');
  draw(bar.low, '-');
  if (!low_is_nearer) draw(bar.high, '+');
  text[middle] = '|';
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

/// The tornado of an objective with bars of characters, in lines of at most a hundred letters where
/// names allow it.
std::string tornado_text(const Study& study, const SensitivityPlan& plan,
                         const ObjectiveSensitivity& of, const TextStyle& style) {
  if (!of.centre.known) return "no tornado: its centre cannot be computed\n";
  std::vector<Cells> rows = {{"variable", "low end", "centre", "high end", "at low", "at high"}};
  const std::string unit = unit_of(study, study.objectives[of.objective]);
  const BarRange range = range_of(of);
  const double size =
      std::max({std::abs(range.low), std::abs(range.high), std::abs(of.sobol.mean)});
  for (const TornadoBar& bar : of.tornado)
    rows.push_back(cells_of(study, plan, bar, size, unit, style.units));
  const std::vector<std::string> lines = aligned(rows, std::vector<std::size_t>(6));
  const std::size_t used = lines.front().size() + 2;
  constexpr std::size_t indent = 4;
  const std::size_t line = style.width == 0 ? line_width : std::min(line_width, style.width);
  // a terminal that is too narrow has each bar on a line of its own
  const bool below = style.width > 0 && used + shortest_bar > line;
  const std::size_t room = below ? line - std::min(line, indent) : line - std::min(line, used);
  const std::size_t width = std::clamp(room, shortest_bar, longest_bar);
  std::string text = fmt::format(
      "one variable at a time, the others at their centres, where {} is {} (|):\n"
      "- to the low end, + to the high end\n{}\n",
      study.objectives[of.objective].name,
      style.units.words(without_rounding(of.centre.value, size), unit), lines.front());
  for (std::size_t i = 0; i < of.tornado.size(); ++i)
    text += lines[i + 1] + (below ? '\n' + std::string(indent, ' ') : "  ") +
            bar_text(of.tornado[i], range, of.centre.value, width) + '\n';
  return text;
}

/// Why an objective has no indices, in words; empty where it has.
std::string why_no_indices(const MotionSensitivity& motion, const ObjectiveSensitivity& objective) {
  switch (objective.sobol.none) {
    case NoIndices::there_are:
      return "";
    case NoIndices::constant:
      return "the objective does not vary among the designs that indices are made from";
    case NoIndices::too_few:
      return motion.computable == 0
                 ? "no design that was tried can be computed"
                 : fmt::format(
                       "too many designs cannot be computed: only {} of the triples that "
                       "indices rest on are left, {} are needed",
                       percent_text(objective.sobol.usable), percent_text(least_usable_share));
  }
  return "";
}

std::string objective_text(const Study& study, const SensitivityPlan& plan,
                           const MotionSensitivity& motion, const ObjectiveSensitivity& of,
                           const TextStyle& style) {
  std::string text = fmt::format("\nobjective {}", study.objectives[of.objective].name);
  const std::string unit = unit_of(study, study.objectives[of.objective]);
  const std::string behind = unit.empty() ? unit : fmt::format(" {}", style.units.of(unit));
  const double deviation = without_rounding(std::sqrt(of.sobol.variance), std::abs(of.sobol.mean));
  if (motion.computable > 0)
    text += fmt::format(": mean {:.6g}{}, standard deviation {:.4g}{}",
                        style.units.number(of.sobol.mean, unit), behind,
                        style.units.number(deviation, unit), behind);
  text += '\n';
  const std::string why = why_no_indices(motion, of);
  if (!why.empty()) text += "no indices: " + why + '\n';
  text += indices_table(study, plan, of, style);
  if (why.empty()) text += remarks(plan, of);
  return text + tornado_text(study, plan, of, style);
}

std::string designs_text(const MotionSensitivity& motion, const ShownUnits& units) {
  const double refused = 1.0 - motion.computable_share();
  const auto broken = static_cast<double>(motion.computable - motion.within);
  std::string text;
  if (broken > 0.0)
    text += fmt::format("{} of the designs break a limit or constraint; they count like the rest\n",
                        percent_text(broken / static_cast<double>(motion.designs)));
  if (!motion.reason.empty())
    text += fmt::format("{}{} of the designs cannot be computed and are left out; the first: {}\n",
                        refused > worth_a_warning ? "warning: " : "", percent_text(refused),
                        units.sentence(motion.reason));
  if (refused > worth_a_warning)
    text +=
        "         what follows speaks of the rest alone, whose variables are no longer "
        "independent\n";
  return text;
}

}  // namespace

std::string cost_text(const Study& study, const SensitivityPlan& plan, std::int64_t asked) {
  std::string text;
  if (asked != plan.base_samples)
    text += fmt::format("{} base samples instead of {}, the next power of two\n", plan.base_samples,
                        asked);
  const std::size_t motions = plan.motion_levels.size(), variables = plan.factors.size();
  text += fmt::format(
      "{}: {} evaluations{}: {} x ({} + 2) for indices, {} x ({} + 1) for Morris, {} for the "
      "tornado\n",
      printable(study.name), plan.evaluations(),
      motions > 1 ? fmt::format(", {} motions of", motions) : "", plan.base_samples, variables,
      plan.trajectories, variables, plan.tornado_rows);
  return text;
}

std::string to_text(const Study& study, const SensitivityPlan& plan, const Sensitivity& result,
                    const TextStyle& style) {
  std::string text;
  for (const MotionSensitivity& motion : result.motions) {
    if (!text.empty()) text += '\n';
    text += fmt::format("{}{}{}: {} variables, {} base samples\n", printable(study.name),
                        motion.motion.empty() ? "" : ", motion ", motion.motion,
                        plan.factors.size(), plan.base_samples);
    text += designs_text(motion, style.units);
    for (const ObjectiveSensitivity& of : motion.objectives)
      text += objective_text(study, plan, motion, of, style);
  }
  return text;
}

namespace {

void add_estimate(Json& object, const std::string& name, bool known, const Estimate& estimate) {
  object[name] = if_known(known, estimate.value);
  object[name + "_low"] = if_known(known, estimate.low);
  object[name + "_high"] = if_known(known, estimate.high);
}

void add_morris(Json& object, const MorrisEffect& effect, bool known) {
  object["mu"] = if_known(known, effect.mu);
  add_estimate(object, "mu_star", known, effect.mu_star);
  object["sigma"] = if_known(known, effect.sigma);
}

void add_bar(Json& object, const Variable& variable, const StudyFactor& factor,
             const TornadoBar& bar) {
  const auto add_end = [&](const std::string& name, const TornadoEnd& end) {
    object[name] = if_known(end.known, end.value);
    object[name + "_at"] = is_placed(variable, end) ? json_of(value_at(variable, end.at)) : Json();
  };
  add_end("tornado_low", bar.low);
  add_end("tornado_high", bar.high);
  object["tornado_centre_at"] = json_of(value_at(variable, factor.centre));
  object["tornado_swing"] = if_known(bar.low.known || bar.high.known, bar.swing);
}

Json variable_json(const Study& study, const SensitivityPlan& plan, const ObjectiveSensitivity& of,
                   std::size_t factor) {
  const StudyFactor& own = plan.factors[factor];
  const Variable& variable = study.variables[own.variable];
  Json object = {{"variable", variable.name}, {"unit", text_or_null(own.unit)}};
  const bool indices = of.sobol.none == NoIndices::there_are;
  add_estimate(object, "first", indices, indices ? of.sobol.first[factor] : Estimate());
  add_estimate(object, "total", indices, indices ? of.sobol.total[factor] : Estimate());
  add_morris(object, of.morris[factor], of.morris[factor].known(plan.trajectories));
  for (const TornadoBar& bar : of.tornado)
    if (bar.factor == factor) add_bar(object, variable, own, bar);
  return object;
}

Json objective_json(const Study& study, const SensitivityPlan& plan,
                    const MotionSensitivity& motion, const ObjectiveSensitivity& of) {
  const std::string why = why_no_indices(motion, of);
  Json object = {{"objective", study.objectives[of.objective].name},
                 {"no_indices", text_or_null(why)},
                 {"mean", if_known(motion.computable > 0, of.sobol.mean)},
                 {"variance", if_known(motion.computable > 0, of.sobol.variance)}};
  add_estimate(object, "first_sum", why.empty(), of.sobol.first_sum);
  object["centre"] = if_known(of.centre.known, of.centre.value);
  object["variables"] = Json::array();
  for (std::size_t i = 0; i < plan.factors.size(); ++i)
    object["variables"].push_back(variable_json(study, plan, of, i));
  return object;
}

}  // namespace

Json json_of(const Study& study, const SensitivityPlan& plan, const Sensitivity& result) {
  const auto motion_json = [&](const MotionSensitivity& motion) -> Json {
    return {{"motion", text_or_null(motion.motion)},
            {"designs", motion.designs},
            {"computable_share", motion.computable_share()},
            {"feasible_share",
             static_cast<double>(motion.within) / static_cast<double>(motion.designs)},
            {"reason", text_or_null(motion.reason)},
            {"objectives", array_of(motion.objectives, [&](const ObjectiveSensitivity& of) {
               return objective_json(study, plan, motion, of);
             })}};
  };
  return {{"study", study.name},
          {"samples", plan.base_samples},
          {"trajectories", plan.trajectories},
          {"evaluations", plan.evaluations()},
          {"motions", array_of(result.motions, motion_json)}};
}

}  // namespace counterpoise
