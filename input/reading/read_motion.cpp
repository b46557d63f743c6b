#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "engine/kinematics/least_norm.hpp"
#include "engine/mechanism/finding.hpp"
#include "input/definition/mechanism_units.hpp"
#include "input/reading/motion_reading.hpp"
#include "input/reading/read.hpp"
#include "input/text/json_document.hpp"

namespace counterpoise {
namespace {

constexpr double most_motion_samples = 1e7;
constexpr double whole_tolerance = 1e-9;

ObjectReader motion_reader(const JsonValue& root) {
  return ObjectReader::of_file(
      root, "counterpoise-motion/1", "a motion",
      {"duration", "step", "inertia", "synchronised", "coordinates", "points", "orientations",
       "guess", "redundant", "forces", "poses", "unreachable", "parameters"});
}

/// What the motion gives: its poses, or its first of coordinates, points and orientations.
const JsonValue& courses_in(const ObjectReader& object) {
  for (const std::string_view key : {"poses", "coordinates", "points", "orientations"})
    if (const JsonValue* given = object.find(key)) return *given;
  return object.required("coordinates");
}

/// A number of the motion's clock. It may be an expression, but of no parameter.
double clock_number(const JsonValue& value) {
  std::vector<Expression> none;
  const Scope scope("a number (duration and step cannot depend on parameters)");
  const double number = NumberReader(scope, none).read(value, TextUnit::of("s", value.key)).value;
  if (!(number > 0.0))
    throw InputError(value.location(), fmt::format("found {}, expected more than 0 s", number));
  return number;
}

void require_samples(const SampleTimes& clock, const Location& where) {
  const double steps = clock.duration / clock.step;
  if (!(steps + 1.0 <= most_motion_samples))
    throw InputError(where, fmt::format("duration {} s has {:.12g} steps of {} s, expected at most "
                                        "{:.0f} samples",
                                        clock.duration, steps, clock.step, most_motion_samples));
}

/// Everything of a motion but its coordinates, or poses. Its duration is infinite where it ends
/// with its moves.
Motion read_frame(const ObjectReader& object, const std::string& name) {
  Motion motion;
  motion.name = object.find("name") == nullptr ? name : object.find("name")->text;
  constexpr std::array<std::string_view, 2> unreachable = {"fail", "skip"};
  if (const JsonValue* choice = object.find("unreachable")) {
    motion.skips = choice_of(*choice, unreachable) == 1;
    if (motion.skips && object.find("poses") == nullptr)
      throw InputError(choice->location(),
                       "only a motion of \"poses\" can skip what is unreachable");
  }
  if (object.find("poses") != nullptr) {
    for (const std::string_view key : {"duration", "step", "inertia", "synchronised", "coordinates",
                                       "points", "orientations", "guess", "redundant", "forces"})
      if (const JsonValue* given = object.find(key))
        throw InputError(given->key_location(),
                         fmt::format("\"{}\" does not go with \"poses\", which are at rest and "
                                     "have the positions of all coordinates",
                                     key));
    motion.poses = true;
    motion.inertia = false;
    motion.step = 1.0;
    return motion;
  }
  const SampleTimes clock =
      ends_with_moves(object)
          ? SampleTimes{.duration = no_limit, .step = clock_number(object.required("step"))}
          : read_clock(object);
  motion.duration = clock.duration;
  motion.step = clock.step;
  if (const JsonValue* inertia = object.find("inertia"))
    motion.inertia = boolean_of(*inertia, "true or false");
  return motion;
}

/// The parameters whose values the motion is gone through with, if any.
void read_axes_of(const ObjectReader& object, const Model* model, ParametricMotion& out) {
  if (const JsonValue* parameters = object.find("parameters"))
    out.axes = read_axes(*parameters, model, out.nominal.sample_count());
}

/// Whether joints that points leave free move with the least norm.
bool moves_with_least_norm(const ObjectReader& object) {
  const JsonValue* choice = object.find("redundant");
  if (choice == nullptr) return false;
  constexpr std::array<std::string_view, 1> choices = {"least-norm"};
  choice_of(*choice, choices);
  if (object.find("points") == nullptr && object.find("orientations") == nullptr)
    throw InputError(choice->key_location(),
                     "only a motion of \"points\" or \"orientations\" leaves joints free");
  return true;
}

/// Gives the actuators that points leave free their courses, in the model's own numbers.
void add_least_norm(const ObjectReader& object, const Mechanism& mechanism, ParametricMotion& out) {
  const Location where = object.required("redundant").location();
  try {
    LeastNorm found = find_least_norm(mechanism, out.nominal);
    out.nominal.guess = std::move(found.guess);
    for (Drive& drive : found.drives) {
      ProfileNumbers profile;
      profile.type = ProfileType::spline;
      profile.where = where;
      const auto& spline = std::get<CubicSpline>(drive.profile);
      for (const std::vector<double>* numbers : {&spline.times, &spline.values})
        for (const double number : *numbers) profile.numbers.push_back({.value = number});
      out.profiles.insert(out.profiles.begin() + static_cast<int>(out.nominal.drives.size()),
                          std::move(profile));
      out.nominal.drives.push_back(std::move(drive));
    }
  } catch (const MechanismError& error) {
    throw InputError(where, error.what());
  }
}

/// Calls add(force, profile) for each force of the model that the motion multiplies by something.
/// Without a model (null) names are not checked.
template <class Add>
void read_force_courses(const ObjectReader& object, const Mechanism* mechanism, double duration,
                        const NumberReader& numbers, const std::filesystem::path& folder,
                        const FileProvider& files, const Add& add) {
  const JsonValue* forces = object.find("forces");
  if (forces == nullptr) return;
  std::vector<std::string> known;
  if (mechanism != nullptr)
    for (const AppliedForce& force : mechanism->forces) known.push_back(force.name);
  for (const JsonValue& force : object_of(*forces, "force -> profile")) {
    const auto found = std::find(known.begin(), known.end(), force.key);
    if (mechanism != nullptr && found == known.end())
      refuse_key(force, "a force of the model", known);
    add(ForceIndex(static_cast<int>(found - known.begin())),
        read_profile(force, {.of = Measured::Of::factors, .si = ""}, duration, numbers, folder,
                     files));
  }
}

/// Sets the duration of a motion that ends with its moves: up to the end of the last one, in whole
/// steps.
void end_with_moves(const ObjectReader& object, ParametricMotion& motion) {
  SampleTimes clock{.duration = end_of_moves(motion.profiles, motion.synchronised),
                    .step = motion.nominal.step};
  const double steps = std::ceil(clock.duration / clock.step * (1.0 - whole_tolerance));
  clock.duration = std::max(steps, 1.0) * clock.step;
  require_samples(clock, object.required("step").location());
  motion.nominal.duration = clock.duration;
}

/// Reads whether moves are synchronised, when the coordinates are read, and ends the motion with
/// its moves if it has no duration.
void join_moves(const ObjectReader& object, ParametricMotion& motion) {
  if (const JsonValue* given = object.find("synchronised")) {
    motion.synchronised = boolean_of(*given, "true or false");
    const auto moves = [](const ProfileNumbers& p) { return p.type == ProfileType::moves; };
    if (motion.synchronised && std::none_of(motion.profiles.begin(), motion.profiles.end(), moves))
      throw InputError(given->key_location(),
                       "no coordinate has moves to synchronise, expected a profile of type "
                       "\"moves\"");
  }
  if (!std::isfinite(motion.nominal.duration)) end_with_moves(object, motion);
}

}  // namespace

void throw_if(const std::optional<Refusal>& refusal) {
  if (refusal) throw InputError(refusal->where, refusal->words);
}

SampleTimes read_clock(const ObjectReader& object) {
  SampleTimes clock;
  clock.duration = clock_number(object.required("duration"));
  clock.step = clock_number(object.required("step"));

  const double steps = clock.duration / clock.step;
  const Location where = object.required("step").location();
  require_samples(clock, where);
  if (steps < 0.5 || std::abs(steps - std::round(steps)) > whole_tolerance * std::round(steps))
    throw InputError(where, fmt::format("duration {} s has {} steps of {} s, expected a whole "
                                        "number",
                                        clock.duration, steps, clock.step));
  return clock;
}

Drive find_coordinate(const JsonValue& coordinate, const Mechanism& mechanism) {
  Drive drive;
  drive.actuator = find_actuator(mechanism, coordinate.key);
  if (drive.actuator >= 0) return drive;
  drive.joint = find_body(mechanism, coordinate.key);
  if (drive.joint >= 0 && mechanism.moves(drive.joint)) return drive;

  if (drive.joint >= 0)
    throw InputError(coordinate.key_location(),
                     fmt::format("the joint of {} is fixed, expected an actuator or a joint that "
                                 "moves",
                                 in_quotes(coordinate.key)));
  std::vector<std::string> known;
  for (const Actuator& actuator : mechanism.actuators) known.push_back(actuator.name);
  for (int i = 0; i < mechanism.body_count(); ++i)
    if (mechanism.moves(i)) known.push_back(mechanism.bodies[i].name);
  refuse_key(coordinate, "an actuator or a joint", known);
}

void refuse_same_coordinate(const JsonValue& coordinate, const Drive& drive,
                            const Mechanism& mechanism, const std::vector<Drive>& earlier) {
  const auto joint_of = [&](const Drive& d) {
    return d.actuator < 0 ? d.joint : mechanism.actuators[d.actuator].joint;
  };
  for (const Drive& other : earlier)
    if (joint_of(drive) >= 0 && joint_of(drive) == joint_of(other))
      throw InputError(coordinate.key_location(),
                       fmt::format("{} is the joint of another coordinate given here",
                                   in_quotes(coordinate.key)));
}

ParametricMotion read_motion(const JsonValue& motion, const std::filesystem::path& folder,
                             const std::string& name, const Model& model,
                             const FileProvider& files) {
  const bool bare = !motion.pointer.empty() && motion.find("format") == nullptr;
  const ObjectReader object =
      bare ? ObjectReader(motion, "a motion",
                          {"name", "description", "notes", "duration", "step", "inertia",
                           "synchronised", "coordinates", "points", "orientations", "guess",
                           "redundant", "forces", "poses", "unreachable", "parameters"})
           : motion_reader(motion);
  ParametricMotion out;
  out.nominal = read_frame(object, name);
  const JsonValue& chosen = courses_in(object);
  out.where = chosen.location();
  std::string si;  // of the axis of poses that is read
  const NumberReader numbers(model.scope, out.expressions);
  const auto add = [&](const Drive& drive, ProfileNumbers profile) {
    out.nominal.drives.push_back(drive);
    out.profiles.push_back(std::move(profile));
  };
  const auto make = [&] {
    std::vector<std::size_t> all(out.profiles.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<double> values;
    throw_if(make_profiles(out, all, model.nominal_values.data(), values, out.nominal));
  };
  if (out.nominal.poses) {
    const auto measured_by = [&](const JsonValue& axis) {
      si = position_unit(model.nominal, find_coordinate(axis, model.nominal));
      return Measured{.si = si};
    };
    PoseSet poses = read_poses(chosen, measured_by, numbers, folder, files);
    out.nominal.duration = poses.count - 1;
    out.poses = std::move(poses.words);
    for (PoseAxis& axis : poses.axes) {
      const Drive drive = find_coordinate(*axis.coordinate, model.nominal);
      refuse_same_coordinate(*axis.coordinate, drive, model.nominal, out.nominal.drives);
      add(drive, std::move(axis.profile));
    }
    make();
    read_axes_of(object, &model, out);
    return out;
  }
  if (const JsonValue* coordinates = object.find("coordinates"))
    for (const JsonValue& coordinate : object_of(*coordinates, "coordinate -> profile")) {
      const Drive drive = find_coordinate(coordinate, model.nominal);
      refuse_same_coordinate(coordinate, drive, model.nominal, out.nominal.drives);
      add(drive, read_profile(coordinate, {.si = position_unit(model.nominal, drive)},
                              out.nominal.duration, numbers, folder, files));
    }
  for (ToolCourse& course :
       read_tools(object, &model.nominal, out.nominal.duration, numbers, folder, files))
    add({course.coordinate, {}}, std::move(course.profile));
  out.nominal.guess = read_guess(object, &model.nominal);
  const bool least_norm = moves_with_least_norm(object);
  join_moves(object, out);
  read_force_courses(object, &model.nominal, out.nominal.duration, numbers, folder, files,
                     [&](ForceIndex force, ProfileNumbers profile) {
                       out.nominal.forces.push_back({force, {}});
                       out.profiles.push_back(std::move(profile));
                     });
  make();
  if (least_norm) add_least_norm(object, model.nominal, out);
  read_axes_of(object, &model, out);
  return out;
}

ParametricMotion read_motion(const std::filesystem::path& path, const Model& model,
                             const FileProvider& files) {
  const JsonValue document = parse_json(files(path), path.string());
  return read_motion(document, path.parent_path(), path.stem().string(), model, files);
}

ParametricMotion check_motion(const std::filesystem::path& path, const FileProvider& files) {
  const JsonValue document = parse_json(files(path), path.string());
  const ObjectReader object = motion_reader(document);
  ParametricMotion out;
  Motion& motion = out.nominal;
  motion = read_frame(object, path.stem().string());
  Scope scope;
  scope.accept_any_name();
  std::vector<Expression> expressions;
  const NumberReader numbers(scope, expressions);
  std::vector<std::size_t> fixed;  // profiles without parameters
  const auto add = [&](ProfileNumbers profile) {
    if (std::all_of(profile.numbers.begin(), profile.numbers.end(),
                    [](const Number& number) { return number.fixed(); }))
      fixed.push_back(out.profiles.size());
    out.profiles.push_back(std::move(profile));
  };
  const auto check = [&] {
    Motion made = motion;
    made.drives.resize(out.profiles.size());
    std::vector<double> values;
    throw_if(make_profiles(out, fixed, nullptr, values, made));
  };
  if (motion.poses) {
    const auto any = [](const JsonValue&) { return Measured{}; };
    PoseSet poses = read_poses(object.required("poses"), any, numbers, path.parent_path(), files);
    motion.duration = poses.count - 1;
    out.poses = std::move(poses.words);
    for (PoseAxis& axis : poses.axes) add(std::move(axis.profile));
    check();
    read_axes_of(object, nullptr, out);
    return out;
  }
  static_cast<void>(courses_in(object));
  if (const JsonValue* coordinates = object.find("coordinates"))
    for (const JsonValue& coordinate : object_of(*coordinates, "coordinate -> profile"))
      add(read_profile(coordinate, {}, motion.duration, numbers, path.parent_path(), files));
  for (ToolCourse& course :
       read_tools(object, nullptr, motion.duration, numbers, path.parent_path(), files))
    add(std::move(course.profile));
  motion.guess = read_guess(object, nullptr);
  moves_with_least_norm(object);
  join_moves(object, out);
  read_force_courses(object, nullptr, motion.duration, numbers, path.parent_path(), files,
                     [&](ForceIndex force, ProfileNumbers profile) {
                       motion.forces.push_back({force, {}});
                       add(std::move(profile));
                     });
  check();
  read_axes_of(object, nullptr, out);
  return out;
}

namespace {

/// What a number of a profile measures.
enum class Measures { values, time, angle, nothing };

/// Keys of a profile that are numbers, and what each is when not given.
struct Default {
  std::string_view key;
  double value;
  Measures measures = Measures::values;
};

/// Reads the numbers of one profile, whose values have the unit `values` in their text, if any.
struct ProfileReader {
  const NumberReader& numbers;
  TextUnit values;

  [[nodiscard]] TextUnit allowed(Measures measures, std::string_view key) const {
    switch (measures) {
      case Measures::values:
        return values;
      case Measures::time:
        return TextUnit::of("s", key);
      case Measures::angle:
        return TextUnit::of("rad", key);
      case Measures::nothing:
        break;
    }
    return TextUnit::none();
  }
  void read(const JsonValue& value, std::span<const Default> keys, ProfileNumbers& out) const {
    for (const Default& key : keys) {
      const JsonValue* given = value.find(key.key);
      out.numbers.push_back(given != nullptr ? numbers.read(*given, allowed(key.measures, key.key))
                                             : Number{.value = key.value});
    }
  }
};

void read_move(const JsonValue& value, double duration, const ProfileReader& reader,
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
                                        {"start_time", 0.0, Measures::time},
                                        {"end_time", duration, Measures::time},
                                        {"ramp", 1.0 / 3.0, Measures::nothing}}};
  reader.read(value, keys, out);
}

void read_spline(const JsonValue& value, const ProfileReader& reader, ProfileNumbers& out) {
  const ObjectReader object(value, "a spline profile", {"type", "times", "values", "ends", "unit"});
  constexpr std::array<std::string_view, 3> ends = {"clamped", "natural", "periodic"};
  if (const JsonValue* given = object.find("ends"))
    out.ends = static_cast<SplineEnds>(choice_of(*given, ends));
  const JsonValue& times = object.required("times");
  const JsonValue& values = object.required("values");
  const std::size_t count = array_of(times, "an array of times").size();
  if (array_of(values, "an array of values").size() != count)
    refuse(values, fmt::format("as many values as times: {}", count));
  out.numbers.resize(2 * count);
  const std::span<Number> all(out.numbers);
  reader.numbers.read(times, all.first(count), "an array of times",
                      reader.allowed(Measures::time, times.key));
  reader.numbers.read(values, all.last(count), "an array of values", reader.values);
}

void read_table(const JsonValue& value, const Measured& measured,
                const std::filesystem::path& folder, const FileProvider& files,
                ProfileNumbers& out) {
  if (const JsonValue* unit = value.find("unit"))
    throw InputError(unit->key_location(),
                     "\"unit\" does not go with a table, whose columns have their units in the "
                     "header: angle [deg]");
  const bool loads = measured.of != Measured::Of::positions;  // which are not smoothed
  const ObjectReader object =
      loads
          ? ObjectReader(value, "a table profile", {"type", "file", "time", "column"})
          : ObjectReader(value, "a table profile", {"type", "file", "time", "column", "smoothing"});
  out.ends = SplineEnds::natural;
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
  if (values.has_unit && measured.of == Measured::Of::factors)
    throw InputError(table.header(values),
                     "what a force is multiplied by has no unit, expected a column without one");
  if (values.has_unit) require_measure(values.unit, measured, value.key, table.header(values));
  for (const CsvColumn* column : {&times, &values})
    for (const double number : numbers_of(*column)) out.numbers.push_back({.value = number});
  const std::string_view si = values.has_unit ? si_unit(values.unit) : measured.si;
  if (const JsonValue* smoothing = object.find("smoothing"))
    read_smoothing(*smoothing, value.key, si, out);
}

}  // namespace

const CsvColumn& column_of(const CsvTable& table, const JsonValue& name) {
  const CsvColumn* column = table.find(string_of(name, "the name of a column"));
  if (column == nullptr) refuse_name(name, name.text, "a column of " + table.file, table.names());
  return *column;
}

void require_measure(const Unit& unit, const Measured& measured, std::string_view name,
                     const Location& where) {
  if (const std::optional<Unit> known = find_unit(measured.si)) {
    require_fit(unit, *known, name, where);
    return;
  }
  const std::string_view si = si_unit(unit);
  const bool positions = measured.of == Measured::Of::positions;
  if (positions ? si != "m" && si != "rad" : si != "N" && si != "N*m")
    throw InputError(
        where, fmt::format("found {}, expected a unit of {}", in_quotes(unit.name),
                           positions ? "positions: " + units_like("m") + ", " + units_like("rad")
                                     : "loads: " + units_like("N") + ", " + units_like("N*m")));
}

ProfileNumbers read_profile(const JsonValue& value, const Measured& measured, double duration,
                            const NumberReader& numbers, const std::filesystem::path& folder,
                            const FileProvider& files) {
  constexpr std::array<std::string_view, 7> types = {
      "hold", "bang-bang", "sine", "point-to-point", "spline", "table", "moves"};
  constexpr std::array<Default, 1> hold = {{{"value", 0.0}}};
  constexpr std::array<Default, 2> bang_bang = {
      {{"start", 0.0}, {"acceleration", 0.0, Measures::nothing}}};
  constexpr std::array<Default, 4> sine = {{{"mean", 0.0},
                                            {"amplitude", 0.0},
                                            {"period", 0.0, Measures::time},
                                            {"phase", 0.0, Measures::angle}}};

  object_of(value, "a profile");
  const JsonValue* type = value.find("type");
  if (type == nullptr)
    throw InputError(value.location(), "the key \"type\" of a profile is missing");
  ProfileNumbers out;
  out.where = value.location();
  const std::size_t of_loads = types.size() - 1;  // "moves" are of positions
  out.type = static_cast<ProfileType>(choice_of(
      *type,
      std::span(types).first(measured.of == Measured::Of::positions ? types.size() : of_loads)));
  const JsonValue* unit = value.find("unit");
  const bool factors = measured.of == Measured::Of::factors;
  if (factors && unit != nullptr)
    throw InputError(unit->key_location(), "what a force is multiplied by has no unit");
  const ProfileReader reader{numbers, factors || unit != nullptr
                                          ? TextUnit::none()
                                          : TextUnit::of(measured.si, value.key)};
  switch (out.type) {
    case ProfileType::hold: {
      const ObjectReader object(value, "a hold profile", {"type", "value", "unit"});
      reader.read(value, hold, out);
      break;
    }
    case ProfileType::bang_bang: {
      const ObjectReader object(value, "a bang-bang profile",
                                {"type", "start", "acceleration", "unit"});
      reader.read(value, bang_bang, out);
      break;
    }
    case ProfileType::sine: {
      const ObjectReader object(value, "a sine profile",
                                {"type", "mean", "amplitude", "period", "phase", "unit"});
      reader.read(value, sine, out);
      break;
    }
    case ProfileType::point_to_point:
      read_move(value, duration, reader, out);
      break;
    case ProfileType::spline:
      read_spline(value, reader, out);
      break;
    case ProfileType::table:
      read_table(value, measured, folder, files, out);
      break;
    case ProfileType::moves:
      read_moves(value, numbers, reader.values, measured.si, out);
      break;
    case ProfileType::path:   // is of several coordinates
    case ProfileType::poses:  // is no type of a profile in time
      break;
  }
  if (unit != nullptr) {
    out.unit = unit_in(*unit);
    require_measure(out.unit, measured, value.key, unit->location());
  }
  return out;
}

}  // namespace counterpoise
