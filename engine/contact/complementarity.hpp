#pragma once

#include <Eigen/Core>

namespace counterpoise {

/// Solves the linear complementarity problem
///
///   0 <= f,   0 <= w = D f + b,   f . w = 0
///
/// for a symmetric positive semidefinite D, the matrix that contacts see (paper 002, eq. 47, with
/// the velocities eliminated). w is unique. Where f is not, because D is singular, the f of least
/// norm among those with the same places above zero is returned. The method is that of Lawson and
/// Hanson for non-negative least squares. Cost: about one factorisation for each place that is
/// above zero; allocates.
Eigen::VectorXd solve_complementarity(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& b);

/// The x of least norm that solves `matrix` x = b for a symmetric positive semidefinite matrix, in
/// the least-squares sense; what is below 1e-12 of its largest pivot counts as zero.
Eigen::VectorXd solve_semidefinite(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& b);

}  // namespace counterpoise
