#include "studies/pages/sheet/workshop_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/case_rows.hpp"
#include "cases/study_units.hpp"
#include "input/text/units.hpp"

namespace counterpoise {
namespace {

/// A, B, ..., Z, A2, B2, ...
std::string mark_number(std::size_t number) {
  constexpr std::size_t letters = 26;
  const std::string letter(1, static_cast<char>('A' + number % letters));
  return number < letters ? letter : letter + std::to_string(number / letters + 1);
}

/// The bodies with mounts and weights, in the order of the mechanism, marks in that of the springs.
std::vector<SheetBody> bodies_with_mounts(const PartsList& parts) {
  const Mechanism& mechanism = parts.mechanism;
  std::vector<SheetBody> bodies(mechanism.bodies.size() + 1);
  for (BodyIndex b = 0; b < mechanism.body_count(); ++b)
    bodies[static_cast<std::size_t>(b) + 1].body = b;
  const auto at = [&](BodyIndex body) -> SheetBody& {
    return bodies[body == world_body ? 0 : static_cast<std::size_t>(body) + 1];
  };
  std::size_t marks = 0;
  for (const Spring& spring : mechanism.springs)
    for (const PointIndex point : mounts_of_spring(spring)) {
      std::vector<SheetMount>& mounts = at(mechanism.points[point].body).mounts;
      auto found = std::find_if(mounts.begin(), mounts.end(),
                                [&](const SheetMount& mount) { return mount.point == point; });
      if (found == mounts.end())
        found = mounts.insert(mounts.end(), {mark_number(marks++), point, {}});
      if (found->holds.empty() || found->holds.back() != spring.name)
        found->holds.push_back(spring.name);
    }
  for (std::size_t w = 0; w < parts.weights.size(); ++w)
    at(find_body(mechanism, parts.weights[w].on)).weights.push_back(w);
  std::erase_if(bodies,
                [](const SheetBody& body) { return body.mounts.empty() && body.weights.empty(); });
  return bodies;
}

/// The file of a cam's profile as the model names it, or the expression of its curve.
std::string profile_of(const Model& model, const Point& cam) {
  const std::string body = name_of_body(model.nominal, cam.body);
  const JsonValue* owner = nullptr;
  if (cam.body == world_body) {
    owner = model.document.find("world");
  } else if (const JsonValue* bodies = model.document.find("bodies")) {
    for (const JsonValue& one : bodies->items)
      if (const JsonValue* name = one.find("name"); name != nullptr && name->text == body)
        owner = &one;
  }
  for (const std::string& key :
       {std::string("pulleys"), cam.name.substr(body.size() + 1), std::string("profile")})
    if (owner != nullptr) owner = owner->find(key);
  if (owner == nullptr) return "";
  for (const char* key : {"table", "lever", "distance"})
    if (const JsonValue* part = owner->find(key); part != nullptr)
      return (key == std::string_view("table") ? "" : key + std::string(" = ")) +
             (part->kind == JsonValue::Kind::number ? fmt::format("{} m", part->number)
                                                    : part->text);
  return owner->text;
}

SheetCam cam_of(const Model& model, const Point& cam) {
  SheetCam of;
  of.profile = profile_of(model, cam);
  const std::vector<CamProfile::Knot>& knots = cam.cam->knots();
  const auto range = [&](const auto& number) {
    SheetCam::Range found{number(knots.front()), number(knots.front())};
    for (const CamProfile::Knot& knot : knots) {
      found.least = std::min(found.least, number(knot));
      found.greatest = std::max(found.greatest, number(knot));
    }
    return found;
  };
  of.radius = range([](const CamProfile::Knot& knot) { return knot.radius; });
  of.distance = range([](const CamProfile::Knot& knot) { return CamProfile::place(knot).norm(); });
  of.lever = range([](const CamProfile::Knot& knot) { return knot.lever; });
  of.angle = range([](const CamProfile::Knot& knot) { return knot.angle; });
  return of;
}

std::vector<SheetCam> cams_of(const Study& study, const WorkshopSheet& sheet) {
  std::vector<SheetCam> cams;
  for (const SheetBody& body : sheet.bodies)
    for (const SheetMount& mount : body.mounts) {
      const Point& point = sheet.parts.mechanism.points[mount.point];
      if (!point.is_cam || point.cam == nullptr) continue;
      SheetCam& cam = cams.emplace_back(cam_of(*study.model, point));
      cam.mark = mount.mark;
      cam.point = mount.point;
    }
  return cams;
}

SheetTolerances tolerances_of(const Study& study, const CaseRow& row, const Tolerances& tolerances,
                              const Interruption& interrupted) {
  SheetTolerances found;
  found.percentile = tolerances.percentile;
  found.objective = study.objectives.front().name;
  found.unit = unit_of(study, study.objectives.front());
  const std::vector<double> point = point_of(study, row);
  CaseDesign design(study);
  design.set_point(point);
  if (!design.bind()) {
    const std::vector<ToleranceInterval> intervals =
        ToleranceBox(study, tolerances).intervals(point, design.parameters());
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      const Parameter& parameter = study.model->parameters[tolerances.of[i].parameter];
      found.of.push_back({parameter.name, std::string(si_unit(parameter.unit)),
                          intervals[i].nominal, intervals[i].low, intervals[i].high});
    }
  }
  if (row.status != Status::feasible)
    found.why_not = "the design itself is not feasible";
  else if (study.carries_drives())
    found.why_not = "robots as built are not looked at where drives are mounted on them";
  else
    found.design = robust_design(study, tolerances, row, interrupted);
  return found;
}

}  // namespace

const std::string& mark_of(const WorkshopSheet& sheet, PointIndex point) {
  for (const SheetBody& body : sheet.bodies)
    for (const SheetMount& mount : body.mounts)
      if (mount.point == point) return mount.mark;
  static const std::string none;
  return none;
}

std::string name_of_body(const Mechanism& mechanism, BodyIndex body) {
  return body == world_body ? "world" : mechanism.bodies[body].name;
}

std::vector<PointIndex> mounts_of_spring(const Spring& spring) {
  if (spring.type == SpringType::torsion) return {};
  return points_along(spring);
}

std::string kind_of(const Mechanism& mechanism, const Spring& spring) {
  if (!spring.group.empty())
    return spring.pushes() ? "group of compression springs" : "group of extension springs";
  switch (spring.type) {
    case SpringType::extension:
      return "extension spring";
    case SpringType::compression:
      return "compression spring";
    case SpringType::torsion:
      return turns(mechanism, spring) ? "torsion spring" : "spring along a joint that slides";
    case SpringType::gas:
      return "gas spring";
    case SpringType::coil:
      break;
  }
  return spring.rate == 0.0 ? "spring of constant force" : "coil spring";
}

WorkshopSheet workshop_sheet(const Study& study, const CaseRow& row, const CaseOutcome& outcome,
                             const std::vector<double>& sizes, PartsList parts,
                             const Tolerances* tolerances, const Interruption& interrupted) {
  WorkshopSheet sheet;
  sheet.study = study.name;
  sheet.model = study.model->name;
  sheet.id = row.id;
  sheet.status = status_name(outcome.status);
  sheet.reason = outcome.reason;
  for (std::size_t i = 0; i < outcome.objectives.size(); ++i)
    sheet.objectives.push_back({study.objectives[i].name, unit_of(study, study.objectives[i]),
                                outcome.objectives[i], sizes[i]});
  sheet.cycles_per_year = study.cycles_per_year;
  sheet.parts = std::move(parts);
  std::erase_if(sheet.parts.weights, [](const WeightPart& part) { return part.mass == 0.0; });
  sheet.bodies = bodies_with_mounts(sheet.parts);
  sheet.cams = cams_of(study, sheet);
  if (tolerances != nullptr) sheet.tolerances = tolerances_of(study, row, *tolerances, interrupted);
  return sheet;
}

}  // namespace counterpoise
