#include "input/definition/scenario.hpp"

#include <fmt/format.h>

#include <cmath>

namespace counterpoise {
namespace {

/// Takes the value of a quantity if it is a finite number.
std::optional<Refusal> take(const NumberInUnit& quantity, const ScenarioValues& values,
                            double& out) {
  out = values.of(quantity);
  if (std::isfinite(out)) return std::nullopt;
  return Refusal{quantity.where, fmt::format("found {}, expected a finite number", out)};
}

std::optional<Refusal> take(const std::array<NumberInUnit, 3>& quantities,
                            const ScenarioValues& values, Vec3d& out) {
  for (std::size_t i = 0; i < quantities.size(); ++i)
    if (auto refusal = take(quantities[i], values, out[static_cast<Eigen::Index>(i)]))
      return refusal;
  return std::nullopt;
}

std::optional<Refusal> take_restitution(const NumberInUnit& quantity, const ScenarioValues& values,
                                        double& out) {
  if (auto refusal = take(quantity, values, out)) return refusal;
  if (out >= 0.0 && out <= 1.0) return std::nullopt;
  return Refusal{quantity.where, fmt::format("found {}, expected a restitution from 0 to 1", out)};
}

std::optional<Refusal> make_brake(const BrakeNumbers& numbers, const ScenarioValues& values,
                                  double duration, Braking& out) {
  if (numbers.given == BrakeNumbers::Given::holding_load) {
    out.holding = true;
  } else {
    double& size = numbers.given == BrakeNumbers::Given::torque ? out.torque : out.load;
    if (auto refusal = take(numbers.size, values, size)) return refusal;
    if (!(size > 0.0))
      return Refusal{numbers.size.where,
                     fmt::format("found {}, expected more than 0: what the brake holds", size)};
  }
  if (auto refusal = take(numbers.closes, values, out.closes)) return refusal;
  if (out.closes >= 0.0 && out.closes <= duration) return std::nullopt;
  return Refusal{
      numbers.closes.where,
      fmt::format("found {} s, expected a time of the fall, from 0 to {} s", out.closes, duration)};
}

std::optional<Refusal> make_surface(const ContactNumbers& numbers, const ScenarioValues& values,
                                    Surface& out) {
  if (auto refusal = take(numbers.point, values, out.point)) return refusal;
  if (out.kind != Surface::Kind::sphere) {
    Vec3d direction;
    if (auto refusal = take(numbers.direction, values, direction)) return refusal;
    // the largest entry first, so that no square of a number overflows or vanishes
    const double size = direction.cwiseAbs().maxCoeff();
    if (size == 0.0)
      return Refusal{numbers.direction_where,
                     fmt::format("found [0, 0, 0], expected {} that is not zero",
                                 out.kind == Surface::Kind::plane ? "a normal" : "an axis")};
    out.direction = (direction / size).normalized();
  }
  if (out.kind != Surface::Kind::plane) {
    if (auto refusal = take(numbers.radius, values, out.radius)) return refusal;
    if (!(out.radius > 0.0))
      return Refusal{numbers.radius.where,
                     fmt::format("found {}, expected a radius above 0 m", out.radius)};
  }
  return std::nullopt;
}

}  // namespace

double ScenarioValues::of(const NumberInUnit& quantity) const {
  return quantity.unit.to_si(evaluate(quantity.number, expressions, parameters));
}

std::optional<Refusal> make_contact(const ContactNumbers& numbers, const ScenarioValues& values,
                                    Contact& out) {
  if (auto refusal = make_surface(numbers, values, out.surface)) return refusal;
  return take_restitution(numbers.restitution, values, out.restitution);
}

std::optional<Refusal> make_stop(const StopNumbers& numbers, const ScenarioValues& values,
                                 Stop& out) {
  if (numbers.min)
    if (auto refusal = take(*numbers.min, values, out.min)) return refusal;
  if (numbers.max)
    if (auto refusal = take(*numbers.max, values, out.max)) return refusal;
  if (!(out.min < out.max))
    return Refusal{numbers.where, fmt::format("found min {} and max {}, expected a min below the "
                                              "max",
                                              out.min, out.max)};
  return take_restitution(numbers.restitution, values, out.restitution);
}

std::optional<Refusal> make_coordinate(const StartCoordinate& numbers, const ScenarioValues& values,
                                       GivenCoordinate& out) {
  if (auto refusal = take(numbers.position, values, out.position)) return refusal;
  return take(numbers.velocity, values, out.velocity);
}

std::optional<Refusal> make_rule(const ActuatorRuleNumbers& numbers, const ScenarioValues& values,
                                 double duration, ActuatorRule& out) {
  out.mode = numbers.mode;
  out.braking = {.shorted = numbers.shorted};
  if (numbers.brake)
    if (auto refusal = make_brake(*numbers.brake, values, duration, out.braking)) return refusal;
  if (!numbers.profile) return std::nullopt;
  std::vector<double> evaluated;
  evaluate(*numbers.profile, values.expressions, values.parameters, evaluated);
  out.profile_duration = duration;
  return make_profile(*numbers.profile, evaluated, duration, out.profile);
}

std::optional<Refusal> make_force(const FallingForceNumbers& numbers, const ScenarioValues& values,
                                  double duration, FallingForce& out) {
  out.force = numbers.force;
  if (!numbers.profile) return std::nullopt;
  std::vector<double> evaluated;
  evaluate(*numbers.profile, values.expressions, values.parameters, evaluated);
  out.profile_duration = duration;
  return make_profile(*numbers.profile, evaluated, duration, out.profile);
}

ScenarioBinder::ScenarioBinder(const ParametricScenario& scenario)
    : scenario_(&scenario), bound_(scenario.nominal) {
  if (scenario.start.motion) motion_.emplace(*scenario.start.motion);
  for (const StartCoordinate& coordinate : scenario.start.coordinates)
    coordinates_.push_back(coordinate.nominal);
}

std::optional<Refusal> ScenarioBinder::bind_parts(std::span<const double> parameters) {
  const ScenarioValues values{scenario_->expressions, parameters.data()};
  for (std::size_t i = 0; i < coordinates_.size(); ++i)
    if (auto refusal = make_coordinate(scenario_->start.coordinates[i], values, coordinates_[i]))
      return refusal;
  for (std::size_t i = 0; i < bound_.actuators.size(); ++i)
    if (auto refusal =
            make_rule(scenario_->actuators[i], values, bound_.duration, bound_.actuators[i]))
      return refusal;
  for (std::size_t i = 0; i < bound_.forces.size(); ++i)
    if (auto refusal = make_force(scenario_->forces[i], values, bound_.duration, bound_.forces[i]))
      return refusal;
  for (std::size_t i = 0; i < bound_.contacts.size(); ++i)
    if (auto refusal = make_contact(scenario_->contacts[i], values, bound_.contacts[i]))
      return refusal;
  for (std::size_t i = 0; i < bound_.stops.size(); ++i)
    if (auto refusal = make_stop(scenario_->stops[i], values, bound_.stops[i])) return refusal;
  return std::nullopt;
}

std::optional<std::string> ScenarioBinder::bind(std::span<const double> parameters,
                                                std::size_t instant) {
  instant_ = instant;
  if (motion_)
    if (auto reason = motion_->bind(parameters)) return reason;
  if (const auto refusal = bind_parts(parameters))
    return fmt::format("scenario {} at {}: {}", bound_.name, refusal->where.pointer,
                       refusal->words);
  for (std::size_t i = 0; i < bound_.actuators.size(); ++i) {
    const int drive = scenario_->actuators[i].drive;
    if (drive < 0) continue;
    bound_.actuators[i].profile = motion_->motion().drives[drive].profile;
    bound_.actuators[i].profile_duration = motion_->motion().duration;
    bound_.actuators[i].profile_start = scenario_->start.times[instant];
  }
  for (std::size_t i = 0; i < bound_.forces.size(); ++i) {
    const int course = scenario_->forces[i].course;
    if (course < 0) continue;
    bound_.forces[i].profile = motion_->motion().forces[course].profile;
    bound_.forces[i].profile_duration = motion_->motion().duration;
    bound_.forces[i].profile_start = scenario_->start.times[instant];
  }
  return std::nullopt;
}

std::variant<JointStart, Finding> ScenarioBinder::start(const Mechanism& mechanism) const {
  if (motion_)
    return start_of_motion(mechanism, motion_->motion(), scenario_->start.times[instant_]);
  return start_of_coordinates(mechanism, coordinates_);
}

}  // namespace counterpoise
