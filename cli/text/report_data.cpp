#include "cli/text/report_data.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "cases/case_rows.hpp"
#include "cases/provenance.hpp"
#include "cli/text/case_text.hpp"
#include "cli/text/exact_text.hpp"
#include "cli/text/extent_text.hpp"
#include "cli/text/failure_text.hpp"
#include "cli/text/parts_text.hpp"
#include "cli/text/ranking_text.hpp"
#include "cli/text/robustness_text.hpp"
#include "cli/text/sensitivity_text.hpp"
#include "input/text/input_error.hpp"
#include "results/ranking.hpp"
#include "results/results_file.hpp"
#include "results/text/cells.hpp"
#include "results/text/table_format.hpp"
#include "studies/pages/case_codes.hpp"
#include "studies/pages/design_motions.hpp"
#include "studies/pages/mechanism_data.hpp"

namespace counterpoise {

/// What results were made from, by what and where, and what made this page of them.
Json provenance_json(const ResultsFile& results, const std::string& command);

/// The description in the study file; empty if it has none.
std::string description_of(const ResultsFile& results);

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

Json rankings_json(const std::vector<Ranking>& rankings) {
  Json json = Json::array();
  for (const Ranking& ranking : rankings)
    json.push_back({{"motion", ranking.motion},
                    {"feasible", ranking.matches},
                    {"unsettled", ranking.unsettled},
                    {"tied", ranking.tied},
                    {"ties", ranking.ties},
                    {"by", ranking.by},
                    {"decided_by", ranking.decided_by},
                    {"rows", json_of(ranking.table)}});
  return json;
}

Json baselines_json(const ResultsFile& results) {
  Json json = Json::array();
  for (const BaselineRow& row : results.baselines()) {
    Json objectives = Json::object();
    for (std::size_t i = 0; i < row.objectives.size(); ++i)
      objectives[results.layout().objectives[i]] = row.objectives[i];
    json.push_back({{"name", row.name},
                    {"motion", row.motion},
                    {"feasible", row.status == Status::feasible},
                    {"reason", row.reason},
                    {"objectives", objectives}});
  }
  return json;
}

Json units_json(const ResultsFile& results, const ColumnUnits& units) {
  Json json = Json::object();
  const StoreLayout& layout = results.layout();
  for (const Column& column : layout.variables) json[column.name] = units.of(column.name);
  for (const std::string& name : layout.metrics) json[name] = units.of(name);
  for (const std::string& name : layout.objectives) json[name] = units.of(name);
  return json;
}

CaseRow required_case(const ResultsFile& results, std::int64_t id) {
  std::optional<CaseRow> row = any_case(results, id);
  if (!row)
    throw StoreError(StoreError::Kind::unusable,
                     results.path().string() + ": has no case " + std::to_string(id));
  return std::move(*row);
}

/// One design as `show` and `show --bill` give it; its motions go to `motions`.
Json design_json(const ResultsFile& results, const Extent& extent, CaseRow row,
                 DesignMotions& motions, const ShownUnits& units,
                 std::vector<std::string>& messages) {
  EvaluatedCase evaluated(results, extent, std::move(row));
  evaluated.explain();
  const ShownCase& shown = evaluated.shown;
  Json json = {{"case", shown.stored.id},
               {"show", json_of(shown)},
               {"text", to_text(shown, results, {units})},
               {"warnings", evaluated.messages()},
               {"bill", nullptr}};
  for (const Json& message : json["warnings"]) messages.push_back(message.get<std::string>());
  if (shown.outcome.computable) {
    const PartsList parts = evaluated.parts();
    json["bill"] = {{"text", to_text(parts, {units})},
                    {"springs", json_of(springs_table(parts))},
                    {"points", json_of(points_table(parts))}};
  }
  motions.add(shown.stored.id, shown.point, evaluated.evaluator);
  return json;
}

/// The meshes that bodies look like, read from their files, because results hold none. One that
/// cannot be read is left out, which is told: the report does without.
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
                            study.objectives.front().name,
                            RobustOrder::worst};
  return {{"data", json_of(report, rankings)},
          {"text", to_text(report, rankings, ColumnUnits(study, options.units), 0)}};
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
  Json designs = Json::array();
  for (CaseRow& row : chosen)
    designs.push_back(
        design_json(results, extent, std::move(row), motions, options.units, report.messages));
  const FailureReport failures = failures_of(
      results, study, {.on = {.threads = options.threads, .interrupted = options.interrupted}});
  const ColumnUnits units(study, ShownUnits());
  Json objectives = Json::array();
  for (const Objective& objective : study.objectives) objectives.push_back(objective.name);
  Json motion_names = Json::array();
  for (const LoadCase& motion : study.motions) motion_names.push_back(motion.name);

  report.data = {
      {"name", study.name},
      {"description", description_of(results)},
      {"file", results.path().string()},
      {"incomplete", why_incomplete(extent)},
      {"kept", what_is_kept(results)},
      {"counts",
       {{"cases", results.count()},
        {"feasible", results.count(Status::feasible)},
        {"infeasible", results.count(Status::infeasible)},
        {"failed", results.count(Status::failed)}}},
      {"objectives", objectives},
      {"among", front.among.empty() ? objectives : Json(front.among)},
      {"motions", motion_names},
      {"motion_variable",
       study.motion_variable < 0
           ? Json()
           : Json(study.variables[static_cast<std::size_t>(study.motion_variable)].name)},
      {"units", units_json(results, units)},
      {"rankings", rankings_json(rankings)},
      {"fronts", fronts},
      {"baselines", baselines_json(results)},
      {"proof", exact_json(study, results, rankings)},
      {"proof_text", exact_text(study, results, rankings)},
      {"designs", designs},
      {"motions_of_designs", motions.json()},
      {"meshes", meshes_json(*study.model, report.messages)},
      {"failures", {{"data", json_of(failures)}, {"text", to_text(failures, {options.units})}}},
      {"sensitivity", sensitivity_json(study, options)},
      {"robustness", std::move(robust)},
      {"provenance", provenance_json(results, options.command)},
      {"cases", case_codes(case_table(results, study), exact)}};
  return report;
}

namespace {

/// The processor that this program runs on, as the system names it.
std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "not known";
}

}  // namespace

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

std::string description_of(const ResultsFile& results) {
  const Json study = Json::parse(results.value("study.text").value_or(""), nullptr, false);
  if (!study.is_object()) return "";
  const auto found = study.find("description");
  return found != study.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace counterpoise
