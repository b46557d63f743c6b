#include "cli/text/report_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <filesystem>

#include "cases/provenance.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/output/answer.hpp"
#include "cli/output/page.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/extent_text.hpp"
#include "results/sqlite/output_file.hpp"
#include "results/text/printable.hpp"

namespace counterpoise {
namespace {

struct ReportArguments {
  std::string results;
  std::string output = "report.html";
  std::vector<std::string> cases, display;
  int threads = 0;
  bool sensitivity = false, robustness = false, json = false;
};

std::vector<std::int64_t> ids_of(const ReportArguments& options, const ResultsFile& results) {
  std::vector<std::int64_t> ids;
  for (const std::string& name : options.cases) {
    const std::int64_t id = case_of(results, name).id;
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  }
  return ids;
}

/// The command for the page, which names files without their folders.
std::string command_of(const ReportArguments& options) {
  const auto last_name = [](const std::string& path) {
    return std::filesystem::path(path).filename().string();
  };
  std::string command = "counterpoise report " + last_name(options.results);
  for (const std::string& name : options.cases) command += " " + name;
  if (!options.display.empty())
    command += fmt::format(" --display {}", fmt::join(options.display, ","));
  if (options.sensitivity) command += " --sensitivity";
  if (options.robustness) command += " --robustness";
  return command + " -o " + last_name(options.output);
}

void tell(const ReportArguments& options, const Report& report, std::size_t bytes) {
  const Json& cases = report.data["cases"];
  std::string text = fmt::format("{}: {} cases, {} of them in full, {:.2f} MB\n",
                                 printable(options.output), cases["of"].get<std::size_t>(),
                                 report.cases.size(), static_cast<double>(bytes) * 1e-6);
  if (cases["rows"] != cases["of"])
    text += fmt::format("the page has {} cases: the best, the front, and of the others a sample\n",
                        cases["rows"].get<std::size_t>());
  if (!cases["left_out"].empty())
    text +=
        fmt::format("the page has no room for {} columns of metrics\n", cases["left_out"].size());
  print_answer(
      options.json,
      [&] {
        return json_text({{"output", options.output},
                          {"bytes", bytes},
                          {"cases", report.cases},
                          {"rows", cases["rows"]},
                          {"rows_of", cases["of"]},
                          {"left_out", cases["left_out"]}}) +
               '\n';
      },
      [&] { return text; });
}

int write_report(const ReportArguments& options) {
  require_pages("report");
  require_other_output(options.output, {options.results});
  const ResultsFile results = opened(options.results);
  const Study study = stored_study(results);
  const Extent extent = noted_extent(results);
  ReportOptions wanted;
  wanted.cases = ids_of(options, results);
  wanted.command = command_of(options);
  wanted.units = units_for(study, options.display);
  wanted.sensitivity = options.sensitivity;
  wanted.robustness = options.robustness;
  wanted.threads = options.threads;
  wanted.interrupted = asked_by_host();
  OutputFile file(options.output);  // before the work, which may take minutes
  const Report report = report_of(results, study, extent, wanted);
  const std::string page = page_with("report", report.data, report.still);
  file.write(page);
  file.commit();
  for (const std::string& message : report.messages) print_message(message);
  tell(options, report, page.size());
  return exit_done;
}

}  // namespace

void add_report(Program& program) {
  const auto options = std::make_shared<ReportArguments>();
  const Command command = program.add(
      "report", "Write a page about a results file: what was found, why, and the designs");
  command.option("results", options->results, "results file").required();
  command.several("cases", options->cases,
                  "ids of the designs shown in full, or best; default: the best few");
  command.option("-o,--output", options->output, "HTML file; default: report.html");
  command.flag("--sensitivity", options->sensitivity,
               "analyse which variables matter, as the command sensitivity does");
  command.flag("--robustness", options->robustness,
               "evaluate the best designs under tolerances, as the command robustness does");
  command.option("--threads", options->threads, "worker threads; default: all processors",
                 Range{1, 1024});
  add_display(command, options->display);
  command.flag("--json", options->json, "print what was written as JSON");
  command.action([options] { return write_report(*options); });
}

}  // namespace counterpoise
