#include "tests/oracles/closure.hpp"

#include "engine/math/orthogonal_decomposition.hpp"
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
    all[closure.size() + a] = actuator_position(mechanism, q, static_cast<int>(a)) - positions[a];
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

Mat3d world_rotation(const Mechanism& mechanism, std::span<const Eigen::Matrix4d> poses,
                     int point) {
  const int body = mechanism.points[point].body;
  if (body == world_body) return Mat3d::Identity();
  return poses[body].topLeftCorner<3, 3>();
}

}  // namespace

double actuator_position(const Mechanism& mechanism, std::span<const double> q, int actuator) {
  const Actuator& a = mechanism.actuators[actuator];
  if (!a.linear()) return q[a.joint];
  const auto poses = world_poses(mechanism, q);
  return (world_point(mechanism, poses, a.points[1]) - world_point(mechanism, poses, a.points[0]))
      .norm();
}

Eigen::VectorXd closure_misfit(const Mechanism& mechanism, std::span<const double> q) {
  const auto poses = world_poses(mechanism, q);
  std::vector<double> rows;
  const auto add = [&rows](const auto& values) {
    rows.insert(rows.end(), values.data(), values.data() + values.size());
  };
  for (const Loop& loop : mechanism.loops) {
    add(Vec3d(world_point(mechanism, poses, loop.points[0]) -
              world_point(mechanism, poses, loop.points[1])));
    const Mat3d first = world_rotation(mechanism, poses, loop.points[0]);
    const Mat3d second = world_rotation(mechanism, poses, loop.points[1]);
    const Vec3d a = first * loop.axes[0], b = second * loop.axes[1];
    if (loop.keep == LoopKeep::parallel) add(Vec3d(a.cross(b)));
    if (loop.keep == LoopKeep::perpendicular) rows.push_back(a.dot(b));
    if (loop.keep == LoopKeep::weld) add(Mat3d(first * loop.rotation - second));
  }
  for (const Coupling& coupling : mechanism.couplings) {
    rows.push_back(q[coupling.joint] - coupling.offset);
    for (const CouplingTerm& term : coupling.terms) rows.back() -= term.ratio * q[term.of];
  }
  return Eigen::Map<const Eigen::VectorXd>(rows.data(), static_cast<Eigen::Index>(rows.size()));
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
    const SingularValueDecomposition svd =
        singular_value_decomposition(slopes(mechanism, positions, result.q, joints));
    const Eigen::VectorXd& values = svd.values;
    const auto last = static_cast<Eigen::Index>(joints.size()) - 1;
    result.conditioning = last < values.size() ? values[last] / values[0] : 0.0;
    const Eigen::VectorXd step = svd.solve(now, rank_threshold);
    for (std::size_t k = 0; k < joints.size(); ++k)
      result.q[joints[k]] -= step[static_cast<Eigen::Index>(k)];
  }
  return std::nullopt;
}

}  // namespace counterpoise::oracle
