#pragma once

#include <vector>

#include "input/definition/model.hpp"

namespace counterpoise {

/// The most that is read of one mesh file [bytes].
inline constexpr std::size_t largest_mesh = std::size_t{20} << 20;

/// Triangles in body axes.
struct BodyMesh {
  int body = -1;
  std::vector<double> vertices;  // x, y, z of each                                     [m]
  std::vector<int> triangles;    // three indices of vertices each
};

/// Reads the meshes of all visuals: binary and ASCII STL, and OBJ, whose faces are cut into
/// triangles. Throws InputError at the visual, for all of them together: a file that is missing,
/// larger than largest_mesh, broken or without a triangle.
std::vector<BodyMesh> read_meshes(const std::vector<Visual>& visuals);

}  // namespace counterpoise
