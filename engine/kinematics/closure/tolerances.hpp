#pragma once

namespace counterpoise {

/// Largest misfit of a closed loop, as a share of the geometry's size, that counts as closed.
inline constexpr double closed_tolerance = 1e-9;

/// Smallest sine of a pose, solved in closed form, that does not count as singular. In a singular
/// pose itself rounding leaves its root, some 1e-8, and what is computed from it is noise.
inline constexpr double singular_sine = 1e-6;

/// Smallest relative pivot of a group's equations that does not count as singular.
inline constexpr double singular_pivot = 1e-8;

/// Pivots below this share of the largest count as zero when a rank is found.
inline constexpr double rank_threshold = 1e-9;

/// The least that a pose's formulas divide by, so that quotients without meaning stay finite.
inline constexpr double tiny = 1e-300;

}  // namespace counterpoise
