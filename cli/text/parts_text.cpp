#include "cli/text/parts_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "results/text/printable.hpp"
#include "results/text/table_format.hpp"

namespace counterpoise {
namespace {

/// The units of a workshop: millimetres and radians, where no others were asked for.
class WorkshopUnits {
 public:
  explicit WorkshopUnits(const ShownUnits& units)
      : length_(unit_of(units, "m", "mm")), angle_(unit_of(units, "rad", "rad")) {}

  [[nodiscard]] double length(double si) const { return length_.from_si(si) + 0.0; }
  [[nodiscard]] std::string length_name() const { return std::string(length_.name); }

  /// A length of a spring, or the angle of a torsion spring.
  [[nodiscard]] std::string stretch(double si, bool torsion) const {
    const Unit& unit = torsion ? angle_ : length_;
    return words(unit.from_si(si), std::string(unit.name));
  }
  [[nodiscard]] std::string load(double si, bool torsion) const {
    return words(si, torsion ? "N*m" : "N");
  }
  [[nodiscard]] std::string rate(double si, bool torsion) const {
    const Unit& unit = torsion ? angle_ : length_;
    return words(unit.to_si(si), fmt::format("{}/{}", torsion ? "N*m" : "N", unit.name));
  }

 private:
  static Unit unit_of(const ShownUnits& units, const std::string& si, const char* usual) {
    return *find_unit(units.replaces(si) ? units.of(si) : usual);
  }
  static std::string words(double number, const std::string& unit) {
    return fmt::format("{:.6g} {}", number + 0.0, unit);
  }

  Unit length_, angle_;
};

std::string cycles_text(const SpringPart& part) {
  if (part.cycles.empty()) return "unknown, as poses at rest have no order in time";
  std::vector<std::string> words;
  for (const SpringPart::Cycles& cycles : part.cycles)
    words.push_back(fmt::format("{} in each run of {} ({:.6g} s)", cycles.count,
                                printable(cycles.motion), cycles.duration));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string spring_text(const SpringPart& part, const WorkshopUnits& units) {
  std::string text = printable(part.spring) + ": ";
  if (part.pieces > 1) text += fmt::format("{} pieces side by side, each ", part.pieces);
  text += part.part.empty() ? "made to order"
                            : printable(part.part) + " of " + printable(part.catalogue);
  text += '\n';
  for (const std::string& made : part.made)
    text += fmt::format("  not as the part has it: {}\n", printable(made));
  const auto line = [&](const char* what, const std::string& value) {
    text += fmt::format("  {:<24} {}\n", what, value);
  };
  const bool torsion = part.torsion;
  if (part.rate != 0.0 || torsion) {  // a gas spring has none, and no length without load
    line("rate", units.rate(part.rate, torsion));
    line(torsion ? "free angle" : "free length", units.stretch(part.free_length, torsion));
  }
  line(torsion ? "initial torque" : "initial tension", units.load(part.initial_tension, torsion));
  line(torsion ? "least working angle" : "shortest working length",
       units.stretch(part.shortest, torsion));
  line(torsion ? "largest working angle" : "longest working length",
       units.stretch(part.longest, torsion));
  line(torsion ? "largest torque" : "largest load", units.load(part.largest_load, torsion));
  line("cycles", cycles_text(part));
  return text;
}

}  // namespace

std::string to_text(const PartsList& parts, const TextStyle& style) {
  const WorkshopUnits units(style.units);
  std::string text = "springs\n\n";
  for (const SpringPart& part : parts.springs) text += spring_text(part, units);
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
                          part.rate, part.free_length, part.initial_tension, part.shortest,
                          part.longest, part.largest_load,
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
  }
  for (const PartPoint& point : parts.points)
    points.push_back({{"point", point.point},
                      {"holds", point.holds},
                      {"in_body", {point.in_body.x(), point.in_body.y(), point.in_body.z()}},
                      {"in_world", {point.in_world.x(), point.in_world.y(), point.in_world.z()}}});
  return {{"springs", springs}, {"points", points}};
}

}  // namespace counterpoise
