#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "exchange/mjcf/defaults.hpp"
#include "exchange/mjcf/known.hpp"
#include "exchange/mjcf/mesh.hpp"
#include "exchange/mjcf/pose.hpp"
#include "input/text/json_document.hpp"

namespace counterpoise {

/// Which inertia a body has.
enum class InertiaFrom { inertial, geoms, either };

/// An MJCF file with its includes, and what it says about how it is to be read.
class MjcfSource {
 public:
  /// Reads what the root says; files that are read besides are added to `read`. `around` are the
  /// files that attach this one. Throws InputError.
  MjcfSource(XmlElement root, const std::filesystem::path& path, const FileProvider& files,
             std::vector<std::filesystem::path>& read, std::set<std::filesystem::path> around = {});

  XmlElement root;  // with what it includes
  MjcfAngles angles;
  bool auto_limits = true;
  bool fit_box = false;  // primitives fit the box about a mesh, not that of its inertia
  InertiaFrom inertia = InertiaFrom::either;
  std::array<double, 2> groups = {0.0, 5.0};  // of geoms that inertia follows from
  std::map<std::string, std::string> bounds;  // what else the compiler does to masses
  NewMjcfAttributes newer;
  MjcfDefaults defaults;

  [[nodiscard]] std::string name() const;
  /// The attached model of this name. Throws InputError at `where` if there is none.
  [[nodiscard]] const MjcfSource& model(const std::string& model_name, const Location& where) const;
  /// The mass properties of a mesh. Throws InputError at the mesh, or at `where` if there is none.
  [[nodiscard]] const MjcfMeshShape& mesh(const std::string& mesh_name,
                                          const Location& where) const;

 private:
  void read_compiler(const XmlElement& compiler);
  void read_assets(const FileProvider& files, std::vector<std::filesystem::path>& read,
                   const std::set<std::filesystem::path>& around);
  [[nodiscard]] MjcfMeshShape computed(const XmlElement& mesh) const;
  [[nodiscard]] TriangleMesh triangles_of(const XmlElement& mesh) const;

  std::filesystem::path path_, mesh_folder_;
  bool strips_paths_ = false, exact_meshes_ = false;
  std::map<std::string, XmlElement> meshes_;
  std::map<std::string, std::unique_ptr<MjcfSource>> models_;
  mutable std::map<std::string, MjcfMeshShape> shapes_;  // of meshes that were asked for
};

}  // namespace counterpoise
