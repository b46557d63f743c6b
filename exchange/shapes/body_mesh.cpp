#include "exchange/shapes/body_mesh.hpp"

#include <fmt/format.h>
#include <meshoptimizer.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

namespace counterpoise {
namespace {

/// The triangles of a body between vertices that have one colour each: where two colours meet,
/// there are two vertices.
struct ColouredMesh {
  std::vector<float> places;        // x, y, z of each vertex
  std::vector<int> colours;         // of each vertex, in the palette
  std::vector<unsigned> triangles;  // three indices each
  std::vector<std::optional<Colour>> palette;

  [[nodiscard]] std::size_t size() const { return triangles.size() / 3; }
};

/// All shapes of a body as one mesh.
class ColouredMeshBuilder {
 public:
  void add(const TriangleMesh& mesh, const std::optional<Colour>& otherwise) {
    std::map<int, int> colour_of;  // index in the palette, by the index in the mesh
    const auto colour = [&](int of_mesh) {
      const auto [found, added] = colour_of.try_emplace(of_mesh, 0);
      if (added) found->second = index_of(of_mesh < 0 ? otherwise : mesh.palette[of_mesh]);
      return found->second;
    };
    std::map<std::array<int, 2>, unsigned> vertices;  // by index in the mesh and colour
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      for (const int corner : mesh.triangles[t]) {
        const std::array key = {corner, colour(mesh.colours[t])};
        const auto next = static_cast<unsigned>(whole_.colours.size());
        const auto [found, added] = vertices.try_emplace(key, next);
        if (added) {
          const Vec3d& at = mesh.vertices[corner];
          for (const double number : at) whole_.places.push_back(static_cast<float>(number));
          whole_.colours.push_back(key[1]);
        }
        whole_.triangles.push_back(found->second);
      }
  }
  ColouredMesh finish() { return std::move(whole_); }

 private:
  int index_of(const std::optional<Colour>& colour) {
    auto& palette = whole_.palette;
    const auto found = std::find(palette.begin(), palette.end(), colour);
    if (found != palette.end()) return static_cast<int>(found - palette.begin());
    palette.push_back(colour);
    return static_cast<int>(palette.size()) - 1;
  }

  ColouredMesh whole_;
};

/// Reduces a mesh to at most `most` triangles.
void reduce_triangles(ColouredMesh& mesh, std::size_t most) {
  if (mesh.size() <= most) return;
  constexpr float any_error = 1.0F;  // relative to the size of the mesh
  const std::size_t vertex_count = mesh.colours.size(), stride = 3 * sizeof(float);
  std::vector<unsigned> left(mesh.triangles.size());
  left.resize(meshopt_simplify(left.data(), mesh.triangles.data(), mesh.triangles.size(),
                               mesh.places.data(), vertex_count, stride, 3 * most, any_error, 0,
                               nullptr));
  mesh.triangles = left;
  if (mesh.size() <= most) return;
  left.resize(mesh.triangles.size());
  left.resize(meshopt_simplifySloppy(left.data(), mesh.triangles.data(), mesh.triangles.size(),
                                     mesh.places.data(), vertex_count, stride, 3 * most, any_error,
                                     nullptr));
  mesh.triangles = std::move(left);
}

std::string obj_text(const ColouredMesh& mesh) {
  const Colour uncoloured = {0.7, 0.7, 0.7};  // where only other vertices have a colour
  const bool coloured =
      std::any_of(mesh.palette.begin(), mesh.palette.end(), [](const auto& c) { return !!c; });
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  std::vector<int> number(mesh.colours.size(), 0);  // of the vertices that are used, from 1
  int last = 0;
  for (const unsigned vertex : mesh.triangles) {
    if (number[vertex] != 0) continue;
    number[vertex] = ++last;
    const float* at = mesh.places.data() + 3 * static_cast<std::size_t>(vertex);
    fmt::format_to(out, "v {:.6g} {:.6g} {:.6g}", at[0], at[1], at[2]);
    if (coloured) {
      const auto& own = mesh.palette[mesh.colours[vertex]];
      const Colour colour = own.value_or(uncoloured);
      fmt::format_to(out, " {:.3g} {:.3g} {:.3g}", colour[0], colour[1], colour[2]);
    }
    fmt::format_to(out, "\n");
  }
  for (std::size_t i = 0; i + 2 < mesh.triangles.size(); i += 3)
    fmt::format_to(out, "f {} {} {}\n", number[mesh.triangles[i]], number[mesh.triangles[i + 1]],
                   number[mesh.triangles[i + 2]]);
  return fmt::to_string(text);
}

}  // namespace

std::size_t triangles_of_each(std::size_t bodies) {
  constexpr std::size_t most = 10'000, together = 120'000;
  return std::min(most, together / std::max<std::size_t>(bodies, 1));
}

WrittenMesh body_mesh(std::span<const PlacedShape> shapes, std::size_t most_triangles) {
  ColouredMeshBuilder builder;
  for (const PlacedShape& shape : shapes) builder.add(welded(surface_of(shape), 0.0), shape.colour);
  ColouredMesh mesh = builder.finish();
  WrittenMesh written{.obj = {}, .drawn = mesh.size()};
  reduce_triangles(mesh, most_triangles);
  written.triangles = mesh.size();
  if (mesh.size() > 0) written.obj = obj_text(mesh);
  return written;
}

}  // namespace counterpoise
