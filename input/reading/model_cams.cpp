#include <fmt/format.h>

#include "input/reading/model_reading.hpp"
#include "input/text/csv.hpp"

namespace counterpoise {
namespace {

const std::vector<double>& profile_column(const CsvTable& table, const CsvColumn& column,
                                          std::string_view si, std::string_view like) {
  if (!column.has_unit)
    throw InputError(
        table.header(column),
        fmt::format("column {} has no unit, expected one: \"{}\"", in_quotes(column.name), like));
  require_fit(column.unit, *find_unit(si), column.name, table.header(column));
  return numbers_of(column);
}

/// The knots of a profile: angles and levers, and offsets and radii where the table has both.
std::vector<CamProfile::Knot> read_knots(const CsvTable& table) {
  for (const CsvColumn& column : table.columns)
    if (column.name != "angle" && column.name != "lever" && column.name != "offset" &&
        column.name != "radius" && column.name != "x" && column.name != "y")
      throw InputError(table.header(column),
                       fmt::format("found column {}, expected those of a cam's profile: angle and "
                                   "lever; offset and radius; x and y",
                                   in_quotes(column.name)));
  const Location first{.file = table.file, .line = 1, .column = 1};
  const CsvColumn *angle = table.find("angle"), *lever = table.find("lever");
  if (angle == nullptr || lever == nullptr)
    throw InputError(first, fmt::format("the column {} of a cam's profile is missing",
                                        angle == nullptr ? "\"angle [rad]\"" : "\"lever [mm]\""));
  const CsvColumn *offset = table.find("offset"), *radius = table.find("radius");
  if ((offset == nullptr) != (radius == nullptr))
    throw InputError(table.header(offset == nullptr ? *radius : *offset),
                     fmt::format("found column {} without {}, expected both or neither",
                                 offset == nullptr ? "\"radius\"" : "\"offset\"",
                                 offset == nullptr ? "\"offset\"" : "\"radius\""));
  const auto& angles = profile_column(table, *angle, "rad", "angle [rad]");
  const auto& levers = profile_column(table, *lever, "m", "lever [mm]");
  if (offset == nullptr) {
    for (std::size_t i = 0; i < angles.size(); ++i)
      if (angles.size() < 2 || (i > 0 && !(angles[i] > angles[i - 1])))
        return std::vector<CamProfile::Knot>(angles.size(), CamProfile::Knot{.angle = angles[i]});
    return angles.empty() ? std::vector<CamProfile::Knot>() : CamProfile::smooth(angles, levers);
  }
  const auto& offsets = profile_column(table, *offset, "m", "offset [mm]");
  const auto& radii = profile_column(table, *radius, "m", "radius [mm]");
  std::vector<CamProfile::Knot> knots;
  for (std::size_t i = 0; i < angles.size(); ++i)
    knots.push_back({angles[i], levers[i], offsets[i], radii[i]});
  return knots;
}

}  // namespace

void read_cam(const ObjectReader& cam, int index, ModelReading& reading) {
  reading.give_axis(Field::pulley_zero, index, cam.required("zero"));
  const JsonValue& file = cam.required("profile");
  const std::string& name = string_of(file, "the name of a CSV file with the profile of a cam");
  const std::filesystem::path path = reading.folder / name;
  std::string text;
  try {
    text = reading.files(path);
  } catch (const InputError& error) {
    if (reading.cams_to_be_made) return;
    throw InputError(file.location(),
                     fmt::format("{}; `counterpoise cam` writes profiles", error.what()));
  }
  const CsvTable table = parse_csv(text, path.string());
  std::vector<CamProfile::Knot> knots = read_knots(table);
  std::size_t at = 0;
  if (const auto reason = CamProfile::check(knots, at)) {
    const Location where = at < table.row_count()
                               ? Location{.file = table.file, .line = table.lines[at]}
                               : Location{.file = table.file};
    throw InputError(where, "found " + *reason);
  }
  reading.model.nominal.points[index].cam = std::make_shared<const CamProfile>(std::move(knots));
}

}  // namespace counterpoise
