#include "studies/pages/sheet/sheet_data.hpp"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "studies/pages/sheet/body_drawing.hpp"
#include "studies/pages/sheet/sheet_layout.hpp"

namespace counterpoise {
namespace {

Json coordinates(const Vec3d& at) {
  return {at.x() + 0.0, at.y() + 0.0, at.z() + 0.0};
}

Json limit_data(double limit) {
  return std::isfinite(limit) ? Json(limit) : Json();
}

Json end_data(const WorkshopSheet& sheet, const Spring& spring, const SpringPart::End& end) {
  Json data = {{"length", end.length}, {"load", end.load}, {"motion", end.motion}};
  const std::vector<PointIndex> mounts = mounts_of_spring(spring);
  for (const StraightPart& straight : end.straight)
    data["straight"].push_back({{"from", mark_of(sheet, mounts[straight.from])},
                                {"to", mark_of(sheet, mounts[straight.to])},
                                {"length", straight.length}});
  if (end.pose)
    data["pose"] = std::lround(end.time) + 1;
  else
    data["t"] = end.time;
  return data;
}

Json cycles_data(const WorkshopSheet& sheet, const SpringPart& part) {
  Json of = Json::array();
  double runs = 0.0;
  for (const SpringPart::Cycles& cycles : part.cycles) {
    of.push_back(
        {{"motion", cycles.motion}, {"count", cycles.count}, {"duration", cycles.duration}});
    runs += cycles.count;
  }
  const bool known = sheet.cycles_per_year > 0.0 && !part.cycles.empty();
  return {{"of_motions", of}, {"a_year", known ? Json(runs * sheet.cycles_per_year) : Json()}};
}

Json spring_data(const WorkshopSheet& sheet, std::size_t index) {
  const SpringPart& part = sheet.parts.springs[index];
  const Spring& spring = sheet.parts.mechanism.springs[index];
  Json mounts = Json::array(), row = Json::object();
  for (const PointIndex point : mounts_of_spring(spring)) mounts.push_back(mark_of(sheet, point));
  for (std::size_t i = 0; i < part.columns.size(); ++i) row[part.columns[i]] = part.cells[i];
  const bool bought = !part.part.empty();
  Json data = {
      {"spring", part.spring},
      {"kind", kind_of(sheet.parts.mechanism, spring)},
      {"torsion", part.torsion},
      {"turns", part.turns},
      {"pieces", part.pieces},
      {"part", bought ? Json(part.part) : Json()},
      {"catalogue", bought ? Json(part.catalogue) : Json()},
      {"row", bought ? Json(part.row) : Json()},
      {"columns", bought ? row : Json()},
      {"not_as_the_part_has_it", part.made},
      {"rate", part.rate},
      {"free_length", part.free_length},
      {"initial_tension", part.initial_tension},
      {"shortest", end_data(sheet, spring, part.at_shortest)},
      {"longest", end_data(sheet, spring, part.at_longest)},
      {"stroke", part.longest - part.shortest},
      {"largest_load", part.largest_load},
      {"at_largest_load", end_data(sheet, spring, part.at_largest_load)},
      {"radius", spring.radius > 0.0 ? Json(spring.radius) : Json()},
      {"limits",
       {{"min_length", limit_data(spring.min_length)},
        {"max_length", limit_data(spring.max_length)},
        {"min_clearance", limit_data(spring.min_clearance)},
        {"max_load", limit_data(spring.max_load / part.pieces)}}},
      {"cycles", cycles_data(sheet, part)},
      {"mounts", mounts},
      {"joint", part.torsion ? Json(sheet.parts.mechanism.bodies[spring.joint].name) : Json()},
      {"cable", spring.is_cable()}};
  if (!part.members.empty()) {
    data["rate"] = nullptr;
    data["joined"] = part.joined;
    data["springs"] = members_json(part);
  }
  if (!part.side.empty()) data["acts"] = part.side;
  if (part.friction > 0.0) data["friction"] = part.friction;
  if (part.mass > 0.0) data["mass"] = part.mass;
  return data;
}

/// The rotation by rows: from the body's axes to its parent's where the joint is at 0.
Json joint_data(const Joint& joint) {
  constexpr std::array<const char*, 3> types = {"fixed", "revolute", "prismatic"};
  Json rows = Json::array();
  for (int i = 0; i < 3; ++i) rows.push_back(coordinates(joint.rotation.row(i).transpose()));
  return {{"type", types[static_cast<std::size_t>(joint.type)]},
          {"axis", coordinates(joint.axis)},
          {"origin", coordinates(joint.origin)},
          {"rotation", rows}};
}

Json body_data(const WorkshopSheet& sheet, const SheetBody& body) {
  const Mechanism& mechanism = sheet.parts.mechanism;
  Json mounts = Json::array();
  for (const SheetMount& mount : body.mounts) {
    const Point& point = mechanism.points[mount.point];
    Json of = {{"mark", mount.mark},
               {"point", point.name},
               {"holds", mount.holds},
               {"in_body", coordinates(point.position)}};
    if (point.is_pulley) of["axis"] = coordinates(point.axis);
    if (point.is_pulley && !point.is_cam) of["radius"] = point.radius;
    mounts.push_back(of);
  }
  const bool world = body.body == world_body;
  return {{"body", name_of_body(mechanism, body.body)},
          {"parent",
           world ? Json() : Json(name_of_body(mechanism, mechanism.bodies[body.body].parent))},
          {"joint", world ? Json() : joint_data(mechanism.bodies[body.body].joint)},
          {"drawn", plane_of(sheet, body).name},
          {"mounts", mounts}};
}

Json range_data(const SheetCam::Range& range) {
  return {{"least", range.least}, {"greatest", range.greatest}};
}

Json tolerances_data(const SheetTolerances& tolerances) {
  Json of = Json::array();
  for (const SheetTolerance& one : tolerances.of)
    of.push_back({{"parameter", one.parameter},
                  {"unit", one.unit},
                  {"nominal", one.nominal},
                  {"least", one.low},
                  {"greatest", one.high}});
  Json data = {{"of", of}, {"objective", tolerances.objective}};
  if (!tolerances.design) {
    data["why_not"] = tolerances.why_not;
    return data;
  }
  const RobustDesign& design = *tolerances.design;
  data["nominal"] = design.nominal;
  data["worst"] = design.worst.infeasible ? Json() : Json(design.worst.value);
  data["worst_reason"] = design.worst.infeasible ? Json(design.worst.reason) : Json();
  data["sampled"] = design.worst.sampled;
  data["upper_bound"] = design.worst.upper_bound;
  data["percentile"] = {{"of", tolerances.percentile},
                        {"value", limit_data(design.percentile.value)}};
  data["broken_share"] = design.broken_share;
  return data;
}

}  // namespace

Json sheet_data(const WorkshopSheet& sheet, const std::string& results) {
  Json objectives = Json::object(), springs = Json::array(), weights = Json::array(),
       cams = Json::array(), bodies = Json::array();
  for (const WorkshopSheet::Result& result : sheet.objectives)
    objectives[result.name] = result.value;
  for (std::size_t s = 0; s < sheet.parts.springs.size(); ++s)
    springs.push_back(spring_data(sheet, s));
  for (std::size_t w = 0; w < sheet.parts.weights.size(); ++w) {
    const WeightPart& part = sheet.parts.weights[w];
    weights.push_back({{"mark", mark_of_weight(w)},
                       {"body", part.body},
                       {"on", part.on},
                       {"mass", part.mass},
                       {"in_body", coordinates(part.place)}});
  }
  for (const SheetCam& cam : sheet.cams)
    cams.push_back({{"mark", cam.mark},
                    {"point", sheet.parts.mechanism.points[cam.point].name},
                    {"profile", cam.profile.empty() ? Json() : Json(cam.profile)},
                    {"radius", range_data(cam.radius)},
                    {"distance", range_data(cam.distance)},
                    {"lever", range_data(cam.lever)},
                    {"angle", range_data(cam.angle)}});
  for (const SheetBody& body : sheet.bodies) bodies.push_back(body_data(sheet, body));
  return {
      {"study", sheet.study},
      {"model", sheet.model},
      {"case", sheet.id},
      {"status", sheet.status},
      {"reason", sheet.reason},
      {"warnings", sheet.warnings},
      {"objectives", objectives},
      {"springs", springs},
      {"weights", weights},
      {"cams", cams},
      {"bodies", bodies},
      {"tolerances", sheet.tolerances ? tolerances_data(*sheet.tolerances) : Json()},
      {"how_to_get_tolerances", sheet.tolerances ? Json() : Json(how_to_get_tolerances(results))}};
}

}  // namespace counterpoise
