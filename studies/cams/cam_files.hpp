#pragma once

#include <span>
#include <string>

#include "engine/mechanism/cam.hpp"

namespace counterpoise {

/// The profile as the file that a model's cam names: a line per knot with its angle in rad, and in
/// mm its lever, offset, radius of curvature, and point of contact x, y, all to the middle of the
/// cable. Numbers read back exactly.
std::string cam_csv(std::span<const CamProfile::Knot> knots);

/// A drawing of the groove's bottom, which is half the cable's diameter [m] inside the profile, in
/// the cam's frame: x along its zero direction, the axis at the origin, seen against the axis, in
/// mm. As DXF of release 12 (an open polyline on the layer PROFILE, a circle of 1 mm on the layer
/// AXIS, a line on the layer ZERO), or as SVG in true scale.
std::string cam_dxf(std::span<const CamProfile::Knot> knots, double diameter);
std::string cam_svg(std::span<const CamProfile::Knot> knots, double diameter);

}  // namespace counterpoise
