#include "input/definition/mechanism_units.hpp"

#include <cmath>
#include <optional>

namespace counterpoise {
namespace {

bool slides(const Mechanism& mechanism, BodyIndex joint) {
  return mechanism.bodies[joint].joint.type == JointType::prismatic;
}

/// Whether the gap of a contact or stop is an angle.
bool turns(const Mechanism& mechanism, const Scenario& scenario, int contact_or_stop) {
  const auto index = static_cast<std::size_t>(contact_or_stop);
  if (index < scenario.contacts.size()) return false;
  const Stop& stop = scenario.stops[index - scenario.contacts.size()];
  if (stop.of == Stop::Of::joint) return !slides(mechanism, BodyIndex(stop.element));
  if (stop.of == Stop::Of::spring) return turns(mechanism, mechanism.springs[stop.element]);
  const Actuator& actuator = mechanism.actuators[stop.element];
  return !actuator.linear() && !slides(mechanism, actuator.joint);
}

std::string unit_of(const Study& study, const FallMetric& metric) {
  const Scenario& scenario = study.scenarios[metric.scenario].scenario.nominal;
  const auto of_gap = [&](const char* angle, const char* length) {
    return turns(study.model->nominal, scenario, metric.element) ? angle : length;
  };
  switch (metric.statistic) {
    case FallStatistic::drop:
      return "m";
    case FallStatistic::max_speed:
      return "m/s";
    case FallStatistic::max_impulse:
      return of_gap("N*m*s", "N*s");
    case FallStatistic::max_impact_speed:
      return of_gap("rad/s", "m/s");
    case FallStatistic::settled:
      return "s";
    case FallStatistic::energy_lost:
      return "J";
    case FallStatistic::moved:
      return "m";
    case FallStatistic::actuator_moved:
      return position_unit(study.model->nominal, {.actuator = metric.element});
  }
  return "";
}

const char* unit_of(MotorStatistic statistic) {
  switch (statistic) {
    case MotorStatistic::torque:
    case MotorStatistic::rms:
      return "N*m";
    case MotorStatistic::speed:
      return "rad/s";
    case MotorStatistic::power:
    case MotorStatistic::holding_power:
      return "W";
    case MotorStatistic::energy:
      return "J";
    case MotorStatistic::mass:
      return "kg";
    default:
      return "1";
  }
}

}  // namespace

std::string load_unit(const Mechanism& mechanism, const Actuator& actuator) {
  return actuator.linear() || slides(mechanism, actuator.joint) ? "N" : "N*m";
}

std::string unit_of(const Study& study, const MetricName& metric) {
  const Mechanism& mechanism = study.model->nominal;
  const auto element = static_cast<std::size_t>(metric.element);
  if (metric.of == MetricOf::poses) return "1";
  if (metric.of == MetricOf::scenario) return unit_of(study, study.fall_metrics[element]);
  if (metric.of == MetricOf::motor) return unit_of(static_cast<MotorStatistic>(metric.statistic));
  if (metric.of == MetricOf::spring) {
    if (metric.statistic == static_cast<int>(SpringStatistic::clearance)) return "m";
    const bool angular = turns(mechanism, mechanism.springs[element]);
    constexpr int first_tension = 2;  // after the lengths
    const bool tension = metric.statistic >= first_tension;
    return angular ? (tension ? "N*m" : "rad") : tension ? "N" : "m";
  }
  const auto statistic = static_cast<Statistic>(metric.statistic);
  if (statistic == Statistic::energy) return "J";
  if (statistic == Statistic::peak_power) return "W";
  if (statistic == Statistic::holds) return "1";
  return load_unit(mechanism, mechanism.actuators[element]);
}

}  // namespace counterpoise
