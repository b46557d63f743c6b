#include "cli/studio/studio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <utility>

#include "cases/case_rows.hpp"
#include "cases/provenance.hpp"
#include "cli/arguments.hpp"
#include "cli/output/host.hpp"
#include "cli/studio/request.hpp"
#include "cli/text/ranking_text.hpp"
#include "input/reading/read.hpp"
#include "results/ranking.hpp"
#include "results/text/printable.hpp"

namespace counterpoise {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_opened = 8, most_ranked = 50;

/// A study without variables that shows a model in the motions of its folder that are made for it.
Study study_of_model(const fs::path& path, const FileProvider& files) {
  const Model model = read_model(path, files);
  if (model.nominal.actuators.empty())
    throw InputError({.file = path.string()}, "has no actuators, whose loads the studio shows");
  Json motions = Json::object();
  std::vector<fs::path> beside;
  for (const auto& entry :
       fs::directory_iterator(path.has_parent_path() ? path.parent_path() : "."))
    if (entry.path().extension() == ".json" && entry.is_regular_file())
      beside.push_back(entry.path().filename());
  std::sort(beside.begin(), beside.end());
  for (const fs::path& file : beside) {
    try {
      static_cast<void>(read_motion(path.parent_path() / file, model, files));
      std::string name = file.stem().string();
      for (char& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
      if (std::isdigit(static_cast<unsigned char>(name.front())) != 0) name.insert(0, 1, '_');
      motions[name] = file.string();
    } catch (const InputError&) {
      // another file, or a motion of another model
    }
  }
  if (motions.empty())
    throw InputError(
        {.file = path.string()},
        "found no motion for this model beside it; write one, or a study that has one");
  Json peak = {{"name", "peak"}, {"minimize", "max"}, {"of", Json::array()}};
  peak["of"].push_back(model.nominal.actuators.front().name);
  Json study = {{"format", "counterpoise-study/1"},  {"name", model.name},
                {"model", path.filename().string()}, {"motions", motions},
                {"sampling", {{"method", "grid"}}},  {"objectives", Json::array()}};
  study["objectives"].push_back(peak);
  const fs::path own = path.parent_path() / (path.stem().string() + " in the studio.json");
  return read_study(own, [&, text = json_text(study)](const fs::path& asked) {
    return asked == own ? text : files(asked);
  });
}

/// Whether two studies were read from the same texts.
bool same_texts(const Study& a, const Study& b) {
  return std::equal(a.sources.begin(), a.sources.end(), b.sources.begin(), b.sources.end(),
                    [](const SourceText& one, const SourceText& other) {
                      return one.role == other.role && one.text == other.text;
                    });
}

}  // namespace

Json Studio::open(const Json& request) {
  Opened opened{.id = ++count_};
  Json data = read(request, texts_.over(request), opened);
  opened_.push_back(std::move(opened));
  if (opened_.size() > most_opened) opened_.pop_front();
  return data;
}

Json Studio::read(const Json& request, const FileProvider& files, Opened& into) const {
  std::string name = text_under(request, "file");
  fs::path path = folder_.inside(name);
  std::string_view kind = "study";
  std::string results;
  std::unique_ptr<WhatIf> what_if;
  if (path.extension() == ".db") {
    kind = "results";
    results = name;
    const ResultsFile file = counterpoise::opened(path.string());
    Study study = stored_study(file);
    std::vector<double> point = point_of(study, case_of(file, text_under(request, "case", "best")));
    what_if = std::make_unique<WhatIf>(std::move(study), std::move(point));
  } else {
    const StudyPath named(path);
    const JsonValue root = parse_json(files(named.file), named.file.string());
    const JsonValue* const format = root.find("format");
    if (format != nullptr && format->text.starts_with("counterpoise-model/")) kind = "model";
    // a study with variants begins with its first one
    const JsonValue* const variants = named.variant.empty() ? root.find("variants") : nullptr;
    if (variants != nullptr && !variants->items.empty()) {
      const std::string first = name + '#' + variants->items.front().key;
      if (!StudyPath(first).variant.empty()) path = folder_.inside(name = first);
    }
    what_if = std::make_unique<WhatIf>(kind == "model" ? study_of_model(path, files)
                                                       : read_study(path, files));
    if (kind == "study")
      results = (fs::path(name).parent_path() / (what_if->study().name + ".db")).string();
  }
  Json data = what_if->page_data();
  data["of"] = into.id;
  data["kind"] = kind;
  data["file"] = name;
  data["results"] = results;
  into.what_if = std::move(what_if);
  return data;
}

Json Studio::edit(const Json& request) {
  Opened& opened = entry_of(request);
  const FileProvider files = texts_.over(request);
  try {
    return read(request, files, opened);
  } catch (const InputError& error) {
    Json errors = Json::array({error.what()});
    for (const std::string& other : error.others()) errors.push_back(other);
    return {{"errors", errors}};
  }
}

Studio::Opened& Studio::entry_of(const Json& request) {
  const auto of = request.find("of");
  if (of != request.end() && of->is_number_integer())
    for (Opened& one : opened_)
      if (one.id == of->get<std::int64_t>()) return one;
  throw wrong_request("the studio has opened other files since; load this page again");
}

WhatIf& Studio::opened_as(const Json& request) {
  return *entry_of(request).what_if;
}

std::string Studio::name_in(const Json& request, const char* key) const {
  const std::string name = text_under(request, key);
  return folder_.inside(name).string();
}

Json Studio::files() const {
  Json all = Json::array();
  for (const StudioFolder::File& file : folder_.files())
    all.push_back({{"name", file.name}, {"kind", name_of(file.kind)}, {"opens", file.opened_as()}});
  return {{"files", all}};
}

/// The best cases of results, which may still be written: type `Ranks` of studio_data.ts.
Json Studio::ranks(const Json& request) const {
  const std::string path = name_in(request, "results");
  if (!fs::exists(path)) return {{"exists", false}};
  const ResultsFile results = opened(path);
  const Extent extent = results.extent();
  RankOptions options;
  options.top = most_ranked;
  options.same.emplace();
  const Table table = joined(rank(results, options));
  const ColumnUnits units = units_of(results, {"m", "rad"});
  Json columns = Json::array();
  std::vector<std::size_t> shown;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].ends_with(".reduction_without_springs")) continue;
    shown.push_back(c);
    columns.push_back({{"name", table.columns[c]}, {"unit", units.of(table.columns[c])}});
  }
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    Json cells = Json::array();
    for (const std::size_t c : shown) cells.push_back(json_of(row[c]));
    rows.push_back(std::move(cells));
  }
  return {{"exists", true},       {"finished", extent.finished},
          {"cases", extent.done}, {"feasible", results.count(Status::feasible)},
          {"columns", columns},   {"rows", rows}};
}

/// The values of sliders at which a case of results is, for a page that shows their study.
Json Studio::values_of_case(const Json& request) {
  const WhatIf& what_if = opened_as(request);
  const ResultsFile results = opened(name_in(request, "results"));
  const Study study = stored_study(results);
  if (!same_texts(study, what_if.study()))
    throw wrong_request(
        "the study, or a file that it names, has been changed since these results were made; open "
        "the results themselves, or run the study again");
  return {{"values", what_if.values_at(
                         point_of(study, case_of(results, text_under(request, "case", "best"))))}};
}

std::map<std::string, StudioQuestion> Studio::questions() {
  const auto at_once = [](auto answer) { return StudioQuestion{.answer = answer, .ready = {}}; };
  return {{"files", at_once([this](const Json&) { return files(); })},
          {"open", at_once([this](const Json& request) { return open(request); })},
          {"edit", at_once([this](const Json& request) { return edit(request); })},
          {"text", at_once([this](const Json& request) { return texts_.read(request); })},
          {"save", at_once([this](const Json& request) { return texts_.save(request); })},
          {"schemas", at_once([](const Json&) { return StudioTexts::schemas(); })},
          {"design",
           at_once([this](const Json& request) { return opened_as(request).design(request); })},
          {"baseline",
           at_once([this](const Json& request) { return opened_as(request).baseline(request); })},
          {"map", at_once([this](const Json& request) { return opened_as(request).map(request); })},
          {"ranks", at_once([this](const Json& request) { return ranks(request); })},
          {"case", at_once([this](const Json& request) { return values_of_case(request); })},
          {"start", at_once([this](const Json& request) { return jobs_.start(request); })},
          {"running", at_once([this](const Json&) { return jobs_.running(); })},
          {"stop", at_once([this](const Json& request) { return jobs_.stop(request); })},
          {"job",
           {.answer = [this](const Json& request) { return jobs_.state(request); },
            .ready = [this](const Json& request) { return jobs_.has_news(request); }}}};
}

std::optional<std::string> Studio::written_page(const std::string& job) const {
  const auto name = jobs_.output_of(job);
  if (!name || !name->ends_with(".html")) return std::nullopt;
  try {
    return read_text_file(folder_.inside(*name));
  } catch (const InputError&) {
    return std::nullopt;  // it has been taken away since
  }
}

}  // namespace counterpoise
