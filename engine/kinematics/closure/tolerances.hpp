#pragma once

namespace counterpoise {

/// The largest misfit, as a share of the geometry's size, with which a loop counts as closed.
inline constexpr double closed_tolerance = 1e-9;

/// The largest misfit with which Newton's method has solved a group of equations.
inline constexpr double solved_misfit = 1e-10;

/// The smallest sine with which a pose solved in closed form does not count as singular. In a
/// singular pose itself the sine is the root of a rounding error, some 1e-8, and what follows from
/// it is noise.
inline constexpr double singular_sine = 1e-6;

/// The smallest relative pivot with which a group of equations does not count as singular.
inline constexpr double singular_pivot = 1e-8;

/// Pivots below this share of the largest count as zero when a rank is found.
inline constexpr double rank_threshold = 1e-9;

/// The least divisor in the formulas of a pose, so that quotients without meaning stay finite.
inline constexpr double tiny = 1e-300;

}  // namespace counterpoise
