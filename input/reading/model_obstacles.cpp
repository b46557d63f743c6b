#include <fmt/format.h>

#include <algorithm>

#include "input/reading/model_reading.hpp"

namespace counterpoise {

void read_obstacles(const JsonValue& section, int owner, ModelReading& reading) {
  Mechanism& mechanism = reading.model.nominal;
  constexpr std::string_view place = "a point [x, y, z] or \"body.point\" of the same body";
  for (const JsonValue& member :
       object_of(section,
                 "name -> {\"centre\": [x, y, z], \"radius\": ...} or {\"from\": [x, y, "
                 "z], \"to\": ..., \"radius\": ...}")) {
    const auto index = static_cast<int>(mechanism.obstacles.size());
    Obstacle& obstacle = mechanism.obstacles.emplace_back();
    obstacle.name = place_name(member, owner, mechanism, "an obstacle");
    obstacle.body = owner;
    obstacle.is_segment =
        member.kind == JsonValue::Kind::object && member.find("centre") == nullptr;
    const ObjectReader object =
        obstacle.is_segment
            ? ObjectReader(member, "a segment as obstacle", {"from", "to", "radius", "note"})
            : ObjectReader(member, "a sphere as obstacle", {"centre", "radius", "note"});
    if (const JsonValue* note = object.find("note")) string_of(*note, "a note");
    const auto read_place = [&](std::string_view key, Field field, std::size_t end) {
      const JsonValue& value = object.required(key);
      if (value.kind != JsonValue::Kind::string) return reading.give(field, index, value, place);
      obstacle.points[end] = reading.point(value);
      if (mechanism.points[obstacle.points[end]].body != owner)
        throw InputError(
            value.location(),
            fmt::format("found {}, expected a point of {}, because an obstacle is a "
                        "part of one body",
                        in_quotes(value.text),
                        owner == world_body ? "the world" : mechanism.bodies[owner].name));
    };
    if (obstacle.is_segment) {
      read_place("from", Field::obstacle_from, 0);
      read_place("to", Field::obstacle_to, 1);
    } else {
      read_place("centre", Field::obstacle_from, 0);
    }
    reading.give(Field::obstacle_radius, index, object);
  }
}

namespace {

/// The obstacles that an item of "ignore" names: one, or all of a body.
std::vector<ObstacleIndex> named_obstacles(const JsonValue& item, const Mechanism& mechanism) {
  constexpr std::string_view what = "an obstacle, \"body.obstacle\", or a body";
  const std::string& name = string_of(item, what);
  std::vector<ObstacleIndex> named;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < mechanism.obstacles.size(); ++i) {
    const Obstacle& obstacle = mechanism.obstacles[i];
    const std::string owner = obstacle.name.substr(0, obstacle.name.find('.'));
    if (name == obstacle.name || name == owner) named.emplace_back(i);
    known.push_back(obstacle.name);
    if (std::find(known.begin(), known.end(), owner) == known.end()) known.push_back(owner);
  }
  if (!named.empty()) return named;
  if (name == "world" || find_body(mechanism, name) >= 0)
    throw InputError(item.location(), fmt::format("found {}, which has no obstacles, expected {}",
                                                  in_quotes(name), what));
  refuse_name(item, name, what, known);
}

}  // namespace

void read_clearance(const ObjectReader& object, Spring& spring, const Mechanism& mechanism) {
  for (std::size_t i = 0; i < mechanism.obstacles.size(); ++i) spring.clear_of.emplace_back(i);
  if (const JsonValue* ignore = object.find("ignore"))
    for (const JsonValue& item : array_of(*ignore, "obstacles [\"body.obstacle\", \"body\"]"))
      for (const ObstacleIndex obstacle : named_obstacles(item, mechanism))
        std::erase(spring.clear_of, obstacle);
  const JsonValue* least = object.find("min_clearance");
  if (least == nullptr || !spring.clear_of.empty()) return;
  throw InputError(least->key_location(),
                   mechanism.obstacles.empty()
                       ? "found \"min_clearance\" in a model without obstacles; expected "
                         "\"obstacles\" on a body or on the world that springs keep clear of"
                       : "found \"min_clearance\" of a spring that ignores all obstacles; expected "
                         "one that it keeps clear of");
}

}  // namespace counterpoise
