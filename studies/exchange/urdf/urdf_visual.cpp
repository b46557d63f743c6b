#include <fmt/format.h>

#include <algorithm>

#include "studies/exchange/urdf/urdf_bodies.hpp"

namespace counterpoise {
namespace {

constexpr std::string_view package_scheme = "package://";
constexpr std::string_view file_scheme = "file://";

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

}  // namespace

std::filesystem::path UrdfBodies::mesh_file(const std::string& name, const Location& where) const {
  std::filesystem::path file;
  if (name.starts_with(package_scheme)) {
    const std::string rest = name.substr(package_scheme.size());
    const std::string package = rest.substr(0, rest.find('/'));
    const auto folder = options_.packages.find(package);
    if (folder == options_.packages.end())
      throw InputError(
          where, fmt::format("found the package {}, expected one of --package; give --package "
                             "{}=FOLDER, or --no-meshes to leave meshes out",
                             in_quotes(package), package));
    file = folder->second / rest.substr(std::min(package.size() + 1, rest.size()));
  } else if (name.starts_with(file_scheme)) {
    file = name.substr(file_scheme.size());
  } else {
    file = std::filesystem::path(where.file).parent_path() / name;
  }
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    throw InputError(where, fmt::format("found the mesh {}, expected a file: there is no {}; "
                                        "--no-meshes leaves meshes out",
                                        in_quotes(name), file.string()));
  return file;
}

UrdfBodies::Json UrdfBodies::visual_of(const urdf::Link& link) {
  Json visual;
  const std::vector<const XmlElement*> places = places_.link(link.name).children_named("visual");
  if (link.visual_array.size() < places.size())  // it stops at the first that it does not read
    note(places[link.visual_array.size()]->where,
         fmt::format("{} of the link's looks are left out: urdfdom cannot read this one",
                     places.size() - link.visual_array.size()));
  for (std::size_t i = 0; i < link.visual_array.size() && i < places.size(); ++i) {
    const urdf::Visual& looks = *link.visual_array[i];
    const Location& where = places[i]->where;
    if (!looks.geometry || looks.geometry->type != urdf::Geometry::MESH) {
      note(where, "the box, cylinder or sphere is left out: bodies look like meshes");
      continue;
    }
    const auto& mesh = static_cast<const urdf::Mesh&>(*looks.geometry);
    const std::filesystem::path file = mesh_file(mesh.filename, where);
    files_.push_back(file);
    const std::string kind = lower_case(file.extension().string());
    const bool uniform = mesh.scale.x == mesh.scale.y && mesh.scale.y == mesh.scale.z;
    if (kind != ".stl" && kind != ".obj") {
      note(where, fmt::format("the mesh {} is left out: bodies look like STL or OBJ meshes",
                              in_quotes(mesh.filename)));
    } else if (!uniform || mesh.scale.x <= 0.0) {
      note(where, "the mesh is left out: it has different scales along its axes");
    } else if (!visual.is_null()) {
      note(where, "the mesh is left out: a body looks like one mesh, and has one already");
    } else {
      const std::filesystem::path beside = options_.output.parent_path();
      visual["mesh"] = std::filesystem::proximate(file, beside.empty() ? "." : beside).string();
      if (mesh.scale.x != 1.0) visual["scale"] = mesh.scale.x;
      const urdf::Vector3& at = looks.origin.position;
      visual["origin"] = {at.x, at.y, at.z};
      double roll = 0.0, pitch = 0.0, yaw = 0.0;
      looks.origin.rotation.getRPY(roll, pitch, yaw);
      visual["rpy"] = {roll, pitch, yaw};
    }
  }
  return visual;
}

}  // namespace counterpoise
