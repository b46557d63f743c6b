#pragma once

#include <string>

#include "exchange/shapes/mass_properties.hpp"

namespace counterpoise {

/// A primitive shape of MJCF at density 1, about its centre: by its half sizes, radius first. Of a
/// `shell` the surface has the mass, and counts as the volume. A plane has none.
MassProperties mjcf_shape(const std::string& type, const Vec3d& size, bool shell);

}  // namespace counterpoise
