#include "cli/text/report_data.hpp"

#include <fmt/format.h>

#include <fmt/ranges.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "cases/case_rows.hpp"
#include "cases/provenance.hpp"
#include "cases/study_units.hpp"
#include "cli/output/answer.hpp"
#include "cli/output/page.hpp"
#include "cli/text/case_text.hpp"
#include "cli/text/exact_text.hpp"
#include "cli/text/extent_text.hpp"
#include "cli/text/failure_text.hpp"
#include "cli/text/parts_text.hpp"
#include "cli/text/ranking_text.hpp"
#include "cli/text/robustness_text.hpp"
#include "cli/text/sensitivity_text.hpp"
#include "input/text/compressed.hpp"
#include "input/text/input_error.hpp"
#include "results/ranking.hpp"
#include "results/results_file.hpp"
#include "results/text/cells.hpp"
#include "results/text/table_format.hpp"
#include "studies/pages/case_codes.hpp"
#include "studies/pages/design_motions.hpp"
#include "studies/pages/design_verdict.hpp"
#include "studies/pages/mechanism_data.hpp"

namespace counterpoise {

namespace {

constexpr std::size_t rows_of_ranking = 20;

std::vector<std::int64_t> best_cases(const ResultsFile& results) {
  RankOptions options;
  options.top = best_shown;
  options.same.emplace();
  std::vector<std::int64_t> ids;
  for (const Ranking& ranking : rank(results, options))
    for (const std::vector<Value>& row : ranking.table.rows)
      ids.push_back(std::get<std::int64_t>(row[1]));
  return ids;
}

/// The front of each motion, and the knee.
Json front_json(const std::vector<Ranking>& fronts, std::vector<std::int64_t>& ids) {
  Json json = Json::array();
  for (const Ranking& front : fronts) {
    Json cases = Json::array();
    for (const std::vector<Value>& row : front.table.rows) {
      ids.push_back(std::get<std::int64_t>(row[1]));
      cases.push_back(ids.back());
    }
    json.push_back({{"motion", front.motion}, {"cases", cases}, {"knee", or_null(front.knee)}});
  }
  return json;
}

Json ranking_json(const Ranking& ranking) {
  return {{"motion", ranking.motion},
          {"feasible", ranking.matches},
          {"unsettled", ranking.unsettled},
          {"by", ranking.by},
          {"rows", json_of(ranking.table)}};
}

/// Numbers by the names of their columns; null where one is not known.
Json by_name(const std::vector<std::string>& names, const std::vector<double>& numbers) {
  Json json = Json::object();
  for (std::size_t i = 0; i < numbers.size(); ++i) json[names[i]] = numbers[i];
  return json;
}

/// The baseline's values of the variables that set a parameter directly.
Json baseline_variables(const Study& study) {
  ModelBinder binder(*study.model);
  Json json = Json::object();
  if (binder.bind(study.baseline)) return json;
  for (const Variable& variable : study.variables) {
    const bool direct = variable.numeric() && !variable.targets.empty() &&
                        sets_directly(variable, variable.targets.front());
    if (direct) json[variable.name] = binder.values()[variable.targets.front().parameter];
  }
  return json;
}

Json baselines_json(const ResultsFile& results, const Study& study) {
  const Json variables = baseline_variables(study);
  return array_of(results.baselines(), [&](const BaselineRow& row) -> Json {
    return {{"name", row.name},
            {"motion", row.motion},
            {"feasible", row.status == Status::feasible},
            {"reason", row.reason},
            {"objectives", by_name(results.layout().objectives, row.objectives)},
            {"metrics", by_name(results.layout().metrics, row.metrics)},
            {"variables", variables}};
  });
}

Json units_json(const ResultsFile& results, const ColumnUnits& units) {
  Json json = Json::object();
  const StoreLayout& layout = results.layout();
  for (const Column& column : layout.variables) json[column.name] = units.of(column.name);
  for (const std::string& name : layout.metrics) json[name] = units.of(name);
  for (const std::string& name : layout.objectives) json[name] = units.of(name);
  return json;
}

/// The units that a number of a condition may have.
Json known_units_json() {
  Json json = Json::object();
  for (const Unit& unit : known_units)
    if (!unit.si_name.empty())
      json[std::string(unit.name)] = {
          {"si", unit.si_name}, {"times", unit.times}, {"over", unit.over}};
  return json;
}

CaseRow required_case(const ResultsFile& results, std::int64_t id) {
  std::optional<CaseRow> row = any_case(results, id);
  if (!row)
    throw StoreError(StoreError::Kind::unusable,
                     results.path().string() + ": has no case " + std::to_string(id));
  return std::move(*row);
}

/// The verdict on an explained case; null where nothing could be computed.
Json verdict_of(const EvaluatedCase& evaluated) {
  const ShownCase& shown = evaluated.shown;
  return shown.explanation
             ? verdict_json(shown.study, shown.outcome, evaluated.beside(), *shown.explanation)
             : Json();
}

/// One design as `show` and `show --bill` give it; its motions go to `motions`, and its verdict to
/// `verdicts`.
Json design_json(const ResultsFile& results, const Extent& extent, CaseRow row,
                 DesignMotions& motions, Json& verdicts, const ShownUnits& units,
                 std::vector<std::string>& messages) {
  EvaluatedCase evaluated(results, extent, std::move(row));
  evaluated.explain();
  const ShownCase& shown = evaluated.shown;
  verdicts[std::to_string(shown.stored.id)] = verdict_of(evaluated);
  Json json = {{"case", shown.stored.id},
               {"show", json_of(shown)},
               {"text", to_text(shown, results, {units})},
               {"warnings", evaluated.messages()},
               {"bill", nullptr}};
  for (const Json& message : json["warnings"]) messages.push_back(message.get<std::string>());
  if (shown.outcome.computable) {
    const PartsList parts = evaluated.parts();
    Table points = points_table(parts);
    clear_rounding(points, 2, points.columns.size() - 1);
    json["bill"] = {{"text", to_text(parts, {units})},
                    {"springs", json_of(springs_table(parts))},
                    {"points", json_of(points)}};
  }
  motions.add(shown.stored.id, shown.point, evaluated.evaluator, shown.outcome, evaluated.beside());
  return json;
}

/// Adds the verdicts of the best designs that are not among those shown in full.
void add_verdicts_of_best(const ResultsFile& results, const Extent& extent,
                          const std::vector<Ranking>& rankings, Json& verdicts) {
  for (const Ranking& ranking : rankings) {
    const std::int64_t id = best_case(ranking);
    if (id == 0 || verdicts.contains(std::to_string(id))) continue;
    EvaluatedCase best(results, extent, required_case(results, id));
    best.explain();
    verdicts[std::to_string(id)] = verdict_of(best);
  }
}

/// What is proved, as `run` prints it, and the ranges of mounts that a proof over mounts covers.
Json proof_texts(const Study& study, const ResultsFile& results,
                 const std::vector<Ranking>& rankings) {
  std::string text = exact_text(study, results, rankings);
  if (text.empty()) text = mounts_proof_text(study, results);
  Json ranges = Json::array();
  if (study.search() != nullptr && study.search()->proof)
    for (const int v : find_spring_roles(study).outer) {
      const Variable& variable = study.variables[v];
      ranges.push_back(
          {{"variable", variable.name}, {"low", variable.low}, {"high", variable.high}});
    }
  return {{"text", text}, {"shares", mounts_shares_text(study, results)}, {"ranges", ranges}};
}

}  // namespace

std::vector<std::filesystem::path> files_of(const ResultsFile& results, const Study& study) {
  std::vector<std::filesystem::path> files = {results.path(), study.path};
  const std::filesystem::path folder = study.path.parent_path();
  for (const SourceText& source : study.sources) {
    files.emplace_back(source.path);
    files.push_back(folder / source.path);
  }
  for (const Visual& visual : study.model->visuals) files.push_back(visual.file);
  return files;
}

Json meshes_json(const Model& model, std::vector<std::string>& messages) {
  Json json = Json::array();
  for (const Visual& visual : model.visuals) {
    try {
      for (const BodyMesh& mesh : read_meshes({visual})) json.push_back(mesh_data(mesh));
    } catch (const InputError& error) {
      messages.push_back(std::string("left out: ") + error.what());
    }
  }
  return json;
}

namespace {

Json sensitivity_json(const Study& study, const ReportOptions& options) {
  if (!options.sensitivity) return nullptr;
  SensitivityOptions wanted;
  wanted.threads = options.threads;
  wanted.interrupted = options.interrupted;
  const SensitivityPlan plan = plan_sensitivity(study, wanted);
  const Sensitivity found = analyse_sensitivity(study, plan, wanted);
  if (found.interrupted) throw Interrupted();
  return {{"data", json_of(study, plan, found)},
          {"text", to_text(study, plan, found, {options.units})}};
}

Json robustness_json(const ResultsFile& results, const Study& study, const Extent& extent,
                     const ReportOptions& options) {
  if (!options.robustness) return nullptr;
  if (!study.tolerances)
    throw InputError({.file = results.path().string()},
                     "its study has no \"tolerances\", which --robustness needs");
  RobustnessOptions wanted;
  wanted.threads = options.threads;
  wanted.interrupted = options.interrupted;
  const std::vector<RobustRanking> rankings = robustness(results, study, *study.tolerances, wanted);
  const RobustReport report{results,
                            extent,
                            *study.tolerances,
                            size_of(study, *study.tolerances),
                            study.objectives.front(),
                            RobustOrder::worst};
  return {{"data", json_of(report, rankings)},
          {"text", to_text(report, rankings, ColumnUnits(study, options.units), 0)}};
}

/// The processor that this program runs on, as the system names it.
std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "not known";
}

/// The origin of the results: input files, program, machine; and the program that wrote the page.
Json provenance_json(const ResultsFile& results, const std::string& command) {
  Json files = Json::array(), made = Json::array();
  for (const StudyEntry& entry : results.study()) {
    const std::size_t dot = entry.key.rfind('.');
    const std::string role = entry.key.substr(0, dot), part = entry.key.substr(dot + 1);
    if (dot != std::string::npos && part == "path") {
      const std::optional<std::string> text = results.value(role + ".text");
      files.push_back({{"role", role},
                       {"path", entry.value},
                       {"hash", results.value(role + ".hash").value_or("")},
                       {"bytes", text ? Json(text->size()) : Json()}});
    } else if (dot == std::string::npos) {
      made.push_back({{"key", entry.key}, {"value", entry.value}});
    }
  }
  const BuildInfo build = build_info();
  return {{"files", files},
          {"results", made},
          {"changed", changed_texts(results.study())},
          {"page",
           {{"program", "counterpoise " + std::string(build.version)},
            {"commit", build.commit},
            {"compiler", build.compiler},
            {"flags", build.flags},
            {"instruction_set", build.instruction_set},
            {"processor", processor()},
            {"command", command}}}};
}

/// The description in the study file; empty if it has none.
std::string description_of(const ResultsFile& results) {
  const Json study = Json::parse(results.value("study.text").value_or(""), nullptr, false);
  if (!study.is_object()) return "";
  const auto found = study.find("description");
  return found != study.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

Report report_of(const ResultsFile& results, const Study& study, const Extent& extent,
                 const ReportOptions& options) {
  Report report;
  report.cases = options.cases.empty() ? best_cases(results) : options.cases;
  std::vector<CaseRow> chosen;
  for (const std::int64_t id : report.cases) chosen.push_back(required_case(results, id));
  Json robust = robustness_json(results, study, extent, options);

  RankOptions head;
  head.top = rows_of_ranking;
  const std::vector<Ranking> rankings = rank(results, head);
  RankOptions front;
  front.pareto = true;
  front.among = trade_off_of(study);
  std::vector<std::int64_t> exact = report.cases;
  Json fronts = front_json(rank(results, front), exact);
  for (const Ranking& ranking : rankings)
    for (const std::vector<Value>& row : ranking.table.rows)
      exact.push_back(std::get<std::int64_t>(row[1]));

  DesignMotions motions(study);
  Json designs = Json::array(), verdicts = Json::object();
  for (CaseRow& row : chosen)
    designs.push_back(design_json(results, extent, std::move(row), motions, verdicts, options.units,
                                  report.messages));
  add_verdicts_of_best(results, extent, rankings, verdicts);
  const FailureReport failures = failures_of(
      results, study, {.on = {.threads = options.threads, .interrupted = options.interrupted}});
  const ColumnUnits units(study, ShownUnits());
  const Json objectives = array_of(study.objectives, &Objective::name);

  const std::vector<std::filesystem::path> files = files_of(results, study);
  report.data = with_names_alone(
      {{"name", study.name},
       {"description", description_of(results)},
       {"file", results.path().string()},
       {"incomplete", why_incomplete(extent)},
       {"kept", what_is_kept(results)},
       {"poses", poses_text(study)},
       {"counts",
        {{"cases", results.count()},
         {"feasible", results.count(Status::feasible)},
         {"infeasible", results.count(Status::infeasible)},
         {"failed", results.count(Status::failed)}}},
       {"objectives", objectives},
       {"among", front.among.empty() ? objectives : Json(front.among)},
       {"motions", array_of(study.motions, &LoadCase::name)},
       {"motion_variable",
        study.motion_variable < 0 ? Json() : Json(study.variables[study.motion_variable].name)},
       {"units", units_json(results, units)},
       {"display", options.units.json()},
       {"known_units", known_units_json()},
       {"rankings", array_of(rankings, ranking_json)},
       {"fronts", fronts},
       {"baselines", baselines_json(results, study)},
       {"proof", exact_json(study, results, rankings)},
       {"proof_texts", proof_texts(study, results, rankings)},
       {"named", !options.cases.empty()},
       {"designs", designs},
       {"verdicts", verdicts},
       {"failures", {{"data", json_of(failures)}, {"text", to_text(failures, {options.units})}}},
       {"sensitivity", sensitivity_json(study, options)},
       {"robustness", std::move(robust)},
       {"provenance", provenance_json(results, options.command)}},
      files);
  report.data["motions_of_designs"] = motions.json();
  Json& moving = report.data["motions_of_designs"]["motions"];
  moving = with_names_alone(std::move(moving), files);
  report.data["meshes"] = meshes_json(*study.model, report.messages);
  report.data["cases"] = case_codes(case_table(results, study, exact));
  report.still = motions.first_still();
  report.data["stills"] = deflated(fmt::format("{}", fmt::join(motions.stills(), "")));
  return report;
}

}  // namespace counterpoise
