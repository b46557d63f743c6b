#include "studies/pages/mechanism_data.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "input/definition/mechanism_units.hpp"
#include "studies/pages/columns.hpp"

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

/// The solid ellipsoid of even density with this mass and inertia: half axes and the rotation of
/// its axes in those of the body. Null where no such body has this inertia.
Json ellipsoid(const Body& body) {
  if (!(body.mass > 0.0)) return {};
  const Eigen::SelfAdjointEigenSolver<Mat3d> principal(body.inertia);
  const Vec3d& moments = principal.eigenvalues();
  const double half_trace = moments.sum() / 2.0;
  Vec3d half_axes;
  for (int i = 0; i < 3; ++i)
    half_axes(i) = std::sqrt(std::max(0.0, 5.0 / body.mass * (half_trace - moments(i))));
  if (!(half_axes.maxCoeff() > 0.0)) return {};
  Mat3d axes = principal.eigenvectors();
  if (axes.determinant() < 0.0) axes.col(2) *= -1.0;
  const Eigen::Quaterniond rotation(axes);
  return {{"axes", vector_json(half_axes)},
          {"rotation", {rotation.x(), rotation.y(), rotation.z(), rotation.w()}}};
}

Json body_json(const Body& body) {
  constexpr std::array<std::string_view, 3> types = {"fixed", "revolute", "prismatic"};
  return {{"name", body.name},
          {"parent", static_cast<int>(body.parent)},
          {"joint", types[static_cast<std::size_t>(body.joint.type)]},
          {"axis", vector_json(body.joint.axis)},
          {"origin", vector_json(body.joint.origin)},
          {"guess", body.joint.guess},
          {"mass", body.mass},
          {"com", vector_json(body.com)},
          {"ellipsoid", ellipsoid(body)}};
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
  json["rate"] = spring.rate;
  json["free_length"] = spring.free_length;
  json["initial_tension"] = spring.initial_tension;
  json["units"] = torsion ? Json({"rad", "N*m", "N*m/rad"}) : Json({"m", "N", "N/m"});
  add_limit(json, "min_length", spring.min_length);
  add_limit(json, "max_length", spring.max_length);
  add_limit(json, "max_load", spring.max_load);
  return json;
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
  add_limit(json, "max_speed", actuator.max_speed);
  return json;
}

template <class Elements, class Describe>
Json each(const Elements& elements, const Describe& describe) {
  Json array = Json::array();
  for (const auto& element : elements) array.push_back(describe(element));
  return array;
}

}  // namespace

Json mechanism_data(const Mechanism& mechanism) {
  const auto point_json = [](const Point& point) {
    return Json{{"name", point.name},
                {"body", static_cast<int>(point.body)},
                {"position", vector_json(point.position)}};
  };
  return {{"gravity", vector_json(mechanism.gravity)},
          {"bodies", each(mechanism.bodies, body_json)},
          {"points", each(mechanism.points, point_json)},
          {"loops", each(mechanism.loops, loop_json)},
          {"couplings", each(mechanism.couplings, coupling_json)},
          {"springs", each(mechanism.springs, spring_json)},
          {"actuators", each(mechanism.actuators, [&](const Actuator& actuator) {
             return actuator_json(mechanism, actuator);
           })}};
}

Json mesh_data(const BodyMesh& mesh) {
  return {{"body", mesh.body},
          {"vertices", float32_column(mesh.vertices)},
          {"triangles", int32_column(mesh.triangles)}};
}

}  // namespace counterpoise
