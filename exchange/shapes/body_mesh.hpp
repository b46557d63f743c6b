#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "exchange/shapes/triangle_mesh.hpp"

namespace counterpoise {

/// The looks of a body as one mesh file.
struct WrittenMesh {
  std::string obj;  // text of an OBJ file in metres and body axes; empty without triangles
  std::size_t triangles = 0;  // of it
  std::size_t drawn = 0;      // of the shapes that it was made of
};

/// How many triangles the mesh of each body may have, so that a page with all of them stays below
/// 8 MB: 10,000, or a share of 120,000 where there are more than twelve bodies.
std::size_t triangles_of_each(std::size_t bodies);

/// Everything that a body looks like as one mesh of at most so many triangles. Colours stand behind
/// the coordinates of vertices: the mesh file's, else the colours that the description gives to
/// shapes, else none. More triangles are reduced by meshoptimizer, edge by edge with the least
/// error of the surface, and where this cannot reach the number, as with thousands of separate
/// screws, by joining near vertices. Meshes are read.
WrittenMesh body_mesh(std::span<const PlacedShape> shapes, std::size_t most_triangles);

}  // namespace counterpoise
