#pragma once

#include <string>
#include <vector>

#include "engine/mechanism/mechanism.hpp"
#include "input/definition/model.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

/// Numbers as pages carry them: little-endian IEEE numbers one behind the other, in base64. Four
/// bytes a number hold seven digits, enough for drawings and plots.
std::string float32_column(const std::vector<double>& numbers);
std::string float64_column(const std::vector<double>& numbers);
std::string int32_column(const std::vector<int>& numbers);

/// The most that is read of one mesh file [bytes].
inline constexpr std::size_t largest_mesh = std::size_t{20} << 20;

/// Triangles in body axes.
struct BodyMesh {
  int body = -1;
  std::vector<double> vertices;  // x, y, z of each                                     [m]
  std::vector<int> triangles;    // three indices of vertices each
  /// Red, green and blue of each vertex; none if the mesh has no colours.
  std::vector<unsigned char> colours;
};

/// Reads the meshes of all visuals: binary and ASCII STL, and OBJ, whose faces are cut into
/// triangles and whose vertices may have colours behind their coordinates. Throws InputError at the
/// visual, for all of them together: a file that is missing, larger than largest_mesh, broken or
/// without a triangle.
std::vector<BodyMesh> read_meshes(const std::vector<Visual>& visuals);

/// A place in a cam's own plane, in the axes of its body.
Vec3d place_on_cam(const Point& cam, const Vec2<double>& place);
/// A cam's edge in steps that are small enough to be drawn.
std::vector<CamProfile::Knot> cam_in_steps(const Point& cam);

/// The radius of the ball of steel that a counterweight or payload is drawn as: a point mass that
/// is fixed to another body and carries nothing. 0: it is none [m].
double radius_of_ball(const Mechanism& mechanism, BodyIndex body);

/// What pages draw of a mechanism that does not move: bodies with their joints, points, masses as
/// ellipsoids of inertia, loops, couplings, springs and actuators with their limits. Limits that
/// there are not are left out. Elements refer to each other by index, -1 for the world.
/// report/src/common/data.ts has the same as types.
Json mechanism_data(const Mechanism& mechanism);

/// A mesh of a body, which all designs of a model share.
Json mesh_data(const BodyMesh& mesh);

}  // namespace counterpoise
