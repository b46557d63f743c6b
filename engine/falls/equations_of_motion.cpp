#include "engine/falls/equations_of_motion.hpp"

#include <algorithm>
#include <cmath>

#include "engine/falls/rigid_parts.hpp"
#include "engine/mechanism/elements.hpp"

namespace counterpoise {

EquationsOfMotion::EquationsOfMotion(const Mechanism& mechanism, const Scenario& scenario)
    : mechanism_(mechanism),
      scenario_(scenario),
      paths_(mechanism_),
      legs_(mechanism_),
      coils_(mechanism_),
      forces_(mechanism_),
      gaps_(mechanism_, paths_, scenario_.contacts, scenario_.stops),
      sample_(mechanism_.body_count()),
      spring_lines_(mechanism_.springs.size()),
      actuator_lines_(mechanism_.actuators.size()),
      cable_lines_(mechanism_.springs.size()),
      jumps_behind_(mechanism_.springs.size(), unseen),
      kept_(mechanism_.actuators.size()),
      slides_(slides_of(mechanism_, scenario_)),
      loads_(mechanism_.actuators.size()) {
  const auto bodies = mechanism_.bodies.size();
  prepare_frames(mechanism_, frames_);
  tree_.prepare(mechanism_);
  newton_euler_.resize(bodies);
  composite_.prepare(tree_, bodies);
  moving_tree_ = tree_;
  articulated_.prepare(moving_tree_, bodies);
  is_still_.assign(bodies, 0);
  still_at_.assign(bodies, 0.0);
  force_.resize(mechanism_.body_count());
  row_.assign(bodies, 0.0);
  for (std::size_t a = 0; a < mechanism_.actuators.size(); ++a)
    if (mechanism_.actuators[a].linear()) actuator_lines_[a].resize(paths_.actuators[a]);
  course_of_force_.assign(forces_.size(), -1);
  for (std::size_t i = 0; i < scenario_.forces.size(); ++i)
    course_of_force_[at(scenario_.forces[i].force)] = static_cast<int>(i);
  prepare_slides();
  find_known();
  for (std::size_t s = 0; s < mechanism_.springs.size(); ++s)
    if (mechanism_.springs[s].is_cable())
      cable_lines_[s].resize(paths_.cables[s]);
    else if (mechanism_.springs[s].type != SpringType::torsion)
      spring_lines_[s].resize(paths_.springs[s]);
  for (const Actuator& actuator : mechanism_.actuators)
    if (actuator.linear() && LegForces<double>::has_mass(actuator)) plain_ = false;
  for (const Spring& spring : mechanism_.springs)
    if (spring.mass != 0.0) plain_ = false;
  size_ = std::max(farthest_coordinate(mechanism_), 1e-3);
  for (const Contact& contact : scenario_.contacts) size_ = std::max(size_, contact.surface.radius);
}

/// Tells the joints that are known functions of time from the others.
void EquationsOfMotion::find_known() {
  known_.clear();
  known_actuator_.clear();
  unknown_.clear();
  is_known_.assign(mechanism_.bodies.size(), 0);
  for (std::size_t a = 0; a < mechanism_.actuators.size(); ++a) {
    const BodyIndex joint = mechanism_.actuators[a].joint;
    if (!prescribed(scenario_.actuators[a]) || mechanism_.actuators[a].linear()) continue;
    known_.push_back(joint);
    known_actuator_.push_back(a);
    is_known_[joint] = 1;
  }
  for (BodyIndex b = 0; b < mechanism_.body_count(); ++b) {
    if (!mechanism_.moves(b) || is_known_[b] != 0) continue;
    const int slide = slide_of_joint_[at(b)];
    if (slide < 0 || rubs_[at(slide)] != Rubbing::stuck) {
      unknown_.push_back(b);
      continue;
    }
    known_.push_back(b);
    known_actuator_.push_back(sticks);
    is_known_[b] = 1;
  }
  find_driven_lines();
}

/// Makes one body of those on joints whose actuators are held, and with them on fixed ones. Joints
/// that stick may let go again at any time, and keep their bodies.
void EquationsOfMotion::join_still_bodies() {
  std::vector<char> still(mechanism_.bodies.size(), 0);
  std::vector<double> still_at(still.size(), 0.0);
  bool any = false;
  for (std::size_t k = 0; k < known_.size(); ++k) {
    if (known_actuator_[k] == sticks ||
        scenario_.actuators[known_actuator_[k]].mode != ActuatorMode::held)
      continue;
    still[at(known_[k])] = 1;
    still_at[at(known_[k])] = sample_.view().q[known_[k]];
    any = true;
  }
  for (BodyIndex b = 0; any && b < mechanism_.body_count(); ++b)
    if (!mechanism_.moves(b)) still[at(b)] = 1;
  if (still == is_still_ && still_at == still_at_) return;
  is_still_ = std::move(still);
  still_at_ = std::move(still_at);
  if (any) join_rigid_parts(mechanism_, frames_, sample_.view(), is_still_, parts_);
  moving_tree_.prepare(any ? parts_ : mechanism_);
  articulated_.prepare(moving_tree_, mechanism_.bodies.size());
}

void EquationsOfMotion::find_driven_lines() {
  std::vector<std::size_t> lines;
  for (std::size_t a = 0; a < mechanism_.actuators.size(); ++a) {
    if (!mechanism_.actuators[a].linear()) continue;
    const int slide = slide_of_actuator_[a];
    if (prescribed(scenario_.actuators[a]) || (slide >= 0 && rubs_[at(slide)] == Rubbing::stuck))
      lines.push_back(a);
  }
  if (lines == driven_lines_) return;
  driven_lines_ = std::move(lines);
  for (std::vector<double>* values : {&driven_position_, &driven_velocity_, &driven_acceleration_})
    values->assign(driven_lines_.size(), 0.0);
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
    const ProfileValue value = known_actuator_[k] == sticks
                                   ? ProfileValue{stuck_at_[slide_of_joint_[known_[k]]], 0.0, 0.0}
                                   : rule_at(known_actuator_[k], t);
    if (state.q[known_[k]] != value.position)
      sample_.set_position(frames_, known_[k], value.position);
    state.v[known_[k]] = value.velocity;
    state.a[known_[k]] = value.acceleration;
  }
  for (std::size_t i = 0; i < driven_lines_.size(); ++i) {
    const std::size_t line = driven_lines_[i];
    const ProfileValue value = prescribed(scenario_.actuators[line])
                                   ? rule_at(line, t)
                                   : ProfileValue{stuck_at_[slide_of_actuator_[line]], 0.0, 0.0};
    driven_position_[i] = value.position;
    driven_velocity_[i] = value.velocity;
    driven_acceleration_[i] = value.acceleration;
  }
}

void EquationsOfMotion::hold(std::vector<std::size_t> gaps) {
  held_ = std::move(gaps);
}

void EquationsOfMotion::place(const JointStart& at) {
  ready_ = {};
  for (BodyIndex b = 0; b < mechanism_.body_count(); ++b) {
    if (mechanism_.moves(b)) sample_.set_position(frames_, b, at.q[b]);
    sample_.view().v[b] = at.v[b];
    if (mechanism_.bodies[b].joint.type == JointType::prismatic)
      size_ = std::max(size_, std::abs(sample_.view().q[b]));
  }
}

auto EquationsOfMotion::choose(double t, const JointStart& at) -> Result {
  const JointState<double> state = sample_.view();
  place(at);
  if (!slides_.empty()) find_known();
  set_known(t);
  for (std::size_t k = 0; k < known_.size(); ++k)
    if (known_actuator_[k] != sticks) state.v[known_[k]] = at.v[known_[k]];
  follows_ =
      std::any_of(scenario_.actuators.begin(), scenario_.actuators.end(),
                  [](const ActuatorRule& rule) { return rule.mode == ActuatorMode::follow; });
  find_groups();
  choose_dependent();
  const Result result = solve_dependent();
  join_still_bodies();
  tie_joints();
  for (RowGroup& group : groups_) group.chosen_conditioning = group.conditioning;
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
  return gap(i, {});
}

void EquationsOfMotion::find_inverse_dynamics(const TreeModel& tree) {
  force_.setZero();
  const std::span<double> tau(force_.data(), mechanism_.bodies.size());
  inverse_dynamics<double>(tree, sample_.view(), newton_euler_, tau);
  for (std::size_t leg = 0; leg < legs_.legs().size(); ++leg)
    if (LegForces<double>::has_mass(mechanism_.actuators[legs_.legs()[leg].actuator]))
      legs_.add(leg, geometry(), sample_.view(), tau);
  for (std::size_t coil = 0; coil < coils_.coils().size(); ++coil)
    if (const double mass = mass_of(coil); mass != 0.0)
      coils_.add(coil, mass, geometry(), sample_.view(), tau);
  add_rotors();
}

const Eigen::MatrixXd& EquationsOfMotion::tree_mass() {
  if (ready_.tree_mass) return tree_mass_;
  ready_.tree_mass = true;
  tree_mass_.setZero(mechanism_.body_count(), mechanism_.body_count());
  mass_matrix<double>(tree_, sample_.view(), composite_, tree_mass_);
  for (std::size_t leg = 0; leg < legs_.legs().size(); ++leg)
    if (LegForces<double>::has_mass(mechanism_.actuators[legs_.legs()[leg].actuator]))
      add_line_mass(legs_.legs()[leg].path,
                    [&](const JointView<double>& state, std::span<double> tau) {
                      legs_.add(leg, geometry(), state, tau);
                    });
  for (std::size_t coil = 0; coil < coils_.coils().size(); ++coil)
    if (const double mass = mass_of(coil); mass != 0.0)
      add_line_mass(coils_.coils()[coil].path,
                    [&](const JointView<double>& state, std::span<double> tau) {
                      coils_.add(coil, mass, geometry(), state, tau);
                    });
  add_rotor_mass();
  return tree_mass_;
}

/// Adds what a leg, or a spring that has mass, adds to the mass matrix. It is linear in the
/// accelerations: one column for each joint that moves it.
void EquationsOfMotion::add_line_mass(const Path& path, const LineForce& add) {
  at_rest_ = sample_;
  at_rest_.stop();
  const std::size_t n = mechanism_.bodies.size();
  still_.assign(n, 0.0);
  add(at_rest_.view(), still_);
  for (BodyIndex b = 0; b < mechanism_.body_count(); ++b) {
    if (!mechanism_.moves(b) || !path.contains(b)) continue;
    at_rest_.view().a[b] = 1.0;
    moved_.assign(n, 0.0);
    add(at_rest_.view(), moved_);
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

void EquationsOfMotion::add_line_force(const Path& path, const Line<double>& line, double along,
                                       Eigen::VectorXd& force) {
  for (const std::size_t end : {0u, 1u})
    for (std::size_t k = 0; k < path.chains[end].size(); ++k)
      force(int{path.chains[end][k]}) += along * length_slope(line, end, k);
}

void EquationsOfMotion::add_cable_force(std::span<const JointFrame> frames, const Cable& cable,
                                        const CableLine<double>& line, double along,
                                        Eigen::VectorXd& force) {
  for (std::size_t stop = 0; stop < cable.stops.size(); ++stop)
    for (std::size_t k = 0; k < cable.stops[stop].chain.size(); ++k)
      force(int{cable.stops[stop].chain[k]}) += along * line.slope(frames, cable, stop, k);
}

double EquationsOfMotion::factor_of(std::size_t force) const {
  if (course_of_force_[force] < 0) return 1.0;
  const FallingForce& course = scenario_.forces[at(course_of_force_[force])];
  return evaluate(course.profile, std::min(course.profile_start + time_, course.profile_duration),
                  course.profile_duration)
      .position;
}

void EquationsOfMotion::see_jump(std::size_t spring) {
  const int now = jumps_behind(mechanism_.springs[spring], spring_length(spring));
  int& from = jumps_behind_[spring];
  if (from == unseen) from = now;
  jumped_ = jumped_ || from != now;
}

/// The forces of springs, prescribed loads, and forces from outside on all joints.
void EquationsOfMotion::find_applied() {
  const std::size_t n = mechanism_.bodies.size();
  outside_.setZero(mechanism_.body_count());
  for (std::size_t f = 0; f < forces_.size(); ++f)
    forces_.add(f, geometry(), sample_.view(), factor_of(f), {outside_.data(), n});
  applied_ = outside_;
  cables_laid_ = true;
  jumped_ = false;
  add_friction();
  for (std::size_t s = 0; s < mechanism_.springs.size(); ++s) {
    const Spring& spring = mechanism_.springs[s];
    const double tension = tension_of(spring, spring_length(s));
    if (jumps(spring)) see_jump(s);
    if (spring.type == SpringType::torsion)
      applied_(int{spring.joint}) -= tension;
    else if (spring.is_cable() && tension < -slack_of(0.0, size_of_tension(spring, size_)))
      cables_laid_ = false;
    else if (spring.is_cable())
      add_cable_force(frames_, paths_.cables[s], cable_lines_[s], -tension, applied_);
    else
      add_line_force(paths_.springs[s], spring_lines_[s], -tension, applied_);
  }
  for (std::size_t a = 0; a < mechanism_.actuators.size(); ++a) {
    if (scenario_.actuators[a].mode != ActuatorMode::load) continue;
    loads_[a] = rule_at(a, time_).position;
    if (mechanism_.actuators[a].linear()) {
      trace_line<double>(geometry(), paths_.actuators[a], sample_.view(), actuator_lines_[a]);
      add_line_force(paths_.actuators[a], actuator_lines_[a], loads_[a], applied_);
    } else {
      applied_(int{mechanism_.actuators[a].joint}) += loads_[a];
    }
  }
}

auto EquationsOfMotion::accelerate() -> Result {
  set_bias_accelerations();
  find_inverse_dynamics(moving_tree_);
  find_applied();
  if (!cables_laid_) return Result::no_cable;
  if (jumped_) return Result::jumps;
  if (independent_.empty()) return Result::solved;
  effort_ = applied_ - force_;
  if (!is_fast_) return accelerate_by_mass();
  find_follow();
  for (std::size_t t = 0; t < tied_groups_.size(); ++t) {
    const Eigen::MatrixXd& follow = groups_[tied_groups_[t]].follow;
    articulated_.tied[t].motions.bottomRows(follow.rows()) = follow;
  }
  const std::size_t n = mechanism_.bodies.size();
  const std::span<const double> effort(effort_.data(), n);
  acceleration_.setZero(mechanism_.body_count());
  if (!articulated_bodies(moving_tree_, sample_.view(), is_rigid_, rotors_, effort, articulated_,
                          {acceleration_.data(), n}))
    return accelerate_by_mass();
  const JointState<double> state = sample_.view();
  for (const BodyIndex b : unknown_) state.a[b] += acceleration_(int{b});
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

void EquationsOfMotion::find_loads() {
  find_inverse_dynamics(tree_);
  effort_ = force_ - applied_;
  find_multipliers(effort_);
  for (std::size_t k = 0; k < known_.size(); ++k)
    if (known_actuator_[k] != sticks) loads_[known_actuator_[k]] += carried_friction(k);
  find_motor_loads(effort_);
}

double EquationsOfMotion::gap_force(std::size_t place) const {
  return multipliers_(gap_rows_[place]);
}

std::optional<std::vector<double>> EquationsOfMotion::stop_held() {
  const JointState<double> state = sample_.view();
  Eigen::VectorXd before(mechanism_.body_count());
  for (BodyIndex b = 0; b < mechanism_.body_count(); ++b) before(int{b}) = state.v[b];
  for (std::size_t k = 0; k < known_.size(); ++k)
    state.v[known_[k]] =
        known_actuator_[k] == sticks ? 0.0 : rule_at(known_actuator_[k], time_).velocity;
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

ProfileValue EquationsOfMotion::actuator(std::size_t actuator) {
  const BodyIndex joint = mechanism_.actuators[actuator].joint;
  const JointView<double> state = sample_.view();
  if (joint != world_body) return {state.q[joint], state.v[joint], state.a[joint]};
  Line<double>& line = actuator_lines_[actuator];
  trace_line<double>(geometry(), paths_.actuators[actuator], state, line);
  ProfileValue value;
  value.position = line.length;
  value.acceleration =
      length_acceleration<double>(frames_, paths_.actuators[actuator], state, line, value.velocity);
  return value;
}

bool EquationsOfMotion::cables_slip() {
  bool passed = false;
  for (std::size_t s = 0; s < mechanism_.springs.size(); ++s)
    if (mechanism_.springs[s].is_cable()) passed |= cable_lines_[s].slips();
  return passed;
}

double EquationsOfMotion::spring_length(std::size_t spring) {
  const Spring& one = mechanism_.springs[spring];
  if (one.type == SpringType::torsion) return sample_.view().q[one.joint];
  if (one.is_cable()) {
    const Cable& cable = paths_.cables[spring];
    cable_lines_[spring].trace(geometry(), cable, sample_.view());
    if (cable_lines_[spring].lay(mechanism_, cable, 0)) cables_laid_ = false;
    return cable_lines_[spring].length();
  }
  trace_line<double>(geometry(), paths_.springs[spring], sample_.view(), spring_lines_[spring]);
  return spring_lines_[spring].length;
}

}  // namespace counterpoise
