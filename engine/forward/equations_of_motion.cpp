#include "engine/forward/equations_of_motion.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "engine/kinematics/closure/tolerances.hpp"
#include "engine/mechanism/spring_law.hpp"

namespace counterpoise {
namespace {

bool prescribed(const ActuatorRule& rule) {
  return rule.mode == ActuatorMode::held || rule.mode == ActuatorMode::follow;
}

/// Loops, couplings, and the lines of held and followed two-point actuators.
std::vector<Equation> rows_of(const Mechanism& mechanism, const Scenario& scenario) {
  std::vector<Equation> equations = closing_equations(mechanism);
  int slot = 0;
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a)
    if (mechanism.actuators[a].linear() && prescribed(scenario.actuators[a]))
      equations.push_back({EquationKind::line_drive, static_cast<int>(a), slot++, 1});
  return equations;
}

Eigen::VectorXd part(const Eigen::VectorXd& all, const std::vector<BodyIndex>& bodies) {
  Eigen::VectorXd some(static_cast<Eigen::Index>(bodies.size()));
  for (std::size_t i = 0; i < bodies.size(); ++i)
    some(static_cast<Eigen::Index>(i)) = all(int{bodies[i]});
  return some;
}

Eigen::MatrixXd columns(const Eigen::MatrixXd& all, const std::vector<BodyIndex>& bodies) {
  Eigen::MatrixXd some(all.rows(), static_cast<Eigen::Index>(bodies.size()));
  for (std::size_t i = 0; i < bodies.size(); ++i)
    some.col(static_cast<Eigen::Index>(i)) = all.col(int{bodies[i]});
  return some;
}

}  // namespace

EquationsOfMotion::EquationsOfMotion(const Mechanism& mechanism, const Scenario& scenario)
    : mechanism_(mechanism),
      scenario_(scenario),
      paths_(mechanism_),
      legs_(mechanism_),
      equations_(rows_of(mechanism_, scenario_), mechanism_, paths_),
      gaps_(mechanism_, paths_, scenario_.contacts, scenario_.stops),
      sample_(mechanism_.body_count()),
      spring_lines_(mechanism_.springs.size()),
      actuator_lines_(mechanism_.actuators.size()),
      kept_(mechanism_.actuators.size()),
      loads_(mechanism_.actuators.size()) {
  const auto bodies = mechanism_.bodies.size();
  prepare_frames(mechanism_, frames_);
  tree_.prepare(mechanism_);
  newton_euler_.resize(bodies);
  composite_.prepare(tree_, bodies);
  force_.resize(mechanism_.body_count());
  std::vector<bool> is_known(bodies);
  for (std::size_t a = 0; a < mechanism_.actuators.size(); ++a) {
    const Actuator& actuator = mechanism_.actuators[a];
    if (actuator.linear()) actuator_lines_[a].resize(paths_.actuators[a]);
    if (!prescribed(scenario_.actuators[a])) continue;
    if (actuator.linear()) {
      driven_lines_.push_back(a);
    } else {
      known_.push_back(actuator.joint);
      known_actuator_.push_back(a);
      is_known[static_cast<std::size_t>(actuator.joint)] = true;
    }
  }
  for (std::vector<double>* values : {&driven_position_, &driven_velocity_, &driven_acceleration_})
    values->assign(driven_lines_.size(), 0.0);
  for (std::size_t s = 0; s < mechanism_.springs.size(); ++s)
    if (mechanism_.springs[s].type != SpringType::torsion)
      spring_lines_[s].resize(paths_.springs[s]);
  for (BodyIndex b = 0; b < mechanism_.body_count(); ++b)
    if (mechanism_.moves(b) && !is_known[static_cast<std::size_t>(b)]) unknown_.push_back(b);
  size_ = std::max(farthest_coordinate(mechanism_), 1e-3);
}

ProfileValue EquationsOfMotion::rule_at(std::size_t actuator, double t) const {
  const ActuatorRule& rule = scenario_.actuators[actuator];
  if (rule.mode == ActuatorMode::held) return {kept_[actuator], 0.0, 0.0};
  const double at = rule.profile_start + t;
  if (at < rule.profile_duration) return evaluate(rule.profile, at, rule.profile_duration);
  return {evaluate(rule.profile, rule.profile_duration, rule.profile_duration).position, 0.0, 0.0};
}

/// Sets what is known at a time: joints and lines that are held or followed.
void EquationsOfMotion::set_known(double t) {
  time_ = t;
  const JointState<double> state = sample_.view();
  for (std::size_t k = 0; k < known_.size(); ++k) {
    const ProfileValue value = rule_at(known_actuator_[k], t);
    sample_.set_position(frames_, known_[k], value.position);
    state.v[known_[k]] = value.velocity;
    state.a[known_[k]] = value.acceleration;
  }
  for (std::size_t i = 0; i < driven_lines_.size(); ++i) {
    const ProfileValue value = rule_at(driven_lines_[i], t);
    driven_position_[i] = value.position;
    driven_velocity_[i] = value.velocity;
    driven_acceleration_[i] = value.acceleration;
  }
}

void EquationsOfMotion::evaluate_rows() {
  const Eigen::Index closing = equations_.rows();
  const Eigen::Index all = closing + static_cast<Eigen::Index>(held_.size());
  rows_.resize(all, mechanism_.body_count());
  residual_.resize(all);
  if (closing > 0) {
    equations_.evaluate(geometry(), sample_.view(), driven_position_);
    rows_.topRows(closing) = equations_.jacobian;
    residual_.head(closing) = equations_.residual;
  }
  if (held_.empty()) return;
  see_bodies();
  std::vector<double> row(mechanism_.bodies.size());
  for (std::size_t i = 0; i < held_.size(); ++i) {
    std::fill(row.begin(), row.end(), 0.0);
    const auto at = closing + static_cast<Eigen::Index>(i);
    residual_(at) = gap(held_[i], row).gap;
    rows_.row(at) = Eigen::Map<const Eigen::RowVectorXd>(row.data(), mechanism_.body_count());
  }
}

double EquationsOfMotion::misfit() const {
  double worst = equations_.rows() > 0 ? equations_.misfit() : 0.0;
  for (Eigen::Index i = equations_.rows(); i < residual_.size(); ++i)
    worst = std::max(worst, std::abs(residual_(i)) / size_);
  return worst;
}

void EquationsOfMotion::hold(std::vector<std::size_t> gaps) {
  held_ = std::move(gaps);
}

void EquationsOfMotion::place(const JointStart& at) {
  for (BodyIndex b = 0; b < mechanism_.body_count(); ++b) {
    if (mechanism_.moves(b)) sample_.set_position(frames_, b, at.q[static_cast<std::size_t>(b)]);
    sample_.view().v[b] = at.v[static_cast<std::size_t>(b)];
  }
}

auto EquationsOfMotion::choose(double t, const JointStart& at) -> Result {
  const JointState<double> state = sample_.view();
  place(at);
  set_known(t);
  for (const BodyIndex b : known_) state.v[b] = at.v[static_cast<std::size_t>(b)];
  independent_.clear();
  dependent_.clear();
  evaluate_rows();
  Eigen::Index rank = 0;
  std::vector<BodyIndex> order = unknown_;
  if (rows_.rows() > 0 && !unknown_.empty()) {
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factor(columns(rows_, unknown_));
    factor.setThreshold(rank_threshold);
    rank = factor.rank();
    for (std::size_t i = 0; i < order.size(); ++i)
      order[i] = unknown_[static_cast<std::size_t>(
          factor.colsPermutation().indices()(static_cast<Eigen::Index>(i)))];
  }
  dependent_.assign(order.begin(), order.begin() + rank);
  independent_.assign(order.begin() + rank, order.end());
  std::sort(independent_.begin(), independent_.end());
  std::sort(dependent_.begin(), dependent_.end());
  return solve_dependent();
}

auto EquationsOfMotion::close(double t, std::span<const double> y) -> Result {
  const JointState<double> state = sample_.view();
  const std::size_t n = independent_.size();
  for (std::size_t i = 0; i < n; ++i) {
    sample_.set_position(frames_, independent_[i], y[i]);
    state.v[independent_[i]] = y[n + i];
  }
  set_known(t);
  const Result result = solve_dependent();
  if (result == Result::solved) follow_velocities();
  return result;
}

/// Newton's method for the positions of the dependent joints, and the slopes of their positions.
auto EquationsOfMotion::solve_dependent() -> Result {
  constexpr int most_steps = 30;
  constexpr double arrived = 1e-11;
  conditioning_ = 1.0;
  if (dependent_.empty()) {
    evaluate_rows();
    find_motions();
    return rows_.rows() > 0 && misfit() > closed_tolerance ? Result::open : Result::solved;
  }
  for (int step = 0; step < most_steps; ++step) {
    evaluate_rows();
    dependent_factor_.compute(columns(rows_, dependent_));
    const auto pivots = dependent_factor_.matrixQR().diagonal().cwiseAbs();
    conditioning_ = pivots.minCoeff() / std::max(pivots.maxCoeff(), tiny);
    if (!(conditioning_ > singular_pivot)) return Result::singular;
    const Eigen::VectorXd change = dependent_factor_.solve(residual_);
    const double largest = change.cwiseAbs().maxCoeff();
    if (!(largest < 1e3)) return Result::open;
    for (std::size_t i = 0; i < dependent_.size(); ++i)
      sample_.set_position(frames_, dependent_[i],
                           sample_.view().q[dependent_[i]] - change(static_cast<Eigen::Index>(i)));
    if (largest > arrived) continue;
    find_motions();
    return misfit() > closed_tolerance ? Result::open : Result::solved;
  }
  return Result::open;
}

/// N: how all joints move with the independent ones.
void EquationsOfMotion::find_motions() {
  motions_.setZero(mechanism_.body_count(), static_cast<Eigen::Index>(independent_.size()));
  for (std::size_t i = 0; i < independent_.size(); ++i)
    motions_(int{independent_[i]}, static_cast<Eigen::Index>(i)) = 1.0;
  if (dependent_.empty() || independent_.empty()) return;
  const Eigen::MatrixXd follow = dependent_factor_.solve(columns(rows_, independent_));
  for (std::size_t d = 0; d < dependent_.size(); ++d)
    motions_.row(int{dependent_[d]}) = -follow.row(static_cast<Eigen::Index>(d));
}

/// The velocities of the dependent joints from those of all others.
void EquationsOfMotion::follow_velocities() {
  if (dependent_.empty()) return;
  const JointState<double> state = sample_.view();
  for (const BodyIndex b : dependent_) state.v[b] = 0.0;
  Eigen::VectorXd right = Eigen::VectorXd::Zero(rows_.rows());
  for (BodyIndex b = 0; b < mechanism_.body_count(); ++b)
    right.noalias() -= rows_.col(int{b}) * state.v[b];
  Eigen::VectorXd driven = Eigen::VectorXd::Zero(equations_.rows());
  equations_.add_driven(driven_velocity_, driven);
  right.head(equations_.rows()) += driven;
  const Eigen::VectorXd v = dependent_factor_.solve(right);
  for (std::size_t d = 0; d < dependent_.size(); ++d)
    state.v[dependent_[d]] = v(static_cast<Eigen::Index>(d));
}

/// The accelerations that the rows ask for while the independent joints have none.
void EquationsOfMotion::set_bias_accelerations() {
  const JointState<double> state = sample_.view();
  for (const BodyIndex b : unknown_) state.a[b] = 0.0;
  if (dependent_.empty()) return;
  gamma_.setZero(rows_.rows());
  if (equations_.rows() > 0) {
    equations_.accelerate(frames_, sample_.view());
    gamma_.head(equations_.rows()) = -equations_.acceleration;
    Eigen::VectorXd driven = Eigen::VectorXd::Zero(equations_.rows());
    equations_.add_driven(driven_acceleration_, driven);
    gamma_.head(equations_.rows()) += driven;
  }
  if (!held_.empty()) see_bodies();
  for (std::size_t i = 0; i < held_.size(); ++i)
    gamma_(equations_.rows() + static_cast<Eigen::Index>(i)) = -gap(held_[i]).acceleration;
  const Eigen::VectorXd a = dependent_factor_.solve(gamma_);
  for (std::size_t d = 0; d < dependent_.size(); ++d)
    state.a[dependent_[d]] = a(static_cast<Eigen::Index>(d));
}

void EquationsOfMotion::find_inverse_dynamics() {
  force_.setZero();
  const std::span<double> tau(force_.data(), mechanism_.bodies.size());
  inverse_dynamics<double>(tree_, sample_.view(), newton_euler_, tau);
  for (std::size_t leg = 0; leg < legs_.legs().size(); ++leg)
    if (LegForces<double>::has_mass(mechanism_.actuators[legs_.legs()[leg].actuator]))
      legs_.add(leg, geometry(), sample_.view(), tau);
}

void EquationsOfMotion::find_tree_mass() {
  tree_mass_.setZero(mechanism_.body_count(), mechanism_.body_count());
  mass_matrix<double>(tree_, sample_.view(), composite_, tree_mass_);
  for (std::size_t leg = 0; leg < legs_.legs().size(); ++leg) {
    if (!LegForces<double>::has_mass(mechanism_.actuators[legs_.legs()[leg].actuator])) continue;
    // what a leg adds is linear in the accelerations: one column for each joint that moves it
    SampleState at = sample_;
    at.stop();
    const std::size_t n = mechanism_.bodies.size();
    std::vector<double> still(n);
    legs_.add(leg, geometry(), at.view(), still);
    for (const std::vector<BodyIndex>& chain : legs_.legs()[leg].path.chains)
      for (const BodyIndex b : chain) {
        if (!mechanism_.moves(b) || at.view().a[b] != 0.0) continue;
        at.view().a[b] = 1.0;
        std::vector<double> moved(n);
        legs_.add(leg, geometry(), at.view(), moved);
        at.view().a[b] = 0.0;
        for (std::size_t k = 0; k < n; ++k)
          tree_mass_(static_cast<Eigen::Index>(k), int{b}) += moved[k] - still[k];
      }
  }
}

void EquationsOfMotion::add_line_force(const Path& path, const Line<double>& line, double force) {
  for (const std::size_t end : {0u, 1u})
    for (std::size_t k = 0; k < path.chains[end].size(); ++k)
      applied_(int{path.chains[end][k]}) += force * length_slope(line, end, k);
}

/// The forces of springs and prescribed loads on all joints.
void EquationsOfMotion::find_applied() {
  applied_.setZero(mechanism_.body_count());
  for (std::size_t s = 0; s < mechanism_.springs.size(); ++s) {
    const Spring& spring = mechanism_.springs[s];
    const SpringLaw law = law_of(spring);
    const double tension = law.rate * spring_length(s) + law.offset;
    if (spring.type == SpringType::torsion)
      applied_(int{spring.joint}) -= tension;
    else
      add_line_force(paths_.springs[s], spring_lines_[s], -tension);
  }
  for (std::size_t a = 0; a < mechanism_.actuators.size(); ++a) {
    if (scenario_.actuators[a].mode != ActuatorMode::load) continue;
    loads_[a] = rule_at(a, time_).position;
    if (mechanism_.actuators[a].linear()) {
      trace_line<double>(geometry(), paths_.actuators[a], sample_.view(), actuator_lines_[a]);
      add_line_force(paths_.actuators[a], actuator_lines_[a], loads_[a]);
    } else {
      applied_(int{mechanism_.actuators[a].joint}) += loads_[a];
    }
  }
}

auto EquationsOfMotion::accelerate() -> Result {
  set_bias_accelerations();
  find_tree_mass();
  find_inverse_dynamics();
  find_applied();
  mass_.noalias() = motions_.transpose() * tree_mass_ * motions_;
  if (independent_.empty()) return Result::solved;
  const Eigen::LLT<Eigen::MatrixXd> factor(mass_);
  // a pivot that is all rounding belongs to a motion that moves no mass
  const auto pivots = factor.matrixLLT().diagonal().cwiseAbs2();
  for (Eigen::Index i = 0; i < pivots.size(); ++i)
    if (factor.info() != Eigen::Success || !(pivots(i) > 1e-13 * mass_(i, i)))
      return Result::singular_mass;
  const Eigen::VectorXd a = factor.solve(motions_.transpose() * (applied_ - force_));
  const JointState<double> state = sample_.view();
  for (BodyIndex b = 0; b < mechanism_.body_count(); ++b) state.a[b] += motions_.row(int{b}).dot(a);
  return Result::solved;
}

/// The least multipliers of the rows that put `force` on the unknown joints.
void EquationsOfMotion::find_multipliers(const Eigen::VectorXd& force) {
  multipliers_.setZero(rows_.rows());
  if (rows_.rows() > 0 && !unknown_.empty())
    multipliers_ = columns(rows_, unknown_)
                       .transpose()
                       .completeOrthogonalDecomposition()
                       .solve(part(force, unknown_));
  for (std::size_t k = 0; k < known_.size(); ++k)
    loads_[known_actuator_[k]] =
        force(int{known_[k]}) - rows_.col(int{known_[k]}).dot(multipliers_);
  Eigen::Index row = 0;
  for (const Equation& equation : equations_.equations()) {
    if (equation.slot >= 0)
      loads_[driven_lines_[static_cast<std::size_t>(equation.slot)]] = multipliers_(row);
    row += equation.rows;
  }
}

void EquationsOfMotion::find_loads() {
  find_inverse_dynamics();
  find_multipliers(force_ - applied_);
}

double EquationsOfMotion::gap_force(std::size_t place) const {
  return multipliers_(equations_.rows() + static_cast<Eigen::Index>(place));
}

std::optional<std::vector<double>> EquationsOfMotion::stop_held() {
  const JointState<double> state = sample_.view();
  Eigen::VectorXd before(mechanism_.body_count());
  for (BodyIndex b = 0; b < mechanism_.body_count(); ++b) before(int{b}) = state.v[b];
  for (std::size_t k = 0; k < known_.size(); ++k)
    state.v[known_[k]] = rule_at(known_actuator_[k], time_).velocity;
  follow_velocities();
  Eigen::VectorXd change(mechanism_.body_count());
  for (BodyIndex b = 0; b < mechanism_.body_count(); ++b)
    change(int{b}) = state.v[b] - before(int{b});
  if (change.cwiseAbs().maxCoeff() <= 1e-9 * std::max(1.0, before.cwiseAbs().maxCoeff()))
    return std::nullopt;
  find_tree_mass();
  mass_.noalias() = motions_.transpose() * tree_mass_ * motions_;
  if (!independent_.empty()) {
    const Eigen::VectorXd back = mass_.llt().solve(motions_.transpose() * (tree_mass_ * change));
    change -= motions_ * back;
  }
  for (BodyIndex b = 0; b < mechanism_.body_count(); ++b)
    state.v[b] = before(int{b}) + change(int{b});
  const std::vector<double> loads = loads_;
  find_multipliers(tree_mass_ * change);
  std::vector<double> impulses(loads_.size());
  for (std::size_t a = 0; a < loads_.size(); ++a)
    if (prescribed(scenario_.actuators[a])) impulses[a] = loads_[a];
  loads_ = loads;
  return impulses;
}

std::vector<double> EquationsOfMotion::independent_state() const {
  std::vector<double> y;
  for (const BodyIndex b : independent_) y.push_back(sample_.view().q[b]);
  for (const BodyIndex b : independent_) y.push_back(sample_.view().v[b]);
  return y;
}

void EquationsOfMotion::push(const Eigen::VectorXd& change) {
  const JointState<double> state = sample_.view();
  for (BodyIndex b = 0; b < mechanism_.body_count(); ++b)
    state.v[b] += motions_.row(int{b}).dot(change);
}

JointStart EquationsOfMotion::joints() const {
  JointStart joints;
  for (BodyIndex b = 0; b < mechanism_.body_count(); ++b) {
    joints.q.push_back(sample_.view().q[b]);
    joints.v.push_back(sample_.view().v[b]);
  }
  return joints;
}

GapValue EquationsOfMotion::gap(std::size_t i, std::span<double> row) {
  return gaps_.evaluate(i, geometry(), sample_.view(), bodies_, row);
}

GapValue EquationsOfMotion::gap(std::size_t i) {
  std::vector<double> row(mechanism_.bodies.size());
  return gap(i, row);
}

}  // namespace counterpoise
