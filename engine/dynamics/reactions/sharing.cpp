#include "engine/dynamics/reactions/sharing.hpp"

#include "engine/math/orthogonal_decomposition.hpp"
#include "engine/mechanism/finding.hpp"

namespace counterpoise {
namespace {

Eigen::Index row_of(const WrenchComponent& part, const WrenchMap& map) {
  const Eigen::Index first = part.owner == WrenchComponent::Owner::body
                                 ? 6 * part.element
                                 : map.row_of_loop(static_cast<std::size_t>(part.element));
  return first + part.component;
}

/// The largest residual of equilibrium and the first rows of the rules together.
double misfit(const Eigen::MatrixXd& balance, const Eigen::VectorXd& carried,
              const SharingRows& rows, Eigen::Index used) {
  Eigen::MatrixXd all(balance.rows() + used, balance.cols());
  all << balance, rows.slopes.topRows(used);
  Eigen::VectorXd right(all.rows());
  right << carried, rows.values.head(used);
  OrthogonalDecomposition factor;
  factor.set_threshold(1e-9);
  factor.compute(all);
  Eigen::VectorXd x;
  factor.solve(right, x);
  return (all * x - right).cwiseAbs().maxCoeff();
}

}  // namespace

SharingRows sharing_rows(const Mechanism& mechanism, const WrenchMap& map) {
  SharingRows rows;
  std::size_t count = 0;
  for (const SharingRule& rule : mechanism.sharing)
    count += rule.components.size() - (rule.kind == SharingRule::Kind::equal ? 1 : 0);
  rows.slopes.resize(static_cast<Eigen::Index>(count), map.unknowns());
  rows.values.resize(static_cast<Eigen::Index>(count));
  Eigen::Index row = 0;
  for (std::size_t r = 0; r < mechanism.sharing.size(); ++r) {
    const SharingRule& rule = mechanism.sharing[r];
    const bool equal = rule.kind == SharingRule::Kind::equal;
    for (std::size_t i = equal ? 1 : 0; i < rule.components.size(); ++i) {
      const Eigen::Index part = row_of(rule.components[i], map);
      rows.slopes.row(row) = map.slopes.row(part);
      rows.values(row) = -map.base(part);
      if (equal) {
        const Eigen::Index first = row_of(rule.components[0], map);
        rows.slopes.row(row) -= map.slopes.row(first);
        rows.values(row) += map.base(first);
      }
      rows.rules.push_back(r);
      ++row;
    }
  }
  return rows;
}

void require_no_contradiction(const Eigen::MatrixXd& balance, const Eigen::VectorXd& carried,
                              const SharingRows& rows, double tolerance) {
  const auto count = static_cast<Eigen::Index>(rows.rules.size());
  if (count == 0 || misfit(balance, carried, rows, count) <= tolerance) return;
  Eigen::Index used = 1;
  while (used < count && misfit(balance, carried, rows, used) <= tolerance) ++used;
  const std::size_t rule = rows.rules[static_cast<std::size_t>(used - 1)];
  throw MechanismError(
      "the rule cannot hold together with the equilibrium of the bodies and the "
      "rules before it",
      MechanismError::Part::sharing, rule);
}

}  // namespace counterpoise
