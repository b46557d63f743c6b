#pragma once

#include "engine/dynamics/reactions/wrench_map.hpp"

namespace counterpoise {

/// A mechanism's sharing rules as equations of a WrenchMap's x: slopes * x = values.
struct SharingRows {
  Eigen::MatrixXd slopes;
  Eigen::VectorXd values;
  std::vector<std::size_t> rules;  // that each row comes from
};
SharingRows sharing_rows(const Mechanism& mechanism, const WrenchMap& map);

/// Throws MechanismError naming the first rule that cannot hold together with equilibrium,
/// `balance * x = carried`, and the rules before it. `tolerance` [N].
void require_no_contradiction(const Eigen::MatrixXd& balance, const Eigen::VectorXd& carried,
                              const SharingRows& rows, double tolerance);

}  // namespace counterpoise
