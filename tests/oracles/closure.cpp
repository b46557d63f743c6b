#include "tests/oracles/closure.hpp"

#include <Eigen/SVD>

#include "tests/oracles/energy.hpp"

namespace counterpoise::oracle {
namespace {

Eigen::VectorXd misfit(const Mechanism& mechanism, std::span<const double> positions,
                       std::span<const double> q) {
  const Eigen::VectorXd closure = closure_misfit(mechanism, q);
  const auto actuators = static_cast<Eigen::Index>(mechanism.actuators.size());
  Eigen::VectorXd all(closure.size() + actuators);
  all.head(closure.size()) = closure;
  for (Eigen::Index a = 0; a < actuators; ++a)
    all[closure.size() + a] = actuator_position(mechanism, q, static_cast<int>(a)) -
                              positions[static_cast<std::size_t>(a)];
  return all;
}

std::vector<std::size_t> moving_joints(const Mechanism& mechanism) {
  std::vector<std::size_t> joints;
  for (int b = 0; b < mechanism.body_count(); ++b)
    if (mechanism.moves(b)) joints.push_back(static_cast<std::size_t>(b));
  return joints;
}

Eigen::MatrixXd slopes(const Mechanism& mechanism, std::span<const double> positions,
                       std::vector<double> q, const std::vector<std::size_t>& joints) {
  constexpr double step = 1e-5;
  Eigen::MatrixXd result;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const double middle = q[joints[k]];
    q[joints[k]] = middle + step;
    const Eigen::VectorXd above = misfit(mechanism, positions, q);
    q[joints[k]] = middle - step;
    const Eigen::VectorXd below = misfit(mechanism, positions, q);
    q[joints[k]] = middle;
    if (k == 0) result.resize(above.size(), static_cast<Eigen::Index>(joints.size()));
    result.col(static_cast<Eigen::Index>(k)) = (above - below) / (2.0 * step);
  }
  return result;
}

}  // namespace

double actuator_position(const Mechanism& mechanism, std::span<const double> q, int actuator) {
  const Actuator& a = mechanism.actuators[static_cast<std::size_t>(actuator)];
  if (!a.linear()) return q[static_cast<std::size_t>(a.joint)];
  const auto poses = world_poses(mechanism, q);
  return (world_point(mechanism, poses, a.points[1]) - world_point(mechanism, poses, a.points[0]))
      .norm();
}

Eigen::VectorXd closure_misfit(const Mechanism& mechanism, std::span<const double> q) {
  const auto poses = world_poses(mechanism, q);
  Eigen::VectorXd rows(
      static_cast<Eigen::Index>(3 * mechanism.loops.size() + mechanism.couplings.size()));
  Eigen::Index row = 0;
  for (const Loop& loop : mechanism.loops) {
    rows.segment<3>(row) = world_point(mechanism, poses, loop.points[0]) -
                           world_point(mechanism, poses, loop.points[1]);
    row += 3;
  }
  for (const Coupling& coupling : mechanism.couplings)
    rows[row++] = q[static_cast<std::size_t>(coupling.joint)] -
                  coupling.ratio * q[static_cast<std::size_t>(coupling.of)] - coupling.offset;
  return rows;
}

std::optional<Closed> close_mechanism(const Mechanism& mechanism, std::span<const double> positions,
                                      std::vector<double> start) {
  // planar loops have redundant rows; slopes by differences are good to about 1e-10
  constexpr double rank_threshold = 1e-7;
  constexpr double closed = 1e-12;
  const std::vector<std::size_t> joints = moving_joints(mechanism);
  Closed result{std::move(start), 0.0};
  double best = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 30; ++iteration) {
    const Eigen::VectorXd now = misfit(mechanism, positions, result.q);
    const double size = now.size() == 0 ? 0.0 : now.cwiseAbs().maxCoeff();
    if (size < closed && size >= best / 2.0) return result;
    best = std::min(best, size);
    Eigen::JacobiSVD<Eigen::MatrixXd> svd(slopes(mechanism, positions, result.q, joints),
                                          Eigen::ComputeThinU | Eigen::ComputeThinV);
    svd.setThreshold(rank_threshold);
    const auto& values = svd.singularValues();
    const auto last = static_cast<Eigen::Index>(joints.size()) - 1;
    result.conditioning = last < values.size() ? values[last] / values[0] : 0.0;
    const Eigen::VectorXd step = svd.solve(now);
    for (std::size_t k = 0; k < joints.size(); ++k)
      result.q[joints[k]] -= step[static_cast<Eigen::Index>(k)];
  }
  return std::nullopt;
}

}  // namespace counterpoise::oracle
