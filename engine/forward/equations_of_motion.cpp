#include "engine/forward/equations_of_motion.hpp"

#include <algorithm>
#include <cmath>

#include "engine/kinematics/closure/tolerances.hpp"

namespace counterpoise {

/// Loops, couplings, and the lines of held and followed two-point actuators.
std::vector<Equation> EquationsOfMotion::rows_of(const Mechanism& mechanism,
                                                 const Scenario& scenario) {
  std::vector<Equation> equations = closing_equations(mechanism);
  int slot = 0;
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a)
    if (mechanism.actuators[a].linear() && prescribed(scenario.actuators[a]))
      equations.push_back({EquationKind::line_drive, static_cast<int>(a), slot++, 1});
  return equations;
}

Eigen::MatrixXd EquationsOfMotion::columns(const Eigen::MatrixXd& all,
                                           const std::vector<BodyIndex>& bodies) {
  Eigen::MatrixXd some(all.rows(), static_cast<Eigen::Index>(bodies.size()));
  for (std::size_t i = 0; i < bodies.size(); ++i)
    some.col(static_cast<Eigen::Index>(i)) = all.col(int{bodies[i]});
  return some;
}

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
  for (const Contact& contact : scenario_.contacts) size_ = std::max(size_, contact.surface.radius);
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
    if (mechanism_.bodies[b].joint.type == JointType::prismatic)
      size_ = std::max(size_, std::abs(sample_.view().q[b]));
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
  const Result result = solve_dependent();
  chosen_conditioning_ = conditioning_;
  return result;
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
    double largest_column = tiny;
    for (const BodyIndex b : unknown_)
      largest_column = std::max(largest_column, rows_.col(int{b}).norm());
    conditioning_ = dependent_factor_.matrixQR().diagonal().cwiseAbs().minCoeff() / largest_column;
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
