#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/commands/mechanics.hpp"
#include "cli/output/answer.hpp"
#include "cli/output/host.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/motion_text.hpp"
#include "input/definition/mechanism_units.hpp"
#include "input/reading/read.hpp"
#include "results/sqlite/output_file.hpp"

namespace counterpoise {
namespace {

struct MotionArguments {
  std::string motion, model, output;
  std::vector<std::string> settings, display;
  bool json = false;
};

/// The extremes of an actuator's position and speed.
struct ActuatorCourse {
  Largest least{no_limit}, greatest{-no_limit}, speed;

  void take(double position, double velocity, double t) {
    if (position < least.value) least = {position, t};
    if (position > greatest.value) greatest = {position, t};
    speed.take(std::abs(velocity), t);
  }
};

/// Follows the motion. Returns in words why the mechanism cannot follow it, or nothing.
std::optional<std::string> follow(MotionRun& run, std::vector<ActuatorCourse>& courses) {
  const std::vector<Actuator>& actuators = run.mechanism().actuators;
  return run.follow([&](std::span<const Series> columns, int first) {
    if (first == 0) courses.assign(actuators.size(), {});
    const auto values = [&](const std::string& name) -> const std::vector<double>& {
      return std::find_if(columns.begin(), columns.end(),
                          [&](const Series& series) { return series.name == name; })
          ->values;
    };
    const std::vector<double>& times = columns.front().values;
    for (std::size_t a = 0; a < actuators.size(); ++a) {
      const std::vector<double>& positions = values(actuators[a].name + ".position");
      const std::vector<double>& velocities = values(actuators[a].name + ".velocity");
      for (std::size_t k = 0; k < times.size(); ++k)
        courses[a].take(positions[k], velocities[k], times[k]);
    }
  });
}

/// Adds the limits of an actuator that it reaches or breaks, as studies judge them.
void add_limits(const MotionRun& run, std::size_t a, const ActuatorCourse& course,
                MotionCourse& out) {
  const Mechanism& mechanism = run.mechanism();
  const Actuator& actuator = mechanism.actuators[a];
  const std::string si = position_unit(mechanism, {.actuator = static_cast<int>(a)});
  const auto add = [&](FindingKind kind, const char* key, const std::string& unit, double bound,
                       double sign, const Largest& extreme) {
    if (std::isinf(bound)) return;
    out.limited = true;
    const auto& findings = run.broken_limits();
    const bool broken = std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
      return finding.kind == kind && finding.element == static_cast<int>(a);
    });
    if (broken || (extreme.value - bound) * sign >= -slack_of(bound, 1.0))
      out.limits.push_back({actuator.name, key, unit, broken, bound, extreme});
  };
  add(FindingKind::position_too_small, "min_position", si, actuator.min_position, -1.0,
      course.least);
  add(FindingKind::position_too_large, "max_position", si, actuator.max_position, 1.0,
      course.greatest);
  if (run.motion().inertia)  // else no speed is judged
    add(FindingKind::actuator_too_fast, "max_speed", si + "/s", actuator.max_speed, 1.0,
        course.speed);
}

/// Writes a line per sample: position, velocity and acceleration of each coordinate, of poses the
/// positions alone.
void write_csv(const Motion& motion, const std::vector<CoordinateCourse>& courses,
               const std::string& path) {
  OutputFile file(path);
  std::vector<std::string> names = {"t"};
  for (const CoordinateCourse& course : courses) {
    names.push_back(course.name + ".position");
    if (motion.poses) continue;
    names.push_back(course.name + ".velocity");
    names.push_back(course.name + ".acceleration");
  }
  constexpr std::size_t enough = 1 << 16;  // letters to write at a time
  std::string text;
  append_csv_row(text, names);
  std::vector<double> row;
  for (int k = 0; k < motion.sample_count(); ++k) {
    const double t = k * motion.step;
    row.assign(1, t);
    for (const Drive& drive : motion.drives) {
      const ProfileValue value = evaluate(drive.profile, t, motion.duration);
      row.push_back(value.position);
      if (!motion.poses) row.insert(row.end(), {value.velocity, value.acceleration});
    }
    append_csv_row(text, row);
    if (text.size() < enough) continue;
    file.write(text);
    text.clear();
  }
  file.write(text);
  file.commit();
}

int tell(const MotionArguments& options) {
  require_other_output(options.output, {options.model, options.motion});
  const TextStyle style{units_named(options.display), terminal_width()};
  const Model model = read_model(options.model, input_files());
  examine_model(model);
  const ParametricMotion parametric = read_motion(options.motion, model, input_files());
  MotionRun run(model, options.model, parametric, {.settings = options.settings});
  MotionCourse course;
  course.motion = &run.motion();
  course.given = &parametric;
  course.model = &model;
  course.coordinates = courses_of(run.motion(), run.mechanism());
  std::vector<ActuatorCourse> actuators;
  const std::optional<std::string> reason = follow(run, actuators);
  course.followed = !reason;
  if (course.followed)
    for (std::size_t a = 0; a < actuators.size(); ++a) add_limits(run, a, actuators[a], course);
  if (!options.output.empty()) write_csv(run.motion(), course.coordinates, options.output);
  print_answer(
      options.json, [&] { return json_text(json_of(course)) + '\n'; },
      [&] { return text_of(course, style); });
  if (!reason) return exit_done;
  print_message(*reason);
  return exit_infeasible;
}

}  // namespace

void add_motion(Program& program) {
  const auto options = std::make_shared<MotionArguments>();
  const Command command =
      program.add("motion", "Say what a motion means for a model: ranges, speeds, limits");
  command.option("motion", options->motion, "motion file").required();
  command.option("--of", options->model, "model file").required();
  command.option("-o,--output", options->output,
                 "CSV file of positions, velocities and accelerations of the coordinates");
  command.repeated("--set", options->settings,
                   "parameter=value, in SI or with a unit (60mm); may be repeated");
  add_display(command, options->display);
  command.flag("--json", options->json, "print JSON");
  command.action([options] { return tell(*options); });
}

}  // namespace counterpoise
