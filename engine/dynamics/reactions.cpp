#include "engine/dynamics/reactions.hpp"

#include <algorithm>
#include <cassert>
#include <set>

#include "engine/kinematics/closure/equation_system.hpp"
#include "engine/kinematics/closure/tolerances.hpp"
#include "engine/math/orthogonal_decomposition.hpp"
#include "engine/mechanism/finding.hpp"

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

namespace {

/// The share of the largest component by which equilibrium and rules may be missed, which is the
/// error of the loads that enter them.
constexpr double balance_tolerance = 1e-7;

}  // namespace

Reactions::Reactions(const Mechanism& mechanism)
    : tau_(mechanism.bodies.size()), legs_(mechanism), map_(mechanism) {
  scratch_.resize(mechanism.bodies.size());
  for (const Spring& spring : mechanism.springs)
    cables_.push_back(spring.is_cable() ? points_along(spring) : std::vector<PointIndex>{});
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
  const Point& point = mechanism.points[index];
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

void Reactions::apply_cable(const Mechanism& mechanism, std::span<const PointIndex> points,
                            double tension) {
  course_.resize(points.size());
  cable_stops_.clear();
  for (const PointIndex index : points) {
    const Point& point = mechanism.points[index];
    const bool fixed = point.body == world_body;
    const Vec3d axis = fixed ? point.axis : Vec3d(poses_[point.body].rotation * point.axis);
    cable_stops_.push_back({place_of(mechanism, index), axis, point.radius});
    if (!point.is_cam) continue;
    cable_stops_.back().zero = fixed ? point.zero : Vec3d(poses_[point.body].rotation * point.zero);
    cable_stops_.back().cam = point.cam.get();
  }
  if (course_.lay(cable_stops_)) return;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Vec3d force = course_.direction[i] * tension;
    map_.apply(mechanism.points[points[i]].body, course_.out[i], force);
    map_.apply(mechanism.points[points[i + 1]].body, course_.in[i + 1], -force);
  }
}

void Reactions::add_known_forces(const DesignGeometry& geometry, const JointView<double>& state,
                                 std::span<const double> loads, std::span<const double> tensions) {
  const Mechanism& mechanism = geometry.mechanism;
  for (std::size_t s = 0; s < tensions.size(); ++s) {
    const Spring& spring = mechanism.springs[s];
    if (spring.type == SpringType::torsion) {
      const JointFrame& frame = geometry.frames[spring.joint];
      map_.apply_to_joint(spring.joint, frame.type, -frame.axis * tensions[s]);
    } else if (spring.is_cable()) {
      apply_cable(mechanism, cables_[s], tensions[s]);
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

void Reactions::add_outside(const Mechanism& mechanism, std::span<const double> factors) {
  for (std::size_t f = 0; f < mechanism.forces.size(); ++f) {
    const AppliedForce& applied = mechanism.forces[f];
    const BodyIndex body = mechanism.points[applied.point].body;
    if (body == world_body) continue;
    const Mat3d axes = applied.turns_with_body ? poses_[body].rotation : Mat3d::Identity();
    map_.apply(body, place_of(mechanism, applied.point), axes * applied.force * factors[f]);
    map_.apply_moment(body, axes * applied.moment * factors[f]);
  }
}

void Reactions::compute(const DesignGeometry& geometry, const TreeModel& tree,
                        const JointView<double>& state, std::span<const double> loads,
                        std::span<const double> tensions, std::span<const double> factors) {
  inverse_dynamics<double>(tree, state, scratch_, tau_);
  place_bodies(geometry.frames, state, poses_);
  map_.begin(poses_);
  for (const TreeModel::Body& body : tree.bodies) {
    const auto b = static_cast<std::size_t>(body.index);
    map_.set_joint(body.index, body.axes * scratch_.force[b], body.axes * scratch_.moment[b]);
  }
  add_known_forces(geometry, state, loads, tensions);
  add_outside(geometry.mechanism, factors);
  map_.close(geometry.mechanism);
  components_ = map_.base;
  open_numbers_ = 0;
  open_joints_.clear();
  if (map_.unknowns() > 0) solve(geometry, state, loads);
}

void Reactions::solve(const DesignGeometry& geometry, const JointView<double>& state,
                      std::span<const double> loads) {
  const Mechanism& mechanism = geometry.mechanism;
  // along its axis a joint carries only its actuator's load, friction and the forces of its
  // couplings
  const auto count = static_cast<Eigen::Index>(balanced_.size());
  Eigen::MatrixXd balance = Eigen::MatrixXd::Zero(count, map_.unknowns());
  Eigen::VectorXd carried = Eigen::VectorXd::Zero(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const BodyIndex body = balanced_[i];
    const JointFrame& frame = geometry.frames[body];
    const Eigen::Index row = 6 * body + (frame.type == JointType::revolute ? 3 : 0);
    balance.row(i) = frame.axis.transpose() * map_.slopes.middleRows<3>(row);
    carried(i) = -frame.axis.dot(map_.base.segment<3>(row)) -
                 overcoming(mechanism.bodies[body].friction, state.v[body]);
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
      const Eigen::Index row = weighed_[i];
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
  const std::size_t rule = rows.rules[used - 1];
  throw MechanismError(
      "the rule cannot hold together with the equilibrium of the bodies and the "
      "rules before it",
      MechanismError::Part::sharing, rule);
}

namespace {

/// The number of moments that a closure can carry, besides a force in any direction.
int moments_of(LoopKeep keep) {
  switch (keep) {
    case LoopKeep::point:
      return 0;
    case LoopKeep::perpendicular:
      return 1;
    case LoopKeep::parallel:
      return 2;
    case LoopKeep::weld:
      return 3;
  }
  return 0;
}

}  // namespace

WrenchMap::WrenchMap(const Mechanism& mechanism)
    : loops_(Paths(mechanism).loops), bodies_(mechanism.bodies.size()) {
  for (const Body& body : mechanism.bodies) parents_.push_back(body.parent);
  for (const Loop& loop : mechanism.loops) {
    columns_.push_back(first_coupling_);
    second_bodies_.push_back(mechanism.points[loop.points[1]].body);
    first_coupling_ += 3 + moments_of(loop.keep);
  }
  const auto rows = static_cast<Eigen::Index>(6 * (bodies_ + loops_.size()));
  base.setZero(rows);
  slopes.setZero(rows, first_coupling_ + static_cast<Eigen::Index>(mechanism.couplings.size()));
}

const Pose& WrenchMap::pose(BodyIndex body) const {
  static const Pose world;
  return body == world_body ? world : poses_[body];
}

void WrenchMap::begin(std::span<const Pose> poses) {
  poses_ = poses;
  base.setZero();
  slopes.setZero();
  reach_ = 0.0;
}

void WrenchMap::set_joint(BodyIndex body, const Vec3d& force, const Vec3d& moment) {
  base.segment<3>(6 * body) = force;
  base.segment<3>(6 * body + 3) = moment;
}

void WrenchMap::apply(BodyIndex body, const Vec3d& place, const Vec3d& force) {
  for (; body != world_body; body = parents_[body]) {
    const Mat3d to_body = pose(body).rotation.transpose();
    base.segment<3>(6 * body) -= to_body * force;
    base.segment<3>(6 * body + 3) -= to_body * (place - pose(body).origin).cross(force);
  }
}

void WrenchMap::apply_moment(BodyIndex body, const Vec3d& moment) {
  for (; body != world_body; body = parents_[body])
    base.segment<3>(6 * body + 3) -= pose(body).rotation.transpose() * moment;
}

void WrenchMap::apply_to_joint(BodyIndex body, JointType type, const Vec3d& along) {
  base.segment<3>(6 * body + (type == JointType::revolute ? 3 : 0)) -= along;
}

void WrenchMap::close(const Mechanism& mechanism) {
  for (std::size_t loop = 0; loop < loops_.size(); ++loop) close_loop(mechanism, loop);
}

void WrenchMap::close_loop(const Mechanism& mechanism, std::size_t index) {
  const Loop& loop = mechanism.loops[index];
  const Point& point = mechanism.points[loop.points[1]];
  const Pose& second = pose(point.body);
  const Pose& first = pose(mechanism.points[loop.points[0]].body);
  const Vec3d place = second.origin + second.rotation * point.position;

  std::vector<Vec3d> places = {place};
  for (const std::vector<BodyIndex>& chain : loops_[index].chains)
    for (const BodyIndex body : chain) places.push_back(pose(body).origin);
  for (const Vec3d& one : places)
    for (const Vec3d& other : places) reach_ = std::max(reach_, (one - other).norm());

  Eigen::Index x = columns_[index];
  const Vec3d none = Vec3d::Zero();
  for (Eigen::Index i = 0; i < 3; ++i) add_column(index, x++, place, second.rotation.col(i), none);
  const Vec3d b = second.rotation * loop.axes[1];
  if (loop.keep == LoopKeep::perpendicular)
    add_column(index, x, place, none, (first.rotation * loop.axes[0]).cross(b).normalized());
  if (loop.keep == LoopKeep::parallel) {
    const Vec3d e = second.rotation * loop.axes[1].unitOrthogonal();
    add_column(index, x++, place, none, e);
    add_column(index, x, place, none, b.cross(e));
  }
  if (loop.keep == LoopKeep::weld)
    for (Eigen::Index i = 0; i < 3; ++i)
      add_column(index, x++, place, none, second.rotation.col(i));
}

void WrenchMap::add_column(std::size_t loop, Eigen::Index x, const Vec3d& place, const Vec3d& force,
                           const Vec3d& moment) {
  const Path& path = loops_[loop];
  const Mat3d to_second = pose(second_bodies_[loop]).rotation.transpose();
  slopes.col(x).segment<3>(row_of_loop(loop)) = to_second * force;
  slopes.col(x).segment<3>(row_of_loop(loop) + 3) = to_second * moment;
  // the second chain is pushed and the first pushes back; from their common ancestor to the world
  // nothing changes
  for (std::size_t end : {0u, 1u})
    for (const BodyIndex body : path.chains[end]) {
      const Mat3d to_body = sign_of_end(end) * pose(body).rotation.transpose();
      const Vec3d arm = place - pose(body).origin;
      slopes.col(x).segment<3>(6 * body) = to_body * force;
      slopes.col(x).segment<3>(6 * body + 3) = to_body * (arm.cross(force) + moment);
    }
}

}  // namespace counterpoise
