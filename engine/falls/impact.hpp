#pragma once

#include <Eigen/Core>
#include <vector>

#include "engine/falls/equations_of_motion.hpp"

namespace counterpoise {

/// The result of an impact for the gaps that take part in it, in their order.
struct Impact {
  std::vector<double> before, after;  // rates of the gaps                  [m/s, rad/s]
  std::vector<double> impulse;        // [N s, N m s]
  double energy_lost = 0.0;           // [J]
  bool restitution_lowered = false;
  // places of gaps that no impulse moves, because what is held or followed determines their rates
  std::vector<std::size_t> forced;
  // no impulses keep all gaps from closing, because a followed actuator presses something between
  // them; then nothing has been changed
  bool jammed = false;
};

/// Applies Newton's law of impact to gaps that close together (paper 002, eqs. 44-47): the impulses
/// solve 0 <= impulse, complementary to after + e * before >= 0, so that no contact pulls. Gaps
/// that close with different e all take the smallest, because energy could rise otherwise. The
/// first `closing` gaps are closing; the others are shut already. These take part, so that they are
/// not driven further, but their rates are rounding and their e does not count. Changes the
/// velocities of `equations`; no gap may be held in its rows.
Impact collide(EquationsOfMotion& equations, const std::vector<std::size_t>& gaps,
               std::size_t closing);

/// Ends what is left of the rates of gaps that come to rest, by impulses of either sign.
Impact halt(EquationsOfMotion& equations, const std::vector<std::size_t>& gaps);

/// Returns which of the gaps, closed and at rest, do not open by themselves: the forces on them
/// solve 0 <= force, complementary to their accelerations >= 0. Gaps that the forces on others keep
/// shut (as three feet of a table do with the fourth) are included. No gap may be held.
std::vector<std::size_t> find_resting(EquationsOfMotion& equations,
                                      const std::vector<std::size_t>& gaps);

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
