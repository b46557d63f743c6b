#include "exchange/shapes/mass_properties.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace counterpoise {
namespace {

/// About the centre, with the same moments about x and y.
MassProperties round_solid(double volume, double density, double across, double along) {
  MassProperties solid{.volume = volume, .mass = density * volume};
  solid.inertia.diagonal() = Vec3d(across, across, along);
  return solid;
}

/// What moves the inertia of this mass from its centre to a place that far off.
Mat3d moved_inertia(double mass, const Vec3d& offset) {
  return mass * (offset.squaredNorm() * Mat3d::Identity() - offset * offset.transpose());
}

/// The mass of one shape in its own axes, and what was assumed of it.
struct MassOfShape {
  double density;
  const Location& where;
  std::vector<ShapeRemark>& remarks;

  template <class Simple>
  MassProperties operator()(const Simple& shape) const {
    return mass_of(shape, density);
  }
  MassProperties operator()(const MeshShape& shape) const {
    const auto found =
        mesh_mass(surface_of({.shape = shape, .colour = std::nullopt, .where = where}), density);
    const std::string name = in_quotes(shape.file.filename().string());
    if (!found) {
      remarks.push_back({where, fmt::format("the mesh {} is flat and has no volume", name)});
      return {};
    }
    if (found->solid == MeshSolid::hull)
      remarks.push_back(
          {where, fmt::format("the mesh {} is open: its convex hull, of {:.4g} dm^3, counts as its "
                              "volume",
                              name, 1e3 * found->properties.volume)});
    if (found->solid == MeshSolid::turned)
      remarks.push_back({where, fmt::format("the mesh {} is inside out: it is turned", name)});
    return found->properties;
  }
};

}  // namespace

MassProperties mass_of(const BoxShape& box, double density) {
  MassProperties solid{.volume = box.size.prod()};
  solid.mass = density * solid.volume;
  const Vec3d squares = box.size.cwiseAbs2();
  solid.inertia.diagonal() = solid.mass / 12.0 * (Vec3d::Constant(squares.sum()) - squares);
  return solid;
}

MassProperties mass_of(const CylinderShape& cylinder, double density) {
  const double r2 = cylinder.radius * cylinder.radius, l = cylinder.length;
  const double volume = std::numbers::pi * r2 * l, mass = density * volume;
  return round_solid(volume, density, mass / 12.0 * (3.0 * r2 + l * l), mass / 2.0 * r2);
}

MassProperties mass_of(const CapsuleShape& capsule, double density) {
  const double r = capsule.radius, l = capsule.length;
  const double tube = density * std::numbers::pi * r * r * l,
               ends = density * 4.0 / 3.0 * std::numbers::pi * r * r * r;
  const double along = tube * r * r / 2.0 + ends * 0.4 * r * r;
  // the two half balls, whose centres of mass are 3/8 r from their flat sides
  const double across =
      tube * (3.0 * r * r + l * l) / 12.0 + ends * (0.4 * r * r + l * l / 4.0 + 3.0 / 8.0 * l * r);
  return round_solid(std::numbers::pi * r * r * (l + 4.0 / 3.0 * r), density, across, along);
}

MassProperties mass_of(const SphereShape& sphere, double density) {
  return mass_of(CapsuleShape{sphere.radius, 0.0}, density);
}

MassProperties placed(const MassProperties& solid, const Vec3d& origin, const Mat3d& rotation) {
  MassProperties there = solid;
  there.com = origin + rotation * solid.com;
  there.inertia = rotation * solid.inertia * rotation.transpose();
  return there;
}

MassProperties together(std::span<const MassProperties> solids) {
  MassProperties whole;
  for (const MassProperties& solid : solids) {
    whole.volume += solid.volume;
    whole.mass += solid.mass;
    whole.com += solid.mass * solid.com;
  }
  if (!(whole.mass > 0.0)) return {.volume = whole.volume};
  whole.com /= whole.mass;
  for (const MassProperties& solid : solids)
    whole.inertia += solid.inertia + moved_inertia(solid.mass, solid.com - whole.com);
  return whole;
}

MassProperties with_mass(const MassProperties& solid, double mass) {
  MassProperties changed = solid;
  changed.mass = mass;
  changed.inertia *= mass / solid.mass;
  return changed;
}

ShapesMass mass_of(std::span<const PlacedShape> shapes, double density) {
  ShapesMass all;
  std::vector<MassProperties> solids;
  for (const PlacedShape& shape : shapes)
    solids.push_back(placed(std::visit(MassOfShape{density, shape.where, all.remarks}, shape.shape),
                            shape.origin, shape.rotation));
  all.properties = together(solids);
  return all;
}

}  // namespace counterpoise
