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
  Location where{};
  std::string text{};
  std::string thing{};  // its kind, if such things are only counted
};

/// A model made of a robot's description in another format.
struct ImportedModel {
  std::string text;  // of the model file
  int bodies = 0, actuators = 0, couplings = 0, loops = 0, springs = 0;
  std::vector<Remark> remarks;    // in the order of the description
  std::optional<Location> macro;  // the first one, where `xacro` was run to expand the file
  std::map<std::string, std::string> body_names{};  // by the name that the description gives it
  std::vector<std::filesystem::path> files{};       // read besides the description, or named in it
  /// Files of meshes to write beside the model, and their texts.
  std::vector<std::pair<std::filesystem::path, std::string>> meshes{};
};

/// How the root link and links on planar and floating joints are converted.
enum class Base {
  fixed,  // they stand still, planar and floating joints at position 0
  /// Planar and floating joints become chains of massless bodies; without any, the root link
  /// floats.
  floating
};

/// How an inertia that no real body can have is converted.
enum class InertiaRule {
  safe,     // kept where no motion then has a negative kinetic energy, else as `nearest`
  as_is,    // kept; refused where a motion could have a negative kinetic energy
  nearest,  // the nearest that a body can have
  refuse
};

struct ImportOptions {
  Base base = Base::fixed;
  InertiaRule inertia = InertiaRule::safe;
  std::filesystem::path masses{};      // table of links' masses, or empty
  double total_mass = 0.0;             // [kg] of the robot, shared by volumes; 0: not given
  double density = 0.0;                // [kg/m^3] of links without mass; 0: not given
  bool open_loops = false;             // whether joints that close loops are left out
  bool massless = false;               // whether a robot may have no mass on anything that moves
  bool meshes = true;                  // whether bodies get the meshes that links look like
  std::vector<std::string> actuate{};  // joints to drive; none: see docs/IMPORT.md
  bool ignore_gravcomp = false;        // whether actuators carry weights that MJCF compensates
  std::map<std::string, std::filesystem::path>
      packages{};                  // of package://name/... to their folders
  std::filesystem::path output{};  // of the model; meshes are named from it
};

/// The file of a mesh that a robot's description in `folder` names: a path, file://, or package://
/// and model://, which are looked for in the folders of --package and above `folder`. Empty where
/// there is none.
std::filesystem::path mesh_file(const std::string& name, const std::filesystem::path& folder,
                                const ImportOptions& options);

/// Makes a model of a robot's description in URDF, SDF or MJCF. Every link or body is a body, every
/// joint that moves and that no coupling determines has an actuator of its name. Throws InputError
/// with the mistakes of the file, each at its place.
ImportedModel import_robot(const std::filesystem::path& path, const FileProvider& files,
                           const ImportOptions& options);

}  // namespace counterpoise
