#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "exchange/mjcf/shapes.hpp"

namespace counterpoise {

/// Triangles of a mesh.
struct MjcfMesh {
  std::vector<Vec3d> vertices;
  std::vector<std::array<int, 3>> faces;
};

/// How MuJoCo takes the mass of a mesh to be spread.
enum class MjcfMeshInertia {
  legacy,  // pyramids from the middle of the faces, each positive
  exact,   // the volume that the faces enclose
  convex,  // the volume of the convex hull
  shell    // the surface
};

/// The mass properties of a mesh, of a density of 1, and the box about it along its principal axes.
struct MjcfMeshShape {
  double volume = 0.0;        // or the surface of a shell
  MjcfPose pose;              // of its principal axes, the largest moment first
  Vec3d box = Vec3d::Zero();  // half sides of the box of the same inertia
  Vec3d least = Vec3d::Zero(), most = Vec3d::Zero();  // corners along the axes of `pose`
};

/// The triangles of an STL, OBJ or MSH file. Throws InputError at `where` if the file is missing or
/// is not a mesh.
MjcfMesh read_mjcf_mesh(const std::filesystem::path& path, const Location& where);

/// The triangles of the convex hull of a mesh's vertices.
MjcfMesh mjcf_hull(const MjcfMesh& mesh, const Location& where);

/// Throws InputError for a mesh without volume or surface.
MjcfMeshShape mjcf_mesh_shape(const MjcfMesh& mesh, MjcfMeshInertia inertia, const Location& where);

}  // namespace counterpoise
