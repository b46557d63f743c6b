#include "engine/dynamics/reactions/reactions.hpp"

#include <algorithm>
#include <cassert>
#include <set>

#include "engine/dynamics/reactions/sharing.hpp"
#include "engine/kinematics/closure/equations.hpp"
#include "engine/kinematics/closure/tolerances.hpp"
#include "engine/math/orthogonal_decomposition.hpp"

namespace counterpoise {
namespace {

/// The share of the largest component by which equilibrium and rules may be missed, which is the
/// error of the loads that enter them.
constexpr double balance_tolerance = 1e-7;

}  // namespace

Reactions::Reactions(const Mechanism& mechanism)
    : tau_(mechanism.bodies.size()), legs_(mechanism), map_(mechanism) {
  scratch_.resize(mechanism.bodies.size());
  std::set<int> in_loops, balanced;
  for (const Path& loop : Paths(mechanism).loops)
    for (const std::vector<BodyIndex>& chain : loop.chains)
      in_loops.insert(chain.begin(), chain.end());
  balanced = in_loops;
  for (const Coupling& coupling : mechanism.couplings) {
    balanced.insert(coupling.joint);
    for (const CouplingTerm& term : coupling.terms) balanced.insert(term.of);
  }
  for (BodyIndex body : balanced)
    if (mechanism.moves(body)) balanced_.push_back(body);
  const auto weigh = [&](Eigen::Index row) {
    for (Eigen::Index i = 0; i < 6; ++i) weighed_.push_back(row + i);
  };
  for (BodyIndex body : in_loops) weigh(6 * body);
  for (std::size_t l = 0; l < mechanism.loops.size(); ++l) weigh(map_.row_of_loop(l));
}

Vec3d Reactions::place_of(const Mechanism& mechanism, PointIndex index) const {
  const Point& point = mechanism.points[static_cast<std::size_t>(index)];
  if (point.body == world_body) return point.position;
  const Pose& pose = poses_[point.body];
  return pose.origin + pose.rotation * point.position;
}

void Reactions::apply_pull(const Mechanism& mechanism, const std::array<PointIndex, 2>& points,
                           double pull) {
  const Vec3d first = place_of(mechanism, points[0]), second = place_of(mechanism, points[1]);
  if (first == second) return;
  const Vec3d force = (second - first).normalized() * pull;
  const auto body = [&](std::size_t end) { return mechanism.points[points[end]].body; };
  map_.apply(body(0), first, force);
  map_.apply(body(1), second, -force);
}

void Reactions::add_known_forces(const DesignGeometry& geometry, const JointView<double>& state,
                                 std::span<const double> loads, std::span<const double> tensions) {
  const Mechanism& mechanism = geometry.mechanism;
  for (std::size_t s = 0; s < tensions.size(); ++s) {
    const Spring& spring = mechanism.springs[s];
    if (spring.type == SpringType::torsion) {
      const JointFrame& frame = geometry.frames[spring.joint];
      map_.apply_to_joint(spring.joint, frame.type, -frame.axis * tensions[s]);
    } else {
      apply_pull(mechanism, spring.points, tensions[s]);
    }
  }
  for (std::size_t leg = 0; leg < legs_.legs().size(); ++leg) {
    const auto& [a, path] = legs_.legs()[leg];
    const Actuator& actuator = mechanism.actuators[a];
    apply_pull(mechanism, actuator.points, -loads[a]);
    if (!LegForces<double>::has_mass(actuator)) continue;
    const auto forces = legs_.end_forces(leg, geometry, state);
    for (std::size_t end : {0u, 1u}) {
      const PointIndex point = actuator.points[end];
      map_.apply(mechanism.points[point].body, place_of(mechanism, point), -forces[end]);
    }
  }
}

void Reactions::compute(const DesignGeometry& geometry, const TreeModel& tree,
                        const JointView<double>& state, std::span<const double> loads,
                        std::span<const double> tensions) {
  inverse_dynamics<double>(tree, state, scratch_, tau_);
  place_bodies(geometry.frames, state, poses_);
  map_.begin(poses_);
  for (const TreeModel::Body& body : tree.bodies) {
    const auto b = static_cast<std::size_t>(body.index);
    map_.set_joint(body.index, body.axes * scratch_.force[b], body.axes * scratch_.moment[b]);
  }
  add_known_forces(geometry, state, loads, tensions);
  map_.close(geometry.mechanism);
  components_ = map_.base;
  open_numbers_ = 0;
  open_joints_.clear();
  if (map_.unknowns() > 0) solve(geometry, loads);
}

void Reactions::solve(const DesignGeometry& geometry, std::span<const double> loads) {
  const Mechanism& mechanism = geometry.mechanism;
  // along its axis a joint carries only its actuator's load and the forces of its couplings
  const auto count = static_cast<Eigen::Index>(balanced_.size());
  Eigen::MatrixXd balance = Eigen::MatrixXd::Zero(count, map_.unknowns());
  Eigen::VectorXd carried = Eigen::VectorXd::Zero(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const BodyIndex body = balanced_[static_cast<std::size_t>(i)];
    const JointFrame& frame = geometry.frames[body];
    const Eigen::Index row = 6 * body + (frame.type == JointType::revolute ? 3 : 0);
    balance.row(i) = frame.axis.transpose() * map_.slopes.middleRows<3>(row);
    carried(i) = -frame.axis.dot(map_.base.segment<3>(row));
    for (std::size_t a = 0; a < mechanism.actuators.size(); ++a)
      if (mechanism.actuators[a].joint == body) carried(i) += loads[a];
    for (std::size_t c = 0; c < mechanism.couplings.size(); ++c) {
      const Coupling& coupling = mechanism.couplings[c];
      if (coupling.joint == body) balance(i, map_.column_of_coupling(c)) -= 1.0;
      for (const CouplingTerm& term : coupling.terms)
        if (term.of == body) balance(i, map_.column_of_coupling(c)) += term.ratio;
    }
  }
  const double size = std::max(map_.base.cwiseAbs().maxCoeff(), 1e-6);
  const SharingRows rules = sharing_rows(mechanism, map_);
  require_no_contradiction(balance, carried, rules, balance_tolerance * size);

  Eigen::MatrixXd all(count + rules.slopes.rows(), map_.unknowns());
  all << balance, rules.slopes;
  Eigen::VectorXd right(all.rows());
  right << carried, rules.values;
  OrthogonalDecomposition factor;
  factor.set_threshold(rank_threshold);
  factor.compute(all);
  Eigen::VectorXd x;
  factor.solve(right, x);
  assert((all * x - right).cwiseAbs().maxCoeff() <= balance_tolerance * size);

  const Eigen::MatrixXd free = factor.kernel();
  if (free.cols() > 0) {
    // find the least sum of squares among all x that equilibrium and rules allow
    const auto rows = static_cast<Eigen::Index>(weighed_.size());
    Eigen::MatrixXd moves(rows, map_.unknowns());
    Eigen::VectorXd start(rows);
    for (Eigen::Index i = 0; i < rows; ++i) {
      const Eigen::Index row = weighed_[static_cast<std::size_t>(i)];
      const double weight = row % 6 < 3 ? 1.0 : 1.0 / std::max(map_.reach(), 1e-6);
      moves.row(i) = weight * map_.slopes.row(row);
      start(i) = weight * map_.base(row);
    }
    const Eigen::MatrixXd shifts = moves * free;
    OrthogonalDecomposition least;
    least.compute(shifts);
    Eigen::VectorXd y;
    least.solve(start + moves * x, y);
    x -= free * y;
    find_open_joints(mechanism, shifts);
    open_numbers_ = static_cast<int>(least.rank());
  }
  components_ += map_.slopes * x;
}

/// Finds the joints and closures with components that are not settled.
void Reactions::find_open_joints(const Mechanism& mechanism, const Eigen::MatrixXd& shifts) {
  constexpr double still = 1e-9;
  for (std::size_t i = 0; i < weighed_.size(); i += 6) {
    if (shifts.middleRows(static_cast<Eigen::Index>(i), 6).cwiseAbs().maxCoeff() < still) continue;
    const auto owner = static_cast<std::size_t>(weighed_[i] / 6);
    const std::size_t bodies = mechanism.bodies.size();
    open_joints_.push_back(owner < bodies ? mechanism.bodies[owner].name
                                          : mechanism.loops[owner - bodies].name);
  }
}

}  // namespace counterpoise
