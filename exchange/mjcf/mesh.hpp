#pragma once

#include <filesystem>

#include "exchange/mjcf/pose.hpp"
#include "exchange/shapes/mass_properties.hpp"

namespace counterpoise {

/// How MuJoCo takes the mass of a mesh to be spread.
enum class MjcfMeshInertia {
  legacy,  // pyramids from the middle of the faces, each positive
  exact,   // the volume that the faces enclose
  convex,  // the volume of the convex hull
  shell    // the surface
};

/// A mesh at density 1, and the box about it along its principal axes.
struct MjcfMeshShape {
  MassProperties solid;       // of a shell, the volume is the surface
  MjcfPose pose;              // of its principal axes, the largest moment first
  Vec3d box = Vec3d::Zero();  // half sides of the box of the same inertia
  Vec3d least = Vec3d::Zero(), most = Vec3d::Zero();  // corners along the axes of `pose`
};

/// Principal moments, the largest first, and their axes.
struct MjcfPrincipal {
  Vec3d moments;
  Eigen::Quaterniond axes;
};
MjcfPrincipal mjcf_principal(const Mat3d& inertia);

/// The triangles of an STL, OBJ or MSH file. Throws InputError at `where` if the file is missing or
/// is not a mesh.
TriangleMesh read_mjcf_mesh(const std::filesystem::path& path, const Location& where);

/// Throws InputError at `where` for a mesh without volume or surface.
MjcfMeshShape mjcf_mesh_shape(const TriangleMesh& mesh, MjcfMeshInertia inertia,
                              const Location& where);

}  // namespace counterpoise
