#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "cases/provenance.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/commands/mechanics.hpp"
#include "cli/output/answer.hpp"
#include "cli/output/host.hpp"
#include "cli/output/page.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/text_style.hpp"
#include "input/definition/parametric_motion.hpp"
#include "input/reading/read.hpp"
#include "results/sqlite/output_file.hpp"
#include "results/text/printable.hpp"
#include "studies/pages/design_view.hpp"
#include "studies/pages/mechanism_data.hpp"
#include "studies/pages/still_picture.hpp"
#include "studies/warnings.hpp"

namespace counterpoise {
namespace {

struct ViewArguments {
  std::string model, motion, scenario;
  std::string output = "view.html";
  std::vector<std::string> settings, ghost, display;
  bool json = false;
};

/// What the designs are shown doing: a motion, a fall, or nothing.
struct Doing {
  std::optional<ParametricMotion> motion;
  std::optional<ParametricScenario> scenario;
};

Doing read_doing(const Model& model, const ViewArguments& options) {
  Doing doing;
  if (!options.motion.empty()) doing.motion = read_motion(options.motion, model, input_files());
  if (!options.scenario.empty()) {
    doing.scenario = read_scenario(options.scenario, model, input_files());
    require_one_instant(*doing.scenario);
  }
  return doing;
}

/// A design with its settings, the motion or fall it is shown in, and its parameter values.
struct Shown {
  DesignView view;
  std::vector<double> values;
};

Shown shown(const Model& model, const Doing& doing, const std::vector<std::string>& set,
            const std::string& option) {
  const std::vector<ParameterSetting> settings = with_settings(
      doing.scenario ? doing.scenario->settings : std::vector<ParameterSetting>(), set, model);
  if (doing.motion) require_values(*doing.motion, settings);
  const Location where = set.empty() ? model.location("") : Location{.file = option};
  ModelBinder binder(model);
  if (const auto reason = binder.bind(settings)) throw InputError(where, *reason);
  const std::span<const double> values = binder.values();
  DesignView view(model, binder.mechanism(), fmt::format("{}", fmt::join(set, ", ")));
  if (doing.motion) {
    MotionBinder motion(*doing.motion);
    if (const auto reason = motion.bind(values)) throw InputError(doing.motion->where, *reason);
    try {
      view.follow(motion.motion());
      if (motion.motion().poses)
        view.add_bare_loads(motion.motion());
      else
        view.add_course(motion.motion(), *doing.motion, values);
    } catch (const MechanismError& error) {
      throw InputError(doing.motion->where, error.what());
    }
  }
  if (doing.scenario) {
    ScenarioBinder scenario(*doing.scenario);
    if (const auto reason = scenario.bind(values)) throw InputError(where, *reason);
    try {
      view.fall(scenario.scenario(), scenario.start(binder.mechanism()));
    } catch (const MechanismError& error) {
      if (error.part == MechanismError::Part::actuators)
        throw InputError(doing.scenario->start.where, error.what());
      view.add({ViewFinding::Kind::error, std::string("the fall cannot begin: ") + error.what()});
    }
  }
  return {std::move(view), {values.begin(), values.end()}};
}

void add_warnings(const Model& model, const Doing& doing, DesignView& view) {
  std::vector<std::string> warnings;
  try {
    warnings = idle_parts(model);
  } catch (const MechanismError&) {
    // the model's own design does not close, which the view says where that is the one shown
  }
  if (doing.scenario)
    warnings.insert(warnings.end(), doing.scenario->warnings.begin(),
                    doing.scenario->warnings.end());
  for (std::string& warning : warnings) view.add({ViewFinding::Kind::warning, std::move(warning)});
}

Json text_member(const JsonValue& document, std::string_view key) {
  const JsonValue* value = document.find(key);
  return value != nullptr && value->kind == JsonValue::Kind::string ? value->text : "";
}

Json parameters_json(const Model& model, const std::vector<Shown>& designs) {
  Json parameters = Json::array();
  for (std::size_t p = 0; p < model.parameters.size(); ++p) {
    const Parameter& parameter = model.parameters[p];
    Json values = Json::array();
    for (const Shown& design : designs) values.push_back(design.values[p]);
    parameters.push_back({{"name", parameter.name},
                          {"values", values},
                          {"unit", si_unit(parameter.unit)},
                          {"source", parameter.source},
                          {"note", parameter.note}});
  }
  return parameters;
}

/// The data of the page, in which texts name files without their folders.
Json page_data(const Model& model, const Doing& doing, const ViewArguments& options,
               const std::vector<Shown>& designs, const std::vector<BodyMesh>& meshes,
               const ShownUnits& units) {
  std::vector<std::filesystem::path> files = {options.model, options.motion, options.scenario};
  if (doing.scenario)
    files.push_back(std::filesystem::path(options.scenario).parent_path() /
                    doing.scenario->start.file);
  Json did;
  if (doing.motion)
    did = {{"kind", "motion"},
           {"name", doing.motion->nominal.name},
           {"file", options.motion},
           {"poses", doing.motion->poses}};
  if (doing.scenario)
    did = {
        {"kind", "scenario"}, {"name", doing.scenario->nominal.name}, {"file", options.scenario}};
  Json data = with_names_alone({{"program", fmt::format("counterpoise {}", build_info().version)},
                                {"name", model.name},
                                {"description", text_member(model.document, "description")},
                                {"file", options.model},
                                {"doing", did},
                                {"display", units.json()},
                                {"parameters", parameters_json(model, designs)}},
                               files);
  data["meshes"] = Json::array();
  data["designs"] = Json::array();
  for (const BodyMesh& mesh : meshes) data["meshes"].push_back(mesh_data(mesh));
  for (const Shown& design : designs) {
    Json& json = data["designs"].emplace_back(design.view.json());
    json["findings"] = with_names_alone(std::move(json["findings"]), files);
  }
  return data;
}

/// The designs when the load of the first is largest.
std::string still_of(const Doing& doing, const std::vector<Shown>& designs) {
  const DesignView::Instant instant = designs.front().view.largest_load();
  std::vector<StillDesign> drawn;
  for (const Shown& design : designs)
    drawn.push_back(design.view.still(instant.time, drawn.empty() ? "design" : "ghost"));
  std::string caption = "at rest, in the zero configuration";
  if (doing.motion && doing.motion->nominal.poses)
    caption = fmt::format("pose {}", std::lround(instant.time) + 1);
  else if (doing.motion || doing.scenario)
    caption = fmt::format("at {:.4g} s", instant.time);
  if (!instant.words.empty()) caption += ": " + instant.words;
  return still_picture(drawn, "view", caption);
}

/// How many samples a page has of a design, and of how many they are.
std::string samples_text(const DesignView& view) {
  if (view.shown() == nullptr || !view.shown()->thinned()) return counted(view.samples(), "sample");
  return fmt::format("{} of {} poses", view.samples(), view.shown()->all());
}

void tell(const ViewArguments& options, const DesignView& view, std::size_t bytes) {
  print_answer(
      options.json,
      [&] {
        return json_text({{"output", options.output},
                          {"bytes", bytes},
                          {"bodies", view.mechanism().bodies.size()},
                          {"samples", view.samples()},
                          {"of", view.shown() == nullptr ? view.samples() : view.shown()->all()},
                          {"complete", view.whole()}}) +
               '\n';
      },
      [&] {
        return fmt::format("{}: {} bodies, {}, {:.2f} MB\n", printable(options.output),
                           view.mechanism().bodies.size(), samples_text(view),
                           static_cast<double>(bytes) * 1e-6);
      });
}

int view_model(const ViewArguments& options) {
  require_pages("view");
  require_other_output(options.output, {options.model, options.motion, options.scenario});
  const ShownUnits units = units_named(options.display);
  const Model model = read_model(options.model, input_files());
  const Doing doing = read_doing(model, options);
  const std::vector<BodyMesh> meshes = read_meshes(model.visuals);
  std::vector<Shown> designs = {shown(model, doing, options.settings, "--set")};
  if (!options.ghost.empty()) designs.push_back(shown(model, doing, options.ghost, "--ghost"));
  add_warnings(model, doing, designs.front().view);

  const std::string page = page_with(
      "view", page_data(model, doing, options, designs, meshes, units), still_of(doing, designs));
  write_file(options.output, page);
  bool whole = true;
  for (const Shown& design : designs) {
    for (const ViewFinding& finding : design.view.findings())
      if (finding.kind != ViewFinding::Kind::note)
        print_message((finding.kind == ViewFinding::Kind::limit ? "note: " : "") + finding.text);
    whole = whole && design.view.whole();
  }
  tell(options, designs.front().view, page.size());
  return whole ? exit_done : exit_infeasible;
}

}  // namespace

void add_view(Program& program) {
  const auto options = std::make_shared<ViewArguments>();
  const Command command =
      program.add("view", "Write a page that shows a mechanism in 3D, at rest or moving");
  command.option("model", options->model, "model file").required();
  command.option("--motion", options->motion, "motion file, followed as by simulate");
  command.option("--scenario", options->scenario, "scenario file, a fall as by forward")
      .excludes("--motion");
  command.repeated("--set", options->settings,
                   "parameter=value, in SI or with a unit (60mm); may be repeated");
  command.repeated("--ghost", options->ghost,
                   "parameter=value of a second design, drawn as a ghost; may be repeated");
  command.option("-o,--output", options->output, "HTML file; default: view.html");
  add_display(command, options->display);
  command.flag("--json", options->json, "print what was written as JSON");
  command.action([options] { return view_model(*options); });
}

}  // namespace counterpoise
