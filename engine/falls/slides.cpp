#include "engine/falls/slides.hpp"

#include <algorithm>
#include <cmath>

#include "engine/falls/equations_of_motion.hpp"

namespace counterpoise {
namespace {

FallingMotor motor_of(std::size_t index, const Actuator& actuator, const Braking& braking) {
  FallingMotor falling{.actuator = index};
  const MotorSide& motor = actuator.motor;
  falling.brake = braking.load + (braking.holding ? actuator.holding_load : 0.0);
  if (motor.known) {
    const double square = motor.ratio * motor.ratio;
    falling.friction = motor.friction;
    falling.inertia = square * motor.rotor_inertia;
    falling.brake += motor.ratio * braking.torque;
    // the current that the motor drives through its own windings, at the speed i v
    if (braking.shorted && motor.resistance > 0.0)
      falling.friction.viscous +=
          square * motor.torque_constant * motor.torque_constant / motor.resistance;
  }
  if (falling.brake > 0.0) falling.closes = braking.closes;
  return falling;
}

void add(const FallingMotor& motor, Slide& slide) {
  slide.friction.coulomb += motor.friction.coulomb;
  slide.friction.viscous += motor.friction.viscous;
  slide.inertia += motor.inertia;
  slide.motors.push_back(motor);
}

bool matters(const Slide& slide) {
  return slide.rubs() || slide.inertia > 0.0;
}

}  // namespace

bool Slide::rubs() const {
  return !friction.none() || std::any_of(motors.begin(), motors.end(),
                                         [](const FallingMotor& one) { return one.brake > 0.0; });
}

Scenario with_locks(const Mechanism& mechanism, Scenario scenario) {
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a)
    if (locks(mechanism.actuators[a], scenario.actuators[a].mode))
      scenario.actuators[a].mode = ActuatorMode::held;
  return scenario;
}

std::vector<Slide> slides_of(const Mechanism& mechanism, const Scenario& scenario) {
  std::vector<Slide> joints(mechanism.bodies.size()), lines;
  std::vector<char> known(mechanism.bodies.size(), 0);
  for (BodyIndex b = 0; b < mechanism.body_count(); ++b) {
    Slide& slide = joints[at(b)];
    slide.joint = b;
    slide.own = slide.friction = mechanism.bodies[b].friction;
    known[at(b)] = mechanism.moves(b) ? 0 : 1;
  }
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
    const Actuator& actuator = mechanism.actuators[a];
    if (prescribed(scenario.actuators[a])) {
      if (!actuator.linear()) known[at(actuator.joint)] = 1;
      continue;
    }
    const Braking& braking = scenario.actuators[a].braking;
    if (!actuator.motor.known && braking.none()) continue;
    if (actuator.linear()) lines.emplace_back().line = a;
    add(motor_of(a, actuator, braking),
        actuator.linear() ? lines.back() : joints[at(actuator.joint)]);
  }
  std::vector<Slide> slides;
  for (std::size_t b = 0; b < joints.size(); ++b)
    if (known[b] == 0 && matters(joints[b])) slides.push_back(std::move(joints[b]));
  for (Slide& line : lines)
    if (matters(line)) slides.push_back(std::move(line));
  return slides;
}

void EquationsOfMotion::prepare_slides() {
  slide_of_joint_.assign(mechanism_.bodies.size(), -1);
  slide_of_actuator_.assign(mechanism_.actuators.size(), -1);
  rubs_.assign(slides_.size(), Rubbing::none);
  stuck_at_.assign(slides_.size(), 0.0);
  line_slopes_.resize(mechanism_.body_count());
  for (std::size_t i = 0; i < slides_.size(); ++i) {
    const Slide& slide = slides_[i];
    if (slide.line >= 0)
      slide_of_actuator_[at(slide.line)] = static_cast<int>(i);
    else
      slide_of_joint_[at(slide.joint)] = static_cast<int>(i);
    if (slide.inertia == 0.0) continue;
    if (slide.line >= 0) {
      plain_ = false;
      continue;
    }
    rotors_.resize(mechanism_.bodies.size(), 0.0);
    rotors_[at(slide.joint)] = slide.inertia;
  }
}

double EquationsOfMotion::next_brake() const {
  double next = no_limit;
  for (const Slide& slide : slides_)
    for (const FallingMotor& motor : slide.motors) next = std::min(next, motor.closes);
  return next;
}

void EquationsOfMotion::close_brakes(double until) {
  for (Slide& slide : slides_)
    for (FallingMotor& motor : slide.motors) {
      if (motor.closes > until) continue;
      motor.friction.coulomb += motor.brake;
      slide.friction.coulomb += motor.brake;
      motor.brake = 0.0;
      motor.closes = no_limit;
    }
}

ProfileValue EquationsOfMotion::slide_value(std::size_t slide) {
  if (slides_[slide].line >= 0) return actuator(at(slides_[slide].line));
  const BodyIndex joint = slides_[slide].joint;
  const JointView<double> state = sample_.view();
  return {state.q[joint], state.v[joint], state.a[joint]};
}

Eigen::RowVectorXd EquationsOfMotion::slide_motions(std::size_t slide) {
  const Slide& one = slides_[slide];
  if (one.line < 0) return motions().row(int{one.joint});
  line_slopes_.setZero();
  add_slide_force(one, 1.0, line_slopes_);
  return line_slopes_.transpose() * motions();
}

void EquationsOfMotion::rub(std::size_t slide, Rubbing how) {
  if (how == Rubbing::stuck && rubs_[slide] != Rubbing::stuck)
    stuck_at_[slide] = slide_value(slide).position;
  rubs_[slide] = how;
}

void EquationsOfMotion::stand_as(const EquationsOfMotion& others) {
  kept_ = others.kept_;
  for (std::size_t a = 0; a < kept_.size(); ++a)
    scenario_.actuators[a].mode = others.scenario_.actuators[a].mode;
  slides_ = others.slides_;
  rubs_ = others.rubs_;
  stuck_at_ = others.stuck_at_;
}

double EquationsOfMotion::friction_of(const Friction& friction, Rubbing how, double velocity) {
  const double against = how == Rubbing::ahead  ? -friction.coulomb
                         : how == Rubbing::back ? friction.coulomb
                                                : 0.0;
  return against - friction.viscous * velocity;
}

void EquationsOfMotion::add_slide_force(const Slide& slide, double along,
                                        Eigen::VectorXd& force) const {
  if (slide.line < 0)
    force(int{slide.joint}) += along;
  else
    add_line_force(paths_.actuators[at(slide.line)], actuator_lines_[at(slide.line)], along, force);
}

void EquationsOfMotion::add_friction() {
  for (std::size_t i = 0; i < slides_.size(); ++i) {
    if (!slides_[i].rubs() || rubs_[i] == Rubbing::stuck) continue;
    const double velocity = slide_value(i).velocity;
    add_slide_force(slides_[i], friction_of(slides_[i].friction, rubs_[i], velocity), applied_);
  }
}

void EquationsOfMotion::add_rotors() {
  for (std::size_t i = 0; i < slides_.size(); ++i)
    if (slides_[i].inertia > 0.0)
      add_slide_force(slides_[i], slides_[i].inertia * slide_value(i).acceleration, force_);
}

void EquationsOfMotion::add_rotor_mass() {
  for (const Slide& slide : slides_) {
    if (slide.inertia == 0.0) continue;
    if (slide.line < 0) {
      tree_mass_(int{slide.joint}, int{slide.joint}) += slide.inertia;
      continue;
    }
    trace_line<double>(geometry(), paths_.actuators[at(slide.line)], sample_.view(),
                       actuator_lines_[at(slide.line)]);
    line_slopes_.setZero();
    add_slide_force(slide, 1.0, line_slopes_);
    for (BodyIndex b = 0; b < mechanism_.body_count(); ++b)
      tree_mass_.col(int{b}) += slide.inertia * line_slopes_(int{b}) * line_slopes_;
  }
}

double EquationsOfMotion::carried_friction(std::size_t known) const {
  if (known_actuator_[known] == sticks) return 0.0;
  const Friction& friction = mechanism_.bodies[known_[known]].friction;
  const double velocity = sample_.view().v[known_[known]];
  if (friction.none() || std::abs(velocity) <= Friction::rest) return 0.0;
  return -friction_of(friction, velocity > 0.0 ? Rubbing::ahead : Rubbing::back, velocity);
}

void EquationsOfMotion::find_motor_loads(const Eigen::VectorXd& force) {
  for (std::size_t i = 0; i < slides_.size(); ++i) {
    const Slide& slide = slides_[i];
    if (slide.motors.empty()) continue;
    const bool stuck = rubs_[i] == Rubbing::stuck;
    double held = 0.0, carries = 0.0;  // by the motors' dry friction, and what that can hold
    if (stuck) {
      held = slide.line >= 0 ? loads_[at(slide.line)]
                             : force(int{slide.joint}) - carried_(int{slide.joint});
      held = std::copysign(std::max(0.0, std::abs(held) - slide.own.coulomb), held);
      for (const FallingMotor& motor : slide.motors) carries += motor.friction.coulomb;
    }
    const ProfileValue moves = stuck ? ProfileValue{} : slide_value(i);
    for (const FallingMotor& motor : slide.motors) {
      const double given = scenario_.actuators[motor.actuator].mode == ActuatorMode::load
                               ? rule_at(motor.actuator, time_).position
                               : 0.0;
      loads_[motor.actuator] =
          given + (stuck ? (carries > 0.0 ? held * motor.friction.coulomb / carries : 0.0)
                         : friction_of(motor.friction, rubs_[i], moves.velocity) -
                               motor.inertia * moves.acceleration);
    }
  }
}

}  // namespace counterpoise
