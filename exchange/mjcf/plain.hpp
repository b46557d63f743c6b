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

/// What a plain file for MuJoCo 2.2 cannot hold, kept beside it.
struct MjcfBesides {
  std::map<std::string, double> joint_limits, tendon_limits;  // of the forces of all actuators
  /// Equality constraints of sites, by their place in the file: where each site stands in its body.
  std::map<int, std::array<MjcfPose, 2>> site_constraints{};
  std::set<std::string> with_inertial{};       // bodies that state their inertia
  std::vector<Remark> remarks{};               // what was left out
  std::vector<std::filesystem::path> files{};  // further files that are read or named
};

/// An MJCF file of today without what MuJoCo 2.2 does not know: includes, classes, frames, copies
/// and attached models are written out, angles are radians, orientations quaternions, and inertias
/// that follow from geoms are inertials. What changes no load is left out. Every element has the
/// place of the one that it was made from.
struct PlainMjcf {
  XmlElement root;
  MjcfBesides besides;
};

/// Throws InputError at an element that changes loads and that MuJoCo 2.2 does not know.
PlainMjcf plain_mjcf(const XmlElement& root, const std::filesystem::path& path,
                     const FileProvider& files, const ImportOptions& options);

}  // namespace counterpoise
