#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/math/vector.hpp"
#include "exchange/imported_model.hpp"
#include "exchange/mjcf/pose.hpp"
#include "exchange/xml_document.hpp"

namespace counterpoise {

/// What a plain file cannot say for MuJoCo 2.2.
struct MjcfBesides {
  std::map<std::string, double> joint_limits, tendon_limits;  // of the forces of all actuators
  /// Equality constraints of sites, by their place in the file: where each site stands in its body.
  std::map<int, std::array<MjcfPose, 2>> site_constraints{};
  std::set<std::string> with_inertial{};       // bodies that say their inertia
  std::vector<Remark> remarks{};               // what was left out
  std::vector<std::filesystem::path> files{};  // that are read besides, or named
};

/// An MJCF file of today without what MuJoCo 2.2 does not know: includes, classes, frames, copies
/// and attached models are written out, angles are radians, orientations quaternions, and inertias
/// that follow from geoms are inertials. What changes no load is left out. Every element has the
/// place of the one that it was made from.
struct PlainMjcf {
  XmlElement root;
  MjcfBesides besides;
};

/// Throws InputError, at its place, for what changes loads and MuJoCo 2.2 does not know.
PlainMjcf plain_mjcf(const XmlElement& root, const std::filesystem::path& path,
                     const FileProvider& files, const ImportOptions& options);

}  // namespace counterpoise
