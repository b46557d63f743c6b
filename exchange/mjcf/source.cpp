#include "exchange/mjcf/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "exchange/mjcf/includes.hpp"

namespace counterpoise {
namespace {

/// The name of a file without folders and ending.
std::string stem_of(std::string file) {
  std::replace(file.begin(), file.end(), '\\', '/');
  return std::filesystem::path(file).stem().string();
}

template <class Value>
std::vector<std::string> names_in(const std::map<std::string, Value>& entries) {
  std::vector<std::string> names;
  for (const auto& entry : entries) names.push_back(entry.first);
  return names;
}

}  // namespace

MjcfSource::MjcfSource(XmlElement file, const std::filesystem::path& path,
                       const FileProvider& files, std::vector<std::filesystem::path>& read,
                       std::set<std::filesystem::path> around)
    : root(with_mjcf_includes(std::move(file), path, files, read)),
      newer(check_known_mjcf(root)),
      defaults(root),
      path_(path) {
  for (const XmlElement* compiler : root.children_named("compiler")) read_compiler(*compiler);
  around.insert(path.lexically_normal());
  read_assets(files, read, around);
}

std::string MjcfSource::name() const {
  const std::string* said = root.attribute("model");
  return said == nullptr || said->empty() ? "MuJoCo Model" : *said;
}

void MjcfSource::read_compiler(const XmlElement& compiler) {
  if (const auto angle = mjcf_word(compiler, "angle", {"degree", "radian"}))
    angles.degrees = *angle == "degree";
  if (const std::string* sequence = compiler.attribute("eulerseq")) {
    if (sequence->size() != 3 || sequence->find_first_not_of("xyzXYZ") != std::string::npos)
      throw InputError(compiler.where, fmt::format("found eulerseq={}, expected three of x, y, z, "
                                                   "X, Y and Z",
                                                   in_quotes(*sequence)));
    angles.sequence = *sequence;
  }
  if (const std::string* coordinate = compiler.attribute("coordinate");
      coordinate != nullptr && *coordinate == "global")
    throw InputError(
        compiler.where,
        "found coordinate=\"global\", expected local coordinates: MuJoCo 2.3.3 was the "
        "last to read others, and writes them as local ones");
  auto_limits = mjcf_flag(compiler, "autolimits", auto_limits);
  fit_box = mjcf_flag(compiler, "fitaabb", fit_box);
  strips_paths_ = mjcf_flag(compiler, "strippath", strips_paths_);
  exact_meshes_ = mjcf_flag(compiler, "exactmeshinertia", exact_meshes_);
  if (const auto from = mjcf_word(compiler, "inertiafromgeom", {"false", "true", "auto"}))
    inertia = *from == "true"    ? InertiaFrom::geoms
              : *from == "false" ? InertiaFrom::inertial
                                 : InertiaFrom::either;
  if (const auto range = mjcf_numbers(compiler, "inertiagrouprange", 2, 2))
    groups = {(*range)[0], (*range)[1]};
  for (const char* bound : {"boundmass", "boundinertia", "settotalmass", "balanceinertia"})
    if (const std::string* value = compiler.attribute(bound)) bounds[bound] = *value;
  for (const char* folder : {"assetdir", "meshdir"})
    if (const std::string* said = compiler.attribute(folder)) mesh_folder_ = *said;
}

void MjcfSource::read_assets(const FileProvider& files, std::vector<std::filesystem::path>& read,
                             const std::set<std::filesystem::path>& around) {
  for (const XmlElement* asset : root.children_named("asset"))
    for (const XmlElement& element : asset->children) {
      const std::string* named = element.attribute("name");
      const std::string* file = element.attribute("file");
      if (element.name == "mesh")
        meshes_[named != nullptr && !named->empty() ? *named : stem_of(file ? *file : "")] =
            defaults.resolved(element, "");
      if (element.name != "model") continue;
      if (file == nullptr)
        throw InputError(element.where, "found <model> without file, expected a file's name");
      const std::filesystem::path path = path_.parent_path() / *file;
      if (around.contains(path.lexically_normal()))
        throw InputError(element.where, fmt::format("found the file {}, which attaches itself",
                                                    path_in_quotes(path)));
      std::string text;
      try {
        text = files(path);
      } catch (const InputError& missing) {
        throw InputError(element.where,
                         fmt::format("found no model to attach: {}", missing.what()));
      }
      read.push_back(path);
      auto model =
          std::make_unique<MjcfSource>(parse_xml(text, path.string()), path, files, read, around);
      const std::string name = named != nullptr && !named->empty() ? *named : model->name();
      models_[name] = std::move(model);
    }
}

const MjcfSource& MjcfSource::model(const std::string& model_name, const Location& where) const {
  const auto found = models_.find(model_name);
  if (found != models_.end()) return *found->second;
  throw InputError(
      where, fmt::format("found the model {}, expected one of the assets{}", in_quotes(model_name),
                         did_you_mean(model_name, names_in(models_))));
}

const MjcfMeshShape& MjcfSource::mesh(const std::string& mesh_name, const Location& where) const {
  if (const auto known = shapes_.find(mesh_name); known != shapes_.end()) return known->second;
  const auto found = meshes_.find(mesh_name);
  if (found == meshes_.end())
    throw InputError(
        where, fmt::format("found the mesh {}, expected one of the assets{}", in_quotes(mesh_name),
                           did_you_mean(mesh_name, names_in(meshes_))));
  return shapes_[mesh_name] = computed(found->second);
}

TriangleMesh MjcfSource::triangles_of(const XmlElement& mesh) const {
  if (mesh.attribute("builtin") != nullptr || mesh.child("plugin") != nullptr)
    throw InputError(mesh.where,
                     "found a mesh that MuJoCo makes, of which the inertia of a body follows; "
                     "expected a file, vertices, or an <inertial> of the body");
  if (const std::string* file = mesh.attribute("file")) {
    std::string name = *file;
    std::replace(name.begin(), name.end(), '\\', '/');
    if (strips_paths_) name = std::filesystem::path(name).filename().string();
    return read_mjcf_mesh(path_.parent_path() / mesh_folder_ / name, mesh.where);
  }
  constexpr std::size_t any = 100'000'000;
  const auto corners = mjcf_numbers(mesh, "vertex", 12, any);
  if (!corners || corners->size() % 3 != 0)
    throw InputError(mesh.where, "found a mesh without vertices, expected at least four");
  TriangleMesh triangles;
  const auto narrow = [&](std::size_t i) {
    return static_cast<double>(static_cast<float>((*corners)[i]));
  };
  for (std::size_t i = 0; i < corners->size(); i += 3)
    triangles.vertices.emplace_back(narrow(i), narrow(i + 1), narrow(i + 2));
  if (const auto faces = mjcf_numbers(mesh, "face", 3, any))
    for (std::size_t i = 0; i + 2 < faces->size(); i += 3)
      triangles.add({static_cast<int>((*faces)[i]), static_cast<int>((*faces)[i + 1]),
                     static_cast<int>((*faces)[i + 2])});
  return triangles;
}

MjcfMeshShape MjcfSource::computed(const XmlElement& mesh) const {
  const auto said = mjcf_word(mesh, "inertia", {"convex", "legacy", "exact", "shell"});
  const MjcfMeshInertia inertia =
      said && *said == "convex"  ? MjcfMeshInertia::convex
      : said && *said == "shell" ? MjcfMeshInertia::shell
      : said          ? *said == "exact" ? MjcfMeshInertia::exact : MjcfMeshInertia::legacy
      : exact_meshes_ ? MjcfMeshInertia::exact
                      : MjcfMeshInertia::legacy;
  TriangleMesh triangles = triangles_of(mesh);
  for (const TriangleMesh::Triangle& triangle : triangles.triangles)
    for (const int corner : triangle)
      if (corner < 0 || static_cast<std::size_t>(corner) >= triangles.vertices.size())
        throw InputError(mesh.where, "found a face of vertices that are not there");
  const Vec3d from = mjcf_vector(mesh, "refpos").value_or(Vec3d::Zero());
  Eigen::Quaterniond turned = Eigen::Quaterniond::Identity();
  if (const auto q = mjcf_numbers(mesh, "refquat", 4, 4))
    turned = Eigen::Quaterniond((*q)[0], (*q)[1], (*q)[2], (*q)[3]).normalized();
  const Vec3d scale = mjcf_vector(mesh, "scale").value_or(Vec3d::Ones());
  for (Vec3d& v : triangles.vertices) v = scale.cwiseProduct(turned.conjugate() * (v - from));
  if (scale.prod() < 0.0)
    for (auto& triangle : triangles.triangles) std::swap(triangle[1], triangle[2]);
  return mjcf_mesh_shape(triangles, inertia, mesh.where);
}

}  // namespace counterpoise
