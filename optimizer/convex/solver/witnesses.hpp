#pragma once

#include <Eigen/Core>
#include <vector>

#include "optimizer/convex/problem/certificate.hpp"

namespace counterpoise {

/// Adds the entries of y that are not 0 as witnesses. y holds the multipliers of the samples of a
/// norm, one part after the other, before they are multiplied by the samples' weights.
void add_witnesses(const ConvexProblem& problem, std::size_t norm, const Eigen::VectorXd& y,
                   Certificate& certificate);

}  // namespace counterpoise
