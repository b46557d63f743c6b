#include "studies/definition/mechanism_units.hpp"

namespace counterpoise {
namespace {

bool slides(const Mechanism& mechanism, BodyIndex joint) {
  return mechanism.bodies[static_cast<std::size_t>(joint)].joint.type == JointType::prismatic;
}

}  // namespace

std::string load_unit(const Mechanism& mechanism, const Actuator& actuator) {
  return actuator.linear() || slides(mechanism, actuator.joint) ? "N" : "N*m";
}

std::string unit_of(const Mechanism& mechanism, const MetricName& metric) {
  const auto element = static_cast<std::size_t>(metric.element);
  if (metric.spring) {
    const bool torsion = mechanism.springs[element].type == SpringType::torsion;
    constexpr int first_tension = 2;  // after the lengths
    const bool tension = metric.statistic >= first_tension;
    return torsion ? (tension ? "N*m" : "rad") : tension ? "N" : "m";
  }
  const auto statistic = static_cast<Statistic>(metric.statistic);
  if (statistic == Statistic::energy) return "J";
  if (statistic == Statistic::peak_power) return "W";
  return load_unit(mechanism, mechanism.actuators[element]);
}

std::string position_unit(const Mechanism& mechanism, const Drive& drive) {
  if (drive.actuator < 0) return slides(mechanism, drive.joint) ? "m" : "rad";
  const Actuator& actuator = mechanism.actuators[static_cast<std::size_t>(drive.actuator)];
  return actuator.linear() || slides(mechanism, actuator.joint) ? "m" : "rad";
}

}  // namespace counterpoise
