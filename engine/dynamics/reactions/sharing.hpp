#pragma once

#include "engine/dynamics/reactions/wrench_map.hpp"

namespace counterpoise {

/// A mechanism's sharing rules as equations of the unknowns x of a WrenchMap: slopes * x = values.
struct SharingRows {
  Eigen::MatrixXd slopes;
  Eigen::VectorXd values;
  std::vector<std::size_t> rules;  // rule that each row comes from
};
SharingRows sharing_rows(const Mechanism& mechanism, const WrenchMap& map);

/// Throws MechanismError if the rules contradict equilibrium, which is `balance * x = carried`.
/// Names the first rule that cannot hold together with it, and the rules before that. `tolerance`
/// is in [N].
void require_no_contradiction(const Eigen::MatrixXd& balance, const Eigen::VectorXd& carried,
                              const SharingRows& rows, double tolerance);

}  // namespace counterpoise
