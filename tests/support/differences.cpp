#include "tests/support/differences.hpp"

#include <cmath>

namespace counterpoise::test {
namespace {

struct Values {
  Values(const std::function<double(double)>& function, double h) {
    for (int k = 1; k <= 3; ++k) {
      const double above = function(k * h);
      const double below = function(-k * h);
      odd[k - 1] = (above - below) / 2.0;
      even[k - 1] = (above + below) / 2.0;
    }
  }
  std::array<double, 3> odd, even;
};

}  // namespace

Slope slope_at_zero(const std::function<double(double)>& function, double h, double value_error) {
  const auto f = Values(function, h).odd;
  const double sixth = (45.0 * f[0] - 9.0 * f[1] + f[2]) / (30.0 * h);
  const double fourth = (8.0 * f[0] - f[1]) / (6.0 * h);
  return {sixth, std::abs(sixth - fourth) + 2.0 * value_error / h};
}

Slope curvature_at_zero(const std::function<double(double)>& function, double h,
                        double value_error) {
  const double middle = function(0.0);
  auto f = Values(function, h).even;
  for (double& value : f) value -= middle;
  const double sixth = (270.0 * f[0] - 27.0 * f[1] + 2.0 * f[2]) / (90.0 * h * h);
  const double fourth = (16.0 * f[0] - f[1]) / (6.0 * h * h);
  return {sixth, std::abs(sixth - fourth) + 8.0 * value_error / (h * h)};
}

}  // namespace counterpoise::test
