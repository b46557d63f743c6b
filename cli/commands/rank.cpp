#include "results/ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/provenance.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/extent_text.hpp"
#include "cli/text/ranking_text.hpp"
#include "results/text/table_format.hpp"

namespace counterpoise {
namespace {

struct RankArguments {
  std::string results, by, motion, where;
  std::string format = "table";
  std::size_t top = 20;
  std::vector<std::string> among, display;
  double distinct = 0.0;
  bool pareto = false, json = false, all = false, units = false;
};

/// Widths of what counts as one design: this part of each variable's range.
SameDesign closer_than(double part, const Study& study) {
  SameDesign same;
  for (const Variable& variable : study.variables) {
    double width = variable.high - variable.low;
    if (variable.numeric() && variable.discrete()) {
      const auto [least, most] =
          std::minmax_element(variable.values.begin(), variable.values.end());
      width = *most - *least;
    }
    same.closeness.push_back(part * width);
    if (variable.kind == VariableKind::catalogue) same.closeness.push_back(0.0);
  }
  return same;
}

/// Notes what a ranking of only some cases leaves open.
void note_selection(const ResultsFile& results, const RankArguments& options,
                    const std::vector<Ranking>& rankings) {
  const std::optional<KeepRule>& rule = results.keep_rule();
  if (!rule) return;
  const bool other = !options.by.empty() && options.by != results.layout().objectives.front();
  if (!options.where.empty())
    print_message("note: --where sees only the cases that are kept");
  else if (options.pareto ? !rule->front || !options.among.empty() : other)
    print_message("note: this ranks only the cases that are kept; others may be better");
  else if (const auto front = results.value(front_size_key); front && options.pareto)
    print_message(fmt::format("note: {} of {} cases of the front are kept", most_of_front, *front));
  if (const std::string note = note_of_places(rankings); !note.empty()) print_message(note);
}

void note_no_match(const ResultsFile& results, const RankArguments& options,
                   const std::vector<Ranking>& rankings) {
  const bool none = std::all_of(rankings.begin(), rankings.end(),
                                [](const Ranking& ranking) { return ranking.matches == 0; });
  if (!none) return;
  const std::int64_t feasible = results.count(Status::feasible);
  if (results.count() > 0 && feasible == 0)
    print_message(fmt::format("note: no case is feasible; `counterpoise why {}` says why",
                              results.path().string()));
  if (!options.where.empty() && feasible > 0)
    print_message(fmt::format("note: none of the feasible cases{} meets --where {}",
                              results.keep_rule() ? " that are kept" : "",
                              in_quotes(options.where)));
}

int rank_results(const RankArguments& options) {
  const ResultsFile results = opened(options.results);
  RankOptions wanted;
  wanted.by = options.by;
  wanted.top = options.top;
  wanted.motion = options.motion;
  wanted.pareto = options.pareto;
  wanted.among =
      options.pareto && options.among.empty() ? trade_off_of(stored_study(results)) : options.among;
  if (!options.where.empty())
    wanted.where = parse_row_filter(
        options.where, results.layout(),
        [units = units_of(results, {"m", "rad"})](const auto& column) { return units.of(column); });
  if (std::isnan(options.distinct))
    throw InputError({.file = "--distinct"}, "found nan, expected a part from 0 to 1");
  const bool table = !options.json && options.format == "table";
  if (options.distinct > 0.0)
    wanted.same = closer_than(options.distinct, stored_study(results));
  else if (table && !options.all)
    wanted.same.emplace();
  noted_extent(results);
  const std::vector<Ranking> rankings = rank(results, wanted);
  note_selection(results, options, rankings);
  note_no_match(results, options, rankings);
  if (options.json || options.format == "json")
    print_data(to_json(joined(rankings)));
  else if (options.format == "csv")
    print_data(to_csv(options.units ? units_of(results, {"m", "rad"}).with_units(joined(rankings))
                                    : joined(rankings)));
  else
    print_text(to_text(results, rankings, units_of(results, options.display), terminal_width()));
  return exit_done;
}

}  // namespace

void add_rank(Program& program) {
  const auto options = std::make_shared<RankArguments>();
  const Command command = program.add("rank", "Rank the feasible cases of a results file");
  command.option("results", options->results, "results file").required();
  command.option("--by", options->by, "objective; default: the study's first");
  command.option("--top", options->top, "rows a motion", Range{1, 1000000000});
  command.option("--motion", options->motion, "only this motion");
  command.flag(
      "--pareto", options->pareto,
      "only cases that no other dominates: is as good in all objectives and better in one; "
      "names the knee");
  command
      .list("--objectives", options->among,
            "objectives of --pareto; default: the study's trade-off, or all")
      .needs("--pareto");
  command.fraction(
      "--distinct", options->distinct,
      "leave out designs within this part of every variable's range of one listed; a table "
      "leaves out those that print the same");
  command.flag("--all", options->all, "list every case, also of the same design")
      .excludes("--distinct");
  command.option("--where", options->where, "condition over the columns, e.g. 'lift.max < 60 N'");
  add_display(command, options->display);
  command.flag("--units", options->units, "add the units to the headings of CSV");
  command.choice("--format", options->format, {"table", "csv", "json"}, "table, csv or json");
  command.flag("--json", options->json, "the same as --format json");
  command.action([options] { return rank_results(*options); });
}

}  // namespace counterpoise
