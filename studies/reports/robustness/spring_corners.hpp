#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/evaluation/affine_loads.hpp"
#include "engine/mechanism/finding.hpp"
#include "engine/mechanism/spring_law.hpp"
#include "studies/reports/robustness/tolerance_box.hpp"

namespace counterpoise {

/// A spring at every corner of its own tolerances. There are 2^(number of its parts) corners; only
/// the spring itself if it has no parts.
struct SpringCorners {
  std::vector<Spring> springs;
  std::vector<SpringLaw> laws;  // of these
};

/// The corners of each spring of a mechanism.
std::vector<SpringCorners> corners_of(const Mechanism& mechanism, const ToleranceBox& box,
                                      std::span<const ToleranceInterval> intervals);

/// The first limit that a spring breaks at some corner, or an actuator's load at some point of the
/// box of all springs. Both hold for the whole box: lengths do not depend on it, and |tension|,
/// |load| and the limits are largest or least at corners.
std::optional<Finding> first_broken_limit(const Mechanism& mechanism, const AffineLoads& loads,
                                          std::span<const SpringCorners> corners);

/// The least and the greatest load of an actuator over the box, sample by sample: each spring's
/// contribution is at its own least or greatest value. This is exact, because springs deviate
/// independently and a tension is affine in each of its numbers.
struct LoadRange {
  std::vector<double> least, greatest;
};
void load_range(const AffineLoads& loads, std::size_t actuator,
                std::span<const SpringCorners> corners, LoadRange& out);

}  // namespace counterpoise
