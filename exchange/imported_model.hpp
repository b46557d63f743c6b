#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "input/text/input_error.hpp"
#include "input/text/json_document.hpp"

namespace counterpoise {

/// Something in a robot's description that a model cannot hold, and what was done instead.
struct Remark {
  Location where{};
  std::string text{};
  std::string thing{};  // its kind, if things of this kind are only counted
};

/// A model made of a robot's description in another format.
struct ImportedModel {
  std::string text;  // of the model file
  int bodies = 0, actuators = 0, couplings = 0, loops = 0, springs = 0;
  std::vector<Remark> remarks;                      // in the order of the description
  std::optional<Location> macro;                    // the first macro, if `xacro` expanded the file
  std::map<std::string, std::string> body_names{};  // by their names in the description
  std::vector<std::filesystem::path> files{};       // other files that were read or are named
  /// Files of meshes to write beside the model, and their texts.
  std::vector<std::pair<std::filesystem::path, std::string>> meshes{};
};

/// How the root link and links on planar and floating joints are converted.
enum class Base {
  fixed,  // they stand still, planar and floating joints at position 0
  /// Planar and floating joints become chains of massless bodies; if there are none, the root
  /// link floats.
  floating
};

/// How an inertia that no real body can have is converted.
enum class InertiaRule {
  safe,     // kept if no motion can have a negative kinetic energy, else as `nearest`
  as_is,    // kept; refused where a motion could have a negative kinetic energy
  nearest,  // replaced by the nearest inertia that a body can have
  refuse
};

struct ImportOptions {
  Base base = Base::fixed;
  InertiaRule inertia = InertiaRule::safe;
  std::filesystem::path masses{};      // table of links' masses, or empty
  double total_mass = 0.0;             // [kg] of the robot, shared by volumes; 0: not given
  double density = 0.0;                // [kg/m^3] of links without mass; 0: not given
  bool open_loops = false;             // whether joints that close loops are left out
  bool massless = false;               // whether a robot without any moving mass is accepted
  bool meshes = true;                  // whether bodies get the visual meshes of links
  std::vector<std::string> actuate{};  // joints to drive; none: see docs/IMPORT.md
  bool ignore_gravcomp = false;        // whether actuators carry weights that MJCF compensates
  std::map<std::string, std::filesystem::path>
      packages{};                  // folders, by the name in package://name/...
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
