#include "cli/text/failure_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cli/output/answer.hpp"
#include "results/text/printable.hpp"
#include "results/text/table_format.hpp"

namespace counterpoise {
namespace {

using Opening = FailureReport::Opening;

/// Rounds up to three digits, so that loosening a limit by the printed amount is enough.
double rounded_up(double x) {
  constexpr double rounding = 1e-9;
  if (!(x > 0.0) || !std::isfinite(x)) return x;
  const double unit = std::pow(10.0, std::floor(std::log10(x)) - 2.0);
  return std::ceil(x / unit * (1.0 + rounding)) * unit;
}

/// An amount in the units of --display; without it in mm and deg instead of m and rad.
std::string amount_text(double amount, const std::string& unit, const ShownUnits& units) {
  if (units.replaces(unit))
    return fmt::format("{:.3g} {}", rounded_up(units.number(amount, unit)), units.of(unit));
  if (unit == "m") return fmt::format("{:.3g} mm", rounded_up(1e3 * amount));
  if (unit == "rad")
    return fmt::format("{:.3g} deg", rounded_up(amount * 180.0 / std::numbers::pi));
  return fmt::format("{:.3g}{}{}", rounded_up(amount), unit.empty() ? "" : " ", unit);
}

/// Whether a spring that only pulls would push, or the other way round: a limit without a number.
bool is_acting(const FailureName& name) {
  return name.kind == kind_of(FindingKind::spring_below_free_length) ||
         name.kind == kind_of(FindingKind::spring_above_free_length);
}

/// How a limit is loosened by an amount: "+3 mm".
std::string loosening(const FailureName& name, double amount, const ShownUnits& units) {
  return (is_acting(name) ? "by " : name.upper ? "+" : "-") + amount_text(amount, name.unit, units);
}

/// The change of the model that designs also need whose spring acts the other way.
std::string acting_text(const FailureName& name) {
  const char* const way = name.upper ? "pull" : "push";
  if (is_acting(name)) return fmt::format(", if {} may {}", printable(name.element), way);
  return fmt::format(", if {} may be {} than free_length and {}", printable(name.element),
                     name.upper ? "longer" : "shorter", way);
}

std::string percent(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return "-";
  return percent_text(static_cast<double>(part) / static_cast<double>(whole));
}

/// Estimates for how many of all failed cases this limit is the only one that is broken, from the
/// cases evaluated on. It is the first reason of all these cases, so its tally is an upper bound.
std::int64_t of_all(const FailureReport& report, const Opening& opening) {
  if (report.complete() || report.evaluated == 0) return opening.count;
  const std::int64_t likely =
      std::llround(static_cast<double>(opening.count) * static_cast<double>(report.failed) /
                   static_cast<double>(report.evaluated));
  for (const FailureReport::Tally& tally : report.tallies)
    if (report.typed && !opening.acts && tally.name.words() == opening.name.words())
      return std::min(likely, tally.count);
  return likely;
}

std::string opening_text(const FailureReport& report, const Opening& opening,
                         const ShownUnits& units) {
  const std::int64_t designs = of_all(report, opening);
  std::string text =
      fmt::format("{} {} would make {}{} design{} feasible", printable(opening.name.words()),
                  loosening(opening.name, opening.all, units), report.complete() ? "" : "about ",
                  designs, designs == 1 ? "" : "s");
  if (opening.count > 1)
    text += fmt::format(", {} half of them", loosening(opening.name, opening.half, units));
  if (opening.acts) text += acting_text(opening.name);
  return text;
}

/// From which cases the openings were found; empty if all failed cases were evaluated on.
std::string sample_text(const FailureReport& report) {
  if (report.exact_springs)
    return "(a reason names limits that exclude each other, or what the design found breaks)\n";
  if (report.complete()) return "";
  if (report.sampled && report.evaluated == 0)
    return "(no limits are loosened: the results keep no sample of failed designs)\n";
  return fmt::format("(from {} of the {} failed designs, drawn at random{})\n", report.evaluated,
                     report.failed,
                     report.sampled ? " from the sample that is kept" : " with seed 1");
}

const Opening* nearest_miss(const FailureReport& report) {
  const Opening* nearest = nullptr;
  for (const Opening& opening : report.openings)
    if (nearest == nullptr || opening.nearest_relative < nearest->nearest_relative)
      nearest = &opening;
  return nearest;
}

std::string excluding_text(const FailureReport& report) {
  if (!report.excluding || report.excluding->names.empty()) return "";
  const auto& [names, smallest, known] = *report.excluding;
  std::string text =
      report.complete()
          ? "no design is feasible: each breaks "
          : "no design is feasible: each of those that were evaluated to their end breaks ";
  if (names.size() > 1) text += "at least one of ";
  std::vector<std::string> words;
  for (const FailureName& name : names) words.push_back(printable(name.words()));
  text += fmt::format("{}", fmt::join(words, ", "));
  if (names.size() > 1 && known)
    text += smallest ? " (no smaller set excludes all)"
                     : " (none of these can be left out; a smaller set may exist)";
  return text + "\n";
}

/// The opening of a failure, or null.
const Opening* opening_of(const FailureReport& report, const FailureName& name) {
  for (const Opening& opening : report.openings)
    if (opening.name.words() == name.words()) return &opening;
  return nullptr;
}

std::string share_label(const FailureReport::Share& share, const std::string& unit,
                        const ShownUnits& units) {
  if (share.ends.empty() || !units.replaces(unit)) return share.label;
  const std::string first = fmt::format("{:.4g}", units.number(share.ends.front(), unit));
  if (share.ends.size() == 1) return first;
  return fmt::format("{} to {:.4g}", first, units.number(share.ends.back(), unit));
}

std::string shares_text(const FailureReport& report, const TextStyle& style) {
  std::string text = report.sampled ? "\nof the sample that is kept:\n" : "";
  for (const FailureReport::OfVariable& of : report.variables) {
    Table table{{style.units.heading(of.variable, of.unit), "designs", "failed", "share"}, {}};
    for (const FailureReport::Share& share : of.shares)
      if (share.cases > 0)
        table.rows.push_back({share_label(share, of.unit, style.units), share.cases, share.failed,
                              percent(share.failed, share.cases)});
    text += '\n';
    text += to_aligned_text(table, style.fit());
  }
  return text;
}

/// The name of a failure, and what else there is to say of it.
Json named(const FailureName& name, const Json& more = Json::object()) {
  Json json = {{"element", name.element}, {"what", name.what}, {"unit", name.unit}};
  json.update(more);
  return json;
}

/// The name of the motion in which a failure was seen, if it was in one.
Value motion_of(const Study& study, const Failure& failure) {
  if (failure.motion < 0) return {};
  return study.motions[failure.motion].name;
}

}  // namespace

std::string brief_text(const FailureReport& report, const std::string& results,
                       const ShownUnits& units) {
  if (report.failed == 0) return "";
  constexpr std::size_t most_tallies = 4;
  std::string text = excluding_text(report);
  text += fmt::format("{} of {} designs failed ({})\n", report.failed, report.cases,
                      percent(report.failed, report.cases));
  std::int64_t rest = report.failed;
  for (std::size_t i = 0; i < std::min(report.tallies.size(), most_tallies); ++i) {
    const FailureReport::Tally& tally = report.tallies[i];
    rest -= tally.count;
    text += fmt::format("  {:>8}  {}\n", percent(tally.count, report.failed),
                        printable(tally.name.words()));
  }
  if (report.tallies.size() > most_tallies)
    text += fmt::format("  {:>8}  {} other{}\n", percent(rest, report.failed),
                        report.tallies.size() - most_tallies,
                        report.tallies.size() == most_tallies + 1 ? "" : "s");
  if (const Opening* nearest = nearest_miss(report))
    text += fmt::format("nearest miss: case {}, {} by {}\n", nearest->nearest,
                        printable(nearest->name.words()),
                        amount_text(nearest->nearest_excess, nearest->name.unit, units));
  if (!report.openings.empty())
    text += "alone would open most: " + opening_text(report, report.openings.front(), units) + "\n";
  text += sample_text(report);
  return text + fmt::format("`counterpoise why {}` says more\n", printable(results));
}

Table table_of(const FailureReport& report) {
  Table table{{"element", "what", "unit", "first_reason", "share", "alone", "half", "all",
               "nearest_case", "nearest_excess"},
              {}};
  const auto row = [&](const FailureName& name, std::int64_t count) {
    const double share =
        report.failed == 0 ? 0.0 : static_cast<double>(count) / static_cast<double>(report.failed);
    std::vector<Value> cells = {name.element, name.what, name.unit, count, share};
    const Opening* opening = opening_of(report, name);
    if (opening != nullptr)
      cells.insert(cells.end(), {opening->count, opening->half, opening->all, opening->nearest,
                                 opening->nearest_excess});
    cells.resize(table.columns.size());
    table.rows.push_back(std::move(cells));
  };
  for (const FailureReport::Tally& tally : report.tallies) row(tally.name, tally.count);
  for (const Opening& opening : report.openings) {
    const bool listed =
        std::any_of(report.tallies.begin(), report.tallies.end(),
                    [&](const auto& t) { return t.name.words() == opening.name.words(); });
    if (!listed) row(opening.name, 0);
  }
  return table;
}

std::string to_text(const FailureReport& report, const TextStyle& style) {
  std::string text = excluding_text(report);
  text += fmt::format("{} of {} designs failed ({})\n", report.failed, report.cases,
                      percent(report.failed, report.cases));
  if (report.failed == 0) return text;
  if (!report.typed)
    text +=
        "these results were made by an earlier version, which kept reasons in words only; the "
        "counts refer to the designs evaluated again\n";
  Table table{{"what speaks first against a design", "designs", "share"}, {}};
  for (const FailureReport::Tally& tally : report.tallies)
    table.rows.push_back({tally.name.words(), tally.count, percent(tally.count, report.failed)});
  text += '\n';
  text += to_aligned_text(table, style.fit());
  text += "\nwhat loosening one limit alone would open\n";
  for (const Opening& opening : report.openings)
    text += fmt::format("  {}; nearest: case {} by {}\n",
                        opening_text(report, opening, style.units), opening.nearest,
                        amount_text(opening.nearest_excess, opening.name.unit, style.units));
  if (report.openings.empty() && report.evaluated > 0)
    text +=
        report.complete()
            ? "  nothing: no failed design breaks just one limit and nothing else\n"
            : "  nothing: none of those that were evaluated to their end breaks just one limit\n";
  text += sample_text(report);
  if (!report.variables.empty()) text += "\nwhere designs fail" + shares_text(report, style);
  return text;
}

Json json_of(const FailureReport& report) {
  Json variables = Json::object(), excluding;
  for (const FailureReport::OfVariable& of : report.variables)
    variables[of.variable] = array_of(of.shares, [](const FailureReport::Share& share) -> Json {
      return {{"part", share.label}, {"cases", share.cases}, {"failed", share.failed}};
    });
  if (report.excluding)
    excluding = {
        {"all_break_one_of",
         array_of(report.excluding->names, [](const FailureName& name) { return named(name); })},
        {"smallest", report.excluding->smallest}};
  const auto tally = [](const FailureReport::Tally& of) {
    return named(of.name, {{"count", of.count}});
  };
  const auto opening = [](const Opening& of) {
    return named(of.name, {{"upper", of.name.upper},
                           {"count", of.count},
                           {"half", of.half},
                           {"all", of.all},
                           {"nearest_case", of.nearest},
                           {"nearest_excess", of.nearest_excess},
                           {"acts", of.acts}});
  };
  return {{"cases", report.cases},
          {"feasible", report.feasible},
          {"failed", report.failed},
          {"evaluated", report.evaluated},
          {"complete", report.complete()},
          {"sampled", report.sampled},
          {"typed", report.typed},
          {"first_reasons", array_of(report.tallies, tally)},
          {"openings", array_of(report.openings, opening)},
          {"excluding", excluding},
          {"variables", variables}};
}

std::string to_text(const Study& study, const std::vector<Failure>& failures,
                    const TextStyle& style) {
  if (failures.empty()) return "nothing is against this design: it is feasible\n";
  const bool text_only = std::all_of(failures.begin(), failures.end(), [](const Failure& one) {
    return one.kind == FailureKind::other;
  });
  if (text_only) return "";  // the reason of the case says all
  Table table{
      {"what", "motion", "first at " + time_heading(study), "value then", "bound", "worst excess"},
      {}};
  for (const Failure& failure : failures) {
    const FailureName name = name_of(study, failure.kind, failure.of);
    const auto number = [&](double x) {
      return std::isnan(x) ? Value{} : Value{style.units.words(x, name.unit)};
    };
    const bool bounded = !std::isnan(failure.bound) && name.limit;
    table.rows.push_back(
        {name.words(), motion_of(study, failure),
         failure.motion < 0
             ? number_cell(failure.time)
             : time_cell(study, static_cast<std::size_t>(failure.motion), failure.time),
         number(failure.value), number(failure.bound),
         bounded ? Value{amount_text(excess_of(failure), name.unit, style.units)} : Value{}});
  }
  return to_aligned_text(table, style.fit());
}

Table table_of(const Study& study, const std::vector<Failure>& failures) {
  Table table{{"element", "what", "unit", "motion", "t", "value", "bound", "excess"}, {}};
  for (const Failure& failure : failures) {
    const FailureName name = name_of(study, failure.kind, failure.of);
    table.rows.push_back({name.element, name.what, name.unit, motion_of(study, failure),
                          number_cell(failure.time), number_cell(failure.value),
                          number_cell(failure.bound),
                          name.limit ? Value{excess_of(failure)} : Value{}});
  }
  return table;
}

}  // namespace counterpoise
