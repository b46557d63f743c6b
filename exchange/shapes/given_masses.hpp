#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "engine/math/vector.hpp"
#include "input/text/json_document.hpp"

namespace counterpoise {

/// The mass of a link as a table gives it, in the axes of the link.
struct GivenMass {
  double mass = 0.0;             // [kg]
  std::optional<Vec3d> com;      // [m]
  std::optional<Mat3d> inertia;  // about com [kg m^2]
  Location where;                // of the link's name
};

/// Reads a CSV table of masses, by the name of the link. Its columns are link and mass, optionally
/// com_x, com_y and com_z (all three), and optionally ixx, iyy, izz, ixy, ixz and iyz (all six).
/// Units may stand in headings. Throws InputError at the place of a mistake, of several for all of
/// them: columns that are missing or not known, a link that stands twice, numbers that no body has.
std::map<std::string, GivenMass> read_masses(const std::filesystem::path& path,
                                             const FileProvider& files);

}  // namespace counterpoise
