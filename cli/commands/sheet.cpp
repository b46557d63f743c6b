#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cases/case_rows.hpp"
#include "cases/provenance.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/output/answer.hpp"
#include "cli/output/host.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/case_text.hpp"
#include "cli/text/extent_text.hpp"
#include "cli/text/parts_text.hpp"
#include "input/reading/read.hpp"
#include "results/sqlite/output_file.hpp"
#include "results/text/printable.hpp"
#include "studies/pages/sheet/page_files.hpp"
#include "studies/pages/sheet/sheet_data.hpp"
#include "studies/pages/sheet/sheet_layout.hpp"

namespace counterpoise {
namespace {

struct SheetArguments {
  std::string results, id, tolerances;
  std::vector<std::string> outputs, display;
  bool json = false;
};

/// Whether a sheet of this name is written as PDF, and not as SVG.
bool is_pdf(const std::string& output) {
  return std::filesystem::path(output).extension() == ".pdf";
}

void require_sheets(const SheetArguments& options) {
  if (options.outputs.empty() && !options.json)
    throw InputError(
        {.file = "counterpoise sheet"},
        "nothing to write, expected -o with a name that ends in .svg or .pdf, or --json");
  for (const std::string& output : options.outputs) {
    require_other_output(output, {options.results, options.tolerances});
    const std::string kind = std::filesystem::path(output).extension().string();
    if (kind != ".svg" && kind != ".pdf")
      throw InputError({.file = "--output"},
                       fmt::format("found {}, expected a name that ends in .svg or .pdf", output));
  }
}

/// Writes the pages into all files, which appear together.
void write_pages(const SheetArguments& options, const std::vector<SheetPage>& pages) {
  std::vector<std::unique_ptr<OutputFile>> files;
  for (const std::string& output : options.outputs) {
    files.push_back(std::make_unique<OutputFile>(output));
    files.back()->write(is_pdf(output) ? sheet_pdf(pages) : sheet_svg(pages));
  }
  for (const auto& file : files) file->commit();
  for (const std::string& output : options.outputs)
    if (is_pdf(output) && has_letters_beyond_pdf(pages))
      print_message(
          fmt::format("note: {} has question marks in place of letters that the fonts of PDF do "
                      "not have; a sheet "
                      "as .svg has them",
                      output));
}

int write_sheet(const SheetArguments& options) {
  require_sheets(options);
  const ResultsFile results = opened(options.results);
  const Extent extent = noted_extent(results);
  EvaluatedCase evaluated(results, extent, case_of(results, options.id));
  const Study& study = evaluated.shown.study;
  std::optional<Tolerances> tolerances = study.tolerances;
  if (!options.tolerances.empty())
    tolerances = read_tolerances(options.tolerances, study, stored_files(results.study()));
  const WorkshopUnits units = workshop_units(units_for(study, options.display), "deg");
  PartsList parts = evaluated.parts();
  evaluated.explain();
  for (const std::string& message : evaluated.messages()) print_message(message);
  WorkshopSheet sheet =
      workshop_sheet(study, evaluated.shown.stored, evaluated.shown.outcome,
                     evaluated.shown.explanation->objective_sizes, std::move(parts),
                     tolerances ? &*tolerances : nullptr, asked_by_host());
  sheet.warnings = evaluated.messages();
  const std::string name = std::filesystem::path(options.results).filename().string();
  const std::vector<SheetPage> pages = sheet_pages(sheet, units, name);
  write_pages(options, pages);
  std::string said;
  for (const std::string& output : options.outputs)
    said += fmt::format("{}: case {} of {} on {}\n", printable(output), sheet.id,
                        printable(sheet.study), counted(pages.size(), "page"));
  print_answer(
      options.json,
      [&] {
        Json data = sheet_data(sheet, name);
        data["complete"] = json_of(extent);
        return json_text(data) + '\n';
      },
      [&] { return said; });
  return exit_done;
}

}  // namespace

void add_sheet(Program& program) {
  const auto options = std::make_shared<SheetArguments>();
  const Command command = program.add(
      "sheet", "Write a sheet for the workshop and the spring maker: springs, mounts, tolerances");
  command.option("results", options->results, "results file").required();
  command.option("case", options->id, "case id, or best").required();
  command.repeated("-o,--output", options->outputs,
                   "file that ends in .svg or .pdf; may be repeated");
  command.option("--tolerances", options->tolerances,
                 "JSON file with tolerances, instead of the study's");
  add_display(command, options->display);
  command.flag("--json", options->json, "print what the sheet says as JSON");
  command.action([options] { return write_sheet(*options); });
}

}  // namespace counterpoise
