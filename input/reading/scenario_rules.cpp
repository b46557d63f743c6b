#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/kinematics/drive_samples.hpp"
#include "input/definition/mechanism_units.hpp"
#include "input/reading/scenario_reading.hpp"
#include "input/reading/study_reading.hpp"

namespace counterpoise {
namespace {

constexpr std::string_view rules_expected =
    "\"free\", \"held\", {\"load\": profile}, {\"follow\": \"motion\"}, {\"follow\": profile}, "
    "{\"brake\": brake} or {\"shorted\": true}";

/// The index of the actuator that a rule governs; -1 without a model.
int actuator_of(const JsonValue& rule, const Model* model) {
  if (model == nullptr) return -1;
  const int found = find_actuator(model->nominal, rule.key);
  if (found >= 0) return found;
  std::vector<std::string> known;
  for (const Actuator& actuator : model->nominal.actuators) known.push_back(actuator.name);
  refuse_key(rule, "an actuator", known);
}

/// Whether an actuator that the start's motion does not name stands still in it.
bool stands_still(int actuator, const Mechanism& mechanism, const ParametricMotion& motion) {
  const Paths paths(mechanism, motion.nominal.drives);
  const Mobility mobility(mechanism, paths);
  try {
    const DriveSelection drives(mechanism, paths, mobility, motion.nominal);
    return std::any_of(drives.coordinates.begin() + static_cast<std::ptrdiff_t>(drives.driven),
                       drives.coordinates.end(),
                       [actuator](const Coordinate& c) { return c.actuator == actuator; });
  } catch (const MechanismError& error) {
    throw InputError(motion.where, error.what());
  }
}

/// An actuator that goes on along the start's motion.
ActuatorRuleNumbers follow_motion(int actuator, const Location& where,
                                  const ScenarioReading& reading) {
  if (!reading.of_motion)
    throw InputError(where,
                     "the start names no motion to follow; give \"motion\" there, or "
                     "{\"follow\": profile} here");
  ActuatorRuleNumbers rule{.mode = ActuatorMode::follow};
  const auto& motion = reading.out.start.motion;
  if (!motion) return rule;
  const Mechanism& mechanism = reading.model->nominal;
  const Actuator& followed = mechanism.actuators[actuator];
  const std::vector<Drive>& drives = motion->nominal.drives;
  for (std::size_t d = 0; d < drives.size(); ++d)
    if (drives[d].actuator == actuator ||
        (drives[d].joint >= 0 && drives[d].joint == followed.joint))
      rule.drive = static_cast<int>(d);
  if (rule.drive >= 0) return rule;
  if (stands_still(actuator, mechanism, *motion)) return {.mode = ActuatorMode::held};
  throw InputError(where, fmt::format("{} is no coordinate of the motion {}, which moves it by "
                                      "others; name the actuators that follow, and leave it out",
                                      followed.name, motion->nominal.name));
}

/// Gears that cannot be driven back hold what nothing drives; what a driven motor does to them
/// depends on their friction, of which this number says too little.
void refuse_locked(const JsonValue& load, int actuator, const ScenarioReading& reading) {
  if (reading.model == nullptr) return;
  const Actuator& loaded = reading.model->nominal.actuators[actuator];
  if (!locks(loaded, ActuatorMode::free)) return;
  throw InputError(
      load.key_location(),
      fmt::format("found a load of {}, whose gears lock (back_efficiency 0), and how a "
                  "load moves these is not known; let it be free, held or follow",
                  loaded.name));
}

/// The motor of an actuator of which a brake or windings need more than is known.
const MotorSide& motor_for(const JsonValue& value, const Actuator& actuator) {
  if (!actuator.motor.known)
    throw InputError(
        value.key_location(),
        fmt::format("found {} of the motor of {}, whose ratio the model does not give; "
                    "give the actuator its ratio, or the brake a load",
                    in_quotes(value.key), actuator.name));
  return actuator.motor;
}

BrakeNumbers read_brake(const JsonValue& value, int actuator, const ScenarioReading& reading) {
  const ObjectReader object(value, "a brake", {"torque", "load", "at"});
  const JsonValue* torque = object.find("torque");
  const JsonValue* load = object.find("load");
  if (torque != nullptr && load != nullptr)
    throw InputError(load->key_location(),
                     "found load beside torque; a brake is at the shaft of the motor, with a "
                     "torque, or at the actuator, with a load: leave one of them out");
  BrakeNumbers brake;
  std::string load_si;
  if (reading.model != nullptr) {
    const Mechanism& mechanism = reading.model->nominal;
    const Actuator& braked = mechanism.actuators[actuator];
    load_si = load_unit(mechanism, braked);
    if (torque != nullptr) static_cast<void>(motor_for(*torque, braked));
    if (torque == nullptr && load == nullptr && braked.holding_load == no_limit)
      throw InputError(value.location(),
                       fmt::format("found neither torque nor load, and the model gives {} no "
                                   "holding_load; expected one of the three",
                                   braked.name));
  }
  if (torque != nullptr) {
    brake.given = BrakeNumbers::Given::torque;
    brake.size = reading.number(*torque, TextUnit::of("N*m", torque->key));
  } else if (load != nullptr) {
    brake.given = BrakeNumbers::Given::load;
    brake.size = reading.number(*load, TextUnit::of(load_si, load->key));
  }
  if (const JsonValue* closes = object.find("at"))
    brake.closes = reading.number(*closes, TextUnit::of("s", closes->key));
  return brake;
}

/// A free actuator with a brake, shorted windings or both.
ActuatorRuleNumbers read_braking(const ObjectReader& object, int actuator,
                                 const ScenarioReading& reading) {
  ActuatorRuleNumbers rule;
  const std::size_t before = reading.expression_count();
  if (const JsonValue* brake = object.find("brake"))
    rule.brake = read_brake(*brake, actuator, reading);
  if (const JsonValue* shorted = object.find("shorted")) {
    rule.shorted = boolean_of(*shorted, "true or false");
    if (rule.shorted && reading.model != nullptr) {
      const Actuator& braked = reading.model->nominal.actuators[actuator];
      const MotorSide& motor = motor_for(*shorted, braked);
      if (motor.torque_constant == 0.0 || motor.resistance == 0.0)
        throw InputError(shorted->key_location(),
                         fmt::format("shorted windings brake by torque_constant and resistance, of "
                                     "which the model gives {} not both",
                                     braked.name));
    }
  }
  reading.make(before, [&](const ScenarioValues& values) {
    ActuatorRule made;
    return make_rule(rule, values, reading.out.nominal.duration, made);
  });
  return rule;
}

ActuatorRuleNumbers read_rule(const JsonValue& value, int actuator, ScenarioReading& reading) {
  if (value.kind == JsonValue::Kind::string) {
    if (value.text == "free") return {.mode = ActuatorMode::free};
    if (value.text == "held") return {.mode = ActuatorMode::held};
    refuse_name(value, value.text, rules_expected, std::vector<std::string>{"free", "held"});
  }
  if (value.kind != JsonValue::Kind::object) refuse(value, rules_expected);
  const ObjectReader object(value, "what an actuator does", {"load", "follow", "brake", "shorted"});
  const JsonValue* load = object.find("load");
  const JsonValue* follow = object.find("follow");
  const JsonValue* brake = object.find("brake");
  const JsonValue* braked = brake != nullptr ? brake : object.find("shorted");
  const JsonValue* first = load != nullptr ? load : follow != nullptr ? follow : braked;
  const JsonValue* second = braked != nullptr ? braked : follow;
  if (first == nullptr)
    throw InputError(value.location(),
                     "found neither load, follow, brake nor shorted, expected one of load, follow, "
                     "and brake or shorted");
  if (first != second && second != nullptr)
    throw InputError(value.location(),
                     fmt::format("found both {} and {}, expected one of load, follow, and brake or "
                                 "shorted",
                                 first->key, second->key));
  if (braked != nullptr) return read_braking(object, actuator, reading);
  if (load != nullptr) refuse_locked(*load, actuator, reading);
  if (follow != nullptr && follow->kind == JsonValue::Kind::string) {
    if (follow->text != "motion")
      refuse_name(*follow, follow->text, "\"motion\" or a profile",
                  std::vector<std::string>{"motion"});
    return follow_motion(actuator, follow->location(), reading);
  }

  const auto of = load != nullptr ? Measured::Of::loads : Measured::Of::positions;
  std::string si;
  if (reading.model != nullptr) {
    const Mechanism& mechanism = reading.model->nominal;
    si = load != nullptr ? load_unit(mechanism, mechanism.actuators[actuator])
                         : position_unit(mechanism, {.actuator = actuator});
  }
  const std::size_t before = reading.expression_count();
  const double duration = reading.out.nominal.duration;
  ActuatorRuleNumbers rule{.mode = load != nullptr ? ActuatorMode::load : ActuatorMode::follow};
  rule.profile = read_profile(load != nullptr ? *load : *follow, {.of = of, .si = si}, duration,
                              reading.numbers, reading.folder, reading.files);
  reading.make(before, [&](const ScenarioValues& values) {
    ActuatorRule made;
    return make_rule(rule, values, duration, made);
  });
  return rule;
}

}  // namespace

void read_rules(const JsonValue& root, ScenarioReading& reading) {
  const std::size_t count = reading.model == nullptr ? 0 : reading.model->nominal.actuators.size();
  std::vector<char> named(count, 0);
  std::vector<ActuatorRuleNumbers>& rules = reading.out.actuators;
  rules.resize(count);
  Mistakes mistakes;
  if (const JsonValue* actuators = root.find("actuators"))
    mistakes.attempt([&] {
      read_each(object_of(*actuators, "actuator -> what it does"), [&](const JsonValue& member) {
        const int actuator = actuator_of(member, reading.model);
        if (actuator >= 0) named[actuator] = 1;
        ActuatorRuleNumbers rule = read_rule(member, actuator, reading);
        if (actuator >= 0) rules[actuator] = std::move(rule);
      });
    });
  if (const JsonValue* others = root.find("others"))
    mistakes.attempt([&] {
      constexpr std::array<std::string_view, 3> modes = {"free", "held", "follow"};
      constexpr std::array<ActuatorMode, 3> meanings = {ActuatorMode::free, ActuatorMode::held,
                                                        ActuatorMode::follow};
      reading.out.others = meanings[choice_of(*others, modes)];
      for (std::size_t a = 0; a < count; ++a)
        if (named[a] == 0)
          rules[a] = reading.out.others == ActuatorMode::follow
                         ? follow_motion(static_cast<int>(a), others->location(), reading)
                         : ActuatorRuleNumbers{.mode = reading.out.others};
      if (count == 0 && reading.out.others == ActuatorMode::follow)
        static_cast<void>(follow_motion(-1, others->location(), reading));
    });
  mistakes.raise();
}

namespace {

/// The course of a force in the start's motion.
int course_in_motion(const JsonValue& value, ForceIndex force, const ScenarioReading& reading) {
  if (value.text != "motion")
    refuse_name(value, value.text, "\"motion\" or a profile", std::vector<std::string>{"motion"});
  if (!reading.of_motion)
    throw InputError(value.location(),
                     "the start names no motion whose course the force could take; give \"motion\" "
                     "there, or a profile here");
  const auto& motion = reading.out.start.motion;
  if (!motion) return -1;
  const std::vector<ForceCourse>& courses = motion->nominal.forces;
  for (std::size_t c = 0; c < courses.size(); ++c)
    if (courses[c].force == force) return static_cast<int>(c);
  throw InputError(value.location(),
                   fmt::format("the motion {} gives {} no course; give a profile here, or leave it "
                               "out, so that it acts all the time",
                               motion->nominal.name, in_quotes(value.key)));
}

}  // namespace

void read_falling_forces(const JsonValue& object, ScenarioReading& reading) {
  std::vector<std::string> known;
  if (reading.model != nullptr)
    for (const AppliedForce& force : reading.model->nominal.forces) known.push_back(force.name);
  read_each(object_of(object, "force -> its course"), [&](const JsonValue& member) {
    FallingForceNumbers force;
    if (reading.model != nullptr) {
      const auto found = std::find(known.begin(), known.end(), member.key);
      if (found == known.end()) refuse_key(member, "a force of the model", known);
      force.force = ForceIndex(static_cast<int>(found - known.begin()));
    }
    const std::size_t before = reading.expression_count();
    const double duration = reading.out.nominal.duration;
    if (member.kind == JsonValue::Kind::string)
      force.course = course_in_motion(member, force.force, reading);
    else
      force.profile = read_profile(member, {.of = Measured::Of::factors, .si = ""}, duration,
                                   reading.numbers, reading.folder, reading.files);
    reading.make(before, [&](const ScenarioValues& values) {
      FallingForce made;
      return make_force(force, values, duration, made);
    });
    if (reading.model != nullptr) reading.out.forces.push_back(std::move(force));
  });
}

}  // namespace counterpoise
