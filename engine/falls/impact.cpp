#include "engine/falls/impact.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <utility>
#include <vector>

namespace counterpoise {
namespace {

/// How impulses on gaps change the independent velocities and the gaps' rates.
struct Response {
  Eigen::MatrixXd slopes;    // gaps by independent joints: J N
  Eigen::MatrixXd mobility;  // independents by gaps: (N' M N)^-1 (J N)'
  Eigen::MatrixXd matrix;    // gaps by gaps: J N (N' M N)^-1 (J N)'

  /// Whether no impulse on the gap moves anything: what is held or followed determines its rate.
  [[nodiscard]] bool forced(Eigen::Index gap) const { return !(matrix(gap, gap) > 0.0); }
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
    equations.gap(gaps[i], row);
    const Eigen::Map<const Eigen::RowVectorXd> slope(row.data(), motions.rows());
    response.slopes.row(i) = slope * motions;
    const double rounding = 1e-12 * slope.norm() * motions.norm();
    if (response.slopes.row(i).norm() <= rounding) response.slopes.row(i).setZero();
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

/// Applies impulses to gaps, and reports their effect.
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

std::vector<Eigen::Index> places_above_zero(const Eigen::VectorXd& values) {
  std::vector<Eigen::Index> places;
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if (values(i) > 0.0) places.push_back(i);
  return places;
}

/// Whether a gap cannot move while others do not: its slopes are combinations of theirs.
bool follows(const Eigen::MatrixXd& matrix, Eigen::Index gap,
             const std::vector<Eigen::Index>& others) {
  if (others.empty()) return false;
  constexpr double rounding = 1e-10;
  const Eigen::MatrixXd among = matrix(others, others);
  const Eigen::VectorXd with = matrix(others, gap);
  const double left = matrix(gap, gap) - with.dot(solve_semidefinite(among, with));
  return left <= rounding * matrix(gap, gap);
}

}  // namespace

Impact collide(EquationsOfMotion& equations, const std::vector<std::size_t>& gaps,
               std::size_t closing) {
  const Response response = response_of(equations, gaps);
  const Eigen::VectorXd before = rates_of(equations, gaps);
  double least = 1.0, most = 0.0;
  std::vector<std::size_t> forced;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    if (response.forced(at)) {
      forced.push_back(i);
    } else if (i < closing && before(at) < 0.0) {
      least = std::min(least, equations.gaps()[gaps[i]].restitution);
      most = std::max(most, equations.gaps()[gaps[i]].restitution);
    }
  }
  Eigen::VectorXd wanted = (1.0 + least) * before;
  for (const std::size_t i : forced) wanted(static_cast<Eigen::Index>(i)) = 0.0;
  const Eigen::VectorXd impulse = solve_complementarity(response.matrix, wanted);
  constexpr double met = 1e-6;
  if ((response.matrix * impulse + wanted).minCoeff() < -met * wanted.cwiseAbs().maxCoeff()) {
    Impact impact;
    impact.jammed = true;
    return impact;
  }
  Impact impact = apply(equations, gaps, response, before, impulse);
  impact.restitution_lowered = most > least;
  impact.forced = std::move(forced);
  return impact;
}

Impact halt(EquationsOfMotion& equations, const std::vector<std::size_t>& gaps) {
  if (gaps.empty()) return {};
  const Response response = response_of(equations, gaps);
  const Eigen::VectorXd before = rates_of(equations, gaps);
  return apply(equations, gaps, response, before, solve_semidefinite(response.matrix, -before));
}

std::vector<std::size_t> find_resting(EquationsOfMotion& equations,
                                      const std::vector<std::size_t>& gaps) {
  if (gaps.empty()) return {};
  const Response response = response_of(equations, gaps);
  Eigen::VectorXd accelerations(static_cast<Eigen::Index>(gaps.size()));
  equations.see_bodies();
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    accelerations(at) = response.forced(at) ? 0.0 : equations.gap(gaps[i]).acceleration;
  }
  const Eigen::VectorXd force = solve_complementarity(response.matrix, accelerations);
  const Eigen::VectorXd opening = response.matrix * force + accelerations;
  const std::vector<Eigen::Index> pressed = places_above_zero(force);
  constexpr double still = 1e-9;
  std::vector<std::size_t> resting;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    const bool kept = !response.forced(at) &&
                      opening(at) <= still * accelerations.cwiseAbs().maxCoeff() &&
                      follows(response.matrix, at, pressed);
    if (force(at) > 0.0 || kept) resting.push_back(gaps[i]);
  }
  return resting;
}

namespace {

using Places = std::vector<Eigen::Index>;

struct Part {
  Eigen::MatrixXd matrix;
  Eigen::VectorXd right;
};

Part part_of(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& b, const Places& places) {
  const auto n = static_cast<Eigen::Index>(places.size());
  Part part{Eigen::MatrixXd(n, n), Eigen::VectorXd(n)};
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Index at = places[i];
    part.right(i) = -b(at);
    for (Eigen::Index j = 0; j < n; ++j) part.matrix(i, j) = matrix(at, places[j]);
  }
  return part;
}

/// Which places of the solution are above zero once `trace` of the identity, relative to the
/// largest entry, has made the problem strictly convex.
Places find_above(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& b, double trace,
                  double enough, Eigen::VectorXd& f) {
  const Eigen::Index n = b.size();
  const Eigen::MatrixXd convex =
      matrix + trace * matrix.diagonal().maxCoeff() * Eigen::MatrixXd::Identity(n, n);
  f.setZero(n);
  Places above;
  for (Eigen::Index entered = 0; entered < 10 * n; ++entered) {
    const Eigen::VectorXd w = convex * f + b;
    Eigen::Index next = -1;
    for (Eigen::Index i = 0; i < n; ++i)
      if (std::find(above.begin(), above.end(), i) == above.end() && w(i) < -enough &&
          (next < 0 || w(i) < w(next)))
        next = i;
    if (next < 0) break;
    above.push_back(next);
    // goes towards the solution on these places, and drops the first one that meets zero
    for (;;) {
      const Part part = part_of(convex, b, above);
      const Eigen::VectorXd wanted = part.matrix.ldlt().solve(part.right);
      double way = 1.0;
      std::size_t first = above.size();
      for (std::size_t i = 0; i < above.size(); ++i) {
        const double to = wanted(static_cast<Eigen::Index>(i)), from = f(above[i]);
        if (to > 0.0) continue;
        const double share = from > to ? from / (from - to) : 0.0;
        if (share < way || first == above.size()) {
          way = share;
          first = i;
        }
      }
      for (std::size_t i = 0; i < above.size(); ++i)
        f(above[i]) += way * (wanted(static_cast<Eigen::Index>(i)) - f(above[i]));
      if (first == above.size()) break;
      f(above[first]) = 0.0;
      above.erase(above.begin() + static_cast<std::ptrdiff_t>(first));
    }
  }
  return above;
}

}  // namespace

Eigen::VectorXd solve_semidefinite(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& b) {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor;
  factor.setThreshold(1e-12);
  return factor.compute(matrix).solve(b);
}

Eigen::VectorXd solve_complementarity(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& b) {
  Eigen::VectorXd f = Eigen::VectorXd::Zero(b.size());
  // without a diagonal nothing that pushes changes anything
  if (b.size() == 0 || b.minCoeff() >= 0.0 || !(matrix.diagonal().maxCoeff() > 0.0)) return f;
  const double enough = 1e-12 * b.cwiseAbs().maxCoeff();
  // A larger trace finds the places of the solution of least norm, from which that follows without
  // it; should it find others, a trace near rounding does not.
  for (const double trace : {1e-7, 1e-10, 1e-13}) {
    const Places above = find_above(matrix, b, trace, enough, f);
    if (above.empty()) return f;
    const Part part = part_of(matrix, b, above);
    const Eigen::VectorXd exact = solve_semidefinite(part.matrix, part.right);
    if (exact.minCoeff() < 0.0) continue;
    for (std::size_t i = 0; i < above.size(); ++i)
      f(above[i]) = exact(static_cast<Eigen::Index>(i));
    if ((matrix * f + b).minCoeff() >= -10.0 * enough) return f;
  }
  return f;
}

}  // namespace counterpoise
