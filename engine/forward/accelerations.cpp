#include "engine/forward/equations_of_motion.hpp"
#include "engine/mechanism/spring_law.hpp"

namespace counterpoise {
/// The accelerations that the rows ask for while the independent joints have none.
void EquationsOfMotion::set_bias_accelerations() {
  const JointState<double> state = sample_.view();
  for (const BodyIndex b : unknown_) state.a[b] = 0.0;
  if (dependent_.empty()) return;
  gamma_.setZero(rows_.rows());
  if (equations_.rows() > 0) {
    equations_.accelerate(frames_, sample_.view());
    gamma_.head(equations_.rows()) = -equations_.acceleration;
    equations_.add_driven(driven_acceleration_, gamma_);
  }
  if (!held_.empty()) see_bodies();
  for (std::size_t i = 0; i < held_.size(); ++i)
    gamma_(equations_.rows() + static_cast<Eigen::Index>(i)) = -gap(held_[i]).acceleration;
  dependent_factor_.solve(gamma_, dependent_values_);
  for (std::size_t d = 0; d < dependent_.size(); ++d)
    state.a[dependent_[d]] = dependent_values_(static_cast<Eigen::Index>(d));
}

void EquationsOfMotion::find_inverse_dynamics() {
  force_.setZero();
  const std::span<double> tau(force_.data(), mechanism_.bodies.size());
  inverse_dynamics<double>(tree_, sample_.view(), newton_euler_, tau);
  for (std::size_t leg = 0; leg < legs_.legs().size(); ++leg)
    if (LegForces<double>::has_mass(mechanism_.actuators[legs_.legs()[leg].actuator]))
      legs_.add(leg, geometry(), sample_.view(), tau);
}

const Eigen::MatrixXd& EquationsOfMotion::motions() {
  if (ready_.motions) return motions_;
  ready_.motions = true;
  motions_.setZero(mechanism_.body_count(), static_cast<Eigen::Index>(independent_.size()));
  for (std::size_t i = 0; i < independent_.size(); ++i)
    motions_(int{independent_[i]}, static_cast<Eigen::Index>(i)) = 1.0;
  if (dependent_.empty() || independent_.empty()) return motions_;
  copy_columns(independent_, independent_columns_);
  follow_.resize(static_cast<Eigen::Index>(dependent_.size()),
                 static_cast<Eigen::Index>(independent_.size()));
  dependent_factor_.solve(independent_columns_, follow_);
  for (std::size_t d = 0; d < dependent_.size(); ++d)
    motions_.row(int{dependent_[d]}) = -follow_.row(static_cast<Eigen::Index>(d));
  return motions_;
}

const Eigen::MatrixXd& EquationsOfMotion::tree_mass() {
  if (ready_.tree_mass) return tree_mass_;
  ready_.tree_mass = true;
  tree_mass_.setZero(mechanism_.body_count(), mechanism_.body_count());
  mass_matrix<double>(tree_, sample_.view(), composite_, tree_mass_);
  for (std::size_t leg = 0; leg < legs_.legs().size(); ++leg)
    if (LegForces<double>::has_mass(mechanism_.actuators[legs_.legs()[leg].actuator]))
      add_leg_mass(leg);
  return tree_mass_;
}

/// Adds what a leg adds to the mass matrix. It is linear in the accelerations: one column for each
/// joint that moves the leg.
void EquationsOfMotion::add_leg_mass(std::size_t leg) {
  at_rest_ = sample_;
  at_rest_.stop();
  const std::size_t n = mechanism_.bodies.size();
  still_.assign(n, 0.0);
  legs_.add(leg, geometry(), at_rest_.view(), still_);
  const Path& path = legs_.legs()[leg].path;
  for (BodyIndex b = 0; b < mechanism_.body_count(); ++b) {
    if (!mechanism_.moves(b) || !path.contains(b)) continue;
    at_rest_.view().a[b] = 1.0;
    moved_.assign(n, 0.0);
    legs_.add(leg, geometry(), at_rest_.view(), moved_);
    at_rest_.view().a[b] = 0.0;
    for (std::size_t k = 0; k < n; ++k)
      tree_mass_(static_cast<Eigen::Index>(k), int{b}) += moved_[k] - still_[k];
  }
}

const Eigen::MatrixXd& EquationsOfMotion::mass() {
  if (ready_.mass) return mass_;
  ready_.mass = true;
  mass_of_motions_.noalias() = tree_mass() * motions();
  mass_.noalias() = motions().transpose() * mass_of_motions_;
  return mass_;
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
  find_inverse_dynamics();
  find_applied();
  if (independent_.empty()) return Result::solved;
  effort_ = applied_ - force_;
  if (!is_plain_tree()) return accelerate_by_mass();
  const std::size_t n = mechanism_.bodies.size();
  const std::span<const double> effort(effort_.data(), n);
  acceleration_.setZero(mechanism_.body_count());
  if (!articulated_bodies(tree_, sample_.view(), is_known_, effort, articulated_,
                          {acceleration_.data(), n}))
    return accelerate_by_mass();
  const JointState<double> state = sample_.view();
  for (const BodyIndex b : unknown_) state.a[b] = acceleration_(int{b});
  return Result::solved;
}

/// Solves for the accelerations by the reduced mass matrix.
auto EquationsOfMotion::accelerate_by_mass() -> Result {
  mass_factor_.compute(mass());
  // what is all rounding belongs to a motion that moves no mass
  constexpr double rounding = 1e-13, least_share = 1e-20;
  const auto pivots = mass_factor_.matrixLLT().diagonal().cwiseAbs2();
  const double largest = tree_mass_.diagonal().maxCoeff();
  for (Eigen::Index i = 0; i < pivots.size(); ++i)
    if (mass_factor_.info() != Eigen::Success || !(pivots(i) > rounding * mass_(i, i)) ||
        !(mass_(i, i) > least_share * largest * motions_.col(i).squaredNorm()))
      return Result::singular_mass;
  acceleration_.noalias() = motions_.transpose() * effort_;
  mass_factor_.solveInPlace(acceleration_);
  const JointState<double> state = sample_.view();
  for (BodyIndex b = 0; b < mechanism_.body_count(); ++b)
    state.a[b] += motions_.row(int{b}).dot(acceleration_);
  return Result::solved;
}

/// The least multipliers of the rows that put `force` on the unknown joints. The rows' columns of
/// the dependent joints span those of all unknown ones, so the forces on these decide.
void EquationsOfMotion::find_multipliers(const Eigen::VectorXd& force) {
  multipliers_.setZero(rows_.rows());
  if (!dependent_.empty()) {
    for (std::size_t d = 0; d < dependent_.size(); ++d)
      dependent_values_(static_cast<Eigen::Index>(d)) = force(int{dependent_[d]});
    dependent_factor_.solve_transposed(dependent_values_, multipliers_);
  }
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
  effort_ = force_ - applied_;
  find_multipliers(effort_);
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
  if (!independent_.empty()) {
    const Eigen::VectorXd back = mass().llt().solve(motions().transpose() * (tree_mass() * change));
    change -= motions() * back;
  }
  for (BodyIndex b = 0; b < mechanism_.body_count(); ++b)
    state.v[b] = before(int{b}) + change(int{b});
  const std::vector<double> loads = loads_;
  find_multipliers(tree_mass() * change);
  std::vector<double> impulses(loads_.size());
  for (std::size_t a = 0; a < loads_.size(); ++a)
    if (prescribed(scenario_.actuators[a])) impulses[a] = loads_[a];
  loads_ = loads;
  return impulses;
}

}  // namespace counterpoise
