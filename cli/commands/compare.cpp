#include "cli/commands/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <set>

#include "cases/provenance.hpp"
#include "cases/study_units.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/output/answer.hpp"
#include "cli/output/page.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/case_text.hpp"
#include "cli/text/extent_text.hpp"
#include "cli/text/ranking_text.hpp"
#include "cli/text/text_style.hpp"
#include "results/sqlite/output_file.hpp"
#include "results/text/printable.hpp"
#include "results/text/table_format.hpp"

namespace counterpoise {
namespace {

struct CompareArguments {
  std::vector<std::string> results, display;
  std::string output;  // a page; empty for none
  CompareOptions options;
  bool json = false;
};

/// What a design consists of besides the robot: "1 spring, 2 weights of 6.1 kg".
std::string made_of(const ResultsFile& results, std::int64_t id) {
  EvaluatedCase evaluated(results, results.extent(), *results.find(id));
  const PartsList parts = evaluated.parts();
  const std::vector<Spring>& springs = evaluated.shown.study.model->nominal.springs;
  std::size_t coils = 0, torsions = 0, gas = 0, cables = 0;
  for (const SpringPart& part : parts.springs) {
    if (part.largest_load == 0.0) continue;  // a spring that is not needed
    const auto pieces = static_cast<std::size_t>(part.pieces);
    const auto spring = std::find_if(springs.begin(), springs.end(),
                                     [&](const Spring& one) { return one.name == part.spring; });
    const bool on_cable = spring != springs.end() && spring->is_cable();
    (on_cable ? cables : part.torsion ? torsions : part.gas ? gas : coils) += pieces;
  }
  double mass = 0.0;
  std::size_t weights = 0;
  for (const WeightPart& weight : parts.weights)
    if (weight.mass != 0.0) {
      ++weights;
      mass += weight.mass;
    }
  std::vector<std::string> words;
  if (coils > 0) words.push_back(counted(coils, "spring"));
  if (torsions > 0) words.push_back(counted(torsions, "torsion spring"));
  if (gas > 0) words.push_back(counted(gas, "gas spring"));
  if (cables > 0)
    words.push_back(counted(cables, "spring") + (cables > 1 ? " on cables" : " on a cable"));
  if (weights > 0)
    words.push_back(fmt::format("{} of {:.3g} kg", counted(weights, "weight"), mass));
  for (const DrivePart& drive : parts.drives)
    words.push_back(drive.gearbox.empty() ? drive.motor : drive.motor + " with " + drive.gearbox);
  return words.empty() ? "nothing" : fmt::format("{}", fmt::join(words, ", "));
}

std::string named_unit(const std::string& unit) {
  return unit.empty() ? "no unit" : unit;
}

/// Why nothing of a file can be compared in a motion: what speaks against its first design there.
std::string why_none(const ResultsFile& results, const std::string& motion) {
  const auto column = motion_column(results.layout(), results.variables());
  CaseRow first;
  for (auto cases = results.cases(); cases.next(first);)
    if (!column || std::get<std::string>(first.variables[*column]) == motion)
      return fmt::format("none is feasible; case {}: {}", first.id, first.reason);
  return "no design was evaluated";
}

/// Refuses results whose objectives of one name have other units: one robot turns, the other
/// slides.
void require_same_units(const OpenedResults& opened) {
  const ColumnUnits first(opened.studies.front(), ShownUnits());
  for (std::size_t f = 1; f < opened.studies.size(); ++f) {
    const ColumnUnits own(opened.studies[f], ShownUnits());
    for (const Objective& objective : opened.studies.front().objectives)
      if (own.of(objective.name) != first.of(objective.name))
        throw StoreError(
            StoreError::Kind::unusable,
            fmt::format("{} and {} cannot be compared: {} is in {} and in {}",
                        opened.files.front().path().string(), opened.files[f].path().string(),
                        objective.name, named_unit(first.of(objective.name)),
                        named_unit(own.of(objective.name))));
  }
}

/// Notes on files that were made for other motions than the first: their loads are not alike.
std::vector<std::string> other_motions(const std::vector<Study>& studies,
                                       const std::vector<std::string>& names) {
  const auto motions = [](const Study& study) {
    std::set<std::string> texts;
    for (const SourceText& source : study.sources) {
      if (source.role == "motion") texts.insert(source.text);
      if (source.role == "study")
        texts.insert(compact_text(*parse_json(source.text, source.path).find("motions")));
    }
    return texts;
  };
  const std::set<std::string> first = motions(studies.front());
  std::vector<std::string> notes;
  for (std::size_t f = 1; f < studies.size(); ++f)
    if (motions(studies[f]) != first)
      notes.push_back(
          fmt::format("{} and {} were made for different motions, so that their loads are not of "
                      "the same task",
                      names.front(), names[f]));
  return notes;
}

/// A baseline's objectives, NaN where they are not the same in all files; empty where it is not
/// feasible in one.
std::vector<double> common_baseline(const std::vector<ResultsFile>& files, const char* name,
                                    const Comparison& comparison) {
  constexpr double same = 1e-9;  // relative
  std::vector<double> common;
  for (const ResultsFile& file : files) {
    const BaselineRow* row = file.baseline(name, comparison.motion);
    if (row == nullptr || row->status != Status::feasible) return {};
    std::vector<double> own;
    for (const std::string& objective : comparison.objectives) {
      const auto& all = file.layout().objectives;
      own.push_back(row->objectives[static_cast<std::size_t>(
          std::find(all.begin(), all.end(), objective) - all.begin())]);
    }
    if (common.empty()) common = own;
    for (std::size_t i = 0; i < own.size(); ++i)
      if (!(std::abs(own[i] - common[i]) <= same * std::abs(common[i])))
        common[i] = std::numeric_limits<double>::quiet_NaN();
  }
  return common;
}

void add_cells(const std::vector<double>& objectives, std::size_t count, std::vector<Value>& row) {
  for (std::size_t i = 0; i < count; ++i)
    row.push_back(objectives.empty() ? Value{} : number_cell(objectives[i]));
}

}  // namespace

OpenedResults open_results(const std::vector<std::string>& paths) {
  OpenedResults results;
  for (const std::string& path : paths) {
    results.files.push_back(opened(path));
    results.studies.push_back(stored_study(results.files.back()));
    const std::string stem = std::filesystem::path(path).stem().string();
    const auto has_stem = [&](const std::string& other) {
      return std::filesystem::path(other).stem() == stem;
    };
    const bool alone = std::count_if(paths.begin(), paths.end(), has_stem) == 1;
    results.names.push_back(alone ? stem : path);
    noted_extent(results.files.back());
  }
  results.notes = other_motions(results.studies, results.names);
  for (const std::string& note : results.notes) print_message("note: " + note);
  return results;
}

ComparedResults compare_results(const OpenedResults& opened, const CompareOptions& options,
                                const std::vector<std::string>& display) {
  const auto& [files, studies, names, notes] = opened;
  const std::vector<Comparison> comparisons = compare(files, options);
  require_same_units(opened);
  ComparedResults answer;
  const TextStyle style = style_for(studies.front(), display);
  const ColumnUnits units(studies.front(), style.units);
  answer.json = Json::array();
  for (const Comparison& comparison : comparisons) {
    const std::size_t count = comparison.objectives.size();
    Json json = {{"motion", text_or_null(comparison.motion)},
                 {"objectives", comparison.objectives},
                 {"matches", comparison.matches},
                 {"unsettled", comparison.unsettled}};
    Table ways;
    ways.columns = {"results"};
    ways.columns.insert(ways.columns.end(), comparison.objectives.begin(),
                        comparison.objectives.end());
    for (const char* const column : {"case", "feasible", "made of"}) ways.columns.push_back(column);
    if (options.pareto) ways.columns.push_back("on the front");
    json["results"] = Json::array();
    for (const std::size_t f : comparison.order) {
      const ComparedFile& file = comparison.files[f];
      std::vector<Value> row = {Value{names[f]}};
      const std::string made =
          file.best ? made_of(files[f], file.best->id) : why_none(files[f], comparison.motion);
      add_cells(file.best ? file.best->objectives : std::vector<double>(), count, row);
      row.push_back(file.best ? Value{file.best->id} : Value{});
      row.push_back(Value{file.feasible});
      row.push_back(Value{style.units.sentence(made)});
      if (options.pareto) row.push_back(Value{file.on_front});
      ways.rows.push_back(std::move(row));
      json["results"].push_back(
          {{"name", names[f]},
           {"path", files[f].path().string()},
           {"feasible", file.feasible},
           {"best", file.best ? Json(file.best->id) : Json()},
           {"best_objectives", file.best ? Json(file.best->objectives) : Json()},
           {"made_of", file.best ? Json(made) : Json()},
           {"reason", file.best ? Json() : Json(made)},
           {"on_front", options.pareto ? Json(file.on_front) : Json()}});
    }
    json["baselines"] = Json::array();
    for (const auto& [name, words] :
         {std::pair{baseline_name, "baseline"}, std::pair{without_springs_name, "without springs"}})
      if (const auto common = common_baseline(files, name, comparison); !common.empty()) {
        std::vector<Value> row = {Value{std::string(words)}};
        add_cells(common, count, row);
        row.resize(ways.columns.size());
        ways.rows.push_back(std::move(row));
        json["baselines"].push_back({{"name", name}, {"objectives", common}});
      }
    Table designs;
    designs.columns = {"rank", "results", "case"};
    designs.columns.insert(designs.columns.end(), comparison.objectives.begin(),
                           comparison.objectives.end());
    json["designs"] = Json::array();
    for (const ComparedCase& one : comparison.first) {
      std::vector<Value> row = {Value{one.place}, Value{names[one.of]}, Value{one.id}};
      add_cells(one.objectives, count, row);
      designs.rows.push_back(std::move(row));
      json["designs"].push_back({{"rank", one.place},
                                 {"results", names[one.of]},
                                 {"case", one.id},
                                 {"objectives", one.objectives}});
    }
    std::string text;
    if (!comparison.motion.empty())
      text += fmt::format("motion {}\n", printable(comparison.motion));
    text += to_aligned_text(units.with_units(ways), style.fit());
    if (!designs.rows.empty())
      text += "\n" + to_aligned_text(units.with_units(designs), style.fit(3)) +
              fmt::format("{} of {} {}\n", designs.rows.size(), comparison.matches,
                          options.pareto ? "designs that no other dominates" : "feasible designs");
    if (comparison.unsettled > 0)
      text += fmt::format("{} cases are not settled in what they would be ranked by\n",
                          comparison.unsettled);
    if (comparison.knee) {
      text += fmt::format("knee: case {} of {}\n", comparison.knee->id, names[comparison.knee->of]);
      json["knee"] = {{"results", names[comparison.knee->of]}, {"case", comparison.knee->id}};
    }
    answer.text += (answer.text.empty() ? "" : "\n") + text;
    answer.json.push_back(std::move(json));
  }
  return answer;
}

namespace {

/// The results files that a user names, and those in folders that she names, by their names.
std::vector<std::string> results_files(const std::vector<std::string>& named) {
  namespace fs = std::filesystem;
  std::vector<std::string> paths;
  for (const std::string& name : named) {
    if (!fs::is_directory(name)) {
      paths.push_back(name);
      continue;
    }
    std::set<std::string> inside;
    for (const fs::directory_entry& entry : fs::directory_iterator(name))
      if (entry.path().extension() == ".db") inside.insert(entry.path().string());
    if (inside.empty())
      throw InputError({.file = name}, "has no results file, expected one or more ending in .db");
    paths.insert(paths.end(), inside.begin(), inside.end());
  }
  return paths;
}

/// The command for the page, which names files without their folders.
std::string command_of(const CompareArguments& arguments) {
  const auto last_name = [](const std::string& path) {
    return std::filesystem::path(path).filename().string();
  };
  std::string command = "counterpoise compare";
  for (const std::string& name : arguments.results) command += " " + last_name(name);
  if (!arguments.options.by.empty()) command += " --by " + arguments.options.by;
  if (arguments.options.pareto) command += " --pareto";
  return command + " -o " + last_name(arguments.output);
}

void write_page(const CompareArguments& arguments, const OpenedResults& opened,
                const ComparedResults& compared) {
  OutputFile file(arguments.output);
  const ComparisonPage page =
      comparison_page(opened, compared, units_for(opened.studies.front(), arguments.display),
                      command_of(arguments));
  file.write(page_with("report", page.data, page.still));
  file.commit();
  for (const std::string& message : page.messages) print_message(message);
}

int compare_named(const CompareArguments& arguments) {
  const std::vector<std::string> paths = results_files(arguments.results);
  if (!arguments.output.empty()) {
    require_pages("report");
    require_other_output(arguments.output, paths);
  }
  const OpenedResults opened = open_results(paths);
  const ComparedResults compared = compare_results(opened, arguments.options, arguments.display);
  if (!arguments.output.empty()) write_page(arguments, opened, compared);
  print_answer(
      arguments.json, [&] { return json_text(compared.json) + '\n'; },
      [&] { return compared.text; });
  return exit_done;
}

}  // namespace

void add_compare(Program& program) {
  const auto options = std::make_shared<CompareArguments>();
  const Command command =
      program.add("compare", "Rank the designs of several results, such as a study's variants");
  command.several("results", options->results, "results files, or folders of them").required();
  command.option("--by", options->options.by, "objective; default: the first");
  command.option("--top", options->options.top, "designs that are listed", Range{1, 1000000000});
  command.flag("--pareto", options->options.pareto,
               "only designs that no other of all files dominates; names the knee");
  command.option("-o,--output", options->output,
                 "HTML file: a page on which the best designs move beside each other");
  add_display(command, options->display);
  command.flag("--json", options->json, "print JSON: an array with a comparison for each motion");
  command.action([options] { return compare_named(*options); });
}

}  // namespace counterpoise
