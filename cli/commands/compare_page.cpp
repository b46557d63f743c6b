#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cases/provenance.hpp"
#include "cases/study_units.hpp"
#include "cli/commands/compare.hpp"
#include "cli/output/page.hpp"
#include "cli/text/case_text.hpp"
#include "cli/text/extent_text.hpp"
#include "cli/text/report_data.hpp"
#include "input/text/compressed.hpp"
#include "studies/pages/design_motions.hpp"

namespace counterpoise {
namespace {

/// Adds to `way` how a design moves, with what is drawn of it; returns a picture of it as HTML.
std::string add_motions(const ResultsFile& results, const Study& study, std::int64_t id, Json& way,
                        std::vector<std::string>& messages) {
  EvaluatedCase evaluated(results, results.extent(), *results.find(id));
  DesignMotions motions(study);
  motions.add(id, evaluated.shown.point, evaluated.evaluator, evaluated.shown.outcome,
              evaluated.beside());
  const std::vector<std::filesystem::path> files = files_of(results, study);
  way["motions_of_designs"] = motions.json();
  Json& moving = way["motions_of_designs"]["motions"];
  moving = with_names_alone(std::move(moving), files);
  way["meshes"] = meshes_json(*study.model, messages);
  way["stills"] = deflated(fmt::format("{}", fmt::join(motions.stills(), "")));
  return motions.first_still();
}

}  // namespace

ComparisonPage comparison_page(const OpenedResults& opened, const ComparedResults& compared,
                               const ShownUnits& units, const std::string& command) {
  const auto& [files, studies, names, notes] = opened;
  ComparisonPage page;
  const ColumnUnits of(studies.front(), ShownUnits());
  Json objectives = Json::object();
  for (const Objective& objective : studies.front().objectives)
    objectives[objective.name] = of.of(objective.name);
  page.data = {{"program", "counterpoise " + std::string(build_info().version)},
               {"command", command},
               {"notes", notes},
               {"units", objectives},
               {"display", units.json()},
               {"compared", compared.json}};
  for (std::size_t f = 0; f < files.size(); ++f)
    for (const std::string& told : {why_incomplete(files[f].extent()), what_is_kept(files[f])})
      if (!told.empty()) page.data["notes"].push_back(fmt::format("{}: {}", names[f], told));
  for (Json& comparison : page.data["compared"])
    for (Json& way : comparison["results"]) {
      const auto named = [&](const ResultsFile& file) {
        return way["path"] == file.path().string();
      };
      const auto f =
          static_cast<std::size_t>(std::find_if(files.begin(), files.end(), named) - files.begin());
      way.erase("path");
      way["motions_of_designs"] = nullptr;
      if (way["best"].is_null()) continue;
      std::string still =
          add_motions(files[f], studies[f], way["best"].get<std::int64_t>(), way, page.messages);
      if (page.still.empty()) page.still = std::move(still);
    }
  return page;
}

}  // namespace counterpoise
