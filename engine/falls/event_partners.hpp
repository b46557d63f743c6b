#pragma once

#include <string>

#include "engine/falls/fall.hpp"

namespace counterpoise {

/// Names and units of what events happen to: a scenario's contacts, then its stops, then its
/// actuators (an actuator that is held is stopped at the start).
class EventPartners {
 public:
  EventPartners(const Mechanism& mechanism, const Scenario& scenario)
      : mechanism_(mechanism), scenario_(scenario) {}

  /// How many contacts and stops there are.
  [[nodiscard]] std::size_t count() const {
    return scenario_.contacts.size() + scenario_.stops.size();
  }
  [[nodiscard]] const std::string& name(std::size_t i) const {
    if (i < scenario_.contacts.size()) return scenario_.contacts[i].name;
    return i < count() ? stop(i).name : mechanism_.actuators[i - count()].name;
  }
  [[nodiscard]] std::string point(const FallEvent& event) const {
    return event.point < 0 ? "" : point_of(event).name;
  }
  /// The body that hits or is stopped: that of the point, of the joint, or of the actuator's second
  /// end. Empty for the stop of a spring.
  [[nodiscard]] std::string body(const FallEvent& event) const {
    const auto i = static_cast<std::size_t>(event.contact);
    if (event.point >= 0) return name_of(point_of(event).body);
    if (i >= count()) return body(mechanism_.actuators[i - count()]);
    const auto element = static_cast<std::size_t>(stop(i).element);
    if (stop(i).of == Stop::Of::actuator) return body(mechanism_.actuators[element]);
    return stop(i).of == Stop::Of::joint ? mechanism_.bodies[element].name : "";
  }
  /// The body that carries the surface; "world" if none moves it, empty for a stop.
  [[nodiscard]] std::string surface_body(const FallEvent& event) const {
    if (event.point < 0) return "";
    return name_of(scenario_.contacts[event.contact].surface.body);
  }
  /// Whether speeds and impulses of it are angular.
  [[nodiscard]] bool turns(std::size_t i) const {
    if (i < scenario_.contacts.size()) return false;
    if (i >= count()) return turns(mechanism_.actuators[i - count()]);
    const auto element = static_cast<std::size_t>(stop(i).element);
    switch (stop(i).of) {
      case Stop::Of::actuator:
        return turns(mechanism_.actuators[element]);
      case Stop::Of::joint:
        return revolute(stop(i).element);
      default:
        return counterpoise::turns(mechanism_, mechanism_.springs[element]);
    }
  }

 private:
  [[nodiscard]] const Point& point_of(const FallEvent& event) const {
    const Contact& contact = scenario_.contacts[event.contact];
    return mechanism_.points[contact.points[event.point]];
  }
  [[nodiscard]] std::string name_of(BodyIndex body) const {
    return body == world_body ? "world" : mechanism_.bodies[body].name;
  }
  [[nodiscard]] std::string body(const Actuator& actuator) const {
    return name_of(actuator.linear() ? mechanism_.points[actuator.points[1]].body : actuator.joint);
  }
  [[nodiscard]] const Stop& stop(std::size_t i) const {
    return scenario_.stops[i - scenario_.contacts.size()];
  }
  [[nodiscard]] bool turns(const Actuator& actuator) const {
    return !actuator.linear() && revolute(actuator.joint);
  }
  [[nodiscard]] bool revolute(BodyIndex joint) const {
    return mechanism_.bodies[joint].joint.type == JointType::revolute;
  }

  const Mechanism& mechanism_;
  const Scenario& scenario_;
};

}  // namespace counterpoise
