#include "studies/pages/mechanism_data.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <string_view>
#include <system_error>

#include "engine/math/rotation.hpp"
#include "input/definition/mechanism_units.hpp"
#include "input/text/compressed.hpp"
#include "results/text/table_format.hpp"

namespace counterpoise {
namespace {

Json vector_json(const Vec3d& v) {
  return {v.x(), v.y(), v.z()};
}

Json indices(const std::array<PointIndex, 2>& points) {
  return {static_cast<int>(points[0]), static_cast<int>(points[1])};
}

void add_limit(Json& object, const char* key, double limit) {
  if (std::isfinite(limit)) object[key] = limit;
}

/// The solid ellipsoid of even density with this mass and inertia: half axes, and the rotation of
/// its axes in the body's axes. Null where no such body has this inertia.
Json ellipsoid(const Body& body) {
  if (!(body.mass > 0.0)) return {};
  const auto [moments, axes] = principal_axes(body.inertia);
  const double half_trace = moments.sum() / 2.0;
  Vec3d half_axes;
  for (int i = 0; i < 3; ++i)
    half_axes(i) = std::sqrt(std::max(0.0, 5.0 / body.mass * (half_trace - moments(i))));
  if (!(half_axes.maxCoeff() > 0.0)) return {};
  const Eigen::Quaterniond rotation(axes);
  return {{"axes", vector_json(half_axes)},
          {"rotation", {rotation.x(), rotation.y(), rotation.z(), rotation.w()}}};
}

/// `size`: of the mechanism [m].
Json body_json(const Mechanism& mechanism, BodyIndex index, double size) {
  constexpr std::array<std::string_view, 3> types = {"fixed", "revolute", "prismatic"};
  const Body& body = mechanism.bodies[index];
  Json json = {{"name", body.name},
               {"parent", static_cast<int>(body.parent)},
               {"joint", types[static_cast<std::size_t>(body.joint.type)]},
               {"axis", vector_json(body.joint.axis)},
               {"origin", vector_json(body.joint.origin)},
               {"guess", body.joint.guess},
               {"mass", body.mass},
               {"com", vector_json(body.com.unaryExpr(
                           [size](double number) { return without_rounding(number, size); }))},
               {"ellipsoid", ellipsoid(body)}};
  if (const double radius = radius_of_ball(mechanism, index); radius > 0.0) json["ball"] = radius;
  return json;
}

Json loop_json(const Loop& loop) {
  constexpr std::array<std::string_view, 4> kinds = {"point", "parallel", "perpendicular", "weld"};
  Json json = {{"name", loop.name},
               {"points", indices(loop.points)},
               {"keep", kinds[static_cast<std::size_t>(loop.keep)]}};
  if (loop.keep == LoopKeep::parallel || loop.keep == LoopKeep::perpendicular)
    json["axes"] = {vector_json(loop.axes[0]), vector_json(loop.axes[1])};
  return json;
}

Json coupling_json(const Coupling& coupling) {
  Json json = {{"name", coupling.name},
               {"joint", static_cast<int>(coupling.joint)},
               {"offset", coupling.offset},
               {"terms", Json::array()}};
  for (const CouplingTerm& term : coupling.terms)
    json["terms"].push_back({{"of", static_cast<int>(term.of)}, {"ratio", term.ratio}});
  return json;
}

Json spring_json(const Spring& spring) {
  constexpr std::array<std::string_view, 5> types = {"coil", "extension", "compression", "gas",
                                                     "torsion"};
  const bool torsion = spring.type == SpringType::torsion;
  Json json = {{"name", spring.name}, {"type", types[static_cast<std::size_t>(spring.type)]}};
  if (torsion)
    json["joint"] = static_cast<int>(spring.joint);
  else
    json["points"] = indices(spring.points);
  if (spring.is_cable()) {
    json["over"] = Json::array();
    for (const PointIndex point : spring.over) json["over"].push_back(static_cast<int>(point));
  }
  if (spring.group.empty()) json["rate"] = spring.rate;
  json["free_length"] = spring.free_length;
  if (!spring.group.empty()) json["group"] = words_of(spring.group);
  json["units"] = torsion ? Json({"rad", "N*m", "N*m/rad"}) : Json({"m", "N", "N/m"});
  add_limit(json, "min_length", spring.min_length);
  add_limit(json, "max_length", spring.max_length);
  add_limit(json, "max_load", spring.max_load);
  if (spring.radius > 0.0) json["radius"] = spring.radius;
  add_limit(json, "min_clearance", spring.min_clearance);
  return json;
}

Json obstacle_json(const Mechanism& mechanism, const Obstacle& obstacle) {
  return {{"name", obstacle.name},
          {"body", static_cast<int>(obstacle.body)},
          {"from", vector_json(place_of(mechanism, obstacle, 0))},
          {"to", vector_json(place_of(mechanism, obstacle, 1))},
          {"radius", obstacle.radius}};
}

Json actuator_json(const Mechanism& mechanism, const Actuator& actuator) {
  const std::string unit = load_unit(mechanism, actuator);
  Json json = {{"name", actuator.name}};
  if (actuator.linear())
    json["points"] = indices(actuator.points);
  else
    json["joint"] = static_cast<int>(actuator.joint);
  json["units"] = unit == "N" ? Json({"m", "N", "m/s"}) : Json({"rad", "N*m", "rad/s"});
  add_limit(json, "min_position", actuator.min_position);
  add_limit(json, "max_position", actuator.max_position);
  add_limit(json, "max_load", actuator.max_load);
  add_limit(json, "holding_load", actuator.holding_load);
  add_limit(json, "max_speed", actuator.max_speed);
  return json;
}

/// The edge of a cam in steps, in its body's axes.
Json cam_json(const Point& point) {
  Json json = {
      {"axis", vector_json(point.axis)}, {"edge", Json::array()}, {"normals", Json::array()}};
  for (const CamProfile::Knot& knot : cam_in_steps(point)) {
    json["edge"].push_back(vector_json(place_on_cam(point, CamProfile::place(knot))));
    json["normals"].push_back(vector_json(
        place_on_cam(point, {std::cos(knot.angle), std::sin(knot.angle)}) - point.position));
  }
  return json;
}

template <class Elements, class Describe>
Json each(const Elements& elements, const Describe& describe) {
  Json array = Json::array();
  for (const auto& element : elements) array.push_back(describe(element));
  return array;
}

}  // namespace

Vec3d place_on_cam(const Point& cam, const Vec2<double>& place) {
  return cam.position + place(0) * cam.zero + place(1) * cam.axis.cross(cam.zero);
}

std::vector<CamProfile::Knot> cam_in_steps(const Point& cam) {
  constexpr double step = 0.05;  // about [rad]
  const double first = cam.cam->knots().front().angle, last = cam.cam->knots().back().angle;
  const int steps = std::max(2, static_cast<int>(std::ceil((last - first) / step)));
  std::vector<CamProfile::Knot> knots;
  for (int i = 0; i <= steps; ++i) knots.push_back(cam.cam->at(first + (last - first) * i / steps));
  return knots;
}

double radius_of_ball(const Mechanism& mechanism, BodyIndex index) {
  constexpr double density = 7850.0;  // of steel [kg/m^3]
  const Body& body = mechanism.bodies[index];
  const auto carried = [index](const Body& other) { return other.parent == index; };
  const auto on_it = [index](const Point& point) { return point.body == index; };
  const bool weight = body.joint.type == JointType::fixed && body.mass > 0.0 &&
                      body.inertia.isZero(0.0) &&
                      std::none_of(mechanism.bodies.begin(), mechanism.bodies.end(), carried) &&
                      std::none_of(mechanism.points.begin(), mechanism.points.end(), on_it);
  return weight ? std::cbrt(3.0 * body.mass / (4.0 * std::numbers::pi * density)) : 0.0;
}

Json mechanism_data(const Mechanism& mechanism) {
  const auto point_json = [](const Point& point) {
    Json json = {{"name", point.name},
                 {"body", static_cast<int>(point.body)},
                 {"position", vector_json(point.position)}};
    if (point.is_cam)
      json["cam"] = cam_json(point);
    else if (point.is_pulley)
      json["pulley"] = {{"axis", vector_json(point.axis)}, {"radius", point.radius}};
    return json;
  };
  const auto force_json = [](const AppliedForce& force) {
    return Json{{"name", force.name},
                {"point", static_cast<int>(force.point)},
                {"turns_with_body", force.turns_with_body},
                {"force", vector_json(force.force)},
                {"moment", vector_json(force.moment)}};
  };
  const double size = farthest_coordinate(mechanism);
  Json json = {{"gravity", vector_json(mechanism.gravity)},
               {"bodies", Json::array()},
               {"points", each(mechanism.points, point_json)},
               {"loops", each(mechanism.loops, loop_json)},
               {"couplings", each(mechanism.couplings, coupling_json)},
               {"springs", each(mechanism.springs, spring_json)},
               {"actuators", each(mechanism.actuators, [&](const Actuator& actuator) {
                  return actuator_json(mechanism, actuator);
                })}};
  for (BodyIndex b = 0; b < mechanism.body_count(); ++b)
    json["bodies"].push_back(body_json(mechanism, b, size));
  if (!mechanism.forces.empty()) json["forces"] = each(mechanism.forces, force_json);
  if (!mechanism.obstacles.empty())
    json["obstacles"] = each(mechanism.obstacles, [&](const Obstacle& obstacle) {
      return obstacle_json(mechanism, obstacle);
    });
  return json;
}

Json mesh_data(const BodyMesh& mesh) {
  Json json = {{"body", mesh.body},
               {"vertices", float32_column(mesh.vertices)},
               {"triangles", int32_column(mesh.triangles)}};
  if (!mesh.colours.empty()) json["colours"] = base64(mesh.colours);
  return json;
}

namespace {

static_assert(std::endian::native == std::endian::little);

template <class To, class From>
std::string column(const std::vector<From>& numbers) {
  std::vector<unsigned char> bytes(numbers.size() * sizeof(To));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const To number = static_cast<To>(numbers[i]);
    std::memcpy(bytes.data() + i * sizeof(To), &number, sizeof(To));
  }
  return base64(bytes);
}

}  // namespace

std::string float32_column(const std::vector<double>& numbers) {
  return column<float>(numbers);
}
std::string float64_column(const std::vector<double>& numbers) {
  return column<double>(numbers);
}
std::string int32_column(const std::vector<int>& numbers) {
  return column<std::int32_t>(numbers);
}

namespace {

/// A fault of a mesh, told at the visual that names the file.
[[noreturn]] void refuse_mesh(const Visual& visual, const std::string& why) {
  throw InputError(visual.where, fmt::format("the mesh {} {}", path_in_quotes(visual.file), why));
}

/// A corner of a triangle, in the file's lengths.
struct MeshCorner {
  Vec3d place = Vec3d::Zero();
  std::optional<Vec3d> colour;
};

/// Collects triangles whose equal corners become one vertex, placed on the body.
class MeshBuilder {
 public:
  explicit MeshBuilder(const Visual& visual) : visual_(visual) { mesh_.body = visual.body; }

  void add(const std::array<MeshCorner, 3>& corners) {
    for (const MeshCorner& corner : corners) mesh_.triangles.push_back(vertex(corner));
  }
  BodyMesh finish() {
    if (mesh_.triangles.empty()) refuse_mesh(visual_, "has no triangle");
    if (!has_colour_) mesh_.colours.clear();
    return std::move(mesh_);
  }

 private:
  int vertex(const MeshCorner& corner) {
    const Vec3d& at = corner.place;
    if (!at.allFinite()) refuse_mesh(visual_, "has a coordinate that is not a finite number");
    const std::optional<Vec3d>& given = visual_.colour ? visual_.colour : corner.colour;
    has_colour_ = has_colour_ || given.has_value();
    std::array<unsigned char, 3> colour = {179, 179, 179};  // of those without, beside others
    for (int i = 0; given && i < 3; ++i)
      colour[i] =
          static_cast<unsigned char>(std::lround(255.0 * std::clamp((*given)(i), 0.0, 1.0)));
    const auto next = static_cast<int>(mesh_.vertices.size() / 3);
    const auto [found, added] = known_.try_emplace({{at.x(), at.y(), at.z()}, colour}, next);
    if (added) {
      const Vec3d place = visual_.origin + visual_.rotation * (visual_.scale * at);
      mesh_.vertices.insert(mesh_.vertices.end(), {place.x(), place.y(), place.z()});
      mesh_.colours.insert(mesh_.colours.end(), colour.begin(), colour.end());
    }
    return found->second;
  }

  const Visual& visual_;
  BodyMesh mesh_;
  bool has_colour_ = false;
  std::map<std::pair<std::array<double, 3>, std::array<unsigned char, 3>>, int> known_;
};

/// The words of a text, one after the other.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}

  /// The next word, or an empty one at the end.
  std::string_view next() {
    constexpr std::string_view blanks = " \t\r\n";
    rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
    const std::string_view word = rest_.substr(0, rest_.find_first_of(blanks));
    rest_.remove_prefix(word.size());
    return word;
  }

 private:
  std::string_view rest_;
};

std::optional<double> number_in(std::string_view word) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  double number = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

Vec3d next_corner(Words& words, const Visual& visual) {
  Vec3d corner;
  for (double& number : corner) {
    const std::string_view word = words.next();
    const auto read = number_in(word);
    if (!read)
      refuse_mesh(visual, fmt::format("is broken: found {}, expected a coordinate",
                                      word.empty() ? "its end" : in_quotes(word)));
    number = *read;
  }
  return corner;
}

/// The three numbers behind a vertex's coordinates, where there are three.
std::optional<Vec3d> next_colour(Words& words) {
  Vec3d colour;
  for (double& number : colour) {
    const auto read = number_in(words.next());
    if (!read || !std::isfinite(*read)) return std::nullopt;
    number = *read;
  }
  return colour;
}

constexpr std::size_t stl_head = 84, stl_triangle = 50;  // bytes

/// How many triangles a binary STL says it has; nothing if its size is another's.
std::optional<std::size_t> binary_triangles(std::string_view text) {
  if (text.size() < stl_head) return std::nullopt;
  std::uint32_t count = 0;
  std::memcpy(&count, text.data() + stl_head - sizeof(count), sizeof(count));
  if (stl_head + stl_triangle * count != text.size()) return std::nullopt;
  return count;
}

void read_binary_stl(std::string_view text, std::size_t count, MeshBuilder& mesh) {
  for (std::size_t t = 0; t < count; ++t) {
    std::array<float, 12> numbers{};  // the normal, then three corners
    std::memcpy(numbers.data(), text.data() + stl_head + t * stl_triangle, sizeof(numbers));
    const auto corner = [&](std::size_t i) {
      return MeshCorner{Vec3d(numbers[i], numbers[i + 1], numbers[i + 2]), {}};
    };
    mesh.add({corner(3), corner(6), corner(9)});
  }
}

void read_ascii_stl(std::string_view text, const Visual& visual, MeshBuilder& mesh) {
  Words words(text);
  std::array<MeshCorner, 3> corners;
  std::size_t known = 0;
  std::string_view word = words.next();
  if (word != "solid")
    refuse_mesh(visual,
                "is no STL file: its size is not that of its triangles, and it does not begin with "
                "\"solid\"");
  for (; !word.empty(); word = words.next()) {
    if (word == "vertex" && known < 3) corners[known++].place = next_corner(words, visual);
    if (word != "endfacet") continue;
    if (known != 3) refuse_mesh(visual, fmt::format("is broken: a facet has {} corners", known));
    mesh.add(corners);
    known = 0;
  }
}

void read_obj(std::string_view text, const Visual& visual, MeshBuilder& mesh) {
  std::vector<MeshCorner> vertices;
  int line_number = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++line_number;
    Words words(line);
    const std::string_view kind = words.next();
    if (kind == "v") {
      const Vec3d place = next_corner(words, visual);
      vertices.push_back({place, next_colour(words)});
    }
    if (kind != "f") continue;
    std::vector<MeshCorner> face;
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
      const auto index = number_in(word.substr(0, word.find('/')));
      const double count = static_cast<double>(vertices.size());
      // from 1, or backwards from the last
      const double at = index ? (*index < 0.0 ? count + *index : *index - 1.0) : -1.0;
      if (!(at >= 0.0 && at < count && at == std::floor(at)))
        refuse_mesh(visual, fmt::format("is broken: line {}: found {}, expected one of {} vertices",
                                        line_number, in_quotes(word), vertices.size()));
      face.push_back(vertices[at]);
    }
    for (std::size_t i = 2; i < face.size(); ++i) mesh.add({face[0], face[i - 1], face[i]});
  }
}

std::string text_of(const Visual& visual) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(visual.file, error);
  if (error) refuse_mesh(visual, "cannot be read: " + error.message());
  if (size > largest_mesh)
    refuse_mesh(visual,
                fmt::format("has {:.0f} MB, expected at most {} MB; a coarser mesh shows as much",
                            static_cast<double>(size) * 1e-6, largest_mesh >> 20));
  return read_text_file(visual.file);
}

BodyMesh read_mesh(const Visual& visual) {
  std::string ending = visual.file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending != ".stl" && ending != ".obj") refuse_mesh(visual, "ends neither in .stl nor in .obj");
  const std::string text = text_of(visual);
  MeshBuilder mesh(visual);
  if (ending == ".obj")
    read_obj(text, visual, mesh);
  else if (const auto count = binary_triangles(text))
    read_binary_stl(text, *count, mesh);
  else
    read_ascii_stl(text, visual, mesh);
  return mesh.finish();
}

}  // namespace

std::vector<BodyMesh> read_meshes(const std::vector<Visual>& visuals) {
  std::vector<BodyMesh> meshes;
  read_each(visuals, [&](const Visual& visual) { meshes.push_back(read_mesh(visual)); });
  return meshes;
}

}  // namespace counterpoise
