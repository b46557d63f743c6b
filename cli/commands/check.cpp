#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <optional>

#include "cases/case_evaluator.hpp"
#include "cli/command.hpp"
#include "cli/output/answer.hpp"
#include "cli/output/host.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/extent_text.hpp"
#include "cli/text/motion_text.hpp"
#include "cli/text/text_style.hpp"
#include "input/reading/read.hpp"
#include "input/text/json_document.hpp"
#include "results/text/printable.hpp"
#include "studies/run.hpp"
#include "studies/warnings.hpp"

namespace counterpoise {
namespace {

struct CheckArguments {
  std::vector<std::string> files;
  std::string model;
  bool json = false;
};

/// The summary of one file, as text for people and as JSON.
struct CheckReport {
  std::string text;
  Json json;
  std::vector<std::string> warnings;
};

CheckReport report_model(const std::string& file) {
  const Model model = read_model(file, input_files());
  const Structure s = examine_model(model);
  CheckReport report;
  std::string rare;
  if (s.universal_joints > 0) rare += fmt::format(", universal {}", s.universal_joints);
  if (s.point_closures > 0) rare += fmt::format(", points held together {}", s.point_closures);
  report.text = fmt::format(
      "{}: model {}\n  bodies {}\n  joints {} (revolute {}, prismatic {}, fixed {}{})\n  loops {}, "
      "couplings {}; redundant equations {}\n  degrees of freedom {}\n  springs {}, actuators {}\n",
      printable(file), printable(model.name), s.bodies, s.joints(), s.revolute_joints,
      s.prismatic_joints, s.fixed_joints, rare, s.loops, s.couplings, s.redundant_equations,
      s.degrees_of_freedom, s.springs, s.actuators);
  Json joints = {{"revolute", s.revolute_joints},
                 {"prismatic", s.prismatic_joints},
                 {"fixed", s.fixed_joints},
                 {"point", s.point_closures}};
  if (s.universal_joints > 0) joints["universal"] = s.universal_joints;
  report.json = {{"file", file},
                 {"format", "counterpoise-model/1"},
                 {"name", model.name},
                 {"bodies", s.bodies},
                 {"joints", joints},
                 {"joint_count", s.joints()},
                 {"loops", s.loops},
                 {"couplings", s.couplings},
                 {"redundant_equations", s.redundant_equations},
                 {"degrees_of_freedom", s.degrees_of_freedom},
                 {"springs", s.springs},
                 {"actuators", s.actuators}};
  report.warnings = idle_parts(model);
  report.json["warnings"] = report.warnings;
  return report;
}

CheckReport report_motion(const std::string& file, const Model* model) {
  const ParametricMotion read = model == nullptr ? check_motion(file, input_files())
                                                 : read_motion(file, *model, input_files());
  const Motion& motion = read.nominal;
  const int samples = motion.sample_count();
  CheckReport report;
  report.json = {{"file", file}, {"format", "counterpoise-motion/1"}, {"name", motion.name}};
  if (!read.axes.empty()) report.json["combinations"] = read.combinations();
  if (motion.poses) {
    report.text = fmt::format("{}: motion {}\n  {}\n", printable(file), printable(motion.name),
                              poses_text(read, model));
    report.json.update({{"poses", samples}, {"chosen", read.poses}});
    return report;
  }
  const std::size_t forces = motion.forces.size(), coordinates = read.profiles.size() - forces;
  report.text = fmt::format("{}: motion {}\n  {} s in steps of {} s: {} samples\n  coordinates {}",
                            printable(file), printable(motion.name), motion.duration, motion.step,
                            samples, coordinates);
  report.text += forces == 0 ? "\n" : fmt::format(", forces {}\n", forces);
  if (const std::string values = poses_text(read, model); !values.empty())
    report.text += "  " + values + '\n';
  report.json.update({{"duration", motion.duration},
                      {"step", motion.step},
                      {"samples", samples},
                      {"coordinates", coordinates}});
  if (forces > 0) report.json["forces"] = forces;
  report.text += smoothing_text(read, {}, "  ");
  if (Json smoothing = smoothing_json(read); !smoothing.empty())
    report.json["smoothing"] = std::move(smoothing);
  return report;
}

std::string start_text(const ScenarioStart& start) {
  if (start.file.empty()) return fmt::format("{} coordinates", start.coordinates.size());
  if (start.several) return fmt::format("{} instants of {}", start.times.size(), start.file);
  return fmt::format("{} at {} s", start.file, start.times.front());
}

CheckReport report_scenario(const std::string& file, const Model* model) {
  const ParametricScenario scenario = model == nullptr ? check_scenario(file, input_files())
                                                       : read_scenario(file, *model, input_files());
  const Scenario& nominal = scenario.nominal;
  const auto samples = std::lround(nominal.duration / nominal.step) + 1;
  CheckReport report;
  report.text = fmt::format(
      "{}: scenario {}\n  {} s in steps of {} s: {} samples\n  start: {}\n  contacts {}, stops "
      "{}\n",
      printable(file), printable(nominal.name), nominal.duration, nominal.step, samples,
      printable(start_text(scenario.start)), scenario.contacts.size(), scenario.stops.size());
  report.json = {{"file", file},
                 {"format", "counterpoise-scenario/1"},
                 {"name", nominal.name},
                 {"duration", nominal.duration},
                 {"step", nominal.step},
                 {"samples", samples},
                 {"instants", scenario.start.times.size()},
                 {"contacts", scenario.contacts.size()},
                 {"stops", scenario.stops.size()}};
  report.warnings = scenario.warnings;
  report.json["warnings"] = report.warnings;
  return report;
}

CheckReport report_study(const std::string& file, const Study& study) {
  check_search(study);
  CaseEvaluator evaluator(study);
  evaluator.evaluate_baselines();
  std::int64_t samples = 0;
  for (const LoadCase& load_case : study.motions)
    samples += load_case.motion.nominal.sample_count();
  const std::int64_t per_case =
      study.motion_variable < 0 ? samples : study.motions.front().motion.nominal.sample_count();
  const auto motions = std::count_if(study.motions.begin(), study.motions.end(),
                                     [](const LoadCase& one) { return one.combination == 0; });
  CheckReport report;
  report.text = fmt::format(
      "{}: study {}\n  model {}\n  variables {}, objectives {}, constraints {}\n  motions {}{}\n"
      "  {} {}, {} samples a case\n",
      printable(file), printable(study.name), printable(study.model->name), study.variables.size(),
      study.objectives.size(), study.constraints.size(), motions,
      study.scenarios.empty() ? "" : fmt::format(", scenarios {}", study.scenarios.size()),
      study.case_count(), study.search() != nullptr ? "evaluations at most" : "cases", per_case);
  report.text += poses_text(study, "  ");
  report.json = {{"file", file},
                 {"format", "counterpoise-study/1"},
                 {"name", study.name},
                 {"model", study.model->name},
                 {"variables", study.variables.size()},
                 {"objectives", study.objectives.size()},
                 {"constraints", study.constraints.size()},
                 {"motions", motions},
                 {"load_cases", study.motions.size()},
                 {"scenarios", study.scenarios.size()},
                 {"cases", study.case_count()},
                 {"samples", per_case}};
  report.warnings = study.warnings;
  for (const std::string& warning : idle_parts(study)) report.warnings.push_back(warning);
  for (WrongSense& wrong : SpringSenses(study).of_baseline())
    report.warnings.push_back(std::move(wrong.warning));
  report.json["warnings"] = report.warnings;
  return report;
}

/// The reports of a study's variants, or of the study that has none.
std::vector<CheckReport> report_studies(const std::string& file) {
  const std::vector<Study> studies = read_studies(file, input_files());
  std::vector<CheckReport> reports;
  read_each(studies, [&](const Study& study) { reports.push_back(report_study(file, study)); });
  return reports;
}

std::vector<CheckReport> reports_of(const std::string& file, const Model* model) {
  const std::filesystem::path path = StudyPath(file).file;
  const JsonValue root = parse_json(input_files()(path), path.string());
  constexpr std::array<std::string_view, 4> formats = {
      "counterpoise-model/1", "counterpoise-motion/1", "counterpoise-study/1",
      "counterpoise-scenario/1"};
  const JsonValue* format = root.find("format");
  if (format == nullptr) refuse(root, "an object with \"format\"");
  switch (choice_of(*format, formats)) {
    case 0:
      return {report_model(file)};
    case 1:
      return {report_motion(file, model)};
    case 2:
      return report_studies(file);
    default:
      return {report_scenario(file, model)};
  }
}

int check(const CheckArguments& options) {
  std::optional<Model> model;
  if (!options.model.empty()) {
    model.emplace(read_model(options.model, input_files()));
    examine_model(*model);
  }
  std::vector<CheckReport> reports;
  Mistakes mistakes;
  for (const std::string& file : options.files)
    mistakes.attempt([&] {
      for (CheckReport& report : reports_of(file, model ? &*model : nullptr))
        reports.push_back(std::move(report));
    });
  std::string text;
  Json json = Json::array();
  for (const CheckReport& report : reports) {
    for (const std::string& warning : report.warnings) print_message(warning);
    text += report.text;
    json.push_back(report.json);
  }
  if (options.json && mistakes.any()) mistakes.raise();
  print_answer(
      options.json, [&] { return json_text(reports.size() == 1 ? json.front() : json) + '\n'; },
      [&] { return text; });
  mistakes.raise();
  return exit_done;
}

}  // namespace

void add_check(Program& program) {
  const auto options = std::make_shared<CheckArguments>();
  const Command command =
      program.add("check", "Validate models, motions, studies and scenarios, and sum them up");
  command.several("files", options->files, "JSON files").required();
  command.option(
      "--model", options->model,
      "model that motions and scenarios are for; without it their names are not checked");
  command.flag("--json", options->json, "print JSON: an object, or an array for several files");
  command.action([options] { return check(*options); });
}

}  // namespace counterpoise
