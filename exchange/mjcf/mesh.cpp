#include "exchange/mjcf/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "engine/math/rotation.hpp"
#include "input/text/json_document.hpp"

namespace counterpoise {
namespace {

[[noreturn]] void refuse_mesh(const Location& where, const std::filesystem::path& path,
                              const std::string& why) {
  throw InputError(where, fmt::format("the mesh {} {}", path_in_quotes(path), why));
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

/// MuJoCo's own binary format: numbers of vertices, normals, texture coordinates and faces, then
/// these.
TriangleMesh read_msh(std::string_view bytes, const std::filesystem::path& path,
                      const Location& where) {
  std::array<std::size_t, 4> counts{};
  if (bytes.size() >= 16)
    for (std::size_t i = 0; i < 4; ++i) counts[i] = value_at<std::uint32_t>(bytes, 4 * i);
  const auto [vertices, normals, texture, faces] = counts;
  if (vertices < 4 || bytes.size() != 16 + 12 * (vertices + normals + faces) + 8 * texture)
    refuse_mesh(where, path, "is no MSH file");
  TriangleMesh mesh;
  for (std::size_t i = 0; i < vertices; ++i) mesh.vertices.push_back(vertex_at(bytes, 16 + 12 * i));
  const std::size_t first_face = 16 + 12 * (vertices + normals) + 8 * texture;
  for (std::size_t i = 0; i < faces; ++i)
    mesh.add({value_at<int>(bytes, first_face + 12 * i),
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

/// Adds a face as triangles: one of four corners along the shorter diagonal, as MuJoCo, one of more
/// by cutting off corners whose triangle has no other corner inside.
void add_face(TriangleMesh& mesh, std::vector<int> corners) {
  const auto index = [&](std::size_t i) { return corners[i % corners.size()]; };
  const auto at = [&](std::size_t i) -> const Vec3d& { return mesh.vertices[index(i)]; };
  Vec3d normal = Vec3d::Zero();
  for (std::size_t i = 0; i < corners.size(); ++i) normal += at(i).cross(at(i + 1));
  const auto turns_left = [&](const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    return (b - a).cross(c - a).dot(normal) > 0.0;
  };
  const auto can_go = [&](std::size_t i) {
    const Vec3d &a = at(i), &b = at(i + 1), &c = at(i + 2);
    bool can = turns_left(a, b, c);
    for (std::size_t other = i + 3; can && other < i + corners.size(); ++other)
      can = !turns_left(a, b, at(other)) || !turns_left(b, c, at(other)) ||
            !turns_left(c, a, at(other));
    return can;
  };
  const bool many = corners.size() > 4;
  std::size_t first =
      !many && (at(1) - at(3)).squaredNorm() <= (at(0) - at(2)).squaredNorm() ? 1 : 0;
  for (; corners.size() > 3; first = 0) {
    while (many && first < corners.size() && !can_go(first)) ++first;
    mesh.add({index(first), index(first + 1), index(first + 2)});
    corners.erase(corners.begin() + static_cast<std::ptrdiff_t>((first + 1) % corners.size()));
  }
  mesh.add({corners[0], corners[1], corners[2]});
}

/// As MuJoCo, the faces of the first group that has any. assimp's reader takes all groups, cuts
/// faces of four otherwise, and its numbers differ in their last digits: by 3e-8 of a mass.
TriangleMesh read_obj(std::string_view text, const std::filesystem::path& path,
                      const Location& where) {
  TriangleMesh mesh;
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
          refuse_mesh(where, path, "has a vertex that is no numbers");
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
  constexpr std::size_t most_corners = 1000;
  for (const std::vector<int>& corners : faces) {
    if (corners.size() > most_corners)
      refuse_mesh(where, path, fmt::format("has a face of more than {} corners", most_corners));
    for (const int corner : corners)
      if (corner < 0 || static_cast<std::size_t>(corner) >= mesh.vertices.size())
        refuse_mesh(where, path, "has a face of vertices that are not there");
    add_face(mesh, corners);
  }
  return mesh;
}

TriangleMesh read_any(const std::filesystem::path& path, const Location& where) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".stl") return read_mesh(path, where);
  if (ending != ".obj" && ending != ".msh") refuse_mesh(where, path, "has another ending");
  const std::string bytes = read_text_file(path);
  return ending == ".obj" ? read_obj(bytes, path, where) : read_msh(bytes, path, where);
}

}  // namespace

TriangleMesh read_mjcf_mesh(const std::filesystem::path& path, const Location& where) {
  try {
    return read_any(path, where);
  } catch (const InputError& error) {
    throw InputError(
        where, fmt::format("found no mesh from which the inertia of a body follows: {}; expected "
                           "an STL, OBJ or MSH file, or an <inertial> of the body",
                           error.where().file == where.file ? error.message() : error.what()));
  }
}

MjcfPrincipal mjcf_principal(const Mat3d& inertia) {
  const PrincipalAxes principal = principal_axes(inertia);
  Mat3d axes = principal.axes.rowwise().reverse();
  axes.col(0) *= -1.0;  // the reversed order is left-handed
  return {principal.moments.reverse(), Eigen::Quaterniond(axes)};
}

/// As MuJoCo, pyramids stand first on the middle of the surface, then on their own centre.
MjcfMeshShape mjcf_mesh_shape(const TriangleMesh& given, MjcfMeshInertia inertia,
                              const Location& where) {
  constexpr double least = 1e-15;
  const auto refuse = [&](const char* what) {
    throw InputError(where, fmt::format("found a mesh {}, from which the inertia of a body "
                                        "follows; expected inertia=\"shell\" or an <inertial> of "
                                        "the body",
                                        what));
  };
  TriangleMesh mesh = given;
  if (mesh.triangles.empty() || inertia == MjcfMeshInertia::convex) {
    const std::optional<TriangleMesh> hull = convex_hull(given);
    if (!hull) refuse("whose vertices lie in a plane");
    mesh = *hull;
  }
  const MeshParts parts = inertia == MjcfMeshInertia::shell    ? MeshParts::triangles
                          : inertia == MjcfMeshInertia::legacy ? MeshParts::positive_pyramids
                                                               : MeshParts::pyramids;
  const MeshMoments surface = moments_of(mesh, Vec3d::Zero(), MeshParts::triangles);
  const Vec3d middle = surface.first / surface.volume;
  const MeshMoments pyramids = moments_of(mesh, middle, parts);
  if (!(surface.volume >= least) || !(pyramids.volume >= least))
    refuse("without volume, or with faces that look inwards");
  const Vec3d centre = middle + pyramids.first / pyramids.volume;
  const MeshMoments moments = moments_of(mesh, centre, parts);

  MjcfMeshShape shape;
  shape.solid = {.volume = moments.volume, .mass = moments.volume, .com = centre};
  shape.solid.inertia = moments.second.trace() * Mat3d::Identity() - moments.second;
  const MjcfPrincipal principal = mjcf_principal(shape.solid.inertia);
  shape.pose = {centre, principal.axes};
  const double sum = principal.moments.sum();
  for (int i = 0; i < 3; ++i)
    shape.box[i] =
        0.5 * std::sqrt(std::max(6.0 * (sum - 2.0 * principal.moments[i]) / moments.volume, 0.0));
  for (const Vec3d& vertex : mesh.vertices) {
    const Vec3d along = principal.axes.conjugate() * (vertex - centre);
    shape.least = shape.least.cwiseMin(along);
    shape.most = shape.most.cwiseMax(along);
  }
  return shape;
}

}  // namespace counterpoise
