#pragma once

namespace counterpoise {

/// Largest misfit of a closed loop, as a share of the geometry's size, that counts as closed.
inline constexpr double closed_tolerance = 1e-9;

/// Smallest sine (or relative pivot) of a pose that does not count as singular.
inline constexpr double singular_tolerance = 1e-8;

}  // namespace counterpoise
