#pragma once

#include <filesystem>
#include <optional>
#include <variant>

#include "engine/math/vector.hpp"
#include "input/text/input_error.hpp"

namespace counterpoise {

/// Red, green and blue, each from 0 to 1.
using Colour = Vec3d;

/// Shapes of robots' descriptions. All but meshes have their origin in their centre.
/// Lengths are in metres.
struct BoxShape {
  Vec3d size = Vec3d::Zero();  // whole lengths of the edges along x, y and z
};
struct CylinderShape {
  double radius = 0.0, length = 0.0;  // along z
};
struct CapsuleShape {
  double radius = 0.0, length = 0.0;  // along z, without the round ends
};
struct SphereShape {
  double radius = 0.0;
};
struct MeshShape {
  std::filesystem::path file;
  Vec3d scale = Vec3d::Ones();  // of the file's lengths along x, y and z; negative mirrors
};

using Shape = std::variant<BoxShape, CylinderShape, CapsuleShape, SphereShape, MeshShape>;

/// A shape on a body, as a visual or a collision element describes it.
struct PlacedShape {
  Shape shape;
  Vec3d origin = Vec3d::Zero();        // of the shape, in body axes                     [m]
  Mat3d rotation = Mat3d::Identity();  // from the shape's axes to the body's
  std::optional<Colour> colour{};      // used where a mesh has none of its own
  Location where{};                    // in the description
};

}  // namespace counterpoise
