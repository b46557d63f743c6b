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
  std::string model, spring, draw, actuator, from, to, tension, least_radius, cable;
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

/// The first of the bodies, towards the world, to which this one is fixed.
BodyIndex carrier_of(const Mechanism& mechanism, BodyIndex body) {
  while (body != world_body && !mechanism.moves(body)) body = mechanism.bodies[body].parent;
  return body;
}

/// Only the cam may change the length of its cable.
void require_one_body(const Spring& spring, const Mechanism& mechanism, const Location& where) {
  const Point* first = nullptr;
  for (const PointIndex index : points_along(spring)) {
    const Point& point = mechanism.points[index];
    if (point.is_cam) continue;
    if (first == nullptr) first = &point;
    if (carrier_of(mechanism, point.body) == carrier_of(mechanism, first->body)) continue;
    throw InputError(
        where, fmt::format("the cable of spring {} runs over {} and {}, whose bodies move against "
                           "each other; expected all that it runs over, but the cam, on one body",
                           spring.name, first->name, point.name));
  }
}

/// The spring to be balanced, on a cable to a cam.
SpringIndex spring_of(const CamArguments& options, const Mechanism& mechanism) {
  const SpringIndex index = find_spring(mechanism, options.spring);
  if (index < 0) refuse_element("--spring", options.spring, "a spring", mechanism.springs);
  const Spring& spring = mechanism.springs[index];
  const Location where{.file = "--spring"};
  if (!spring.on_cam)
    throw InputError(where, fmt::format("spring {} is not on a cam, expected one whose \"connect\" "
                                        "begins or ends at a pulley with a \"profile\"",
                                        spring.name));
  require_one_body(spring, mechanism, where);
  if (!spring.group.empty())
    throw InputError(
        where, fmt::format("spring {} is a group of springs, expected a single one", spring.name));
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

/// What is made is a whole table.
void require_whole_table(const Model& model, const Spring& spring) {
  for (const PointIndex point : spring.points) {
    const CamShape* shape = model.find_cam_shape(point);
    if (shape != nullptr && (shape->is_curve || shape->is_part))
      throw InputError({.file = "--spring"},
                       fmt::format("the profile of {} is {}, expected the name of a table, or "
                                   "\"table\" with a \"start\" alone",
                                   model.nominal.points[point].name,
                                   shape->is_curve ? "an expression" : "a part of its table"));
  }
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

std::string undercut_groove(double diameter, double least) {
  return fmt::format(
      "no cam: the groove of a cable of {:.4g} m would be undercut, where the radius of curvature "
      "is {:.4g} m to the middle of the cable; a thinner --cable",
      diameter, least);
}

Json range_json(CamRange of) {
  return {{"least", of.least}, {"greatest", of.greatest}};
}

std::string range_text(CamRange of, double scale) {
  return fmt::format("{:.4g} to {:.4g}", of.least * scale, of.greatest * scale);
}

void tell(const CamArguments& options, const CamDemand& demand, const CamDesign& design,
          const Mechanism& mechanism) {
  const Spring& spring = mechanism.springs[demand.spring];
  const Actuator& actuator = mechanism.actuators[demand.actuator];
  const std::string unit = position_unit(mechanism, {.actuator = demand.actuator});
  const std::string of_load = load_unit(mechanism, actuator);
  if (options.json) {
    print_data(json_text(Json{{"spring", spring.name},
                              {"actuator", actuator.name},
                              {"from", demand.from},
                              {"to", demand.to},
                              {"free_length", design.free_length},
                              {"tension", range_json(design.tension)},
                              {"lever", range_json(design.lever)},
                              {"radius", range_json(design.radius)},
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
    return fmt::format("{} {}", range_text(of, scale), of_unit);
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

/// The profile that a model has.
const CamProfile& profile_to_draw(const CamArguments& options, const Mechanism& mechanism) {
  const Location where{.file = "--draw"};
  const PointIndex index = find_point(mechanism, options.draw);
  if (index < 0 || !mechanism.points[index].is_cam) {
    std::vector<std::string> known;
    for (const Point& point : mechanism.points)
      if (point.is_cam) known.push_back(point.name);
    throw InputError(where,
                     fmt::format("found {}, expected a cam of the model{}", in_quotes(options.draw),
                                 did_you_mean(options.draw, known)));
  }
  if (mechanism.points[index].cam == nullptr)
    throw InputError(where,
                     fmt::format("the file of the profile of {} is missing, expected --spring "
                                 "to make it",
                                 options.draw));
  return *mechanism.points[index].cam;
}

/// Writes the profile that a model has.
int draw_cam(const CamArguments& options, const Mechanism& mechanism) {
  for (const auto& [option, text] :
       {std::pair{"--tension", &options.tension}, std::pair{"--actuator", &options.actuator},
        std::pair{"--from", &options.from}, std::pair{"--to", &options.to},
        std::pair{"--least-radius", &options.least_radius}})
    if (!text->empty())
      throw InputError({.file = option},
                       "is not for --draw, which writes the profile that the model has");
  const CamProfile& profile = profile_to_draw(options, mechanism);
  const double diameter = options.cable.empty() ? 0.0 : positive(options.cable, "--cable", "m");
  CamRange lever{no_limit, -no_limit}, radius = lever;
  const auto take = [](CamRange& range, double number) {
    range = {std::min(range.least, number), std::max(range.greatest, number)};
  };
  for (const CamProfile::Knot& knot : profile.knots()) {
    take(lever, knot.lever);
    take(radius, knot.radius);
  }
  if (!(radius.least > 0.5 * diameter)) {
    print_message(undercut_groove(diameter, radius.least) + " may do");
    return exit_infeasible;
  }
  for (const std::string& output : options.outputs)
    write_file(output, text_for(output, profile.knots(), diameter));
  const double first = profile.knots().front().angle, last = profile.knots().back().angle;
  if (options.json) {
    print_data(json_text(Json{{"cam", options.draw},
                              {"lever", range_json(lever)},
                              {"radius", range_json(radius)},
                              {"angles", {first, last}},
                              {"length", profile.length()}}) +
               "\n");
    return exit_done;
  }
  print_data(fmt::format("{:<20}{} mm\n{:<20}{} mm\n{:<20}{:.4g} deg of tangents, {:.4g} mm long\n",
                         "lever", range_text(lever, 1e3), "radius of curvature",
                         range_text(radius, 1e3), "profile",
                         (last - first) * 180.0 / std::numbers::pi, profile.length() * 1e3));
  return exit_done;
}

int make_cam(const CamArguments& options) {
  require_kinds(options);
  if (options.spring.empty() == options.draw.empty())
    throw InputError(
        {.file = "--spring"},
        fmt::format("found {} --draw, expected one of --spring, whose cam is to be made, "
                    "and --draw, a cam that the model has",
                    options.draw.empty() ? "neither this option nor" : "both this and"));
  const Model model = read_model(options.model, input_files(), Cams::to_be_made);
  examine_model(model);
  ModelBinder binder(model);
  const auto settings = with_settings({}, options.settings, model);
  if (const auto reason = binder.bind(settings))
    throw InputError({.file = settings.empty() ? options.model : "--set"}, *reason);
  const Mechanism& mechanism = binder.mechanism();
  if (!options.draw.empty()) return draw_cam(options, mechanism);
  const CamDemand demand = demand_of(options, mechanism);
  require_whole_table(model, mechanism.springs[demand.spring]);
  const double diameter = options.cable.empty() ? 0.0 : positive(options.cable, "--cable", "m");
  const auto found = design_cam(mechanism, demand);
  if (const auto* reason = std::get_if<std::string>(&found)) {
    print_message("no cam: " + *reason);
    return exit_infeasible;
  }
  const auto& design = std::get<CamDesign>(found);
  if (!(design.radius.least > 0.5 * diameter)) {
    print_message(undercut_groove(diameter, design.radius.least) + ", or more --tension, may do");
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
  command.option("--spring", options->spring, "the spring whose cable is fixed to the cam");
  command.option("--draw", options->draw,
                 "write the profile that this cam of the model has (arm.cam), and make none");
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
