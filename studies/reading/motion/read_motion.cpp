#include <fmt/format.h>

#include <cmath>

#include "studies/definition/mechanism_units.hpp"
#include "studies/reading/motion/motion_reading.hpp"
#include "studies/reading/read.hpp"
#include "studies/text/object_reader.hpp"

namespace counterpoise {
namespace {

constexpr double most_motion_samples = 1e7;
constexpr double whole_tolerance = 1e-9;

ObjectReader motion_reader(const JsonValue& root) {
  return ObjectReader::of_file(root, "counterpoise-motion/1", "a motion",
                               {"duration", "step", "inertia", "coordinates"});
}

/// A number of the motion's clock. It may be an expression, but of no parameter.
double clock_number(const JsonValue& value) {
  std::vector<Expression> none;
  const Scope scope("a number (duration and step cannot depend on parameters)");
  const double number = NumberReader(scope, none).read(value).value;
  if (!(number > 0.0))
    throw InputError(value.location(), fmt::format("found {}, expected more than 0 s", number));
  return number;
}

/// Everything of a motion but its coordinates.
Motion read_frame(const ObjectReader& object, const std::string& name) {
  Motion motion;
  motion.name = object.find("name") == nullptr ? name : object.find("name")->text;
  const SampleTimes clock = read_clock(object);
  motion.duration = clock.duration;
  motion.step = clock.step;
  if (const JsonValue* inertia = object.find("inertia"))
    motion.inertia = boolean_of(*inertia, "true or false");
  return motion;
}

}  // namespace

SampleTimes read_clock(const ObjectReader& object) {
  SampleTimes clock;
  clock.duration = clock_number(object.required("duration"));
  clock.step = clock_number(object.required("step"));

  const double steps = clock.duration / clock.step;
  const Location where = object.required("step").location();
  if (!(steps + 1.0 <= most_motion_samples))
    throw InputError(where, fmt::format("duration {} s has {:.12g} steps of {} s, expected at most "
                                        "{:.0f} samples",
                                        clock.duration, steps, clock.step, most_motion_samples));
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
    if (mechanism.moves(i)) known.push_back(mechanism.bodies[static_cast<std::size_t>(i)].name);
  throw InputError(coordinate.key_location(),
                   fmt::format("found {}, expected an actuator or a joint{}",
                               in_quotes(coordinate.key), did_you_mean(coordinate.key, known)));
}

void refuse_same_coordinate(const JsonValue& coordinate, const Drive& drive,
                            const Mechanism& mechanism, const std::vector<Drive>& earlier) {
  const auto joint_of = [&](const Drive& d) {
    return d.actuator < 0 ? d.joint
                          : mechanism.actuators[static_cast<std::size_t>(d.actuator)].joint;
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
  const ObjectReader object = bare ? ObjectReader(motion, "a motion",
                                                  {"name", "description", "notes", "duration",
                                                   "step", "inertia", "coordinates"})
                                   : motion_reader(motion);
  ParametricMotion out;
  out.where = object.required("coordinates").location();
  out.nominal = read_frame(object, name);
  const NumberReader numbers(model.scope, out.expressions);
  std::vector<double> values;
  for (const JsonValue& coordinate :
       object_of(object.required("coordinates"), "coordinate -> profile")) {
    Drive drive = find_coordinate(coordinate, model.nominal);
    refuse_same_coordinate(coordinate, drive, model.nominal, out.nominal.drives);
    ProfileNumbers profile = read_profile(coordinate, {.si = position_unit(model.nominal, drive)},
                                          out.nominal.duration, numbers, folder, files);
    evaluate(profile, out.expressions, model.nominal_values.data(), values);
    if (auto reason = make_profile(profile, values, out.nominal.duration, drive.profile))
      throw InputError(profile.where, *reason);
    out.nominal.drives.push_back(std::move(drive));
    out.profiles.push_back(std::move(profile));
  }
  return out;
}

ParametricMotion read_motion(const std::filesystem::path& path, const Model& model,
                             const FileProvider& files) {
  const JsonValue document = parse_json(files(path), path.string());
  return read_motion(document, path.parent_path(), path.stem().string(), model, files);
}

Motion check_motion(const std::filesystem::path& path, const FileProvider& files) {
  const JsonValue document = parse_json(files(path), path.string());
  const ObjectReader object = motion_reader(document);
  Motion motion = read_frame(object, path.stem().string());
  Scope scope;
  scope.accept_any_name();
  std::vector<Expression> expressions;
  const NumberReader numbers(scope, expressions);
  std::vector<double> values;
  for (const JsonValue& coordinate :
       object_of(object.required("coordinates"), "coordinate -> profile")) {
    expressions.clear();
    const ProfileNumbers profile =
        read_profile(coordinate, {}, motion.duration, numbers, path.parent_path(), files);
    if (!expressions.empty()) continue;
    evaluate(profile, expressions, nullptr, values);
    Profile made;
    if (auto reason = make_profile(profile, values, motion.duration, made))
      throw InputError(profile.where, *reason);
  }
  return motion;
}

}  // namespace counterpoise
