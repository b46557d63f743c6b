#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "input/definition/mechanism_units.hpp"
#include "input/reading/read.hpp"
#include "input/reading/study_reading.hpp"

namespace counterpoise {
namespace {

/// A column of a catalogue of motors or gearboxes, and what its numbers have to be.
template <class Part>
struct PartColumn {
  std::string_view name;
  std::string_view unit;  // SI; "1" of numbers that have none
  double Part::*number;
  bool required = false;
  double least = 0.0;
  bool above_least = false;  // whether `least` itself is refused
  double most = std::numeric_limits<double>::infinity();

  [[nodiscard]] bool allows(double x) const {
    return std::isfinite(x) && x <= most && (above_least ? x > least : x >= least);
  }
  [[nodiscard]] std::string expected() const {
    std::string text = fmt::format("a number {} {}", above_least ? "above" : "of at least", least);
    if (std::isfinite(most)) text += fmt::format(", at most {}", most);
    return text;
  }
};

constexpr auto motor_columns = std::to_array<PartColumn<Motor>>({
    {"rated_torque", "N*m", &Motor::rated_torque, true, 0.0, true},
    {"peak_torque", "N*m", &Motor::peak_torque, true, 0.0, true},
    {"rated_speed", "rad/s", &Motor::rated_speed, true, 0.0, true},
    {"no_load_speed", "rad/s", &Motor::no_load_speed, true, 0.0, true},
    {"torque_constant", "N*m/A", &Motor::torque_constant, false, 0.0, true},
    {"resistance", "ohm", &Motor::resistance, false, 0.0, true},
    {"rotor_inertia", "kg*m^2", &Motor::rotor_inertia, true},
    {"mass", "kg", &Motor::mass},
    {"price", "1", &Motor::price},
});

constexpr auto gearbox_columns = std::to_array<PartColumn<Gearbox>>({
    {"ratio", "1", &Gearbox::ratio, true, 0.0, true},
    {"efficiency", "1", &Gearbox::efficiency, true, 0.0, true, 1.0},
    {"back_efficiency", "1", &Gearbox::back_efficiency, false, 0.0, false, 1.0},
    {"rated_torque", "N*m", &Gearbox::rated_torque, false, 0.0, true},
    {"peak_torque", "N*m", &Gearbox::peak_torque, false, 0.0, true},
    {"input_speed", "rad/s", &Gearbox::input_speed, false, 0.0, true},
    {"inertia", "kg*m^2", &Gearbox::inertia},
    {"mass", "kg", &Gearbox::mass},
    {"price", "1", &Gearbox::price},
    {"backlash", "rad", &Gearbox::backlash},
});

/// Reads the numbers of one column into all parts; leaves them as they are where there is none.
template <class Part>
void read_column(const PartColumn<Part>& of, const CsvTable& table, std::string_view what,
                 std::vector<Part>& parts) {
  const CsvColumn* column = table.find(of.name);
  if (column == nullptr) {
    if (!of.required) return;
    std::vector<std::string> names = table.names();
    throw InputError({.file = table.file, .line = 1, .column = 1, .pointer = {}},
                     fmt::format("found no column {} of a catalogue of {}{}", in_quotes(of.name),
                                 what, did_you_mean(std::string(of.name), names)));
  }
  const std::vector<double>& numbers = numbers_of(*column);
  if (column->has_unit)
    require_fit(column->unit, *find_unit(of.unit), of.name, table.header(*column));
  const auto index = static_cast<std::size_t>(column - table.columns.data());
  for (std::size_t row = 0; row < parts.size(); ++row) {
    if (!of.allows(numbers[row]))
      throw InputError(table.cell(index, row),
                       fmt::format("found {} for {}, expected {}", column->texts[row],
                                   in_quotes(of.name), of.expected()));
    parts[row].*of.number = numbers[row];
  }
}

/// Reads a catalogue. Other columns may say anything else.
template <class Part, std::size_t count>
void read_parts(const CsvTable& table, const std::array<PartColumn<Part>, count>& columns,
                std::string_view what, std::vector<Part>& parts) {
  const auto label = std::find_if(table.columns.begin(), table.columns.end(),
                                  [](const CsvColumn& column) { return column.text; });
  parts.resize(table.row_count());
  for (std::size_t row = 0; row < parts.size(); ++row)
    parts[row].name = label == table.columns.end() ? std::to_string(row + 1) : label->texts[row];
  for (const PartColumn<Part>& column : columns) read_column(column, table, what, parts);
}

CsvTable table_of(const JsonValue& name, std::string_view what, const StudyFiles& files) {
  static_cast<void>(string_of(name, fmt::format("the file of a catalogue of {}", what)));
  const std::filesystem::path path = files.path_of(name);
  CsvTable table = reading_file(
      name, path, [&] { return parse_csv(files.keep_as("catalogue")(path), path.string()); });
  if (table.row_count() == 0) throw InputError(name.location(), "the catalogue has no rows");
  return table;
}

/// Refuses a number of a row beside another one of the row that contradicts it.
void refuse_row(const CsvTable& table, std::string_view column, std::size_t row,
                std::string_view what) {
  const CsvColumn* found = table.find(column);
  const auto index = static_cast<std::size_t>(found - table.columns.data());
  throw InputError(table.cell(index, row),
                   fmt::format("found {} for {}, {}", found->texts[row], in_quotes(column), what));
}

/// Notes which costs a catalogue gives; the one that is to be minimised it has to give.
void note_costs(const JsonValue& name, const CsvTable& table, StudyDrive& drive) {
  const std::string_view needed = drive.minimise == DriveCost::price ? "price" : "mass";
  if (table.find(needed) == nullptr)
    throw InputError(
        name.location(),
        fmt::format("the catalogue has no column {}, which is to be minimised", in_quotes(needed)));
  drive.priced = drive.priced && table.find("price") != nullptr;
  drive.weighed = drive.weighed && table.find("mass") != nullptr;
}

void read_motors(const JsonValue& name, const StudyFiles& files, StudyDrive& drive) {
  const CsvTable table = table_of(name, "motors", files);
  read_parts(table, motor_columns, "motors", drive.motors);
  note_costs(name, table, drive);
  if ((table.find("torque_constant") == nullptr) != (table.find("resistance") == nullptr))
    throw InputError(name.location(),
                     "the catalogue has one of torque_constant and resistance, expected both or "
                     "neither: heat follows from them together");
  for (std::size_t row = 0; row < drive.motors.size(); ++row) {
    const Motor& motor = drive.motors[row];
    if (motor.peak_torque < motor.rated_torque)
      refuse_row(table, "peak_torque", row, "which is below the rated torque");
    if (motor.no_load_speed < motor.rated_speed)
      refuse_row(table, "no_load_speed", row, "which is below the rated speed");
  }
}

void read_gearboxes(const JsonValue& name, const StudyFiles& files, StudyDrive& drive) {
  const CsvTable table = table_of(name, "gearboxes", files);
  read_parts(table, gearbox_columns, "gearboxes", drive.gearboxes);
  note_costs(name, table, drive);
  const bool own_way_back = table.find("back_efficiency") != nullptr;
  for (std::size_t row = 0; row < drive.gearboxes.size(); ++row) {
    Gearbox& gearbox = drive.gearboxes[row];
    if (!own_way_back) gearbox.back_efficiency = gearbox.efficiency;
    if (gearbox.peak_torque < gearbox.rated_torque && table.find("peak_torque") != nullptr &&
        table.find("rated_torque") != nullptr)
      refuse_row(table, "peak_torque", row, "which is below the rated torque");
  }
}

/// Reads where a drive is mounted: a point of a body by its name, or a body and a place on it.
DriveMount read_mount(const JsonValue& value, const Model& model) {
  const Mechanism& nominal = model.nominal;
  DriveMount mount{.body = {}, .point = {}, .where = value.location()};
  if (value.kind == JsonValue::Kind::string) {
    std::vector<std::string> names;
    for (const Point& point : nominal.points)
      if (point.body != world_body) names.push_back(point.name);
    mount.point = find_point(nominal, value.text);
    if (mount.point < 0) refuse_name(value, value.text, "a point of a body", names);
    mount.body = nominal.points[mount.point].body;
    if (mount.body == world_body)
      throw InputError(value.location(),
                       fmt::format("{} stands still in the world, where a drive weighs on nothing; "
                                   "expected a point of a body, or no \"mounted_on\"",
                                   in_quotes(value.text)));
    return mount;
  }
  const ObjectReader object(value, "a point of a body, or an object with a body and a point",
                            {"body", "point"});
  const JsonValue& body = object.required("body");
  std::vector<std::string> names;
  for (const Body& one : nominal.bodies) names.push_back(one.name);
  const std::string& name = string_of(body, "the name of a body");
  mount.body = find_body(nominal, name);
  if (mount.body < 0) refuse_name(body, name, "a body of the model", names);
  const auto numbers = array_of(object.required("point"), 3, "a point [x, y, z]");
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double number = fixed_number(numbers[i], "a length", TextUnit::of("m", "point"));
    if (!std::isfinite(number)) refuse(numbers[i], "a length that is finite");
    mount.position[static_cast<Eigen::Index>(i)] = number;
  }
  return mount;
}

/// Refuses what cannot have drives that the mechanism carries.
void check_mounts(const Study& study) {
  const auto mounted =
      std::find_if(study.drives.begin(), study.drives.end(),
                   [](const StudyDrive& drive) { return drive.mount.has_value(); });
  if (mounted == study.drives.end()) return;
  const Location& where = mounted->mount->where;
  if (study.search() != nullptr && study.search()->method == SearchMethod::exact_springs)
    throw InputError(where,
                     "an exact search sizes springs for loads that do not depend on drives, and "
                     "cannot carry what these weigh; sample the study, search it by nlopt, or "
                     "leave out \"mounted_on\"");
  if (study.tolerances)
    throw InputError(where,
                     "robustness over tolerances chooses no drives and cannot carry what they "
                     "weigh; leave out \"tolerances\" or \"mounted_on\"");
  if (const int joint = study.model->load_friction_joint(); joint >= 0)
    throw InputError(
        where,
        fmt::format("friction of the joint {} grows with its reaction, so that loads are not "
                    "affine in what drives weigh; leave out \"mounted_on\", or "
                    "\"load_coefficient\" of the joint",
                    study.model->nominal.bodies[joint].name));
  for (const StudyDrive& drive : study.drives)
    if (drive.chosen() && drive.minimise != mounted->minimise)
      throw InputError(drive.where,
                       "minimises another cost than the drives that are mounted, which are chosen "
                       "together with all others; expected one \"minimise\" of all drives");
}

StudyDrive read_drive(const JsonValue& value, const Model& model, const StudyFiles& files) {
  StudyDrive drive;
  drive.where = value.location();
  std::vector<std::string> names;
  for (const Actuator& actuator : model.nominal.actuators) names.push_back(actuator.name);
  const auto at = std::find(names.begin(), names.end(), value.key);
  if (at == names.end()) refuse_key(value, "the name of an actuator", names);
  drive.actuator = static_cast<int>(at - names.begin());

  const ObjectReader object(value, "a drive",
                            {"motors", "gearboxes", "transmission", "margin", "minimise",
                             "recuperated", "at_rest", "brake", "mounted_on"});
  const JsonValue* motors = object.find("motors");
  for (const std::string_view key :
       {"gearboxes", "transmission", "margin", "minimise", "mounted_on"})
    if (const JsonValue* given = object.find(key); given != nullptr && motors == nullptr)
      throw InputError(
          given->key_location(),
          fmt::format("{} goes with motors, a catalogue to choose from", in_quotes(key)));
  const Actuator& actuator = model.nominal.actuators[drive.actuator];
  if (motors != nullptr) {
    const bool turns = load_unit(model.nominal, actuator) == "N*m";
    const JsonValue* transmission = object.find("transmission");
    if (transmission == nullptr && !turns)
      throw InputError(value.location(),
                       fmt::format("{} slides, expected the transmission of its drive: the turn of "
                                   "its motor or gearbox per metre, as in \"200 turn/m\"",
                                   in_quotes(value.key)));
    if (transmission != nullptr) {
      drive.transmission =
          fixed_number(*transmission, "a transmission",
                       turns ? TextUnit::none() : TextUnit::of("rad/m", "transmission"));
      if (!(drive.transmission > 0.0 && std::isfinite(drive.transmission)))
        refuse(*transmission, "a transmission above 0");
    }
  }
  constexpr std::array<std::string_view, 2> costs = {"price", "mass"};
  if (const JsonValue* minimise = object.find("minimise"))
    drive.minimise = choice_of(*minimise, costs) == 0 ? DriveCost::price : DriveCost::mass;
  if (const JsonValue* margin = object.find("margin")) {
    drive.margin = fixed_number(*margin, "a margin");
    if (!(drive.margin >= 1.0 && std::isfinite(drive.margin)))
      refuse(*margin, "a margin of 1 or more");
  }
  if (const JsonValue* share = object.find("recuperated")) {
    drive.recuperated = fixed_number(*share, "a share");
    if (!(drive.recuperated >= 0.0 && drive.recuperated <= 1.0))
      refuse(*share, "a share from 0 to 1");
  }
  if (const JsonValue* brake = object.find("brake"))
    drive.brake = boolean_of(*brake, "true or false");
  constexpr std::array<std::string_view, 2> ends = {"worst", "favourable"};
  if (const JsonValue* end = object.find("at_rest"))
    drive.favourable_at_rest = choice_of(*end, ends) == 1;
  if (motors != nullptr) {
    drive.priced = drive.weighed = true;
    read_motors(*motors, files, drive);
    const bool motor_masses = drive.weighed;
    if (const JsonValue* gearboxes = object.find("gearboxes"))
      read_gearboxes(*gearboxes, files, drive);
    drive.motors_file = motors->text;
    if (const JsonValue* gearboxes = object.find("gearboxes"))
      drive.gearboxes_file = gearboxes->text;
    if (const JsonValue* mounted = object.find("mounted_on")) {
      drive.mount = read_mount(*mounted, model);
      if (!drive.weighed)
        throw InputError(
            mounted->location(),
            fmt::format("the catalogue {} has no column \"mass\", which a drive that is "
                        "mounted needs",
                        motor_masses ? drive.gearboxes_file : drive.motors_file));
    }
  } else if (!actuator.motor.known) {
    throw InputError(value.location(),
                     fmt::format("the model says nothing of the motor of {}, expected motors, a "
                                 "catalogue to choose from, or a ratio in the model",
                                 in_quotes(value.key)));
  }
  return drive;
}

}  // namespace

void read_drives(const JsonValue* value, const StudyFiles& files, Study& study) {
  const List<Actuator>& actuators = study.model->nominal.actuators;
  std::vector<StudyDrive> given;
  if (value != nullptr)
    read_each(
        object_of(*value, "an object of drives by their actuators' names"),
        [&](const JsonValue& drive) { given.push_back(read_drive(drive, *study.model, files)); });
  for (std::size_t a = 0; a < actuators.size(); ++a) {
    const auto own = std::find_if(given.begin(), given.end(), [a](const StudyDrive& drive) {
      return drive.actuator == static_cast<int>(a);
    });
    if (own != given.end())
      study.drives.push_back(std::move(*own));
    else if (actuators[a].motor.known)
      study.drives.emplace_back().actuator = static_cast<int>(a);
  }
  check_mounts(study);
}

bool Study::carries_drives() const {
  return std::any_of(drives.begin(), drives.end(),
                     [](const StudyDrive& drive) { return drive.mount.has_value(); });
}

bool Study::mounts_at(PointIndex point) const {
  return std::any_of(drives.begin(), drives.end(), [point](const StudyDrive& drive) {
    return drive.mount && drive.mount->point == point;
  });
}

}  // namespace counterpoise
