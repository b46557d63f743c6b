#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "optimizer/interruption.hpp"

namespace counterpoise {

/// The problem of minimising |slopes * u + constant| under rows normals.row(i) * u >= sides[i].
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
  /// A vector y near the unit vector of the residual, with
  ///   slopes' y = sum of multipliers * normals,
  /// to rounding, however small the residual is. It is zero where the residual is.
  Eigen::VectorXd direction;
  Eigen::VectorXd multipliers;  // of the rows, for the direction
};

/// Finds the optimum from a start point that meets the rows. Returns nothing where rounding
/// prevents it from ending. Asks before each step whether to stop.
std::optional<SquaresOptimum> optimum(const LimitedSquares& problem, const Eigen::VectorXd& start,
                                      const Interruption& interruption = {});

}  // namespace counterpoise
