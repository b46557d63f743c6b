#include "engine/dynamics/reactions.hpp"

#include <algorithm>
#include <cassert>

#include "engine/kinematics/closure/equation_system.hpp"
#include "engine/kinematics/closure/tolerances.hpp"
#include "engine/math/orthogonal_decomposition.hpp"
#include "engine/mechanism/finding.hpp"

namespace counterpoise {

/// Sharing rules of a group as equations of its unknowns x: slopes * x = values.
struct SharingRows {
  Eigen::MatrixXd slopes;
  Eigen::VectorXd values;
  std::vector<std::size_t> rules;  // rule that each row comes from
};
SharingRows sharing_rows(const Mechanism& mechanism, const WrenchMap& map, const WrenchGroup& group,
                         const Eigen::MatrixXd& slopes);

/// Returns the first rule that cannot hold together with equilibrium, which is
/// `balance * x = carried`, and the rules before it. `tolerance` is in [N].
std::optional<std::size_t> find_contradiction(const Eigen::MatrixXd& balance,
                                              const Eigen::VectorXd& carried,
                                              const SharingRows& rows, double tolerance);

namespace {

/// The share of the largest component by which equilibrium and rules may be missed, which is the
/// error of the loads that enter them.
constexpr double balance_tolerance = 1e-7;
/// Components that change by less are not open.
constexpr double still = 1e-9;

/// The body or loop that has a component, as in WrenchGroup.
Eigen::Index owner_of(const WrenchComponent& part, const Mechanism& mechanism) {
  const bool loop = part.owner == WrenchComponent::Owner::loop;
  return part.element + (loop ? mechanism.body_count() : 0);
}

}  // namespace

Reactions::Reactions(const Mechanism& mechanism)
    : tau_(mechanism.bodies.size()),
      friction_(mechanism.bodies.size(), 0.0),
      legs_(mechanism),
      coils_(mechanism),
      map_(mechanism),
      sparse_(map_.groups().size()) {
  scratch_.resize(mechanism.bodies.size());
  for (const Spring& spring : mechanism.springs) cables_.push_back(cable_of(mechanism, spring));
  actuators_.resize(mechanism.bodies.size());
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a)
    if (!mechanism.actuators[a].linear()) actuators_[mechanism.actuators[a].joint].push_back(a);
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

void Reactions::apply_cable(const Mechanism& mechanism, const Cable& cable,
                            const JointView<double>& state, double tension) {
  const std::vector<Cable::Stop>& stops = cable.stops;
  course_.resize(stops.size());
  cable_stops_.clear();
  for (const Cable::Stop& stop : stops) {
    const Point& point = mechanism.points[stop.point];
    const bool fixed = point.body == world_body;
    const Vec3d axis = fixed ? point.axis : Vec3d(poses_[point.body].rotation * point.axis);
    cable_stops_.push_back({place_of(mechanism, stop.point), axis, point.radius});
    if (!point.is_cam) continue;
    cable_stops_.back().zero = fixed ? point.zero : Vec3d(poses_[point.body].rotation * point.zero);
    cable_stops_.back().cam = point.cam.get();
    if (point.start)
      cable_stops_.back().near =
          *point.start -
          turned_by(mechanism, point, stop.turners, [&](BodyIndex body) { return state.q[body]; });
  }
  if (course_.lay(cable_stops_)) return;
  for (std::size_t i = 0; i + 1 < stops.size(); ++i) {
    const Vec3d force = course_.direction[i] * tension;
    map_.apply(mechanism.points[stops[i].point].body, course_.out[i], force);
    map_.apply(mechanism.points[stops[i + 1].point].body, course_.in[i + 1], -force);
  }
}

void Reactions::add_springs(const DesignGeometry& geometry, const JointView<double>& state,
                            std::span<const double> tensions) {
  const Mechanism& mechanism = geometry.mechanism;
  for (std::size_t s = 0; s < tensions.size(); ++s) {
    const Spring& spring = mechanism.springs[s];
    if (spring.type == SpringType::torsion) {
      const JointFrame& frame = geometry.frames[spring.joint];
      map_.apply_to_joint(spring.joint, frame.type, -frame.axis * tensions[s]);
    } else if (spring.is_cable()) {
      apply_cable(mechanism, cables_[s], state, tensions[s]);
    } else {
      apply_pull(mechanism, spring.points, tensions[s]);
    }
  }
  for (std::size_t coil = 0; coil < coils_.coils().size() && !tensions.empty(); ++coil) {
    const Spring& spring = mechanism.springs[coils_.coils()[coil].spring];
    const auto forces = coils_.end_forces(coil, spring.mass, geometry, state);
    for (const std::size_t end : {0u, 1u})
      map_.apply(mechanism.points[spring.points[end]].body, place_of(mechanism, spring.points[end]),
                 -forces[end]);
  }
}

void Reactions::add_legs(const DesignGeometry& geometry, const JointView<double>& state,
                         std::span<const double> loads, bool masses) {
  const Mechanism& mechanism = geometry.mechanism;
  for (std::size_t leg = 0; leg < legs_.legs().size(); ++leg) {
    const auto& [a, path] = legs_.legs()[leg];
    const Actuator& actuator = mechanism.actuators[a];
    apply_pull(mechanism, actuator.points, -loads[a]);
    if (!masses || !LegForces<double>::has_mass(actuator)) continue;
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
                        std::span<const double> tensions, std::span<const double> factors,
                        std::span<const double> load_friction) {
  inverse_dynamics<double>(tree, state, scratch_, tau_);
  place_bodies(geometry.frames, state, poses_);
  map_.begin(poses_);
  for (const TreeModel::Body& body : tree.bodies) {
    const auto b = static_cast<std::size_t>(body.index);
    map_.set_joint(body.index, body.axes * scratch_.force[b], body.axes * scratch_.moment[b]);
  }
  add_springs(geometry, state, tensions);
  add_legs(geometry, state, loads, true);
  add_outside(geometry.mechanism, factors);
  map_.close(geometry.mechanism);
  for (std::size_t b = 0; b < friction_.size(); ++b) {
    friction_[b] = overcoming(geometry.mechanism.bodies[b].friction, state.v[b]);
    if (!load_friction.empty()) friction_[b] += load_friction[b];
  }
  components_ = map_.base;
  open_numbers_ = 0;
  open_joints_.clear();
  solve(geometry, loads);
}

void Reactions::respond(const DesignGeometry& geometry, const JointView<double>& state,
                        BodyIndex body, std::span<const double> loads) {
  map_.base.setZero();
  add_legs(geometry, state, loads, false);
  std::fill(friction_.begin(), friction_.end(), 0.0);
  friction_[static_cast<std::size_t>(body)] = 1.0;
  components_ = map_.base;
  // what holds for the sample holds for its changes
  for (std::size_t group = 0; group < map_.groups().size(); ++group)
    solve_group(group, geometry, loads, no_limit);
}

void Reactions::solve(const DesignGeometry& geometry, std::span<const double> loads) {
  const Mechanism& mechanism = geometry.mechanism;
  const double size = std::max(map_.base.cwiseAbs().maxCoeff(), 1e-6);
  std::optional<std::size_t> contradicted;
  open_owners_.clear();
  for (std::size_t group = 0; group < map_.groups().size(); ++group) {
    const auto rule = solve_group(group, geometry, loads, size);
    if (rule && (!contradicted || *rule < *contradicted)) contradicted = rule;
  }
  if (contradicted)
    throw MechanismError(
        "the rule cannot hold together with the equilibrium of the bodies and the "
        "rules before it",
        MechanismError::Part::sharing, *contradicted);
  std::sort(open_owners_.begin(), open_owners_.end());
  for (const Eigen::Index open : open_owners_) {
    const auto owner = static_cast<std::size_t>(open);
    const std::size_t bodies = mechanism.bodies.size();
    open_joints_.push_back(owner < bodies ? mechanism.bodies[owner].name
                                          : mechanism.loops[owner - bodies].name);
  }
}

double Reactions::carried_by(BodyIndex body, const JointFrame& frame,
                             std::span<const double> loads) const {
  const Eigen::Index part = frame.type == JointType::revolute ? 3 : 0;
  double carried = -frame.axis.dot(map_.base.segment<3>(6 * body + part)) -
                   friction_[static_cast<std::size_t>(body)];
  for (const std::size_t a : actuators_[body]) carried += loads[a];
  return carried;
}

std::optional<std::size_t> Reactions::solve_group(std::size_t index, const DesignGeometry& geometry,
                                                  std::span<const double> loads, double size) {
  const Mechanism& mechanism = geometry.mechanism;
  const WrenchGroup& group = map_.groups()[index];
  if (group.is_large() && solve_sparsely(index, geometry, loads)) return std::nullopt;
  Eigen::MatrixXd together;  // of a large group, which keeps those of each loop
  if (group.is_large()) together = map_.slopes_of(group);
  const Eigen::MatrixXd& slopes = group.is_large() ? together : group.slopes;
  // along its axis a joint carries only its actuator's load, friction and the forces of its
  // couplings
  const auto count = static_cast<Eigen::Index>(group.balanced.size());
  Eigen::MatrixXd balance = Eigen::MatrixXd::Zero(count, group.unknowns());
  Eigen::VectorXd carried = Eigen::VectorXd::Zero(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const BodyIndex body = group.balanced[static_cast<std::size_t>(i)];
    const JointFrame& frame = geometry.frames[body];
    const Eigen::Index part = frame.type == JointType::revolute ? 3 : 0;
    balance.row(i) = frame.axis.transpose() * slopes.middleRows<3>(map_.row_in_group(body) + part);
    carried(i) = carried_by(body, frame, loads);
    for (const std::size_t c : group.couplings) {
      const Coupling& coupling = mechanism.couplings[c];
      if (coupling.joint == body) balance(i, map_.column_of_coupling(c)) -= 1.0;
      for (const CouplingTerm& term : coupling.terms)
        if (term.of == body) balance(i, map_.column_of_coupling(c)) += term.ratio;
    }
  }
  const SharingRows rules = sharing_rows(mechanism, map_, group, slopes);
  const auto rule = find_contradiction(balance, carried, rules, balance_tolerance * size);
  if (rule || group.unknowns() == 0) return rule;

  Eigen::VectorXd x = Eigen::VectorXd::Zero(group.unknowns());
  Eigen::MatrixXd free = Eigen::MatrixXd::Identity(x.size(), x.size());
  if (count + rules.slopes.rows() > 0) {
    Eigen::MatrixXd all(count + rules.slopes.rows(), group.unknowns());
    all << balance, rules.slopes;
    Eigen::VectorXd right(all.rows());
    right << carried, rules.values;
    OrthogonalDecomposition factor;
    factor.set_threshold(rank_threshold);
    factor.compute(all);
    factor.solve(right, x);
    assert((all * x - right).cwiseAbs().maxCoeff() <= balance_tolerance * size);
    free = factor.kernel();
  }
  if (free.cols() > 0) {
    // find the least sum of squares among all x that equilibrium and rules allow
    const auto rows = static_cast<Eigen::Index>(6 * group.weighed.size());
    Eigen::MatrixXd moves(rows, group.unknowns());
    Eigen::VectorXd start(rows);
    for (Eigen::Index i = 0; i < rows; ++i) {
      const auto place = static_cast<std::size_t>(group.weighed[static_cast<std::size_t>(i / 6)]);
      const Eigen::Index part = i % 6;
      const double weight = part < 3 ? 1.0 : 1.0 / std::max(map_.reach(), 1e-6);
      moves.row(i) = weight * slopes.row(6 * static_cast<Eigen::Index>(place) + part);
      start(i) = weight * map_.base(6 * group.owners[place] + part);
    }
    const Eigen::MatrixXd shifts = moves * free;
    OrthogonalDecomposition least;
    least.compute(shifts);
    Eigen::VectorXd y;
    least.solve(start + moves * x, y);
    x -= free * y;
    find_open_owners(group, shifts);
    open_numbers_ += static_cast<int>(least.rank());
  }
  const Eigen::VectorXd change = slopes * x;
  for (std::size_t i = 0; i < group.owners.size(); ++i)
    components_.segment<6>(6 * group.owners[i]) +=
        change.segment<6>(6 * static_cast<Eigen::Index>(i));
  return std::nullopt;
}

bool Reactions::solve_sparsely(std::size_t index, const DesignGeometry& geometry,
                               std::span<const double> loads) {
  const Mechanism& mechanism = geometry.mechanism;
  const WrenchGroup& group = map_.groups()[index];
  const double per_moment = 1.0 / std::max(map_.reach(), 1e-6);
  const auto weight = [&](Eigen::Index component) { return component < 3 ? 1.0 : per_moment; };
  std::vector<SparseBalance::Sum> constraints, weighed;
  std::vector<double> right;
  for (const BodyIndex body : group.balanced) {
    const JointFrame& frame = geometry.frames[body];
    const int part = frame.type == JointType::revolute ? 3 : 0;
    SparseBalance::Sum& sum = constraints.emplace_back();
    for (const int k : {0, 1, 2})
      sum.push_back({map_.row_in_group(body) / 6, part + k, weight(part) * frame.axis(k)});
    right.push_back(weight(part) * carried_by(body, frame, loads));
  }
  for (const std::size_t r : group.rules) {
    const SharingRule& rule = mechanism.sharing[r];
    const bool equal = rule.kind == SharingRule::Kind::equal;
    const auto add = [&](const WrenchComponent& part, double sign) {
      const Eigen::Index owner = owner_of(part, mechanism);
      const double factor = sign * weight(part.component);
      constraints.back().push_back({map_.row_in_group(owner) / 6, part.component, factor});
      right.back() -= factor * map_.base(6 * owner + part.component);
    };
    for (std::size_t i = equal ? 1 : 0; i < rule.components.size(); ++i) {
      constraints.emplace_back();
      right.push_back(0.0);
      add(rule.components[i], 1.0);
      if (equal) add(rule.components[0], -1.0);
    }
  }
  Eigen::VectorXd start(static_cast<Eigen::Index>(6 * group.weighed.size()));
  for (const Eigen::Index place : group.weighed)
    for (const int component : {0, 1, 2, 3, 4, 5}) {
      start(static_cast<Eigen::Index>(weighed.size())) =
          weight(component) *
          map_.base(6 * group.owners[static_cast<std::size_t>(place)] + component);
      weighed.push_back({{place, component, weight(component)}});
    }
  std::optional<SparseBalance>& balance = sparse_[index];
  if (!balance) balance.emplace(map_, group, constraints, weighed);
  balance->compute(group, constraints, weighed);
  const auto x = balance->solve(
      Eigen::Map<const Eigen::VectorXd>(right.data(), static_cast<Eigen::Index>(right.size())),
      start);
  const auto changes = balance->open_changes();
  if (!x || !changes) return false;
  const int open = balance->open_numbers();
  for (std::size_t i = 0; open > 0 && i < group.weighed.size(); ++i)
    if (changes->segment<6>(static_cast<Eigen::Index>(6 * i)).cwiseAbs().maxCoeff() > still)
      open_owners_.push_back(group.owners[static_cast<std::size_t>(group.weighed[i])]);
  open_numbers_ += open;
  for (std::size_t l = 0; l < group.loops.size(); ++l) {
    const Eigen::MatrixXd& slopes = group.slopes_of_loops[l];
    const Eigen::VectorXd change =
        slopes * x->segment(map_.column_of_loop(group.loops[l]), slopes.cols());
    const std::vector<Eigen::Index> places = map_.places_of_loop(group.loops[l]);
    for (std::size_t i = 0; i < places.size(); ++i)
      components_.segment<6>(6 * group.owners[static_cast<std::size_t>(places[i])]) +=
          change.segment<6>(static_cast<Eigen::Index>(6 * i));
  }
  return true;
}

/// Finds the joints and closures of a group with components that are not settled.
void Reactions::find_open_owners(const WrenchGroup& group, const Eigen::MatrixXd& shifts) {
  for (std::size_t i = 0; i < group.weighed.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(6 * i);
    if (shifts.middleRows(row, 6).cwiseAbs().maxCoeff() < still) continue;
    open_owners_.push_back(group.owners[static_cast<std::size_t>(group.weighed[i])]);
  }
}

namespace {

/// The largest residual of equilibrium and the first rows of the rules together.
double misfit(const Eigen::MatrixXd& balance, const Eigen::VectorXd& carried,
              const SharingRows& rows, Eigen::Index used) {
  Eigen::MatrixXd all(balance.rows() + used, balance.cols());
  all << balance, rows.slopes.topRows(used);
  Eigen::VectorXd right(all.rows());
  right << carried, rows.values.head(used);
  if (all.cols() == 0) return right.cwiseAbs().maxCoeff();
  OrthogonalDecomposition factor;
  factor.set_threshold(1e-9);
  factor.compute(all);
  Eigen::VectorXd x;
  factor.solve(right, x);
  return (all * x - right).cwiseAbs().maxCoeff();
}

}  // namespace

SharingRows sharing_rows(const Mechanism& mechanism, const WrenchMap& map, const WrenchGroup& group,
                         const Eigen::MatrixXd& slopes) {
  SharingRows rows;
  std::size_t count = 0;
  for (const std::size_t r : group.rules)
    count += mechanism.sharing[r].components.size() -
             (mechanism.sharing[r].kind == SharingRule::Kind::equal ? 1 : 0);
  rows.slopes.resize(static_cast<Eigen::Index>(count), group.unknowns());
  rows.values.resize(static_cast<Eigen::Index>(count));
  Eigen::Index row = 0;
  for (const std::size_t r : group.rules) {
    const SharingRule& rule = mechanism.sharing[r];
    const bool equal = rule.kind == SharingRule::Kind::equal;
    const auto slopes_of = [&](const WrenchComponent& part) {
      return slopes.row(map.row_in_group(owner_of(part, mechanism)) + part.component);
    };
    const auto base_of = [&](const WrenchComponent& part) {
      return map.base(6 * owner_of(part, mechanism) + part.component);
    };
    for (std::size_t i = equal ? 1 : 0; i < rule.components.size(); ++i) {
      rows.slopes.row(row) = slopes_of(rule.components[i]);
      rows.values(row) = -base_of(rule.components[i]);
      if (equal) {
        rows.slopes.row(row) -= slopes_of(rule.components[0]);
        rows.values(row) += base_of(rule.components[0]);
      }
      rows.rules.push_back(r);
      ++row;
    }
  }
  return rows;
}

std::optional<std::size_t> find_contradiction(const Eigen::MatrixXd& balance,
                                              const Eigen::VectorXd& carried,
                                              const SharingRows& rows, double tolerance) {
  const auto count = static_cast<Eigen::Index>(rows.rules.size());
  if (count == 0 || misfit(balance, carried, rows, count) <= tolerance) return std::nullopt;
  Eigen::Index used = 1;
  while (used < count && misfit(balance, carried, rows, used) <= tolerance) ++used;
  return rows.rules[static_cast<std::size_t>(used - 1)];
}

}  // namespace counterpoise
