#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "engine/mechanism/elements.hpp"
#include "studies/springs/spring_roles.hpp"

namespace counterpoise {

/// A number as an affine function of the sized variables u: constant + sum of slope * u.
struct AffineNumber {
  double constant = 0.0;
  std::vector<double> slopes;  // one per sized variable

  [[nodiscard]] bool fixed() const;
  [[nodiscard]] double at(const std::vector<double>& u) const;
};

/// A spring's numbers as affine functions of the sized variables, in one motion.
struct AffineSpring {
  AffineNumber rate, free_length, initial_tension;
  AffineNumber min_length, max_length, max_load;  // constant infinite where there is no such limit
};

/// The six numbers of a spring that an exact search may change.
std::array<double, 6> numbers_of(const Spring& spring);

/// Springs at given values of the sized variables: one vector of springs for each motion.
using SpringsAt = std::function<std::vector<std::vector<Spring>>(const std::vector<double>& u)>;

/// Tells how springs depend on the sized variables by asking for them at a few values: at all lower
/// bounds, with one variable after the other at its upper, and at a point in between to see that
/// they are affine. Throws InputError at the study's variable that a number does not follow in
/// proportion. One AffineSpring per motion and spring.
std::vector<std::vector<AffineSpring>> affine_springs(const Study& study, const SpringRoles& roles,
                                                      const SpringsAt& springs_at);

}  // namespace counterpoise
