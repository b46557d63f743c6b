#pragma once

#include <array>
#include <functional>
#include <limits>

namespace counterpoise::test {

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// A slope by central differences and how far it may be off.
struct Slope {
  double value = 0.0;
  double error = 0.0;
};

/// Slope of a smooth function at 0 from steps h, 2h, 3h to both sides (sixth order). The error is
/// the distance to the fourth-order difference plus the rounding of values that are good to
/// `value_error`.
Slope slope_at_zero(const std::function<double(double)>& function, double h, double value_error);

/// Second derivative likewise.
Slope curvature_at_zero(const std::function<double(double)>& function, double h,
                        double value_error);

}  // namespace counterpoise::test
