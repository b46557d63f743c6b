// What the links of a robot look like: the meshes that its file names, and where these are.
#include <fmt/format.h>

#include <algorithm>

#include "exchange/robot/robot_bodies.hpp"
#include "exchange/shapes/body_mesh.hpp"
#include "exchange/xml_writing.hpp"

namespace counterpoise {
namespace {

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

bool is_file(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

/// The file of `rest` in a package: in the folder that --package gives, or in a folder of the
/// package's name, or that is it, above the robot's own file.
std::filesystem::path in_package(const std::string& package, const std::string& rest,
                                 const std::filesystem::path& folder,
                                 const ImportOptions& options) {
  if (const auto given = options.packages.find(package); given != options.packages.end())
    return given->second / rest;
  constexpr int most_levels = 8;
  std::error_code error;
  std::filesystem::path above = std::filesystem::absolute(folder, error);
  for (int level = 0; level < most_levels && !above.empty(); ++level) {
    for (const std::filesystem::path& candidate :
         {above / package / rest,
          above.filename() == package ? above / rest : above / package / rest})
      if (is_file(candidate)) return candidate;
    if (above == above.parent_path()) break;
    above = above.parent_path();
  }
  return {};
}

}  // namespace

std::filesystem::path mesh_file(const std::string& name, const std::filesystem::path& folder,
                                const ImportOptions& options) {
  for (const std::string_view scheme : {"package://", "model://"}) {
    if (!name.starts_with(scheme)) continue;
    const std::string path = name.substr(scheme.size());
    const std::size_t slash = std::min(path.find('/'), path.size());
    return in_package(path.substr(0, slash), path.substr(std::min(slash + 1, path.size())), folder,
                      options);
  }
  constexpr std::string_view file_scheme = "file://";
  const std::filesystem::path file = name.starts_with(file_scheme)
                                         ? std::filesystem::path(name.substr(file_scheme.size()))
                                         : folder / name;
  return is_file(file) ? file : std::filesystem::path();
}

/// The shapes whose meshes are found.
std::vector<PlacedShape> RobotBodies::placed(const std::vector<RobotShape>& shapes,
                                             bool note_missing) {
  std::vector<PlacedShape> found;
  for (const RobotShape& shape : shapes) {
    PlacedShape made{.shape = shape.shape,
                     .origin = shape.pose.position,
                     .rotation = shape.pose.rotation,
                     .colour = shape.colour,
                     .where = shape.where};
    if (auto* mesh = std::get_if<MeshShape>(&made.shape)) {
      const std::string name = mesh->file.string();
      mesh->file = mesh_file(name, std::filesystem::path(shape.where.file).parent_path(), options_);
      if (mesh->file.empty()) {
        if (note_missing)
          draft_.note({shape.where, fmt::format("the mesh {} is not found", in_quotes(name)),
                       "mesh that is not found (--package NAME=FOLDER says where one is)"});
        continue;
      }
      files_.push_back(mesh->file);
    }
    found.push_back(std::move(made));
  }
  return found;
}

namespace {

/// A mesh that pages take as it is: one STL or OBJ file that is not too large, with one scale.
const MeshShape* plain_mesh(const std::vector<PlacedShape>& shapes) {
  constexpr std::uintmax_t largest = 500'000;  // bytes: about 10,000 triangles
  if (shapes.size() != 1) return nullptr;
  const auto* mesh = std::get_if<MeshShape>(&shapes.front().shape);
  if (mesh == nullptr) return nullptr;
  const std::string kind = lower_case(mesh->file.extension().string());
  const Vec3d& scale = mesh->scale;
  std::error_code error;
  const bool plain = (kind == ".stl" || kind == ".obj") && scale.x() > 0.0 &&
                     scale.x() == scale.y() && scale.y() == scale.z() &&
                     std::filesystem::file_size(mesh->file, error) <= largest;
  return plain && !error ? mesh : nullptr;
}

}  // namespace

/// A body looks like the file of its link's one mesh, or like a file that holds all of its looks
/// with fewer triangles.
RobotBodies::Json RobotBodies::visual_of(LinkIndex link) {
  const RobotLink& of = robot_.links[link];
  std::vector<PlacedShape> shapes = placed(of.visuals, true);
  const std::filesystem::path beside =
      options_.output.parent_path().empty() ? "." : options_.output.parent_path();
  Json visual;
  if (const MeshShape* mesh = plain_mesh(shapes)) {
    const PlacedShape& shape = shapes.front();
    visual["mesh"] = std::filesystem::proximate(mesh->file, beside).string();
    if (mesh->scale.x() != 1.0) visual["scale"] = mesh->scale.x();
    visual["origin"] = vector_json(shape.origin);
    visual["rpy"] = vector_json(rpy_of(shape.rotation));
    if (shape.colour) visual["color"] = vector_json(*shape.colour);
    return visual;
  }
  const std::size_t most = triangles_of_each(robot_.links.size());
  WrittenMesh mesh;
  try {
    mesh = body_mesh(shapes, most);
  } catch (const InputError&) {  // without those that cannot be read
    std::erase_if(shapes, [&](const PlacedShape& shape) {
      try {
        (void)surface_of(shape);
        return false;
      } catch (const InputError& error) {
        draft_.note({error.where(), fmt::format("a look is left out: {}", error.message()),
                     "look that cannot be read"});
        return true;
      }
    });
    mesh = body_mesh(shapes, most);
  }
  if (mesh.obj.empty()) return visual;
  const std::filesystem::path file =
      std::filesystem::path(options_.output.stem().string() + "_meshes") / (body_of(link) + ".obj");
  meshes_.emplace_back((beside / file).lexically_normal(), mesh.obj);
  visual["mesh"] = file.string();
  return visual;
}

}  // namespace counterpoise
