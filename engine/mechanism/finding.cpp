#include "engine/mechanism/finding.hpp"

#include "engine/mechanism/number_text.hpp"

namespace counterpoise {
namespace {

std::string at(double time) {
  return " at t=" + number_text(time) + " s";
}

/// The end of a description: "... at t=1.5 s (0.071 m against 0.077 m)".
std::string held_against(const Finding& finding, const char* unit) {
  const std::string behind = *unit == '\0' ? "" : std::string(" ") + unit;
  return at(finding.time) + " (" + number_text(finding.value) + behind + " against " +
         number_text(finding.limit) + behind + ")";
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
      return spring() + " shorter than min_length" + held_against(finding, length);
    case FindingKind::spring_too_long:
      return spring() + " longer than max_length" + held_against(finding, length);
    case FindingKind::spring_overloaded:
      return spring() + " loaded beyond max_load" + held_against(finding, torsion ? "N m" : "N");
    case FindingKind::spring_pushes:
    case FindingKind::spring_pulls:
      return spring() + " would have to " +
             (finding.kind == FindingKind::spring_pushes ? "push" : "pull") + at(finding.time) +
             " (tension " + number_text(finding.value) + " N)";
    case FindingKind::spring_below_free_length:
      return spring() + " shorter than free_length" + held_against(finding, length);
    case FindingKind::spring_above_free_length:
      return spring() + " longer than free_length" + held_against(finding, length);
    case FindingKind::spring_without_direction:
      return spring() + " has no direction" + at(finding.time) + ": its length of " +
             number_text(finding.value) + " m is within rounding of its points (" +
             number_text(finding.limit) + " m), and it is under tension";
    case FindingKind::position_too_small:
      return actuator() + " below min_position" + held_against(finding, "");
    case FindingKind::position_too_large:
      return actuator() + " above max_position" + held_against(finding, "");
    case FindingKind::actuator_overloaded:
      return actuator() + " loaded beyond max_load" + held_against(finding, "");
    case FindingKind::actuator_too_fast:
      return actuator() + " faster than max_speed" + held_against(finding, "");
    case FindingKind::not_finite:
      return (finding.element < 0 ? "a load" : "the position or velocity of " + actuator()) +
             " is not a finite number" + at(finding.time);
  }
  return "unknown finding";
}

}  // namespace counterpoise
