#include <Eigen/Cholesky>

#include "engine/forward/equations_of_motion.hpp"
#include "engine/mechanism/spring_law.hpp"

namespace counterpoise {
namespace {

Eigen::VectorXd part(const Eigen::VectorXd& all, const std::vector<BodyIndex>& bodies) {
  Eigen::VectorXd some(static_cast<Eigen::Index>(bodies.size()));
  for (std::size_t i = 0; i < bodies.size(); ++i)
    some(static_cast<Eigen::Index>(i)) = all(int{bodies[i]});
  return some;
}

}  // namespace

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

}  // namespace counterpoise
