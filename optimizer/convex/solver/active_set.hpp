#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "optimizer/interruption.hpp"

namespace counterpoise {

/// Least squares |slopes * u + constant| under rows normals.row(i) * u >= sides[i].
struct LimitedSquares {
  Eigen::MatrixXd slopes;
  Eigen::VectorXd constant;
  Eigen::MatrixXd normals;
  Eigen::VectorXd sides;
  std::vector<bool> equal;  // rows that hold with equality, and whose multiplier has no sign
};

struct SquaresOptimum {
  Eigen::VectorXd u;
  Eigen::VectorXd residual;  // slopes * u + constant
  /// y near the unit vector of the residual, with
  ///   slopes' y = sum of multipliers * normals,
  /// to rounding, however small the residual is. Zero where the residual is.
  Eigen::VectorXd direction;
  Eigen::VectorXd multipliers;  // of the rows, for the direction
};

/// From a point that meets the rows. None where rounding keeps it from an end.
/// Asks before each step whether to stop.
std::optional<SquaresOptimum> optimum(const LimitedSquares& problem, const Eigen::VectorXd& start,
                                      const Interruption& interruption = {});

}  // namespace counterpoise
