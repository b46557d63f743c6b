#include "engine/forward/impact.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>

#include "engine/contact/complementarity.hpp"

namespace counterpoise {
namespace {

/// How impulses on gaps change the independent velocities and the gaps' rates.
struct Response {
  Eigen::MatrixXd slopes;    // gaps by independent joints: J N
  Eigen::MatrixXd mobility;  // independents by gaps: (N' M N)^-1 (J N)'
  Eigen::MatrixXd matrix;    // gaps by gaps: J N (N' M N)^-1 (J N)'
};

Response response_of(EquationsOfMotion& equations, const std::vector<std::size_t>& gaps) {
  const auto n = static_cast<Eigen::Index>(gaps.size());
  const Eigen::MatrixXd& motions = equations.motions();
  Response response;
  response.slopes.resize(n, motions.cols());
  std::vector<double> row(static_cast<std::size_t>(motions.rows()));
  equations.see_bodies();
  for (Eigen::Index i = 0; i < n; ++i) {
    std::fill(row.begin(), row.end(), 0.0);
    equations.gap(gaps[static_cast<std::size_t>(i)], row);
    response.slopes.row(i) =
        Eigen::Map<const Eigen::RowVectorXd>(row.data(), motions.rows()) * motions;
  }
  if (motions.cols() == 0) {  // all is held or followed: impulses change nothing
    response.mobility.resize(0, n);
    response.matrix.setZero(n, n);
    return response;
  }
  response.mobility = equations.mass().llt().solve(response.slopes.transpose());
  response.matrix = response.slopes * response.mobility;
  response.matrix = 0.5 * (response.matrix + response.matrix.transpose()).eval();
  return response;
}

Eigen::VectorXd rates_of(EquationsOfMotion& equations, const std::vector<std::size_t>& gaps) {
  equations.see_bodies();
  Eigen::VectorXd rates(static_cast<Eigen::Index>(gaps.size()));
  for (std::size_t i = 0; i < gaps.size(); ++i)
    rates(static_cast<Eigen::Index>(i)) = equations.gap(gaps[i]).rate;
  return rates;
}

/// Applies impulses to gaps, and says what they did.
Impact apply(EquationsOfMotion& equations, const std::vector<std::size_t>& gaps,
             const Response& response, const Eigen::VectorXd& before,
             const Eigen::VectorXd& impulse) {
  if (response.mobility.rows() > 0) equations.push(response.mobility * impulse);
  const Eigen::VectorXd after = rates_of(equations, gaps);
  Impact impact;
  impact.energy_lost = -0.5 * impulse.dot(before + after);
  impact.before.assign(before.begin(), before.end());
  impact.after.assign(after.begin(), after.end());
  impact.impulse.assign(impulse.begin(), impulse.end());
  return impact;
}

}  // namespace

Impact collide(EquationsOfMotion& equations, const std::vector<std::size_t>& gaps) {
  const Response response = response_of(equations, gaps);
  const Eigen::VectorXd before = rates_of(equations, gaps);
  double least = 1.0, most = 0.0;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    if (before(static_cast<Eigen::Index>(i)) >= 0.0) continue;  // its e has nothing to return
    least = std::min(least, equations.gaps()[gaps[i]].restitution);
    most = std::max(most, equations.gaps()[gaps[i]].restitution);
  }
  // a gap that opens already keeps its rate: e returns closing rates only
  const Eigen::VectorXd wanted = before + least * before.cwiseMin(0.0);
  Impact impact =
      apply(equations, gaps, response, before, solve_complementarity(response.matrix, wanted));
  impact.restitution_lowered = most > least;
  return impact;
}

Impact halt(EquationsOfMotion& equations, const std::vector<std::size_t>& gaps) {
  if (gaps.empty()) return {};
  const Response response = response_of(equations, gaps);
  const Eigen::VectorXd before = rates_of(equations, gaps);
  return apply(equations, gaps, response, before,
               response.matrix.completeOrthogonalDecomposition().solve(-before));
}

std::vector<std::size_t> find_resting(EquationsOfMotion& equations,
                                      const std::vector<std::size_t>& gaps) {
  if (gaps.empty()) return {};
  const Response response = response_of(equations, gaps);
  Eigen::VectorXd accelerations(static_cast<Eigen::Index>(gaps.size()));
  equations.see_bodies();
  for (std::size_t i = 0; i < gaps.size(); ++i)
    accelerations(static_cast<Eigen::Index>(i)) = equations.gap(gaps[i]).acceleration;
  const Eigen::VectorXd force = solve_complementarity(response.matrix, accelerations);
  std::vector<std::size_t> resting;
  for (std::size_t i = 0; i < gaps.size(); ++i)
    if (force(static_cast<Eigen::Index>(i)) > 0.0) resting.push_back(gaps[i]);
  return resting;
}

}  // namespace counterpoise
