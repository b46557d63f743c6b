#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

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

/// The knots of a profile: angles and levers, and offsets and radii where the table has both. Of
/// levers alone that close after a turn, `may_close` makes a closed edge.
std::vector<CamProfile::Knot> read_knots(const CsvTable& table, bool may_close) {
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
    if (angles.empty()) return {};
    const bool closes = may_close &&
                        std::abs(angles.back() - angles.front() - CamProfile::turn) <= 1e-9 &&
                        levers.back() == levers.front();
    return closes ? CamProfile::smooth_closed(angles, levers) : CamProfile::smooth(angles, levers);
  }
  const auto& offsets = profile_column(table, *offset, "m", "offset [mm]");
  const auto& radii = profile_column(table, *radius, "m", "radius [mm]");
  std::vector<CamProfile::Knot> knots;
  for (std::size_t i = 0; i < angles.size(); ++i)
    knots.push_back({angles[i], levers[i], offsets[i], radii[i]});
  return knots;
}

/// The knots of the table that a cam names; nothing where its file is missing and may be.
std::optional<std::vector<CamProfile::Knot>> read_table(const JsonValue& file,
                                                        ModelReading& reading, bool part) {
  const std::string& name = string_of(file, "the name of a CSV file with the profile of a cam");
  const std::filesystem::path path = reading.folder / name;
  std::string text;
  try {
    text = reading.files(path);
  } catch (const InputError& error) {
    if (reading.cams_to_be_made) return std::nullopt;
    throw InputError(file.location(),
                     fmt::format("{}; `counterpoise cam` writes profiles", error.what()));
  }
  const CsvTable table = parse_csv(text, path.string());
  std::vector<CamProfile::Knot> knots = read_knots(table, part);
  std::size_t at = 0;
  if (const auto reason = CamProfile::check(knots, at, part)) {
    const Location where = at < table.row_count()
                               ? Location{.file = table.file, .line = table.lines[at]}
                               : Location{.file = table.file};
    throw InputError(where, "found " + *reason);
  }
  return knots;
}

/// The curve of a profile: an expression of the model's parameters and of the angle.
void read_curve(const JsonValue& value, std::string_view key, CamShape& shape,
                const ModelReading& reading) {
  Scope scope = reading.model.scope;
  if (scope.find(profile_angle) >= 0)
    throw InputError(
        value.location(),
        fmt::format("the model has a parameter {}, which is what a profile calls the "
                    "angle that it depends on; expected another name for the parameter",
                    in_quotes(std::string(profile_angle))));
  scope.add(std::string(profile_angle), false, "rad");
  std::vector<Expression> expressions;
  const Number number = NumberReader(scope, expressions).read(value, TextUnit::of("m", key));
  shape.constant = number.value;
  if (!number.fixed()) shape.curve = std::move(expressions.front());
}

int angle_index(const Model& model) {
  return static_cast<int>(model.parameters.size());
}

/// A profile in parts: a curve or a table, where it begins and ends, and its start.
void read_shape(const JsonValue& value, int index, ModelReading& reading) {
  const ObjectReader object(value, "a profile",
                            {"lever", "distance", "table", "from", "to", "start", "note"});
  if (const JsonValue* note = object.find("note")) string_of(*note, "a note");
  CamShape shape;
  shape.point = index;
  constexpr std::array<std::string_view, 3> sources = {"lever", "distance", "table"};
  const auto given = std::count_if(sources.begin(), sources.end(), [&](std::string_view key) {
    return object.find(key) != nullptr;
  });
  if (given != 1)
    throw InputError(
        value.location(),
        fmt::format("found {} of \"lever\", \"distance\" and \"table\", expected one", given));
  FieldNumbers field{.field = Field::cam_profile, .element = index, .numbers = {}};
  const auto read_angle = [&](std::string_view key, Number& number, bool required = false) {
    const JsonValue* angle = required ? &object.required(key) : object.find(key);
    if (angle != nullptr) number = reading.numbers.read(*angle, TextUnit::of("rad", key));
    return angle != nullptr;
  };
  shape.has_start = read_angle("start", field.numbers[2]);
  if (const JsonValue* file = object.find("table")) {
    auto knots = read_table(*file, reading, true);
    shape.missing = !knots;
    if (knots) {
      shape.table = std::move(*knots);
      field.numbers[0].value = shape.table.front().angle;
      field.numbers[1].value = shape.table.back().angle;
    }
  } else {
    const bool lever = object.find("lever") != nullptr;
    shape.measure = lever ? CamProfile::Measure::lever : CamProfile::Measure::distance;
    const std::string_view key = lever ? "lever" : "distance";
    read_curve(object.required(key), key, shape, reading);
    shape.is_curve = true;
  }
  const bool begins = read_angle("from", field.numbers[0], shape.is_curve);
  const bool ends = read_angle("to", field.numbers[1], shape.is_curve);
  shape.is_part = begins || ends;
  const bool varies =
      std::any_of(field.numbers.begin(), field.numbers.end(),
                  [](const Number& number) { return !number.fixed(); }) ||
      (shape.curve && std::any_of(shape.curve->used().begin(), shape.curve->used().end(),
                                  [&](int used) { return used != angle_index(reading.model); }));
  reading.model.cam_shapes.push_back(std::move(shape));
  if (varies) {
    reading.model.varying.push_back(field);
    return;
  }
  const std::array<double, 3> numbers = {field.numbers[0].value, field.numbers[1].value,
                                         field.numbers[2].value};
  const std::vector<double> unread(reading.model.parameters.size(), 0.0);
  make_cam(reading.model.cam_shapes.back(), numbers, unread, reading.model.nominal);
  Point& point = reading.model.nominal.points[index];
  if (!point.no_cam.empty())
    throw InputError(value.location(), fmt::format("cam {}: {}", point.name, point.no_cam));
}

}  // namespace

void read_cam(const ObjectReader& cam, int index, ModelReading& reading) {
  reading.give_axis(Field::pulley_zero, index, cam.required("zero"));
  const JsonValue& profile = cam.required("profile");
  if (profile.kind == JsonValue::Kind::object) return read_shape(profile, index, reading);
  if (auto knots = read_table(profile, reading, false))
    reading.model.nominal.points[index].cam = std::make_shared<const CamProfile>(std::move(*knots));
}

}  // namespace counterpoise
