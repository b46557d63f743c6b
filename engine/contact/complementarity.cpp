#include "engine/contact/complementarity.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <vector>

namespace counterpoise {
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
    const Eigen::Index at = places[static_cast<std::size_t>(i)];
    part.right(i) = -b(at);
    for (Eigen::Index j = 0; j < n; ++j)
      part.matrix(i, j) = matrix(at, places[static_cast<std::size_t>(j)]);
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
