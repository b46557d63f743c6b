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

/// Copies the rows' columns of some joints.
void EquationsOfMotion::copy_columns(const std::vector<BodyIndex>& bodies,
                                     Eigen::MatrixXd& columns) const {
  columns.resize(rows_.rows(), static_cast<Eigen::Index>(bodies.size()));
  for (std::size_t i = 0; i < bodies.size(); ++i)
    columns.col(static_cast<Eigen::Index>(i)) = rows_.col(int{bodies[i]});
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
  articulated_.prepare(tree_, bodies);
  force_.resize(mechanism_.body_count());
  row_.resize(bodies);
  is_known_.assign(bodies, 0);
  for (std::size_t a = 0; a < mechanism_.actuators.size(); ++a) {
    const Actuator& actuator = mechanism_.actuators[a];
    if (actuator.linear()) actuator_lines_[a].resize(paths_.actuators[a]);
    if (!prescribed(scenario_.actuators[a])) continue;
    if (actuator.linear()) {
      driven_lines_.push_back(a);
    } else {
      known_.push_back(actuator.joint);
      known_actuator_.push_back(a);
      is_known_[static_cast<std::size_t>(actuator.joint)] = 1;
    }
  }
  for (std::vector<double>* values : {&driven_position_, &driven_velocity_, &driven_acceleration_})
    values->assign(driven_lines_.size(), 0.0);
  for (std::size_t s = 0; s < mechanism_.springs.size(); ++s)
    if (mechanism_.springs[s].type != SpringType::torsion)
      spring_lines_[s].resize(paths_.springs[s]);
  for (BodyIndex b = 0; b < mechanism_.body_count(); ++b)
    if (mechanism_.moves(b) && is_known_[static_cast<std::size_t>(b)] == 0) unknown_.push_back(b);
  for (const BodyIndex b : unknown_)
    if (composite_.place[static_cast<std::size_t>(b)] < 0) plain_ = false;
  for (const Actuator& actuator : mechanism_.actuators)
    if (actuator.linear() && LegForces<double>::has_mass(actuator)) plain_ = false;
  size_ = std::max(farthest_coordinate(mechanism_), 1e-3);
  for (const Contact& contact : scenario_.contacts) size_ = std::max(size_, contact.surface.radius);
}

ProfileValue EquationsOfMotion::rule_at(std::size_t actuator, double t) const {
  const ActuatorRule& rule = scenario_.actuators[actuator];
  if (rule.mode == ActuatorMode::held) return {kept_[actuator], 0.0, 0.0};
  return evaluate(rule.profile, std::min(rule.profile_start + t, rule.profile_duration),
                  rule.profile_duration);
}

void EquationsOfMotion::hold_actuator(std::size_t actuator) {
  kept_[actuator] = rule_at(actuator, time_).position;
  scenario_.actuators[actuator].mode = ActuatorMode::held;
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
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const auto at = closing + static_cast<Eigen::Index>(i);
    residual_(at) = gap(held_[i]).gap;
    rows_.row(at) = Eigen::Map<const Eigen::RowVectorXd>(row_.data(), mechanism_.body_count());
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
  ready_ = {};
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
    copy_columns(unknown_, columns_);
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factor(columns_);
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
  dependent_values_.resize(rank);
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
  ready_ = {};
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
    return rows_.rows() > 0 && misfit() > closed_tolerance ? Result::open : Result::solved;
  }
  for (int step = 0; step < most_steps; ++step) {
    evaluate_rows();
    copy_columns(dependent_, columns_);
    dependent_factor_.compute(columns_);
    double largest_column = tiny;
    for (const BodyIndex b : unknown_)
      largest_column = std::max(largest_column, rows_.col(int{b}).norm());
    conditioning_ = dependent_factor_.least_pivot() / largest_column;
    if (!(conditioning_ > singular_pivot)) return Result::singular;
    right_ = residual_;
    dependent_factor_.solve(right_, dependent_values_);
    const Eigen::VectorXd& change = dependent_values_;
    const double largest = change.cwiseAbs().maxCoeff();
    if (!(largest < 1e3)) return Result::open;
    for (std::size_t i = 0; i < dependent_.size(); ++i)
      sample_.set_position(frames_, dependent_[i],
                           sample_.view().q[dependent_[i]] - change(static_cast<Eigen::Index>(i)));
    if (largest > arrived) continue;
    return misfit() > closed_tolerance ? Result::open : Result::solved;
  }
  return Result::open;
}

/// The velocities of the dependent joints from those of all others.
void EquationsOfMotion::follow_velocities() {
  if (dependent_.empty()) return;
  const JointState<double> state = sample_.view();
  for (const BodyIndex b : dependent_) state.v[b] = 0.0;
  right_.setZero(rows_.rows());
  for (BodyIndex b = 0; b < mechanism_.body_count(); ++b)
    right_.noalias() -= rows_.col(int{b}) * state.v[b];
  equations_.add_driven(driven_velocity_, right_);
  dependent_factor_.solve(right_, dependent_values_);
  for (std::size_t d = 0; d < dependent_.size(); ++d)
    state.v[dependent_[d]] = dependent_values_(static_cast<Eigen::Index>(d));
}

std::vector<double> EquationsOfMotion::independent_state() const {
  std::vector<double> y;
  for (const BodyIndex b : independent_) y.push_back(sample_.view().q[b]);
  for (const BodyIndex b : independent_) y.push_back(sample_.view().v[b]);
  return y;
}

void EquationsOfMotion::push(const Eigen::VectorXd& change) {
  const JointState<double> state = sample_.view();
  const Eigen::MatrixXd& motions = this->motions();
  for (BodyIndex b = 0; b < mechanism_.body_count(); ++b)
    state.v[b] += motions.row(int{b}).dot(change);
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
  std::fill(row_.begin(), row_.end(), 0.0);
  return gap(i, row_);
}

}  // namespace counterpoise
