#include "engine/contact/complementarity.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
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

}  // namespace

Eigen::VectorXd solve_complementarity(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& b) {
  const Eigen::Index n = b.size();
  Eigen::VectorXd f = Eigen::VectorXd::Zero(n);
  if (n == 0) return f;
  // A trace of the identity makes the problem strictly convex; what it changes is removed below.
  constexpr double trace = 1e-13, rounding = 1e-12;
  const double size = matrix.diagonal().maxCoeff();
  const Eigen::MatrixXd convex = matrix + trace * size * Eigen::MatrixXd::Identity(n, n);
  const double enough = rounding * b.cwiseAbs().maxCoeff();
  std::vector<bool> above(static_cast<std::size_t>(n));
  const auto places = [&] {
    Places list;
    for (Eigen::Index i = 0; i < n; ++i)
      if (above[static_cast<std::size_t>(i)]) list.push_back(i);
    return list;
  };
  for (Eigen::Index entered = 0; entered < 10 * n; ++entered) {
    const Eigen::VectorXd w = convex * f + b;
    Eigen::Index next = -1;
    for (Eigen::Index i = 0; i < n; ++i)
      if (!above[static_cast<std::size_t>(i)] && w(i) < -enough && (next < 0 || w(i) < w(next)))
        next = i;
    if (next < 0) break;
    above[static_cast<std::size_t>(next)] = true;
    for (;;) {
      const Places at = places();
      const Part part = part_of(convex, b, at);
      const Eigen::VectorXd wanted = part.matrix.ldlt().solve(part.right);
      double way = 1.0;
      std::size_t first = at.size();
      for (std::size_t i = 0; i < at.size(); ++i) {
        const double to = wanted(static_cast<Eigen::Index>(i)), from = f(at[i]);
        if (to > 0.0) continue;
        const double share = from > to ? from / (from - to) : 0.0;
        if (share < way || first == at.size()) {
          way = share;
          first = i;
        }
      }
      for (std::size_t i = 0; i < at.size(); ++i)
        f(at[i]) +=
            (first == at.size() ? 1.0 : way) * (wanted(static_cast<Eigen::Index>(i)) - f(at[i]));
      if (first == at.size()) break;
      f(at[first]) = 0.0;
      above[static_cast<std::size_t>(at[first])] = false;
    }
  }
  const Places at = places();
  if (at.empty()) return f;
  const Part part = part_of(matrix, b, at);
  const Eigen::VectorXd exact = part.matrix.completeOrthogonalDecomposition().solve(part.right);
  if (exact.minCoeff() < 0.0) return f;
  for (std::size_t i = 0; i < at.size(); ++i) f(at[i]) = exact(static_cast<Eigen::Index>(i));
  return f;
}

}  // namespace counterpoise
