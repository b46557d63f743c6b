#pragma once

#include <string>

#include "exchange/shapes/triangle_mesh.hpp"

namespace counterpoise::test {

/// A mesh as the text of a file.
std::string binary_stl(const TriangleMesh& mesh);
std::string ascii_stl(const TriangleMesh& mesh);
std::string obj_of(const TriangleMesh& mesh);
/// COLLADA: `unit` is that of lengths [m]; a node with a 4 x 4 matrix, row by row, places the mesh.
std::string collada(const TriangleMesh& mesh, const std::string& unit, const std::string& up_axis,
                    const std::string& matrix, const std::string& diffuse);
/// glTF with its numbers inside, and the same as a binary file. A node moves the mesh along its x.
std::string gltf(const TriangleMesh& mesh, double along_x);
std::string glb(const TriangleMesh& mesh, double along_x);

/// Writes the file into the tests' folder and returns its path.
std::string written_mesh(const std::string& name, const std::string& text);

/// The surface of a box about the origin.
TriangleMesh box_mesh(const Vec3d& size);

}  // namespace counterpoise::test
