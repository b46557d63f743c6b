#include "exchange/mjcf/shapes.hpp"

#include <cmath>
#include <numbers>

namespace counterpoise {
namespace {

constexpr double pi = std::numbers::pi;

/// A part of a shape at density 1, by the mean squares of its coordinates from its centre, which
/// lies at a height on z.
MassProperties part_of(double volume, const Vec3d& squares, double height = 0.0) {
  MassProperties part{.volume = volume, .mass = volume, .com = {0.0, 0.0, height}};
  part.inertia.diagonal() = volume * (Vec3d::Constant(squares.sum()) - squares);
  return part;
}

/// A tube with two half balls at its ends, or two discs.
MassProperties round_shell(double radius, double height, bool balls) {
  const double r2 = radius * radius;
  const double end = (balls ? 2.0 : 1.0) * pi * r2;
  const Vec3d squares = balls ? Vec3d(r2 / 3.0, r2 / 3.0, r2 / 12.0) : Vec3d(r2 / 4.0, r2 / 4.0, 0);
  const double at = height / 2.0 + (balls ? radius / 2.0 : 0.0);  // the centre of an end
  return together(
      std::array{part_of(2.0 * pi * radius * height, {r2 / 2.0, r2 / 2.0, height * height / 12.0}),
                 part_of(end, squares, at), part_of(end, squares, -at)});
}

MassProperties solid_ellipsoid(const Vec3d& size) {
  return part_of(4.0 * pi * size.prod() / 3.0, size.cwiseAbs2() / 5.0);
}

/// The difference of a solid ellipsoid and one that is a little larger.
MassProperties ellipsoid_shell(const Vec3d& size) {
  constexpr double thickness = 1e-6, p = 1.6075;  // [m]; of Thomsen's approximation; both MuJoCo's
  const MassProperties inner = solid_ellipsoid(size);
  MassProperties shell = solid_ellipsoid(size + Vec3d::Constant(thickness));
  shell.mass -= inner.mass;
  shell.inertia -= inner.inertia;
  const double mean = (std::pow(size[0] * size[1], p) + std::pow(size[1] * size[2], p) +
                       std::pow(size[2] * size[0], p)) /
                      3.0;
  shell = with_mass(shell, 4.0 * pi * std::pow(mean, 1.0 / p));
  shell.volume = shell.mass;
  return shell;
}

MassProperties box_shell(const Vec3d& size) {
  std::array<MassProperties, 3> pairs;  // of sides, by the axis that they lie across
  for (int axis = 0; axis < 3; ++axis) {
    Vec3d squares = size.cwiseAbs2() / 3.0;
    squares[axis] *= 3.0;
    pairs[axis] = part_of(8.0 * size[(axis + 1) % 3] * size[(axis + 2) % 3], squares);
  }
  return together(pairs);
}

}  // namespace

MassProperties mjcf_shape(const std::string& type, const Vec3d& size, bool shell) {
  const double radius = size[0], height = 2.0 * size[1];
  if (type == "sphere")
    return shell ? round_shell(radius, 0.0, true) : mass_of(SphereShape{radius}, 1.0);
  if (type == "capsule")
    return shell ? round_shell(radius, height, true) : mass_of(CapsuleShape{radius, height}, 1.0);
  if (type == "cylinder")
    return shell ? round_shell(radius, height, false) : mass_of(CylinderShape{radius, height}, 1.0);
  if (type == "ellipsoid") return shell ? ellipsoid_shell(size) : solid_ellipsoid(size);
  if (type == "box") return shell ? box_shell(size) : mass_of(BoxShape{2.0 * size}, 1.0);
  return {};
}

}  // namespace counterpoise
