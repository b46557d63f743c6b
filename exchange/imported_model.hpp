#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "input/text/input_error.hpp"
#include "input/text/json_document.hpp"

namespace counterpoise {

/// Something of a robot's description that the model does not hold, and what was done instead.
struct Remark {
  Location where;
  std::string text;
};

/// A model made of a robot's description in another format.
struct ImportedModel {
  std::string text;  // of the model file
  int bodies = 0, actuators = 0, couplings = 0;
  std::vector<Remark> remarks;                      // in the order of the description
  std::map<std::string, std::string> body_names{};  // by the name that the description gives it
  std::vector<std::filesystem::path> files{};       // read besides the description, or named in it
};

/// What becomes of the root link and of links on planar and floating joints.
enum class Base {
  fixed,  // they stand still, planar and floating joints at position 0
  /// Planar and floating joints become chains of massless bodies; without any, the root link
  /// floats.
  floating
};

struct ImportOptions {
  Base base = Base::fixed;
  bool massless = false;               // whether joints of URDF may move links without mass
  bool meshes = true;                  // whether bodies get the meshes that links of URDF look like
  std::vector<std::string> actuate{};  // joints of MJCF to drive; none: see docs/IMPORT.md
  std::map<std::string, std::filesystem::path>
      packages{};                  // of package://name/... to their folders
  std::filesystem::path output{};  // of the model; meshes are named from it
};

/// Makes a model of a robot's description in URDF or MJCF. Every link or body is a body, every
/// joint that moves and that no coupling determines has an actuator of its name. Throws InputError
/// with the mistakes of the file, each at its place.
ImportedModel import_robot(const std::filesystem::path& path, const FileProvider& files,
                           const ImportOptions& options);

}  // namespace counterpoise
