#include <algorithm>

#include "engine/falls/equations_of_motion.hpp"
#include "engine/mechanism/elements.hpp"

namespace counterpoise {

std::array<BodyState, 2> EquationsOfMotion::ends_of(const std::array<PointIndex, 2>& points) const {
  std::array<BodyState, 2> ends;
  for (const std::size_t end : {0u, 1u}) {
    const Point& point = mechanism_.points[points[end]];
    const BodyState& body = bodies_.of(point.body);
    ends[end].origin = body.place(point.position);
    ends[end].velocity = body.velocity_at(ends[end].origin);
  }
  return ends;
}

double EquationsOfMotion::kinetic_energy() {
  see_bodies();
  double energy = bodies_.kinetic_energy(mechanism_);
  for (const LegForces<double>::Leg& leg : legs_.legs()) {
    const Actuator& actuator = mechanism_.actuators[leg.actuator];
    if (!LegForces<double>::has_mass(actuator)) continue;
    const auto [first, second] = ends_of(actuator.points);
    const Vec3d between = second.origin - first.origin;
    const double length = std::max(between.norm(), 1e-300);
    const Vec3d along = between / length;
    const Vec3d omega = along.cross(second.velocity - first.velocity) / length;
    const Vec3d swing = omega.cross(along);
    const LegPart &tube = actuator.tube, &rod = actuator.rod;
    energy += 0.5 * (tube.mass * (first.velocity + swing * tube.com).squaredNorm() +
                     rod.mass * (second.velocity - swing * rod.com).squaredNorm() +
                     (tube.transverse + rod.transverse) * omega.squaredNorm());
  }
  for (std::size_t coil = 0; coil < coils_.coils().size(); ++coil) {
    if (mass_of(coil) == 0.0) continue;
    const auto [first, second] = ends_of(coils_.coils()[coil].path.points);
    energy += mass_of(coil) / 6.0 *
              (first.velocity.squaredNorm() + first.velocity.dot(second.velocity) +
               second.velocity.squaredNorm());
  }
  for (std::size_t i = 0; i < slides_.size(); ++i) {
    if (slides_[i].inertia == 0.0) continue;
    const double rate = slide_value(i).velocity;
    energy += 0.5 * slides_[i].inertia * rate * rate;
  }
  return energy;
}

double EquationsOfMotion::potential_energy() {
  double energy = bodies_.potential_energy(mechanism_);
  for (const LegForces<double>::Leg& leg : legs_.legs()) {
    const Actuator& actuator = mechanism_.actuators[leg.actuator];
    if (!LegForces<double>::has_mass(actuator)) continue;
    const auto [first, second] = ends_of(actuator.points);
    const Vec3d along = (second.origin - first.origin).normalized();
    energy -=
        actuator.tube.mass * mechanism_.gravity.dot(first.origin + along * actuator.tube.com) +
        actuator.rod.mass * mechanism_.gravity.dot(second.origin - along * actuator.rod.com);
  }
  for (std::size_t coil = 0; coil < coils_.coils().size(); ++coil) {
    if (mass_of(coil) == 0.0) continue;
    const auto [first, second] = ends_of(coils_.coils()[coil].path.points);
    energy -= 0.5 * mass_of(coil) * mechanism_.gravity.dot(first.origin + second.origin);
  }
  return energy;
}

double EquationsOfMotion::spring_energy() {
  double energy = 0.0;
  for (std::size_t s = 0; s < mechanism_.springs.size(); ++s)
    energy += energy_of(mechanism_.springs[s], spring_length(s));
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
