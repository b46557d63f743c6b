#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/kinematics/drive_samples.hpp"
#include "engine/mechanism/finding.hpp"
#include "studies/definition/mechanism_units.hpp"
#include "studies/reading/scenario/scenario_reading.hpp"

namespace counterpoise {
namespace {

constexpr std::string_view rules_expected =
    "\"free\", \"held\", {\"load\": profile}, {\"follow\": \"motion\"} or {\"follow\": profile}";

/// The index of the actuator a rule is of; -1 without a model.
int actuator_of(const JsonValue& rule, const Model* model) {
  if (model == nullptr) return -1;
  const int found = find_actuator(model->nominal, rule.key);
  if (found >= 0) return found;
  std::vector<std::string> known;
  for (const Actuator& actuator : model->nominal.actuators) known.push_back(actuator.name);
  throw InputError(rule.key_location(),
                   fmt::format("found {}, expected an actuator{}", in_quotes(rule.key),
                               did_you_mean(rule.key, known)));
}

/// Whether an actuator that the start's motion does not name stands still in it.
bool stands_still(int actuator, const Mechanism& mechanism, const ParametricMotion& motion) {
  const Paths paths(mechanism);
  const Mobility mobility(mechanism, paths);
  try {
    const DriveSelection drives(mechanism, mobility, motion.nominal);
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
  const Actuator& followed = mechanism.actuators[static_cast<std::size_t>(actuator)];
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

ActuatorRuleNumbers read_rule(const JsonValue& value, int actuator, ScenarioReading& reading) {
  if (value.kind == JsonValue::Kind::string) {
    if (value.text == "free") return {.mode = ActuatorMode::free};
    if (value.text == "held") return {.mode = ActuatorMode::held};
    refuse_name(value, value.text, rules_expected, std::vector<std::string>{"free", "held"});
  }
  if (value.kind != JsonValue::Kind::object) refuse(value, rules_expected);
  const ObjectReader object(value, "what an actuator does", {"load", "follow"});
  const JsonValue* load = object.find("load");
  const JsonValue* follow = object.find("follow");
  if ((load == nullptr) == (follow == nullptr))
    throw InputError(value.location(),
                     fmt::format("found {}, expected one of load and follow",
                                 load == nullptr ? "neither load nor follow" : "both"));
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
    si = load != nullptr
             ? load_unit(mechanism, mechanism.actuators[static_cast<std::size_t>(actuator)])
             : position_unit(mechanism, {.actuator = actuator, .joint = {}, .profile = {}});
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
        if (actuator >= 0) named[static_cast<std::size_t>(actuator)] = 1;
        ActuatorRuleNumbers rule = read_rule(member, actuator, reading);
        if (actuator >= 0) rules[static_cast<std::size_t>(actuator)] = std::move(rule);
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

}  // namespace counterpoise
