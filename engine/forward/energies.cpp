#include "engine/forward/equations_of_motion.hpp"
#include "engine/mechanism/spring_law.hpp"

namespace counterpoise {

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

double EquationsOfMotion::spring_length(std::size_t spring) {
  const Spring& one = mechanism_.springs[spring];
  if (one.type == SpringType::torsion) return sample_.view().q[one.joint];
  trace_line<double>(geometry(), paths_.springs[spring], sample_.view(), spring_lines_[spring]);
  return spring_lines_[spring].length;
}

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
      power += loads_[a] * actuator(a).velocity;
  return power;
}

bool EquationsOfMotion::works() const {
  for (const ActuatorRule& rule : scenario_.actuators)
    if (rule.mode == ActuatorMode::load || rule.mode == ActuatorMode::follow) return true;
  return false;
}

}  // namespace counterpoise
