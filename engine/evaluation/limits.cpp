#include "engine/evaluation/limits.hpp"

#include <algorithm>
#include <cmath>

#include "engine/math/pack.hpp"
#include "engine/mechanism/elements.hpp"

namespace counterpoise {
namespace {

/// A bound on a quantity of one element; `sign` +1 for an upper bound, -1 for a lower one. `term`
/// is the size of the terms that add up to the quantity (see slack_of()).
struct Limit {
  FindingKind kind;
  std::size_t element;
  double bound;
  double sign;
  double term;

  [[nodiscard]] double slack() const { return slack_of(bound, term); }
  template <class S>
  [[nodiscard]] S excess(const S& value) const {
    return S((value - bound) * sign);
  }
  /// What a violation is relative to.
  [[nodiscard]] double size() const { return bound == 0.0 ? 1.0 : std::abs(bound); }
};

bool any_lane(bool condition) {
  return condition;
}
bool any_lane(PackMask condition) {
  return lane_bits(condition) != 0;
}

/// Whether a sample that is held is left out, so that another pose stands in for it, which is to be
/// named in its own place.
template <class S>
bool is_left_out(const Pipeline<S>& pipeline, int k) {
  return !pipeline.left_out().empty() && pipeline.left_out()[k] != 0;
}

/// Compares the quantity's extreme over the motion with the limit, and looks for the first sample
/// that breaks it: only if it is broken, but in all stretches before the last one. `value(block)`
/// gives the quantity.
template <class S, class Value>
void check(const Limit& limit, double extreme, const Pipeline<S>& pipeline, const Value& value,
           LimitMemory::Sample& found, std::vector<Finding>& findings) {
  if (std::isinf(limit.bound)) return;
  const Stretch& stretch = pipeline.stretch();
  if (stretch.starts()) found = {};
  const double slack = limit.slack();
  if (stretch.ends() && !(limit.excess(extreme) > slack)) return;
  for (int first = 0; first < stretch.samples && found.k < 0; first += lanes<S>) {
    const S values = value(static_cast<std::size_t>(SamplePlace<S>(first).block));
    const bool broken = any_lane(limit.excess(values) > S(slack));
    if (!broken && stretch.first + first + lanes<S> < stretch.total) continue;
    for (int k = first; k < std::min(first + lanes<S>, stretch.samples) && found.k < 0; ++k) {
      const double x = lane(values, k - first);
      const bool last = stretch.first + k + 1 == stretch.total;
      if ((limit.excess(x) > slack && !is_left_out(pipeline, k)) || last)
        found = {stretch.first + k, x};
    }
  }
  if (stretch.ends())
    findings.push_back({limit.kind, static_cast<int>(limit.element), found.k * pipeline.step(),
                        found.value, limit.bound, limit.excess(extreme) / limit.size()});
}

/// Where a quantity is farthest beyond a limit so far, if it is beyond it at all.
template <class S, class Value>
std::optional<Finding> find_worst(const Limit& limit, const Pipeline<S>& pipeline,
                                  const Value& value, Finding& worst) {
  if (std::isinf(limit.bound)) return std::nullopt;
  const Stretch& stretch = pipeline.stretch();
  if (stretch.starts())
    worst = {limit.kind, static_cast<int>(limit.element), 0.0, 0.0, limit.bound, 0.0};
  for (int k = 0; k < stretch.samples; ++k) {
    const SamplePlace<S> place(k);
    const double x = lane(value(static_cast<std::size_t>(place.block)), place.lane);
    const double violation = limit.excess(x) / limit.size();
    if (violation > worst.violation && !is_left_out(pipeline, k))
      worst = {limit.kind, worst.element, (stretch.first + k) * pipeline.step(),
               x,          limit.bound,   violation};
  }
  if (!(limit.excess(worst.value) > limit.slack()) || worst.violation == 0.0) return std::nullopt;
  return worst;
}

constexpr double one_radian = 1.0;

/// The size of the terms that add up to a spring's lengths, or a torsion spring's angles.
template <class S>
double size_of_lengths(const Spring& spring, const Pipeline<S>& pipeline) {
  return spring.type == SpringType::torsion ? one_radian : pipeline.size();
}

/// The first sample of the stretch at which the ends of a spring meet.
template <class S>
std::optional<Finding> find_meeting(const Pipeline<S>& pipeline, std::size_t s, double meeting) {
  const SpringShape<S>& shape = pipeline.shape(s);
  for (int k = 0; k < pipeline.samples(); ++k) {
    const SamplePlace<S> place(k);
    const double length = lane(shape.length_at(static_cast<std::size_t>(place.block)), place.lane);
    if (length <= meeting && !is_left_out(pipeline, k))
      return Finding{FindingKind::spring_without_direction, static_cast<int>(s),
                     (pipeline.stretch().first + k) * pipeline.step(), length, meeting};
  }
  return std::nullopt;
}

bool has_limits(const Actuator& actuator) {
  return std::isfinite(actuator.min_position) || std::isfinite(actuator.max_position) ||
         std::isfinite(actuator.max_load) || std::isfinite(actuator.max_speed);
}

}  // namespace

template <class S>
std::optional<Finding> find_lost_direction(const Mechanism& mechanism, Pipeline<S>& pipeline,
                                           std::size_t s) {
  if (!pipeline.stretch().ends()) return std::nullopt;
  const Spring& spring = mechanism.springs[s];
  const SpringShape<S>& shape = pipeline.shape(s);
  if (spring.is_cable() && shape.fault.element >= 0) return shape.fault;
  const double meeting = shape.meeting;  // over the whole motion
  if (!lacks_direction(spring, shape.shortest, meeting)) return std::nullopt;
  const bool whole = pipeline.stretch().whole();
  pipeline.rewind();
  do {
    if (!whole) {
      pipeline.follow(mechanism);
      pipeline.outline_spring(mechanism, s);
    }
    if (const auto finding = find_meeting(pipeline, s, meeting)) return finding;
  } while (pipeline.advance());
  return std::nullopt;
}

template <class S>
void find_broken_spring_limits(const Mechanism& mechanism, const Pipeline<S>& pipeline,
                               std::size_t s, LimitMemory& memory, std::vector<Finding>& findings) {
  const std::span<LimitMemory::Sample> found = memory.of_spring(s);
  const Spring& spring = mechanism.springs[s];
  const SpringShape<S>& shape = pipeline.shape(s);
  const auto length = [&](std::size_t block) { return shape.length_at(block); };
  const SpringLaw law = law_of(spring);
  const bool straight = spring.is_straight();
  const auto tension = [&](std::size_t block) {
    if (!straight) return tension_of(spring, shape.length_at(block));
    return S(shape.length_at(block) * law.rate + law.offset);
  };
  const auto tension_without_sign = [&](std::size_t block) { return abs(tension(block)); };
  const double first = tension_of(spring, shape.shortest);
  const double last = tension_of(spring, shape.longest);
  const double way = size_of_lengths(spring, pipeline);
  const double terms = size_of_tension(spring, shape.longest);
  check<S>({FindingKind::spring_too_short, s, spring.min_length, -1.0, way}, shape.shortest,
           pipeline, length, found[0], findings);
  check<S>({FindingKind::spring_too_long, s, spring.max_length, 1.0, way}, shape.longest, pipeline,
           length, found[1], findings);
  check<S>({FindingKind::spring_overloaded, s, spring.max_load, 1.0, terms},
           std::max(std::abs(first), std::abs(last)), pipeline, tension_without_sign, found[2],
           findings);
  const ActingLimits acting = acting_limits(spring);
  check<S>({FindingKind::spring_pushes, s, acting.min_tension, -1.0, terms}, std::min(first, last),
           pipeline, tension, found[3], findings);
  check<S>({FindingKind::spring_pulls, s, acting.max_tension, 1.0, terms}, std::max(first, last),
           pipeline, tension, found[4], findings);
  check<S>({FindingKind::spring_below_free_length, s, acting.min_length, -1.0, way}, shape.shortest,
           pipeline, length, found[5], findings);
  check<S>({FindingKind::spring_above_free_length, s, acting.max_length, 1.0, way}, shape.longest,
           pipeline, length, found[6], findings);
}

template <class S>
void find_too_near(const Mechanism& mechanism, const Pipeline<S>& pipeline, std::size_t s,
                   LimitMemory& memory, std::vector<Finding>& findings) {
  const Spring& spring = mechanism.springs[s];
  if (spring.clear_of.empty() || std::isinf(spring.min_clearance)) return;
  const SpringShape<S>& shape = pipeline.shape(s);
  LimitMemory::Sample& found = memory.of_spring(s)[7];
  const bool known = !pipeline.stretch().starts() && found.k >= 0;
  const std::size_t before = findings.size();
  check<S>(
      {FindingKind::spring_too_near, s, spring.min_clearance, -1.0, pipeline.size()},
      shape.least_distance - spring.radius, pipeline,
      [&](std::size_t block) { return S(shape.distance[block] - spring.radius); }, found, findings);
  if (!known && found.k >= 0) {
    const SamplePlace<S> place(found.k - pipeline.stretch().first);
    found.obstacle = static_cast<int>(lane(shape.nearest[at(place.block)], place.lane));
  }
  if (findings.size() > before) findings.back().obstacle = found.obstacle;
}

template <class S>
std::optional<Finding> find_wrong_sense(const Mechanism& mechanism, const Pipeline<S>& pipeline,
                                        std::size_t s, LimitMemory& memory) {
  Spring spring = mechanism.springs[s];
  if (spring.acts != SpringActs::unsaid || spring.may_go_slack()) return std::nullopt;
  if (spring.type == SpringType::extension ||
      (spring.type == SpringType::coil && spring.initial_tension > 0.0))
    spring.acts = SpringActs::pull;
  else if (spring.type == SpringType::compression)
    spring.acts = SpringActs::push;
  const ActingLimits acting = acting_limits(spring);
  const SpringShape<S>& shape = pipeline.shape(s);
  const auto length = [&](std::size_t block) { return shape.length_at(block); };
  const auto tension = [&](std::size_t block) {
    return tension_of(spring, S(shape.length_at(block)));
  };
  LimitMemory::Senses& worst = memory.senses_of(s);
  const double way = size_of_lengths(spring, pipeline);
  const double terms = size_of_tension(spring, shape.longest);
  const std::array<std::optional<Finding>, LimitMemory::senses> found = {
      find_worst<S>({FindingKind::spring_pushes, s, acting.min_tension, -1.0, terms}, pipeline,
                    tension, worst[0]),
      find_worst<S>({FindingKind::spring_pulls, s, acting.max_tension, 1.0, terms}, pipeline,
                    tension, worst[1]),
      find_worst<S>({FindingKind::spring_below_free_length, s, acting.min_length, -1.0, way},
                    pipeline, length, worst[2]),
      find_worst<S>({FindingKind::spring_above_free_length, s, acting.max_length, 1.0, way},
                    pipeline, length, worst[3])};
  if (!pipeline.stretch().ends()) return std::nullopt;
  const auto first = std::find_if(found.begin(), found.end(),
                                  [](const auto& finding) { return finding.has_value(); });
  return first == found.end() ? std::nullopt : *first;
}

template <class S>
void find_broken_actuator_limits(const Mechanism& mechanism, const Pipeline<S>& pipeline,
                                 const Metrics& metrics, LimitMemory& memory,
                                 std::vector<Finding>& findings) {
  const ActuatorMotion<S>& motion = pipeline.actuator_motion();
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
    const Actuator& actuator = mechanism.actuators[a];
    if (!has_limits(actuator)) continue;
    const auto position = [&](std::size_t block) { return motion.position(a)[block]; };
    const auto speed = [&](std::size_t block) { return abs(motion.velocity(a)[block]); };
    const LoadSeries<S> load = pipeline.load(a);
    const auto size_of_load = [&](std::size_t block) { return abs(load(block)); };
    const auto& [positions, velocities] = motion.extremes(a);
    const std::span<LimitMemory::Sample> found = memory.of_actuator(a);
    const bool turns =
        !actuator.linear() && mechanism.bodies[actuator.joint].joint.type == JointType::revolute;
    const double way = turns ? one_radian : pipeline.size();
    check<S>({FindingKind::position_too_small, a, actuator.min_position, -1.0, way},
             positions.least, pipeline, position, found[0], findings);
    check<S>({FindingKind::position_too_large, a, actuator.max_position, 1.0, way},
             positions.greatest, pipeline, position, found[1], findings);
    check<S>({FindingKind::actuator_overloaded, a, actuator.max_load, 1.0, 0.0},
             metrics.actuators[a].max, pipeline, size_of_load, found[2], findings);
    if (!pipeline.inertia()) continue;
    check<S>({FindingKind::actuator_too_fast, a, actuator.max_speed, 1.0, 0.0},
             std::max(velocities.greatest, -velocities.least), pipeline, speed, found[3], findings);
  }
}

template std::optional<Finding> find_lost_direction(const Mechanism&, Pipeline<double>&,
                                                    std::size_t);
template void find_broken_spring_limits(const Mechanism&, const Pipeline<double>&, std::size_t,
                                        LimitMemory&, std::vector<Finding>&);
template void find_too_near(const Mechanism&, const Pipeline<double>&, std::size_t, LimitMemory&,
                            std::vector<Finding>&);
template std::optional<Finding> find_wrong_sense(const Mechanism&, const Pipeline<double>&,
                                                 std::size_t, LimitMemory&);
template void find_broken_actuator_limits(const Mechanism&, const Pipeline<double>&, const Metrics&,
                                          LimitMemory&, std::vector<Finding>&);
template std::optional<Finding> find_lost_direction(const Mechanism&, Pipeline<Pack>&, std::size_t);
template void find_broken_spring_limits(const Mechanism&, const Pipeline<Pack>&, std::size_t,
                                        LimitMemory&, std::vector<Finding>&);
template void find_too_near(const Mechanism&, const Pipeline<Pack>&, std::size_t, LimitMemory&,
                            std::vector<Finding>&);
template std::optional<Finding> find_wrong_sense(const Mechanism&, const Pipeline<Pack>&,
                                                 std::size_t, LimitMemory&);
template void find_broken_actuator_limits(const Mechanism&, const Pipeline<Pack>&, const Metrics&,
                                          LimitMemory&, std::vector<Finding>&);

}  // namespace counterpoise
