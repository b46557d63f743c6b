#include "engine/mechanism/finding.hpp"

#include <initializer_list>
#include <string_view>

namespace counterpoise {
namespace {

std::string at(double time) {
  return " at t=" + number_text(time) + " s";
}

/// Strings one after the other. Hundreds of thousands of designs of a run may have a reason each,
/// so this allocates once.
std::string joined(std::initializer_list<std::string_view> parts) {
  std::size_t size = 0;
  for (const std::string_view part : parts) size += part.size();
  std::string text;
  text.reserve(size);
  for (const std::string_view part : parts) text += part;
  return text;
}

/// A number that is held against a limit: "spring lift longer than max_length at t=1.5 s (0.077 m
/// against 0.071 m)".
std::string held_against(std::string_view kind, const std::string& name, std::string_view how,
                         const Finding& finding, std::string_view unit) {
  const std::string_view space = unit.empty() ? "" : " ";
  return joined({kind, name, how, " at t=", number_text(finding.time), " s (",
                 number_text(finding.value), space, unit, " against ", number_text(finding.limit),
                 space, unit, ")"});
}

std::string jumps(double time) {
  if (time == 0.0)
    return " jumps to another branch on the way from the zero configuration to t=0 s";
  return " jumps to another branch" + at(time) +
         "; it passed a singular pose since the sample before";
}

std::string passed(double time) {
  return at(time) + ", between two samples";
}

std::string askew(LoopKeep keep) {
  if (keep == LoopKeep::parallel) return "its axes are off parallel";
  if (keep == LoopKeep::perpendicular) return "its axes are off perpendicular";
  return "its bodies are turned against each other";
}

}  // namespace

std::string describe(const Finding& finding, const Mechanism& mechanism) {
  const auto i = static_cast<std::size_t>(finding.element);
  const auto loop = [&] { return "loop " + mechanism.loops[i].name; };
  const auto spring = [&] { return "spring " + mechanism.springs[i].name; };
  const auto actuator = [&] { return "actuator " + mechanism.actuators[i].name; };
  const bool torsion =
      i < mechanism.springs.size() && mechanism.springs[i].type == SpringType::torsion;
  const char* length = torsion ? "rad" : "m";
  const auto held_spring = [&](std::string_view how, std::string_view unit) {
    return held_against("spring ", mechanism.springs[i].name, how, finding, unit);
  };
  const auto held_actuator = [&](std::string_view how) {
    return held_against("actuator ", mechanism.actuators[i].name, how, finding, "");
  };
  switch (finding.kind) {
    case FindingKind::loop_open:
      return loop() + " cannot close" + at(finding.time) + " (misses by " +
             number_text(finding.value) + " m)";
    case FindingKind::loop_askew:
      return loop() + " cannot close" + at(finding.time) + " (" + askew(mechanism.loops[i].keep) +
             " by " + number_text(finding.value) + " rad)";
    case FindingKind::actuator_unreachable:
      return actuator() + " cannot reach its prescribed length" + at(finding.time) +
             " (misses by " + number_text(finding.value) + " m)";
    case FindingKind::singular_loop:
      return loop() + " is in a singular pose" + at(finding.time) + " (smallest singular value " +
             number_text(finding.value) + ")";
    case FindingKind::singular_actuator:
      return actuator() + " meets a singular pose" + at(finding.time) +
             " (smallest singular value " + number_text(finding.value) + ")";
    case FindingKind::singular_loop_passed:
      return loop() + " passes a singular pose" + passed(finding.time);
    case FindingKind::singular_actuator_passed:
      return actuator() + " passes a singular pose" + passed(finding.time);
    case FindingKind::coupling_open:
      return "coupling " + mechanism.couplings[i].name + " cannot be met" + at(finding.time) +
             " (misses by " + number_text(finding.value) + ")";
    case FindingKind::loop_jump:
      return loop() + jumps(finding.time);
    case FindingKind::actuator_jump:
      return actuator() + jumps(finding.time);
    case FindingKind::transmission_singular:
      return "the actuators cannot hold the mechanism" + at(finding.time) +
             (finding.element < 0 ? "; the pose" : "; " + loop()) +
             " is singular (smallest singular value " + number_text(finding.value) + ")";
    case FindingKind::transmission_loop_passed:
      return "the actuators cannot hold the mechanism" + passed(finding.time) + ", where " +
             loop() + " passes a singular pose";
    case FindingKind::transmission_actuator_passed:
      return "the actuators cannot hold the mechanism" + passed(finding.time) + ", where " +
             actuator() + " passes a singular pose";
    case FindingKind::spring_too_short:
      return held_spring(" shorter than min_length", length);
    case FindingKind::spring_too_long:
      return held_spring(" longer than max_length", length);
    case FindingKind::spring_overloaded:
      return held_spring(" loaded beyond max_load", torsion ? "N m" : "N");
    case FindingKind::spring_pushes:
    case FindingKind::spring_pulls:
      return spring() + " would have to " +
             (finding.kind == FindingKind::spring_pushes ? "push" : "pull") + at(finding.time) +
             " (tension " + number_text(finding.value) + " N)";
    case FindingKind::spring_below_free_length:
      return held_spring(" shorter than free_length", length);
    case FindingKind::spring_above_free_length:
      return held_spring(" longer than free_length", length);
    case FindingKind::spring_without_direction:
      return spring() + " has no direction" + at(finding.time) + ": its length of " +
             number_text(finding.value) + " m is at most " + number_text(finding.limit) +
             " m, where its ends count as meeting, and it is under tension";
    case FindingKind::position_too_small:
      return held_actuator(" below min_position");
    case FindingKind::position_too_large:
      return held_actuator(" above max_position");
    case FindingKind::actuator_overloaded:
      return held_actuator(" loaded beyond max_load");
    case FindingKind::actuator_too_fast:
      return held_actuator(" faster than max_speed");
    case FindingKind::not_finite:
      return (finding.element < 0 ? "a load" : "the position or velocity of " + actuator()) +
             " is not a finite number" + at(finding.time);
  }
  return "unknown finding";
}

}  // namespace counterpoise
