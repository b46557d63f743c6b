#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "exchange/shapes/triangle_mesh.hpp"

namespace counterpoise {

/// Mass, centre and inertia of a solid of even density, in the axes of the shape or mesh.
struct MassProperties {
  double volume = 0.0;            // [m^3]
  double mass = 0.0;              // [kg]
  Vec3d com = Vec3d::Zero();      // [m]
  Mat3d inertia = Mat3d::Zero();  // about com [kg m^2]
};

/// In closed form, by density [kg/m^3].
MassProperties mass_of(const BoxShape& box, double density);
MassProperties mass_of(const CylinderShape& cylinder, double density);
MassProperties mass_of(const CapsuleShape& capsule, double density);
MassProperties mass_of(const SphereShape& sphere, double density);

/// The same solid in the axes of a body.
MassProperties placed(const MassProperties& solid, const Vec3d& origin, const Mat3d& rotation);
/// Solids as one, though they overlap.
MassProperties together(std::span<const MassProperties> solids);
/// The same solid at the density that gives it this mass [kg].
MassProperties with_mass(const MassProperties& solid, double mass);

/// What of a mesh has mass: the pyramids between a point and its triangles, those whose triangle
/// looks at the point counting as negative or as all others, or the triangles themselves.
enum class MeshParts { pyramids, positive_pyramids, triangles };

/// Volume (or area) at density 1, and its first and second moments about a point.
struct MeshMoments {
  double volume = 0.0;
  Vec3d first = Vec3d::Zero();
  Mat3d second = Mat3d::Zero();

  /// Adds a triangle between places that count from the point, or its pyramid.
  void add(const std::array<Vec3d, 3>& corners, MeshParts parts);
  /// Of which the moments are, in the axes of the mesh.
  [[nodiscard]] MassProperties about(const Vec3d& point, double density) const;
};
MeshMoments moments_of(const TriangleMesh& mesh, const Vec3d& point, MeshParts parts);

/// What was taken as the solid of a mesh.
enum class MeshSolid {
  inside,  // what the triangles enclose
  turned,  // the same, of triangles that looked inward
  hull     // the convex hull of a mesh that encloses nothing, as it is open
};
struct MeshMass {
  MassProperties properties;
  MeshSolid solid = MeshSolid::inside;
};

/// The mass of the solid that a mesh encloses, by the divergence theorem. A mesh is closed if along
/// every edge, after vertices within 1e-6 of its size have become one, as many triangles go one way
/// as the other. Each connected part of a closed mesh adds its volume, unless it lies in another
/// and looks inward: then it is a cavity. Nothing if there is no volume, as of a flat mesh.
std::optional<MeshMass> mesh_mass(const TriangleMesh& mesh, double density);

/// The convex hull of all vertices, of triangles or not; nothing if they lie in a plane.
std::optional<TriangleMesh> convex_hull(const TriangleMesh& mesh);

/// Something that was assumed of a shape, to be told to the user.
struct ShapeRemark {
  Location where;
  std::string text;
};
struct ShapesMass {
  MassProperties properties;  // in body axes
  std::vector<ShapeRemark> remarks;
};

/// The mass of all shapes of a body together, though they overlap. Meshes are read; those without a
/// volume add nothing.
ShapesMass mass_of(std::span<const PlacedShape> shapes, double density);

}  // namespace counterpoise
