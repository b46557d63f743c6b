#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/output/answer.hpp"
#include "cli/output/host.hpp"
#include "cli/output/streams.hpp"
#include "input/definition/mechanism_units.hpp"
#include "input/reading/read.hpp"
#include "results/sqlite/output_file.hpp"
#include "studies/cams/cam_design.hpp"
#include "studies/cams/cam_files.hpp"

namespace counterpoise {
namespace {

struct CamArguments {
  std::string model, spring, actuator, from, to, tension, least_radius, cable;
  std::vector<std::string> settings, outputs;
  bool json = false;
};

template <class Elements>
[[noreturn]] void refuse_element(const std::string& option, const std::string& name,
                                 std::string_view what, const Elements& elements) {
  std::vector<std::string> known;
  for (const auto& element : elements) known.push_back(element.name);
  throw InputError({.file = option}, fmt::format("found {}, expected {}{}", in_quotes(name), what,
                                                 did_you_mean(name, known)));
}

/// The spring to be balanced, on a cable straight from a point to a cam.
SpringIndex spring_of(const CamArguments& options, const Mechanism& mechanism) {
  const SpringIndex index = find_spring(mechanism, options.spring);
  if (index < 0) refuse_element("--spring", options.spring, "a spring", mechanism.springs);
  const Spring& spring = mechanism.springs[index];
  const Location where{.file = "--spring"};
  if (!spring.on_cam)
    throw InputError(where, fmt::format("spring {} is not on a cam, expected one whose \"connect\" "
                                        "begins or ends at a pulley with a \"profile\"",
                                        spring.name));
  if (!spring.over.empty())
    throw InputError(where,
                     fmt::format("the cable of spring {} runs over points or pulleys, expected one "
                                 "that goes straight from a point to the cam",
                                 spring.name));
  for (const Spring& other : mechanism.springs)
    for (const PointIndex point : other.points)
      if (other.name != spring.name && other.on_cam && mechanism.points[point].is_cam &&
          mechanism.points[point].cam == nullptr)
        throw InputError(where,
                         fmt::format("the cam of spring {} has no profile yet, expected that "
                                     "of {} alone to be without one: begin with that spring "
                                     "and take the other away until then",
                                     other.name, spring.name));
  return index;
}

ActuatorIndex actuator_of(const CamArguments& options, const Mechanism& mechanism) {
  if (!options.actuator.empty()) {
    const ActuatorIndex index = find_actuator(mechanism, options.actuator);
    if (index < 0)
      refuse_element("--actuator", options.actuator, "an actuator", mechanism.actuators);
    return index;
  }
  if (mechanism.actuators.size() != 1)
    throw InputError({.file = "--actuator"},
                     fmt::format("the model has {} actuators, expected --actuator with the name of "
                                 "the one whose load the cam takes",
                                 mechanism.actuators.size()));
  return 0;
}

double end_of_range(const std::string& text, const std::string& option, double limit,
                    const Unit& unit) {
  if (!text.empty()) return read_quantity(text, unit, option, {.file = option});
  if (std::isfinite(limit)) return limit;
  throw InputError({.file = option},
                   fmt::format("the actuator has no {}, expected {} with an end of the range",
                               option == "--from" ? "min_position" : "max_position", option));
}

double positive(const std::string& text, const std::string& option, std::string_view unit) {
  const double number = read_quantity(text, *find_unit(unit), option, {.file = option});
  if (!(number > 0.0) || !std::isfinite(number))
    throw InputError({.file = option}, fmt::format("found {}, expected a number above 0", text));
  return number;
}

CamDemand demand_of(const CamArguments& options, const Mechanism& mechanism) {
  CamDemand demand;
  demand.spring = spring_of(options, mechanism);
  demand.actuator = actuator_of(options, mechanism);
  const Actuator& actuator = mechanism.actuators[demand.actuator];
  const Spring& spring = mechanism.springs[demand.spring];
  const Unit unit = *find_unit(position_unit(mechanism, {.actuator = demand.actuator}));
  demand.from = end_of_range(options.from, "--from", actuator.min_position, unit);
  demand.to = end_of_range(options.to, "--to", actuator.max_position, unit);
  if (!(demand.from < demand.to) || !std::isfinite(demand.to - demand.from))
    throw InputError({.file = "--to"}, fmt::format("the range goes from {:.6g} to {:.6g}, expected "
                                                   "an end above its beginning",
                                                   demand.from, demand.to));
  if (spring.rate > 0.0 && options.tension.empty())
    throw InputError({.file = "--tension"},
                     fmt::format("spring {} has a rate, expected --tension with its force at the "
                                 "beginning of the range",
                                 spring.name));
  if (!(spring.rate > 0.0) && !options.tension.empty())
    throw InputError({.file = "--tension"},
                     fmt::format("spring {} has no rate, and pulls with its initial_tension "
                                 "everywhere; expected no --tension",
                                 spring.name));
  if (options.tension.empty() && !(spring.initial_tension > 0.0))
    throw InputError({.file = "--spring"},
                     fmt::format("spring {} has neither a rate nor an initial_tension above 0, "
                                 "expected one that pulls",
                                 spring.name));
  demand.tension = options.tension.empty() ? spring.initial_tension
                                           : positive(options.tension, "--tension", "N");
  if (!options.least_radius.empty())
    demand.least_radius = positive(options.least_radius, "--least-radius", "m");
  return demand;
}

/// What is written into a file, by the end of its name.
std::string text_for(const std::string& output, std::span<const CamProfile::Knot> knots,
                     double diameter) {
  const std::string kind = std::filesystem::path(output).extension().string();
  if (kind == ".csv") return cam_csv(knots);
  if (kind == ".dxf") return cam_dxf(knots, diameter);
  return cam_svg(knots, diameter);
}

void require_kinds(const CamArguments& options) {
  for (const std::string& output : options.outputs) {
    require_other_output(output, {options.model});
    const std::string kind = std::filesystem::path(output).extension().string();
    if (kind != ".csv" && kind != ".dxf" && kind != ".svg")
      throw InputError({.file = "--output"}, fmt::format("found {}, expected a name that ends in "
                                                         ".csv, .dxf or .svg",
                                                         output));
  }
}

void tell(const CamArguments& options, const CamDemand& demand, const CamDesign& design,
          const Mechanism& mechanism) {
  const Spring& spring = mechanism.springs[demand.spring];
  const Actuator& actuator = mechanism.actuators[demand.actuator];
  const std::string unit = position_unit(mechanism, {.actuator = demand.actuator});
  const std::string of_load = load_unit(mechanism, actuator);
  if (options.json) {
    const auto range = [](CamRange of) {
      return Json{{"least", of.least}, {"greatest", of.greatest}};
    };
    print_data(json_text(Json{{"spring", spring.name},
                              {"actuator", actuator.name},
                              {"from", demand.from},
                              {"to", demand.to},
                              {"free_length", design.free_length},
                              {"tension", range(design.tension)},
                              {"lever", range(design.lever)},
                              {"radius", range(design.radius)},
                              {"angles", {design.knots.front().angle, design.knots.back().angle}},
                              {"load_without", design.load_without},
                              {"load_left", design.load_left},
                              {"units", {{"position", unit}, {"load", of_load}}}}) +
               "\n");
    return;
  }
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("{:<20}{}\n", name, value);
  };
  const auto range = [](CamRange of, double scale, std::string_view of_unit) {
    return fmt::format("{:.4g} to {:.4g} {}", of.least * scale, of.greatest * scale, of_unit);
  };
  line("range",
       fmt::format("{} from {:.4g} to {:.4g} {}", actuator.name, demand.from, demand.to, unit));
  line("tension", range(design.tension, 1.0, "N"));
  line("lever", range(design.lever, 1e3, "mm"));
  line("radius of curvature", range(design.radius, 1e3, "mm"));
  line("profile", fmt::format("open, over {:.4g} deg of tangents",
                              (design.knots.back().angle - design.knots.front().angle) * 180.0 /
                                  std::numbers::pi));
  line("load without spring", fmt::format("{:.4g} {}", design.load_without, of_load));
  line("load left", fmt::format("{:.1e} {}", design.load_left, of_load));
  line("free_length", fmt::format("{} m", shortest(design.free_length)));
  print_data(text);
}

int make_cam(const CamArguments& options) {
  require_kinds(options);
  const Model model = read_model(options.model, input_files(), Cams::to_be_made);
  examine_model(model);
  ModelBinder binder(model);
  const auto settings = with_settings({}, options.settings, model);
  if (const auto reason = binder.bind(settings))
    throw InputError({.file = settings.empty() ? options.model : "--set"}, *reason);
  const Mechanism& mechanism = binder.mechanism();
  const CamDemand demand = demand_of(options, mechanism);
  const double diameter = options.cable.empty() ? 0.0 : positive(options.cable, "--cable", "m");
  const auto found = design_cam(mechanism, demand);
  if (const auto* reason = std::get_if<std::string>(&found)) {
    print_message("no cam: " + *reason);
    return exit_infeasible;
  }
  const auto& design = std::get<CamDesign>(found);
  if (!(design.radius.least > 0.5 * diameter)) {
    print_message(fmt::format(
        "no cam: the groove of a cable of {:.4g} m would be undercut, where the radius of "
        "curvature is {:.4g} m to the middle of the cable; a thinner --cable, or more --tension, "
        "may do",
        diameter, design.radius.least));
    return exit_infeasible;
  }
  for (const Finding& finding : design.broken_limits)
    print_message("note: " + describe(finding, mechanism));
  for (const std::string& output : options.outputs)
    write_file(output, text_for(output, design.knots, diameter));
  tell(options, demand, design, mechanism);
  return exit_done;
}

}  // namespace

void add_cam(Program& program) {
  const auto options = std::make_shared<CamArguments>();
  const Command command =
      program.add("cam", "Make the profile of a cam on which a spring balances a load exactly");
  command.option("model", options->model, "model file").required();
  command.option("--spring", options->spring, "the spring whose cable is fixed to the cam")
      .required();
  command.option("--tension", options->tension,
                 "its force at the beginning of the range, in N or with a unit");
  command.option("--actuator", options->actuator,
                 "whose load at rest the cam takes; default: the only one");
  command.option("--from", options->from,
                 "beginning of the range, in SI or with a unit (-60deg); default: min_position");
  command.option("--to", options->to, "end of the range; default: max_position");
  command.option("--least-radius", options->least_radius,
                 "least radius of curvature of the edge, in m or with a unit (8mm)");
  command.option(
      "--cable", options->cable,
      "the cable's diameter, for drawings of the groove; default: drawings to the middle "
      "of the cable");
  command.repeated("--set", options->settings,
                   "parameter=value, in SI or with a unit (60mm); may be repeated");
  command.repeated("-o,--output", options->outputs,
                   "file that ends in .csv (profile), .dxf or .svg (drawing); may be repeated");
  command.flag("--json", options->json, "the figures as JSON");
  command.action([options] { return make_cam(*options); });
}

}  // namespace counterpoise
