#include "cli/text/parts_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "results/text/printable.hpp"
#include "results/text/table_format.hpp"

namespace counterpoise {
namespace {

/// A number in a unit of the workshop.
std::string shown(double si, double times, const char* unit) {
  return fmt::format("{:.6g} {}", si * times + 0.0, unit);
}
std::string length(double si) {
  return shown(si, 1e3, "mm");
}

std::string cycles_text(const SpringPart& part) {
  std::vector<std::string> words;
  for (const SpringPart::Cycles& cycles : part.cycles)
    words.push_back(fmt::format("{} in each run of {} ({:.6g} s)", cycles.count,
                                printable(cycles.motion), cycles.duration));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string spring_text(const SpringPart& part) {
  std::string text = printable(part.spring) + ": ";
  text += part.part.empty() ? "made to order"
                            : printable(part.part) + " of " + printable(part.catalogue);
  text += '\n';
  for (const std::string& made : part.made)
    text += fmt::format("  not as the part has it: {}\n", printable(made));
  const auto line = [&](const char* what, const std::string& value) {
    text += fmt::format("  {:<24} {}\n", what, value);
  };
  if (part.torsion) {
    line("rate", shown(part.rate, 1.0, "N*m/rad"));
    line("free angle", shown(part.free_length, 1.0, "rad"));
    line("initial torque", shown(part.initial_tension, 1.0, "N*m"));
    line("working angles", fmt::format("{:.6g} to {:.6g} rad", part.shortest, part.longest));
    line("largest torque", shown(part.largest_load, 1.0, "N*m"));
  } else {
    if (part.rate != 0.0) {  // a gas spring has none, and no length without load
      line("rate", shown(part.rate, 1e-3, "N/mm"));
      line("free length", length(part.free_length));
    }
    line("initial tension", shown(part.initial_tension, 1.0, "N"));
    line("shortest working length", length(part.shortest));
    line("longest working length", length(part.longest));
    line("largest load", shown(part.largest_load, 1.0, "N"));
  }
  line("cycles", cycles_text(part));
  return text;
}

}  // namespace

std::string to_text(const PartsList& parts) {
  std::string text = "springs\n\n";
  for (const SpringPart& part : parts.springs) text += spring_text(part);
  Table table{{"point", "holds", "x [mm]", "y [mm]", "z [mm]", "world x [mm]", "world y [mm]",
               "world z [mm]"},
              {}};
  for (const PartPoint& point : parts.points) {
    auto& row = table.rows.emplace_back();
    row = {point.point, fmt::format("{}", fmt::join(point.holds, ", "))};
    for (const Vec3d* place : {&point.in_body, &point.in_world})
      for (int i = 0; i < 3; ++i) {
        const double mm = 1e3 * (*place)[i];
        row.emplace_back(std::abs(mm) < 1e-9 ? 0.0 : mm);
      }
  }
  text += "\npoints, in the axes of their bodies and in the world at the zero configuration\n\n";
  return text + to_aligned_text(table);
}

Table springs_table(const PartsList& parts) {
  Table table{
      {"spring", "part", "catalogue", "rate [N/m]", "free_length [m]", "initial_tension [N]",
       "min_length [m]", "max_length [m]", "max_tension [N]", "cycles"},
      {}};
  for (const SpringPart& part : parts.springs) {
    std::int64_t cycles = 0;
    for (const SpringPart::Cycles& of : part.cycles) cycles += of.count;
    table.rows.push_back({part.spring, part.part, part.catalogue, part.rate, part.free_length,
                          part.initial_tension, part.shortest, part.longest, part.largest_load,
                          cycles});
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
  }
  for (const PartPoint& point : parts.points)
    points.push_back({{"point", point.point},
                      {"holds", point.holds},
                      {"in_body", {point.in_body.x(), point.in_body.y(), point.in_body.z()}},
                      {"in_world", {point.in_world.x(), point.in_world.y(), point.in_world.z()}}});
  return {{"springs", springs}, {"points", points}};
}

}  // namespace counterpoise
