#include "engine/falls/equations_of_motion.hpp"
#include "engine/mechanism/elements.hpp"

namespace counterpoise {

double EquationsOfMotion::kinetic_energy() {
  const JointView<double> state = sample_.view();
  Eigen::VectorXd v(mechanism_.body_count());
  for (BodyIndex b = 0; b < mechanism_.body_count(); ++b) v(int{b}) = state.v[b];
  return 0.5 * v.dot(tree_mass() * v);
}

double EquationsOfMotion::potential_energy() {
  double energy = bodies_.potential_energy(mechanism_);
  for (const LegForces<double>::Leg& leg : legs_.legs()) {
    const Actuator& actuator = mechanism_.actuators[leg.actuator];
    if (!LegForces<double>::has_mass(actuator)) continue;
    std::array<Vec3d, 2> ends;
    for (const std::size_t end : {0u, 1u}) {
      const Point& point = mechanism_.points[actuator.points[end]];
      ends[end] = bodies_.of(point.body).place(point.position);
    }
    const Vec3d along = (ends[1] - ends[0]).normalized();
    energy -= actuator.tube.mass * mechanism_.gravity.dot(ends[0] + along * actuator.tube.com) +
              actuator.rod.mass * mechanism_.gravity.dot(ends[1] - along * actuator.rod.com);
  }
  return energy;
}

double EquationsOfMotion::spring_energy() {
  double energy = 0.0;
  for (std::size_t s = 0; s < mechanism_.springs.size(); ++s) {
    const Spring& spring = mechanism_.springs[s];
    const double stretch = spring_length(s) - spring.free_length;
    energy += stretch * (spring.initial_tension + 0.5 * law_of(spring).rate * stretch);
  }
  return energy;
}

double EquationsOfMotion::power() {
  double power = 0.0;
  for (std::size_t a = 0; a < mechanism_.actuators.size(); ++a)
    if (scenario_.actuators[a].mode == ActuatorMode::load ||
        scenario_.actuators[a].mode == ActuatorMode::follow)
      power += (scenario_.actuators[a].mode == ActuatorMode::load ? rule_at(a, time_).position
                                                                  : loads_[a]) *
               actuator(a).velocity;
  const JointView<double> state = sample_.view();
  for (BodyIndex b = 0; b < mechanism_.body_count(); ++b) power += outside_(int{b}) * state.v[b];
  for (std::size_t k = 0; k < known_.size(); ++k) power -= carried_friction(k) * state.v[known_[k]];
  for (std::size_t i = 0; i < slides_.size(); ++i)
    if (slides_[i].rubs() && rubs_[i] != Rubbing::stuck) {
      const double velocity = slide_value(i).velocity;
      power += friction_of(slides_[i].friction, rubs_[i], velocity) * velocity;
    }
  return power;
}

bool EquationsOfMotion::works() const {
  if (forces_.size() > 0) return true;
  for (const Slide& slide : slides_)
    if (slide.rubs()) return true;
  for (const ActuatorRule& rule : scenario_.actuators)
    if (rule.mode == ActuatorMode::load || rule.mode == ActuatorMode::follow) return true;
  return false;
}

}  // namespace counterpoise
