#include "cli/text/parts_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cases/case_drives.hpp"
#include "results/text/printable.hpp"
#include "results/text/table_format.hpp"

namespace counterpoise {
namespace {

/// A spring of a group: where it is from, and its numbers.
std::string member_text(const SpringPart::Member& member, const WorkshopUnits& units) {
  return fmt::format("{}: rate {}, free length {}, initial tension {}",
                     member.part.empty()
                         ? "made to order"
                         : printable(member.part) + " of " + printable(member.catalogue),
                     units.rate(member.rate, false), units.stretch(member.free_length, false),
                     units.load(member.initial_tension, false));
}

std::string spring_text(const SpringPart& part, const WorkshopUnits& units) {
  std::string text = printable(part.spring) + ": ";
  if (part.pieces > 1) text += fmt::format("{} pieces side by side, each ", part.pieces);
  text += !part.members.empty() ? part.joined
          : part.part.empty()   ? "made to order"
                                : printable(part.part) + " of " + printable(part.catalogue);
  text += '\n';
  for (const std::string& made : part.made)
    text += fmt::format("  not as the part has it: {}\n", printable(made));
  const auto line = [&](const char* what, const std::string& value) {
    text += fmt::format("  {:<24} {}\n", what, value);
  };
  const bool torsion = part.turns;
  for (std::size_t m = 0; m < part.members.size(); ++m)
    line(fmt::format("spring {}", m + 1).c_str(), member_text(part.members[m], units));
  if (!part.members.empty()) {
    line("free length of all", units.stretch(part.free_length, torsion));
  } else if (part.rate != 0.0 ||
             part.torsion) {  // a gas spring has none, and no length without load
    line("rate", units.rate(part.rate, torsion));
    line(torsion ? "free angle" : "free length", units.stretch(part.free_length, torsion));
  }
  line(torsion                ? "initial torque"
       : part.members.empty() ? "initial tension"
                              : "initial tension of all",
       units.load(part.initial_tension, torsion));
  if (part.friction > 0.0) line("friction", units.load(part.friction, torsion));
  if (part.mass > 0.0) line("mass", fmt::format("{:.6g} kg", part.mass));
  if (!part.side.empty())
    line("acts", fmt::format("{} its free {} only", part.side, torsion ? "angle" : "length"));
  line(torsion ? "least working angle" : "shortest working length",
       units.stretch(part.shortest, torsion));
  line(torsion ? "largest working angle" : "longest working length",
       units.stretch(part.longest, torsion));
  line(torsion ? "largest torque" : "largest load", units.load(part.largest_load, torsion));
  line("cycles", cycles_text(part));
  return text;
}

Value number_or_nothing(double number) {
  return std::isnan(number) ? Value{""} : Value{number};
}

Table drives_table(const PartsList& parts) {
  Table table{{"actuator", "motor", "gearbox", "price", "mass [kg]"}, {}};
  for (const DrivePart& part : parts.drives)
    table.rows.push_back({part.actuator, part.motor, part.gearbox, number_or_nothing(part.price),
                          number_or_nothing(part.mass)});
  return table;
}

}  // namespace

WorkshopUnits workshop_units(const ShownUnits& units, const std::string& angle) {
  const auto unit = [&](const std::string& si, const std::string& usual) {
    return *find_unit(units.replaces(si) ? units.of(si) : usual);
  };
  return {unit("m", "mm"), unit("rad", angle)};
}

std::string to_text(const PartsList& parts, const TextStyle& style) {
  const WorkshopUnits units = workshop_units(style.units, "rad");
  std::string text = "springs\n\n";
  for (const SpringPart& part : parts.springs) text += spring_text(part, units);
  if (!parts.weights.empty()) {
    Table table{{"weight", "on", "mass [kg]"}, {}};
    for (const char* name : {"x", "y", "z"})
      table.columns.push_back(fmt::format("{} [{}]", name, units.length_name()));
    for (const WeightPart& part : parts.weights) {
      auto& row = table.rows.emplace_back();
      row = {part.body, part.on, part.mass};
      for (int i = 0; i < 3; ++i) row.emplace_back(units.length(part.place[i]));
    }
    clear_rounding(table, 3, table.columns.size() - 1);
    text += "\nweights, with their centres of mass in the axes of what they are fixed to\n\n" +
            to_aligned_text(table, style.fit(2));
  }
  if (!parts.drives.empty())
    text += "\ndrives\n\n" + to_aligned_text(drives_table(parts), style.fit(2));
  Table table{{"point", "holds"}, {}};
  for (const char* name : {"x", "y", "z", "world x", "world y", "world z"})
    table.columns.push_back(fmt::format("{} [{}]", name, units.length_name()));
  for (const PartPoint& point : parts.points) {
    auto& row = table.rows.emplace_back();
    row = {point.point, fmt::format("{}", fmt::join(point.holds, ", "))};
    for (const Vec3d* place : {&point.in_body, &point.in_world})
      for (int i = 0; i < 3; ++i) row.emplace_back(units.length((*place)[i]));
  }
  clear_rounding(table, 2, table.columns.size() - 1);
  text += "\npoints, in the axes of their bodies and in the world at the zero configuration\n\n";
  return text + to_aligned_text(table, style.fit(2));
}

Table springs_table(const PartsList& parts) {
  Table table{
      {"spring", "pieces", "part", "catalogue", "rate [N/m]", "free_length [m]",
       "initial_tension [N]", "min_length [m]", "max_length [m]", "max_tension [N]", "cycles"},
      {}};
  for (const SpringPart& part : parts.springs) {
    std::int64_t cycles = 0;
    for (const SpringPart::Cycles& of : part.cycles) cycles += of.count;
    table.rows.push_back({part.spring, std::int64_t{part.pieces}, part.part, part.catalogue,
                          part.members.empty() ? Value{part.rate} : Value{}, part.free_length,
                          part.initial_tension, part.shortest, part.longest, part.largest_load,
                          part.cycles.empty() ? Value{} : Value{cycles}});
  }
  return table;
}

Table points_table(const PartsList& parts) {
  Table table{
      {"point", "holds", "x [m]", "y [m]", "z [m]", "world_x [m]", "world_y [m]", "world_z [m]"},
      {}};
  for (const PartPoint& point : parts.points)
    table.rows.push_back({point.point, fmt::format("{}", fmt::join(point.holds, "; ")),
                          point.in_body.x(), point.in_body.y(), point.in_body.z(),
                          point.in_world.x(), point.in_world.y(), point.in_world.z()});
  return table;
}

Json json_of(const PartsList& parts) {
  Json springs = Json::array(), points = Json::array();
  for (const SpringPart& part : parts.springs) {
    Json cycles = Json::array();
    for (const SpringPart::Cycles& of : part.cycles)
      cycles.push_back({{"motion", of.motion}, {"count", of.count}, {"duration", of.duration}});
    springs.push_back({{"spring", part.spring},
                       {"pieces", part.pieces},
                       {"torsion", part.torsion},
                       {"part", part.part.empty() ? Json() : Json(part.part)},
                       {"catalogue", part.catalogue.empty() ? Json() : Json(part.catalogue)},
                       {"not_as_the_part_has_it", part.made},
                       {"rate", part.rate},
                       {"free_length", part.free_length},
                       {"initial_tension", part.initial_tension},
                       {"min_length", part.shortest},
                       {"max_length", part.longest},
                       {"max_tension", part.largest_load},
                       {"cycles", cycles}});
    if (!part.members.empty()) {
      springs.back()["rate"] = nullptr;
      springs.back()["joined"] = part.joined;
      springs.back()["springs"] = members_json(part);
    }
    if (!part.side.empty()) springs.back()["acts"] = part.side;
    if (part.friction > 0.0) springs.back()["friction"] = part.friction;
    if (part.mass > 0.0) springs.back()["mass"] = part.mass;
  }
  for (const PartPoint& point : parts.points)
    points.push_back({{"point", point.point},
                      {"holds", point.holds},
                      {"in_body", {point.in_body.x(), point.in_body.y(), point.in_body.z()}},
                      {"in_world", {point.in_world.x(), point.in_world.y(), point.in_world.z()}}});
  Json json = {{"springs", springs}, {"points", points}};
  for (const WeightPart& part : parts.weights)
    json["weights"].push_back({{"body", part.body},
                               {"on", part.on},
                               {"mass", part.mass},
                               {"in_body", {part.place.x(), part.place.y(), part.place.z()}}});
  for (const DrivePart& part : parts.drives)
    json["drives"].push_back(
        {{"actuator", part.actuator},
         {"motor", part.motor},
         {"motors", part.motors_file},
         {"gearbox", part.gearbox.empty() ? Json() : Json(part.gearbox)},
         {"gearboxes", part.gearbox.empty() ? Json() : Json(part.gearboxes_file)},
         {"price", part.price},
         {"mass", part.mass}});
  return json;
}

namespace {

/// A robot whose drives are compared; null metrics where there is no such robot.
struct Robot {
  const char* heading;
  const char* key;
  const CaseMetrics* metrics;
};

std::array<Robot, 3> robots_of(const CaseMetrics& metrics, const Baselines::Pair& robots) {
  const auto of = [](const CaseOutcome& outcome) {
    return outcome.computable ? &outcome.metrics : nullptr;
  };
  return {{{"baseline", "baseline", of(robots.baseline)},
           {"without springs", "without_springs", of(robots.without_springs)},
           {"this design", "design", &metrics}}};
}

struct Row {
  MotorStatistic statistic;
  const char* words;
  const char* key;
  double times = 1.0;
};

constexpr auto rows_of_all = std::to_array<Row>({
    {MotorStatistic::price, "price", "price"},
    {MotorStatistic::mass, "mass [kg]", "mass"},
});
constexpr auto rows_of_one = std::to_array<Row>({
    {MotorStatistic::price, "price", "price"},
    {MotorStatistic::mass, "mass [kg]", "mass"},
    {MotorStatistic::utilisation, "used [%]", "utilisation", 100.0},
    {MotorStatistic::torque, "peak torque of the motor [N*m]", "motor_torque"},
    {MotorStatistic::rms, "rms torque of the motor [N*m]", "motor_rms"},
    {MotorStatistic::speed, "speed of the motor [rad/s]", "motor_speed"},
    {MotorStatistic::power, "peak power [W]", "motor_power"},
    {MotorStatistic::energy, "energy of all motions [J]", "motor_energy"},
    {MotorStatistic::holding_power, "heat at rest [W]", "holding_power"},
});

bool has(const Study& study, int drive, MotorStatistic statistic) {
  return std::any_of(study.motor_metrics.begin(), study.motor_metrics.end(),
                     [&](const MotorMetric& metric) {
                       return metric.drive == drive && metric.statistic == statistic;
                     });
}

constexpr const char* none = "none suffices";

Value cell(double value) {
  return std::isnan(value) ? Value{""} : Value{fmt::format("{:.4g}", value)};
}

/// The energy of a year, where the study says how often the motions are gone through.
void add_year(const Study& study, int drive, const std::array<Robot, 3>& robots, Table& table) {
  if (study.cycles_per_year == 0.0) return;
  constexpr double joules = 3.6e6;  // of a kilowatt hour
  std::vector<Value> row = {"", "energy of a year [kWh]"};
  for (const Robot& robot : robots)
    row.push_back(robot.metrics == nullptr
                      ? Value{""}
                      : cell(motor_metric(study, *robot.metrics, drive, MotorStatistic::energy) *
                             study.cycles_per_year / joules));
  table.rows.push_back(row);
}

}  // namespace

std::string drives_text(const Study& study, const CaseMetrics& metrics, const Baselines::Pair& pair,
                        const TextStyle& style) {
  if (study.drives.empty()) return "";
  const std::array<Robot, 3> robots = robots_of(metrics, pair);
  Table table{{"drive", ""}, {}};
  for (const Robot& robot : robots) table.columns.emplace_back(robot.heading);
  const auto add_numbers = [&](const auto& rows, int drive) {
    for (const Row& of : rows) {
      if (!has(study, drive, of.statistic)) continue;
      std::vector<Value>& row = table.rows.emplace_back();
      row = {"", of.words};
      for (const Robot& robot : robots)
        row.push_back(
            robot.metrics == nullptr
                ? Value{""}
                : cell(of.times * motor_metric(study, *robot.metrics, drive, of.statistic)));
      if (of.statistic == MotorStatistic::energy) add_year(study, drive, robots, table);
    }
  };
  for (std::size_t d = 0; d < study.drives.size(); ++d) {
    const auto drive = static_cast<int>(d);
    const std::size_t first = table.rows.size();
    if (study.drives[d].chosen()) {
      std::vector<Value> motor = {"", "motor"}, gearbox = {"", "gearbox"};
      for (const Robot& robot : robots) {
        const DriveNames names =
            robot.metrics == nullptr ? DriveNames{} : chosen_names(study, *robot.metrics, drive);
        motor.emplace_back(names.motor.empty() && robot.metrics != nullptr ? none : names.motor);
        gearbox.emplace_back(names.gearbox);
      }
      table.rows.push_back(motor);
      if (!study.drives[d].gearboxes.empty()) table.rows.push_back(gearbox);
    }
    add_numbers(rows_of_one, drive);
    table.rows[first][0] = study.model->nominal.actuators[study.drives[d].actuator].name;
  }
  const std::size_t all = table.rows.size();
  add_numbers(rows_of_all, -1);
  if (all < table.rows.size()) table.rows[all][0] = "all";
  return "drives: what the balancing is worth\n" + indented_table(table, style, 2, 2);
}

Json drives_json(const Study& study, const CaseMetrics& metrics, const Baselines::Pair& pair) {
  Json drives = Json::array();
  for (std::size_t d = 0; d < study.drives.size(); ++d) {
    const auto drive = static_cast<int>(d);
    Json json = {{"actuator", study.model->nominal.actuators[study.drives[d].actuator].name}};
    for (const Robot& robot : robots_of(metrics, pair)) {
      if (robot.metrics == nullptr) {
        json[robot.key] = nullptr;
        continue;
      }
      Json of = Json::object();
      if (study.drives[d].chosen()) {
        const DriveNames names = chosen_names(study, *robot.metrics, drive);
        of["motor"] = names.motor.empty() ? Json() : Json(names.motor);
        of["gearbox"] = names.gearbox.empty() ? Json() : Json(names.gearbox);
      }
      for (const Row& row : rows_of_one) {
        if (!has(study, drive, row.statistic)) continue;
        const double value = motor_metric(study, *robot.metrics, drive, row.statistic);
        of[row.key] = std::isnan(value) ? Json() : Json(value);
      }
      json[robot.key] = of;
    }
    drives.push_back(json);
  }
  return drives;
}

}  // namespace counterpoise
