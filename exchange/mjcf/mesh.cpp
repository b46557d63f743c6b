#include "exchange/mjcf/mesh.hpp"

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "exchange/mjcf/compiled.hpp"
#include "exchange/xml_writing.hpp"
#include "input/text/json_document.hpp"

namespace counterpoise {
namespace {

[[noreturn]] void refuse_mesh(const Location& where, const std::filesystem::path& path,
                              const std::string& why) {
  throw InputError(where, fmt::format("found the mesh {} {}", in_quotes(path.string()), why));
}

template <class T>
T value_at(std::string_view bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

Vec3d vertex_at(std::string_view bytes, std::size_t offset) {
  return {value_at<float>(bytes, offset), value_at<float>(bytes, offset + 4),
          value_at<float>(bytes, offset + 8)};
}

MjcfMesh read_stl(std::string_view bytes, const std::filesystem::path& path,
                  const Location& where) {
  constexpr std::size_t header = 84, record = 50;
  const std::size_t count = bytes.size() < header ? 0 : value_at<std::uint32_t>(bytes, 80);
  if (count == 0 || bytes.size() != header + count * record)
    refuse_mesh(where, path, "that is no binary STL, expected one");
  MjcfMesh mesh;
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = static_cast<int>(mesh.vertices.size());
    mesh.faces.push_back({first, first + 1, first + 2});
    for (std::size_t corner = 1; corner <= 3; ++corner)
      mesh.vertices.push_back(vertex_at(bytes, header + i * record + 12 * corner));
  }
  return mesh;
}

/// MuJoCo's own binary format: numbers of vertices, normals, texture coordinates and faces, then
/// these.
MjcfMesh read_msh(std::string_view bytes, const std::filesystem::path& path,
                  const Location& where) {
  std::array<std::size_t, 4> counts{};
  if (bytes.size() >= 16)
    for (std::size_t i = 0; i < 4; ++i) counts[i] = value_at<std::uint32_t>(bytes, 4 * i);
  const auto [vertices, normals, texture, faces] = counts;
  if (vertices < 4 || bytes.size() != 16 + 12 * (vertices + normals + faces) + 8 * texture)
    refuse_mesh(where, path, "that is no MSH file, expected one");
  MjcfMesh mesh;
  for (std::size_t i = 0; i < vertices; ++i) mesh.vertices.push_back(vertex_at(bytes, 16 + 12 * i));
  const std::size_t first_face = 16 + 12 * (vertices + normals) + 8 * texture;
  for (std::size_t i = 0; i < faces; ++i)
    mesh.faces.push_back({value_at<int>(bytes, first_face + 12 * i),
                          value_at<int>(bytes, first_face + 12 * i + 4),
                          value_at<int>(bytes, first_face + 12 * i + 8)});
  return mesh;
}

/// Words of a line of OBJ.
std::vector<std::string_view> obj_words(std::string_view line) {
  std::vector<std::string_view> words;
  constexpr std::string_view blanks = " \t\r";
  for (std::size_t at = 0; (at = line.find_first_not_of(blanks, at)) != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

/// The vertex that a word such as "3/1/2" of a face names, or -1.
int obj_vertex(std::string_view word, std::size_t vertices) {
  int index = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), index);
  if (error != std::errc() || index == 0) return -1;
  return index > 0 ? index - 1 : static_cast<int>(vertices) + index;
}

/// A face of any number of corners as triangles; of four, along the shorter diagonal.
void add_face(MjcfMesh& mesh, const std::vector<int>& corners) {
  const auto length = [&](int a, int b) {
    const auto at = [&](int i) { return static_cast<std::size_t>(i); };
    return (mesh.vertices[at(a)] - mesh.vertices[at(b)]).squaredNorm();
  };
  if (corners.size() == 4 && length(corners[1], corners[3]) <= length(corners[0], corners[2])) {
    mesh.faces.push_back({corners[0], corners[1], corners[3]});
    mesh.faces.push_back({corners[1], corners[2], corners[3]});
    return;
  }
  for (std::size_t i = 2; i < corners.size(); ++i)
    mesh.faces.push_back({corners[0], corners[i - 1], corners[i]});
}

/// As MuJoCo, the faces of the first group that has any.
MjcfMesh read_obj(std::string_view text, const std::filesystem::path& path, const Location& where) {
  MjcfMesh mesh;
  bool first_group = true;
  std::vector<std::vector<int>> faces;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::vector<std::string_view> words = obj_words(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (words.empty()) continue;
    if (words[0] == "v" && words.size() >= 4) {
      std::array<float, 3> v{};
      for (std::size_t i = 0; i < 3; ++i)
        if (std::from_chars(words[i + 1].data(), words[i + 1].data() + words[i + 1].size(), v[i])
                .ec != std::errc())
          refuse_mesh(where, path, "with a vertex that is no numbers, expected an OBJ file");
      mesh.vertices.emplace_back(v[0], v[1], v[2]);
    } else if (words[0] == "f" && words.size() >= 4 && first_group) {
      std::vector<int> corners;
      for (std::size_t i = 1; i < words.size(); ++i)
        corners.push_back(obj_vertex(words[i], mesh.vertices.size()));
      faces.push_back(std::move(corners));
    } else if ((words[0] == "g" || words[0] == "o") && !faces.empty()) {
      first_group = false;
    }
  }
  for (const std::vector<int>& corners : faces) {
    for (const int corner : corners)
      if (corner < 0 || static_cast<std::size_t>(corner) >= mesh.vertices.size())
        refuse_mesh(where, path, "with a face of vertices that are not there");
    add_face(mesh, corners);
  }
  return mesh;
}

struct Triangle {
  Vec3d normal = Vec3d::Zero(), middle;
  double area = 0.0;
};

Triangle triangle_of(const MjcfMesh& mesh, const std::array<int, 3>& face) {
  const auto at = [&](int i) -> const Vec3d& {
    return mesh.vertices[static_cast<std::size_t>(face[static_cast<std::size_t>(i)])];
  };
  Triangle triangle;
  triangle.middle = (at(0) + at(1) + at(2)) / 3.0;
  const Vec3d cross = (at(1) - at(0)).cross(at(2) - at(0));
  if (cross.norm() < 1e-15) return triangle;
  triangle.normal = cross.normalized();
  triangle.area = 0.5 * cross.norm();
  return triangle;
}

/// The volume of the pyramid from a point to a triangle, or the triangle's area.
double share_of(const Triangle& triangle, const Vec3d& from, MjcfMeshInertia inertia) {
  if (inertia == MjcfMeshInertia::shell) return triangle.area;
  const double volume = (triangle.middle - from).dot(triangle.normal) * triangle.area / 3.0;
  return inertia == MjcfMeshInertia::legacy ? std::abs(volume) : volume;
}

/// Sums of the products of coordinates over a triangle's pyramid from the origin, or over it.
Mat3d products_of(const MjcfMesh& mesh, const std::array<int, 3>& face, double share, bool shell) {
  Mat3d products = Mat3d::Zero();
  Vec3d sum = Vec3d::Zero();
  for (const int corner : face) {
    const Vec3d& v = mesh.vertices[static_cast<std::size_t>(corner)];
    products += v * v.transpose();
    sum += v;
  }
  return share / (shell ? 12.0 : 20.0) * (products + sum * sum.transpose());
}

}  // namespace

MjcfMesh read_mjcf_mesh(const std::filesystem::path& path, const Location& where) {
  std::string bytes;
  try {
    bytes = read_text_file(path);
  } catch (const InputError& missing) {
    throw InputError(where,
                     fmt::format("found no mesh from which the inertia of a body follows: {}; "
                                 "expected the file, or an <inertial> of the body",
                                 missing.what()));
  }
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  MjcfMesh mesh;
  if (ending == ".stl")
    mesh = read_stl(bytes, path, where);
  else if (ending == ".msh")
    mesh = read_msh(bytes, path, where);
  else if (ending == ".obj")
    mesh = read_obj(bytes, path, where);
  else
    refuse_mesh(where, path,
                "of which the inertia of a body follows, expected STL, OBJ or MSH, or "
                "an <inertial> of the body");
  return mesh;
}

MjcfMesh mjcf_hull(const MjcfMesh& mesh, const Location& where) {
  std::vector<double> numbers;
  for (const Vec3d& v : mesh.vertices) numbers.insert(numbers.end(), v.begin(), v.end());
  XmlElement root{.name = "mujoco", .attributes = {}, .children = {}, .text = {}, .where = where};
  XmlElement asset = root, world = root, element = root, geom = root;
  asset.name = "asset";
  world.name = "worldbody";
  element.name = "mesh";
  element.attributes = {{"name", "hull"}, {"vertex", numbers_text(numbers)}};
  geom.name = "geom";
  geom.attributes = {{"type", "mesh"}, {"mesh", "hull"}};
  asset.children = {element};
  world.children = {geom};
  root.children = {asset, world};
  const MjcfModel model = compiled_mjcf(root);
  MjcfMesh hull{mesh.vertices, {}};
  for (int f = 0; f < model->nmeshface; ++f)
    hull.faces.push_back(
        {model->mesh_face[3 * f], model->mesh_face[3 * f + 1], model->mesh_face[3 * f + 2]});
  return hull;
}

MjcfMeshShape mjcf_mesh_shape(const MjcfMesh& mesh, MjcfMeshInertia inertia,
                              const Location& where) {
  constexpr double least = 1e-15;
  Vec3d middle = Vec3d::Zero();
  double area = 0.0;
  for (const auto& face : mesh.faces) {
    const Triangle triangle = triangle_of(mesh, face);
    middle += triangle.area * triangle.middle;
    area += triangle.area;
  }
  if (area >= least) middle /= area;
  Vec3d centre = Vec3d::Zero();
  double volume = 0.0;
  for (const auto& face : mesh.faces) {
    const Triangle triangle = triangle_of(mesh, face);
    const double share = share_of(triangle, middle, inertia);
    volume += share;
    centre += share * (0.75 * triangle.middle + 0.25 * middle);
  }
  if (area < least || volume < least)
    throw InputError(where,
                     "found a mesh without volume, or with faces that look inwards, from "
                     "which the inertia of a body follows; expected inertia=\"shell\" or an "
                     "<inertial> of the body");
  centre /= volume;
  MjcfMesh centred = mesh;
  for (Vec3d& v : centred.vertices) v -= centre;
  MjcfMeshShape shape;
  Mat3d products = Mat3d::Zero();
  for (const auto& face : centred.faces) {
    const double share = share_of(triangle_of(centred, face), Vec3d::Zero(), inertia);
    shape.volume += share;
    products += products_of(centred, face, share, inertia == MjcfMeshInertia::shell);
  }
  const Eigen::SelfAdjointEigenSolver<Mat3d> principal(products.trace() * Mat3d::Identity() -
                                                       products);
  const Vec3d moments = principal.eigenvalues().reverse();
  Mat3d axes = principal.eigenvectors().rowwise().reverse();
  if (axes.determinant() < 0.0) axes.col(0) = -axes.col(0);
  shape.pose = {centre, Eigen::Quaterniond(axes)};
  for (int i = 0; i < 3; ++i)
    shape.box[i] =
        0.5 * std::sqrt(std::max(6.0 * (moments.sum() - 2.0 * moments[i]) / shape.volume, 0.0));
  for (const Vec3d& v : centred.vertices) {
    const Vec3d along = axes.transpose() * v;
    shape.least = shape.least.cwiseMin(along);
    shape.most = shape.most.cwiseMax(along);
  }
  return shape;
}

}  // namespace counterpoise
