#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <vector>

#include "exchange/shapes/shape.hpp"

namespace counterpoise {

/// Triangles between vertices, counter-clockwise as seen from outside.
struct TriangleMesh {
  using Triangle = std::array<int, 3>;

  std::vector<Vec3d> vertices;      // [m]
  std::vector<Triangle> triangles;  // indices of vertices
  std::vector<Colour> palette;      // the colours of triangles
  std::vector<int> colours;         // of each triangle, an index of the palette, or -1 for none
  void add(const Triangle& triangle, int colour = -1) {
    triangles.push_back(triangle);
    colours.push_back(colour);
  }
};

/// The most bytes and triangles of a mesh file that are read, with the files that it names.
inline constexpr std::size_t largest_mesh_file = std::size_t{100} << 20;
inline constexpr std::size_t most_mesh_triangles = 2'000'000;

/// Reads a mesh as ROS tools do: STL, OBJ, COLLADA (.dae), glTF (.gltf, .glb). Lengths of COLLADA
/// are multiplied by its <unit meter>, and all nodes of a scene place their meshes. The <up_axis>
/// of COLLADA is not obeyed; glTF, whose y points up, is turned so that z does, as rviz does both.
/// Faces are cut into triangles; lines and points are left out. Colours are taken from diffuse
/// materials without a texture. Throws InputError at `where`, the place that names the file, for a
/// file that is missing, too large, broken, or without a triangle.
TriangleMesh read_mesh(const std::filesystem::path& file, const Location& where);

/// The surface of a shape in body axes. Round shapes have facets; meshes are read.
TriangleMesh surface_of(const PlacedShape& shape);

/// The mesh with one vertex for all that are within a distance of each other [m], none that no
/// triangle uses, and without triangles of fewer than three vertices.
TriangleMesh welded(const TriangleMesh& mesh, double distance);

/// The length of the diagonal of the box that holds all vertices [m].
double diagonal_of(const TriangleMesh& mesh);

}  // namespace counterpoise
