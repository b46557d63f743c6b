#include <fmt/format.h>

#include <array>

#include "cli/command.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/json_writer.hpp"
#include "results/text/printable.hpp"
#include "studies/cases/case_evaluator.hpp"
#include "studies/reading/read.hpp"
#include "studies/run.hpp"
#include "studies/text/object_reader.hpp"

namespace counterpoise {
namespace {

struct Options {
  std::vector<std::string> files;
  bool json = false;
};

/// What one file is, as text for people and as JSON.
struct Report {
  std::string text;
  std::string json;
};

Report report_model(const std::string& file) {
  const Model model = read_model(file, read_text_file);
  const Structure s = examine_model(model);
  Report report;
  std::string rare;
  if (s.universal_joints > 0) rare += fmt::format(", universal {}", s.universal_joints);
  if (s.point_closures > 0) rare += fmt::format(", points held together {}", s.point_closures);
  report.text = fmt::format(
      "{}: model {}\n  bodies {}\n  joints {} (revolute {}, prismatic {}, fixed {}{})\n  loops {}, "
      "couplings {}; redundant equations {}\n  degrees of freedom {}\n  springs {}, actuators {}\n",
      printable(file), printable(model.name), s.bodies, s.joints(), s.revolute_joints,
      s.prismatic_joints, s.fixed_joints, rare, s.loops, s.couplings, s.redundant_equations,
      s.degrees_of_freedom, s.springs, s.actuators);
  JsonObject joints;
  joints.add("revolute", s.revolute_joints)
      .add("prismatic", s.prismatic_joints)
      .add("fixed", s.fixed_joints)
      .add("point", s.point_closures);
  if (s.universal_joints > 0) joints.add("universal", s.universal_joints);
  JsonObject json;
  json.add("file", Value{file}).add("format", Value{std::string("counterpoise-model/1")});
  json.add("name", Value{model.name}).add("bodies", s.bodies);
  json.add_raw("joints", joints.text()).add("joint_count", s.joints());
  json.add("loops", s.loops).add("couplings", s.couplings);
  json.add("redundant_equations", s.redundant_equations);
  json.add("degrees_of_freedom", s.degrees_of_freedom);
  json.add("springs", s.springs).add("actuators", s.actuators);
  report.json = json.text();
  return report;
}

Report report_motion(const std::string& file) {
  const Motion motion = check_motion(file, read_text_file);
  const JsonValue root = parse_json(read_text_file(file), file);
  const int coordinates = static_cast<int>(root.find("coordinates")->items.size());
  Report report;
  report.text = fmt::format(
      "{}: motion {}\n  {} s in steps of {} s: {} samples\n  coordinates {}\n", printable(file),
      printable(motion.name), motion.duration, motion.step, motion.sample_count(), coordinates);
  JsonObject json;
  json.add("file", Value{file}).add("format", Value{std::string("counterpoise-motion/1")});
  json.add("name", Value{motion.name}).add("duration", Value{motion.duration});
  json.add("step", Value{motion.step}).add("samples", motion.sample_count());
  json.add("coordinates", coordinates);
  report.json = json.text();
  return report;
}

Report report_study(const std::string& file) {
  const Study study = read_study(file, read_text_file);
  check_search(study);
  CaseEvaluator evaluator(study);
  evaluator.evaluate_baselines();
  std::int64_t samples = 0;
  for (const LoadCase& load_case : study.motions)
    samples += load_case.motion.nominal.sample_count();
  const std::int64_t per_case =
      study.motion_variable < 0 ? samples : study.motions.front().motion.nominal.sample_count();
  Report report;
  report.text = fmt::format(
      "{}: study {}\n  model {}\n  variables {}, objectives {}, constraints {}\n  motions {}\n"
      "  {} {}, {} samples a case\n",
      printable(file), printable(study.name), printable(study.model->name), study.variables.size(),
      study.objectives.size(), study.constraints.size(), study.motions.size(), study.case_count(),
      study.search() != nullptr ? "evaluations at most" : "cases", per_case);
  JsonObject json;
  json.add("file", Value{file}).add("format", Value{std::string("counterpoise-study/1")});
  json.add("name", Value{study.name}).add("model", Value{study.model->name});
  json.add("variables", static_cast<int>(study.variables.size()));
  json.add("objectives", static_cast<int>(study.objectives.size()));
  json.add("constraints", static_cast<int>(study.constraints.size()));
  json.add("motions", static_cast<int>(study.motions.size()));
  json.add("cases", Value{study.case_count()}).add("samples", Value{per_case});
  report.json = json.text();
  return report;
}

Report report_of(const std::string& file) {
  const JsonValue root = parse_json(read_text_file(file), file);
  constexpr std::array<std::string_view, 3> formats = {
      "counterpoise-model/1", "counterpoise-motion/1", "counterpoise-study/1"};
  const JsonValue* format = root.find("format");
  if (format == nullptr) refuse(root, "an object with \"format\"");
  const std::array<Report (*)(const std::string&), 3> readers = {report_model, report_motion,
                                                                 report_study};
  return readers[choice_of(*format, formats)](file);
}

int check(const Options& options) {
  std::vector<Report> reports;
  for (const std::string& file : options.files) reports.push_back(report_of(file));
  std::string all;
  for (const Report& report : reports)
    all += options.json ? (all.empty() ? "" : ",\n ") + report.json : report.text;
  if (!options.json)
    print_text(all);
  else
    print_data((reports.size() == 1 ? all : "[" + all + "]") + '\n');
  return exit_done;
}

}  // namespace

void add_check(Program& program) {
  const auto options = std::make_shared<Options>();
  const Command command =
      program.add("check", "Validate models, motions and studies, and sum them up");
  command.several("files", options->files, "JSON files").required();
  command.flag("--json", options->json, "print JSON: an object, or an array for several files");
  command.action([options] { return check(*options); });
}

}  // namespace counterpoise
