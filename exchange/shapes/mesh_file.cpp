#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <assimp/BaseImporter.h>
#include <assimp/DefaultIOSystem.h>
#include <algorithm>
#include <assimp/Importer.hpp>
#include <cctype>
#include <cmath>
#include <set>
#include <string_view>

#include "exchange/shapes/read_apart.hpp"
#include "input/text/json_document.hpp"

namespace counterpoise {
namespace {

/// A fault of a mesh file, told at the place that names it.
struct MeshFault {
  const std::filesystem::path& file;
  const Location& where;

  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(where, fmt::format("the mesh {} {}", path_in_quotes(file), why));
  }
};

std::string mesh_ending(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

/// What assimp may read: files beside the mesh or below, and of all of them no more than fits.
class FolderOfMesh : public Assimp::DefaultIOSystem {
 public:
  explicit FolderOfMesh(const std::filesystem::path& mesh)
      : folder_(std::filesystem::absolute(mesh).lexically_normal().parent_path()) {}

  [[nodiscard]] bool Exists(const char* file) const override {
    return allowed(file) && DefaultIOSystem::Exists(file);
  }
  Assimp::IOStream* Open(const char* file, const char* mode) override {
    if (*mode != 'r' || !allowed(file)) return nullptr;
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    if (error || size > left_) return nullptr;
    left_ -= size;
    return DefaultIOSystem::Open(file, mode);
  }

 private:
  [[nodiscard]] bool allowed(const char* file) const {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) return false;
    const auto path = std::filesystem::absolute(file).lexically_normal();
    return std::mismatch(folder_.begin(), folder_.end(), path.begin(), path.end()).first ==
           folder_.end();
  }

  std::filesystem::path folder_;
  std::uintmax_t left_ = 4 * largest_mesh_file;  // a file is opened more than once
};

/// The deepest nesting of elements and scenes that is read: assimp goes down by recursion.
constexpr int deepest_scene = 200;

/// How many elements of XML stand within each other at most. What only looks like elements, in
/// comments for instance, counts too.
int xml_nesting(std::string_view text) {
  int depth = 0, deepest = 0;
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    const char next = at + 1 < text.size() ? text[at + 1] : ' ';
    if (next == '/') {
      --depth;
    } else if (next != '!' && next != '?') {
      const std::size_t end = text.find('>', at);
      const bool empty = end != std::string_view::npos && text[end - 1] == '/';
      deepest = std::max(deepest, depth + 1);
      if (!empty) ++depth;
    }
  }
  return deepest;
}

/// Throws InputError if nodes of glTF stand within each other too deep, or in a circle.
void check_gltf_nodes(const JsonValue& document) {
  const JsonValue* nodes =
      document.kind == JsonValue::Kind::object ? document.find("nodes") : nullptr;
  if (nodes == nullptr || nodes->kind != JsonValue::Kind::array) return;
  // the depth of each node, which settles after as many rounds as the deepest has
  std::vector<int> depth(nodes->items.size(), 0);
  for (int round = 0; round <= deepest_scene; ++round) {
    bool settled = true;
    for (std::size_t n = 0; n < nodes->items.size(); ++n) {
      const JsonValue& node = nodes->items[n];
      const JsonValue* children =
          node.kind == JsonValue::Kind::object ? node.find("children") : nullptr;
      if (children == nullptr) continue;
      for (const JsonValue& child : children->items) {
        const auto index = static_cast<std::size_t>(std::max(child.number, 0.0));
        if (index >= depth.size() || depth[index] > depth[n]) continue;
        depth[index] = depth[n] + 1;
        settled = false;
      }
    }
    if (settled) return;
  }
  throw InputError(nodes->location(),
                   fmt::format("found nodes in a circle, or more than {} deep", deepest_scene));
}

/// The JSON of a glTF file: all of it, or the first chunk of a binary one.
std::string_view gltf_json(std::string_view bytes) {
  constexpr std::size_t head = 20;  // magic, version, length, length of the chunk, its type
  if (!bytes.starts_with("glTF") || bytes.size() < head) return bytes;
  std::size_t length = 0;
  for (std::size_t i = 0; i < 4; ++i)
    length |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[12 + i])) << (8 * i);
  return bytes.substr(head, length);
}

/// Refuses what assimp would follow down until its stack ends.
void check_depth(const std::filesystem::path& file, const std::string& ending,
                 const MeshFault& fault) {
  if (ending != ".dae" && ending != ".gltf" && ending != ".glb") return;
  const std::string text = read_text_file(file);
  if (ending == ".dae") {
    if (xml_nesting(text) > deepest_scene)
      fault.refuse(fmt::format("has elements nested more than {} deep", deepest_scene));
    return;
  }
  try {
    check_gltf_nodes(parse_json(gltf_json(text), file.string()));
  } catch (const InputError& error) {
    fault.refuse(fmt::format("is broken: {}", error.what()));
  }
}

/// An importer that knows the format of this ending alone, whatever the file's content looks like.
void keep_importers(Assimp::Importer& importer, const std::string& ending) {
  std::vector<Assimp::BaseImporter*> others;
  for (std::size_t i = 0; i < importer.GetImporterCount(); ++i) {
    std::set<std::string> endings;
    importer.GetImporter(i)->GetExtensionList(endings);
    if (!endings.contains(ending.substr(1))) others.push_back(importer.GetImporter(i));
  }
  for (Assimp::BaseImporter* other : others) {
    importer.UnregisterLoader(other);
    delete other;  // the importer no longer owns it
  }
}

std::optional<Colour> diffuse_colour(const aiMaterial& material) {
  aiString name;
  if (material.Get(AI_MATKEY_NAME, name) == aiReturn_SUCCESS &&
      std::string_view(name.C_Str()) == AI_DEFAULT_MATERIAL_NAME)
    return std::nullopt;
  if (material.GetTextureCount(aiTextureType_DIFFUSE) > 0 ||
      material.GetTextureCount(aiTextureType_BASE_COLOR) > 0)
    return std::nullopt;
  aiColor4D colour;
  if (material.Get(AI_MATKEY_BASE_COLOR, colour) != aiReturn_SUCCESS &&
      material.Get(AI_MATKEY_COLOR_DIFFUSE, colour) != aiReturn_SUCCESS)
    return std::nullopt;
  Colour read = {colour.r, colour.g, colour.b};
  for (double& part : read) part = std::isfinite(part) ? std::clamp(part, 0.0, 1.0) : 0.0;
  return read;
}

/// Collects the triangles of a scene's nodes.
class SceneReading {
 public:
  SceneReading(const aiScene& scene, const MeshFault& fault) : scene_(scene), fault_(fault) {
    for (unsigned m = 0; m < scene.mNumMaterials; ++m) {
      const auto colour = diffuse_colour(*scene.mMaterials[m]);
      colour_of_material_.push_back(colour ? static_cast<int>(mesh_.palette.size()) : -1);
      if (colour) mesh_.palette.push_back(*colour);
    }
  }

  void add(const aiNode& node, const Eigen::Matrix4d& parent, int depth = 0) {
    if (depth > deepest_scene) fault_.refuse("has nodes that are nested too deep");
    const aiMatrix4x4& m = node.mTransformation;
    Eigen::Matrix4d own;
    own << m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3, m.c4, m.d1, m.d2, m.d3,
        m.d4;
    const Eigen::Matrix4d placing = parent * own;
    for (unsigned i = 0; i < node.mNumMeshes; ++i)
      if (node.mMeshes[i] < scene_.mNumMeshes) add(*scene_.mMeshes[node.mMeshes[i]], placing);
    for (unsigned i = 0; i < node.mNumChildren; ++i) add(*node.mChildren[i], placing, depth + 1);
  }

  TriangleMesh finish() {
    if (mesh_.triangles.empty()) fault_.refuse("has no triangle");
    return std::move(mesh_);
  }

 private:
  void add(const aiMesh& part, const Eigen::Matrix4d& placing) {
    const auto first = static_cast<int>(mesh_.vertices.size());
    const bool mirrored = placing.topLeftCorner<3, 3>().determinant() < 0.0;
    const int colour = part.mMaterialIndex < colour_of_material_.size()
                           ? colour_of_material_[part.mMaterialIndex]
                           : -1;
    if (mesh_.triangles.size() + part.mNumFaces > most_mesh_triangles ||
        mesh_.vertices.size() + part.mNumVertices > 3 * most_mesh_triangles)
      fault_.refuse(fmt::format("has more than {} triangles", most_mesh_triangles));
    for (unsigned v = 0; v < part.mNumVertices; ++v) {
      const aiVector3D& at = part.mVertices[v];
      const Vec3d place =
          placing.topLeftCorner<3, 3>() * Vec3d(at.x, at.y, at.z) + placing.topRightCorner<3, 1>();
      if (!place.allFinite()) fault_.refuse("has a coordinate that is not a finite number");
      mesh_.vertices.push_back(place);
    }
    for (unsigned f = 0; f < part.mNumFaces; ++f) {
      const aiFace& face = part.mFaces[f];
      if (face.mNumIndices != 3) continue;
      TriangleMesh::Triangle triangle{};
      for (std::size_t i = 0; i < 3; ++i) {
        if (face.mIndices[i] >= part.mNumVertices)
          fault_.refuse("has a triangle with a vertex that there is not");
        triangle[i] = first + static_cast<int>(face.mIndices[i]);
      }
      if (mirrored) std::swap(triangle[1], triangle[2]);
      mesh_.add(triangle, colour);
    }
  }

  const aiScene& scene_;
  const MeshFault& fault_;
  std::vector<int> colour_of_material_;
  TriangleMesh mesh_;
};

TriangleMesh mesh_by_assimp(const std::filesystem::path& file, const std::string& ending,
                            const MeshFault& fault) {
  check_depth(file, ending, fault);

  Assimp::Importer importer;
  keep_importers(importer, ending);
  importer.SetIOHandler(new FolderOfMesh(file));  // the importer owns it
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE,
                              aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  const aiScene* scene =
      importer.ReadFile(file.string(), aiProcess_Triangulate | aiProcess_SortByPType);
  if (scene == nullptr || scene->mRootNode == nullptr)
    fault.refuse(
        fmt::format("cannot be read: assimp says {}", in_quotes(importer.GetErrorString())));

  Eigen::Matrix4d placing = Eigen::Matrix4d::Identity();
  if (ending == ".gltf" || ending == ".glb")  // y points up there: it becomes z
    placing.topLeftCorner<3, 3>() << 1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0;
  SceneReading reading(*scene, fault);
  reading.add(*scene->mRootNode, placing);
  return reading.finish();
}

}  // namespace

TriangleMesh read_mesh(const std::filesystem::path& file, const Location& where) {
  const MeshFault fault{file, where};
  const std::string ending = mesh_ending(file);
  constexpr std::array<std::string_view, 5> endings = {".stl", ".obj", ".dae", ".gltf", ".glb"};
  if (std::find(endings.begin(), endings.end(), ending) == endings.end())
    fault.refuse(fmt::format("ends in {}, expected one of {}", in_quotes(ending), listed(endings)));
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) fault.refuse("is no file");
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error) fault.refuse("cannot be read: " + error.message());
  if (size > largest_mesh_file)
    fault.refuse(fmt::format("has {:.0f} MB, expected at most {} MB",
                             static_cast<double>(size) * 1e-6, largest_mesh_file >> 20));
  return read_apart([&] { return mesh_by_assimp(file, ending, fault); }, limits_of_mesh(size), file,
                    where);
}

}  // namespace counterpoise
