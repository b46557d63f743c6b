#include "studies/reading/motion/motion_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "studies/text/csv.hpp"
#include "studies/text/object_reader.hpp"

namespace counterpoise {
namespace {

/// Keys of a profile that are numbers, and what each is when not given.
struct Default {
  std::string_view key;
  double value;
};

void read_numbers(const JsonValue& value, std::span<const Default> keys, const NumberReader& reader,
                  ProfileNumbers& out) {
  for (const Default& key : keys) {
    const JsonValue* given = value.find(key.key);
    out.numbers.push_back(given != nullptr ? reader.read(*given) : Number{.value = key.value});
  }
}

void read_move(const JsonValue& value, double duration, const NumberReader& reader,
               ProfileNumbers& out) {
  const ObjectReader object(
      value, "a point-to-point profile",
      {"type", "from", "to", "start_time", "end_time", "profile", "ramp", "unit"});
  constexpr std::array<std::string_view, 2> shapes = {"quintic", "trapezoid"};
  if (const JsonValue* shape = object.find("profile"))
    out.shape = choice_of(*shape, shapes) == 0 ? MoveShape::quintic : MoveShape::trapezoid;
  const JsonValue* ramp = object.find("ramp");
  if (ramp != nullptr && out.shape == MoveShape::quintic)
    throw InputError(ramp->key_location(), "only a trapezoid profile has a \"ramp\"");
  const std::array<Default, 5> keys = {{{"from", 0.0},
                                        {"to", 0.0},
                                        {"start_time", 0.0},
                                        {"end_time", duration},
                                        {"ramp", 1.0 / 3.0}}};
  read_numbers(value, keys, reader, out);
}

void read_spline(const JsonValue& value, const NumberReader& reader, ProfileNumbers& out) {
  const ObjectReader object(value, "a spline profile", {"type", "times", "values", "unit"});
  const JsonValue& times = object.required("times");
  const JsonValue& values = object.required("values");
  const std::size_t count = array_of(times, "an array of times").size();
  if (array_of(values, "an array of values").size() != count)
    refuse(values, fmt::format("as many values as times: {}", count));
  out.numbers.resize(2 * count);
  const std::span<Number> all(out.numbers);
  reader.read(times, all.first(count), "an array of times");
  reader.read(values, all.last(count), "an array of values");
}

const CsvColumn& column_of(const CsvTable& table, const JsonValue& name) {
  const CsvColumn* column = table.find(string_of(name, "the name of a column"));
  if (column == nullptr) refuse_name(name, name.text, "a column of " + table.file, table.names());
  return *column;
}

void read_table(const JsonValue& value, const Measured& measured,
                const std::filesystem::path& folder, const FileProvider& files,
                ProfileNumbers& out) {
  if (const JsonValue* unit = value.find("unit"))
    throw InputError(unit->key_location(),
                     "\"unit\" does not go with a table, whose columns have their units in the "
                     "header: angle [deg]");
  const ObjectReader object(value, "a table profile", {"type", "file", "time", "column"});
  const JsonValue& file = object.required("file");
  const std::filesystem::path path = folder / string_of(file, "a CSV file");
  std::string text;
  try {
    text = files(path);
  } catch (const InputError& error) {
    throw InputError(file.location(), error.what());
  }
  const CsvTable table = parse_csv(text, path.string());
  const CsvColumn& times = column_of(table, object.required("time"));
  const CsvColumn& values = column_of(table, object.required("column"));
  if (times.has_unit) require_fit(times.unit, *find_unit("s"), "times", table.header(times));
  if (values.has_unit) require_measure(values.unit, measured, value.key, table.header(values));
  for (const CsvColumn* column : {&times, &values})
    for (const double number : numbers_of(*column)) out.numbers.push_back({.value = number});
}

}  // namespace

void require_measure(const Unit& unit, const Measured& measured, std::string_view name,
                     const Location& where) {
  if (const std::optional<Unit> known = find_unit(measured.si)) {
    require_fit(unit, *known, name, where);
    return;
  }
  const std::string_view si = si_unit(unit);
  const bool positions = measured.of == Measured::Of::positions;
  if (positions ? si != "m" && si != "rad" : si != "N" && si != "N*m")
    throw InputError(where, fmt::format("found {}, expected a unit of {}", in_quotes(unit.name),
                                        positions ? "positions: m, mm, cm, rad or deg"
                                                  : "loads: N, kN, N*m or N*mm"));
}

ProfileNumbers read_profile(const JsonValue& value, const Measured& measured, double duration,
                            const NumberReader& numbers, const std::filesystem::path& folder,
                            const FileProvider& files) {
  constexpr std::array<std::string_view, 6> types = {"hold",           "bang-bang", "sine",
                                                     "point-to-point", "spline",    "table"};
  constexpr std::array<Default, 1> hold = {{{"value", 0.0}}};
  constexpr std::array<Default, 2> bang_bang = {{{"start", 0.0}, {"acceleration", 0.0}}};
  constexpr std::array<Default, 4> sine = {
      {{"mean", 0.0}, {"amplitude", 0.0}, {"period", 0.0}, {"phase", 0.0}}};

  object_of(value, "a profile");
  const JsonValue* type = value.find("type");
  if (type == nullptr)
    throw InputError(value.location(), "the key \"type\" of a profile is missing");
  ProfileNumbers out;
  out.where = value.location();
  out.type = static_cast<ProfileType>(choice_of(*type, types));
  switch (out.type) {
    case ProfileType::hold: {
      const ObjectReader object(value, "a hold profile", {"type", "value", "unit"});
      read_numbers(value, hold, numbers, out);
      break;
    }
    case ProfileType::bang_bang: {
      const ObjectReader object(value, "a bang-bang profile",
                                {"type", "start", "acceleration", "unit"});
      read_numbers(value, bang_bang, numbers, out);
      break;
    }
    case ProfileType::sine: {
      const ObjectReader object(value, "a sine profile",
                                {"type", "mean", "amplitude", "period", "phase", "unit"});
      read_numbers(value, sine, numbers, out);
      break;
    }
    case ProfileType::point_to_point:
      read_move(value, duration, numbers, out);
      break;
    case ProfileType::spline:
      read_spline(value, numbers, out);
      break;
    case ProfileType::table:
      read_table(value, measured, folder, files, out);
      break;
  }
  if (const JsonValue* unit = value.find("unit")) {
    out.unit = unit_in(*unit);
    require_measure(out.unit, measured, value.key, unit->location());
  }
  return out;
}

}  // namespace counterpoise
