// Masses that a robot's file does not have: from a table, or from the shapes of its links.
#include <fmt/format.h>

#include <algorithm>

#include "exchange/robot/robot_bodies.hpp"
#include "exchange/shapes/given_masses.hpp"

namespace counterpoise {
namespace {

RobotInertial inertial_of(const MassProperties& solid, const Location& where) {
  return {.mass = solid.mass,
          .com = solid.com,
          .inertia = solid.inertia,
          .where = where,
          .mass_where = where};
}

}  // namespace

/// The mass of a link's collision shapes, or else of its visual shapes.
std::optional<MassProperties> RobotBodies::shape_mass(const RobotLink& link, double density) {
  for (const auto* shapes : {&link.collisions, &link.visuals}) {
    ShapesMass mass;
    try {
      mass = mass_of(placed(*shapes, false), density);
    } catch (const InputError& error) {
      draft_.note({error.where(),
                   fmt::format("no volume of a shape of {}: {}", link.name, error.message())});
      continue;
    }
    if (mass.properties.volume <= 0.0) continue;
    for (const ShapeRemark& remark : mass.remarks) draft_.note({remark.where, remark.text});
    return mass.properties;
  }
  return std::nullopt;
}

/// Links of the table have its mass; centre and inertia too where it has them, else the file's
/// values, else the values of the link's shapes.
void RobotBodies::give_masses_of_table() {
  const std::map<std::string, GivenMass> table = read_masses(options_.masses, read_file_);
  std::vector<std::string> names;
  for (const RobotLink& link : robot_.links) names.push_back(link.name);
  for (const auto& [name, given] : table)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw InputError(given.where,
                       fmt::format("found {}, expected the name of a link of the robot{}",
                                   in_quotes(name), did_you_mean(name, names)));
  for (RobotLink& link : robot_.links) {
    const auto found = table.find(link.name);
    if (found == table.end()) continue;
    const GivenMass& given = found->second;
    if (!link.inertial) {
      const auto solid = given.com && given.inertia ? std::nullopt : shape_mass(link, 1.0);
      link.inertial = solid ? inertial_of(with_mass(*solid, given.mass), link.where)
                            : RobotInertial{.where = link.where, .mass_where = link.where};
      if (!solid && !given.com)
        draft_.note(
            {given.where, fmt::format("the mass of {} is at the origin of its frame: the table "
                                      "has no com_x, com_y, com_z, and the link no shape",
                                      link.name)});
    }
    link.inertial->mass = given.mass;
    if (given.com) link.inertial->com = *given.com;
    if (given.inertia) link.inertial->inertia = *given.inertia;
  }
  files_.push_back(options_.masses);
}

/// Links without mass get one from a density, or share what is left of the robot's mass.
void RobotBodies::give_masses() {
  if (!options_.masses.empty()) give_masses_of_table();
  if (options_.total_mass <= 0.0 && options_.density <= 0.0) return;
  std::vector<std::pair<RobotLink*, MassProperties>> solids;
  std::vector<std::string> without;
  double known = 0.0, volume = 0.0;
  for (RobotLink& link : robot_.links) {
    if (link.inertial && link.inertial->mass > 0.0) {
      known += link.inertial->mass;
    } else if (const auto solid =
                   shape_mass(link, options_.density > 0.0 ? options_.density : 1.0)) {
      solids.emplace_back(&link, *solid);
      volume += solid->volume;
    } else {
      without.push_back(link.name);
    }
  }
  if (solids.empty())
    throw InputError(robot_.where,
                     "found no link without mass that has a shape with a volume, expected at least "
                     "one to give a mass to; --masses FILE gives masses by name");
  if (options_.total_mass > 0.0 && options_.total_mass <= known)
    throw InputError({.file = fmt::format("--total-mass {}", options_.total_mass)},
                     fmt::format("expected more than the {} kg that links have already", known));
  double sum = 0.0;
  for (auto& [link, solid] : solids) {
    if (options_.total_mass > 0.0)
      solid = with_mass(solid, (options_.total_mass - known) * solid.volume / volume);
    link->inertial = inertial_of(solid, link->where);
    sum += solid.mass;
  }
  draft_.note(
      {robot_.where,
       fmt::format("the masses of {} links are estimates from the volumes of their shapes: "
                   "{:.4g} kg at {:.4g} kg/m^3{}",
                   solids.size(), sum, sum / volume,
                   without.empty() ? "" : fmt::format("; {} have no volume", without.size()))});
}

}  // namespace counterpoise
