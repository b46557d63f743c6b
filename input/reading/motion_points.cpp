#include <fmt/format.h>

#include <array>
#include <vector>

#include "input/reading/motion_reading.hpp"
#include "input/reading/study_reading.hpp"

namespace counterpoise {
namespace {

constexpr std::array<std::string_view, 3> axes_of_points = {"x", "y", "z"};
constexpr std::array<std::string_view, 3> angles_of_bodies = {"roll", "pitch", "yaw"};

/// The index in a list of the element that a value's key names.
template <class Elements, class Find>
int find_named(const JsonValue& value, std::string_view what, const Elements& elements,
               const Find& find) {
  const int found = find(value.key);
  if (found >= 0) return found;
  std::vector<std::string> known;
  for (const auto& element : elements) known.push_back(element.name);
  refuse_key(value, what, known);
}

/// Refuses what no joint moves.
void require_moved(const JsonValue& value, BodyIndex body, const Mechanism& mechanism) {
  for (BodyIndex b = body; b >= 0; b = mechanism.bodies[b].parent)
    if (mechanism.moves(b)) return;
  throw InputError(
      value.key_location(),
      fmt::format("{} stands still in the world, as no joint moves it", in_quotes(value.key)));
}

Coordinate find_point_of(const JsonValue& value, const Mechanism* mechanism) {
  if (mechanism == nullptr) return {};
  const PointIndex point =
      find_named(value, "a point, as body.point", mechanism->points,
                 [&](const std::string& name) { return find_point(*mechanism, name); });
  require_moved(value, mechanism->points[point].body, *mechanism);
  return {.point = point};
}

Coordinate find_turned(const JsonValue& value, const Mechanism* mechanism) {
  if (mechanism == nullptr) return {};
  const BodyIndex body =
      find_named(value, "a body", mechanism->bodies,
                 [&](const std::string& name) { return find_body(*mechanism, name); });
  require_moved(value, body, *mechanism);
  return {.turned = body};
}

}  // namespace

std::vector<ToolCourse> read_tools(const ObjectReader& motion, const Mechanism* mechanism,
                                   double duration, const NumberReader& numbers,
                                   const std::filesystem::path& folder, const FileProvider& files) {
  std::vector<ToolCourse> courses;
  const auto read_each = [&](const JsonValue& tool, Coordinate coordinate,
                             std::span<const std::string_view> names, std::string_view unit) {
    const ObjectReader object(
        tool, names.front() == "x" ? "the coordinates of a point" : "the angles of a body",
        {names[0], names[1], names[2]});
    for (int axis = 0; axis < 3; ++axis) {
      coordinate.axis = axis;
      if (const JsonValue* profile = object.find(names[at(axis)]))
        courses.push_back(
            {coordinate, read_profile(*profile, {.si = unit}, duration, numbers, folder, files)});
    }
    if (tool.items.empty()) refuse(tool, fmt::format("at least one of {}", fmt::join(names, ", ")));
  };
  if (const JsonValue* points = motion.find("points")) {
    for (const JsonValue& point : object_of(*points, "point -> coordinates or path")) {
      Coordinate coordinate = find_point_of(point, mechanism);
      object_of(point, "the coordinates or the path of a point");
      if (point.find("moves") == nullptr && point.find("start") == nullptr) {
        read_each(point, coordinate, axes_of_points, "m");
        continue;
      }
      ProfileNumbers path = read_path(point, numbers);
      for (int axis = 0; axis < 3; ++axis) {
        coordinate.axis = path.axis = axis;
        courses.push_back({coordinate, path});
      }
    }
    if (points->items.empty()) refuse(*points, "at least one point");
  }
  if (const JsonValue* bodies = motion.find("orientations")) {
    for (const JsonValue& body : object_of(*bodies, "body -> angles"))
      read_each(body, find_turned(body, mechanism), angles_of_bodies, "rad");
    if (bodies->items.empty()) refuse(*bodies, "at least one body");
  }
  return courses;
}

std::vector<JointGuess> read_guess(const ObjectReader& motion, const Mechanism* mechanism) {
  std::vector<JointGuess> guesses;
  const JsonValue* object = motion.find("guess");
  if (object == nullptr) return guesses;
  if (motion.find("points") == nullptr && motion.find("orientations") == nullptr)
    throw InputError(object->key_location(),
                     "only joints that follow from \"points\" or \"orientations\" have a guess");
  for (const JsonValue& guess : object_of(*object, "joint -> position")) {
    JointGuess out;
    std::string unit;
    if (mechanism != nullptr) {
      const Drive drive = find_coordinate(guess, *mechanism);
      out.joint = drive.actuator >= 0 ? mechanism->actuators[drive.actuator].joint : drive.joint;
      if (out.joint < 0)
        throw InputError(guess.key_location(),
                         fmt::format("{} is an actuator between two points, expected a joint",
                                     in_quotes(guess.key)));
      unit = position_unit(*mechanism, {.joint = out.joint});
    }
    const TextUnit own = mechanism == nullptr ? TextUnit::any() : TextUnit::of(unit, guess.key);
    out.position = fixed_quantity(guess, "a position", Unit(), own);
    guesses.push_back(out);
  }
  return guesses;
}

}  // namespace counterpoise
