#pragma once

#include <Eigen/Core>
#include <vector>

#include "optimizer/convex/problem/certificate.hpp"

namespace counterpoise {

/// Adds what is not 0 of y as witnesses: multipliers of the samples of a norm, one part after the
/// other, before their weights.
void add_witnesses(const ConvexProblem& problem, std::size_t norm, const Eigen::VectorXd& y,
                   Certificate& certificate);

}  // namespace counterpoise
