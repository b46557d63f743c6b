#include "studies/reports/robustness/spring_corners.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace counterpoise {
namespace {

/// By how much of the bound's size `value` lies beyond it; 0 where it is kept.
double excess(double value, double bound, double sign) {
  if (std::isinf(bound)) return 0.0;
  const double size = bound == 0.0 ? 1.0 : std::abs(bound);
  const double relative = (value - bound) * sign / size;
  return relative > limit_slack ? relative : 0.0;
}

/// The first sample of a series beyond a bound, or nothing.
template <class Value>
std::optional<Finding> first_beyond(FindingKind kind, std::size_t element, double bound,
                                    double sign, const AffineLoads& loads, const Value& value) {
  if (std::isinf(bound)) return std::nullopt;
  for (int k = 0; k < loads.samples; ++k) {
    const double x = value(static_cast<std::size_t>(k));
    if (const double beyond = excess(x, bound, sign); beyond > 0.0)
      return Finding{kind, static_cast<int>(element), k * loads.step, x, bound, beyond};
  }
  return std::nullopt;
}

std::optional<Finding> broken_by_spring(std::size_t s, const AffineLoads::SpringShape& shape,
                                        const AffineLoads& loads, const Spring& spring,
                                        const SpringLaw& law) {
  const auto length = [&](std::size_t k) { return shape.length[k]; };
  const auto tension = [&](std::size_t k) { return law.rate * shape.length[k] + law.offset; };
  const auto size = [&](std::size_t k) { return std::abs(tension(k)); };
  const double first = law.rate * shape.shortest + law.offset;
  const double last = law.rate * shape.longest + law.offset;
  const ActingLimits acting = acting_limits(spring);
  if (excess(shape.shortest, spring.min_length, -1.0) > 0.0)
    return first_beyond(FindingKind::spring_too_short, s, spring.min_length, -1.0, loads, length);
  if (excess(shape.longest, spring.max_length, 1.0) > 0.0)
    return first_beyond(FindingKind::spring_too_long, s, spring.max_length, 1.0, loads, length);
  if (excess(std::max(std::abs(first), std::abs(last)), spring.max_load, 1.0) > 0.0)
    return first_beyond(FindingKind::spring_overloaded, s, spring.max_load, 1.0, loads, size);
  if (excess(std::min(first, last), acting.min_tension, -1.0) > 0.0)
    return first_beyond(FindingKind::spring_pushes, s, acting.min_tension, -1.0, loads, tension);
  if (excess(std::max(first, last), acting.max_tension, 1.0) > 0.0)
    return first_beyond(FindingKind::spring_pulls, s, acting.max_tension, 1.0, loads, tension);
  if (excess(shape.shortest, acting.min_length, -1.0) > 0.0)
    return first_beyond(FindingKind::spring_below_free_length, s, acting.min_length, -1.0, loads,
                        length);
  if (excess(shape.longest, acting.max_length, 1.0) > 0.0)
    return first_beyond(FindingKind::spring_above_free_length, s, acting.max_length, 1.0, loads,
                        length);
  return std::nullopt;
}

}  // namespace

std::vector<SpringCorners> corners_of(const Mechanism& mechanism, const ToleranceBox& box,
                                      std::span<const ToleranceInterval> intervals) {
  std::vector<SpringCorners> corners(mechanism.springs.size());
  for (std::size_t s = 0; s < corners.size(); ++s) corners[s].springs = {mechanism.springs[s]};
  for (const ToleranceBox::SpringPart& part : box.spring_parts()) {
    std::vector<Spring>& springs = corners[part.spring].springs;
    const std::size_t before = springs.size();
    for (std::size_t c = 0; c < before; ++c) {
      springs.push_back(springs[c]);
      ToleranceBox::deviate(part, intervals[part.tolerance], 0.0, springs[c]);
      ToleranceBox::deviate(part, intervals[part.tolerance], 1.0, springs.back());
    }
  }
  for (SpringCorners& own : corners)
    for (const Spring& spring : own.springs) own.laws.push_back(law_of(spring));
  return corners;
}

void load_range(const AffineLoads& loads, std::size_t actuator,
                std::span<const SpringCorners> corners, LoadRange& out) {
  const AffineLoads::ActuatorLoad& load = loads.actuators[actuator];
  out.least = load.bare;
  out.greatest = load.bare;
  for (const AffineLoads::Influence& influence : load.influences) {
    const auto s = static_cast<std::size_t>(influence.spring);
    const std::vector<double>& length = loads.springs[s].length;
    for (std::size_t k = 0; k < length.size(); ++k) {
      double least = std::numeric_limits<double>::infinity(), greatest = -least;
      for (const SpringLaw& law : corners[s].laws) {
        const double part = influence.per_tension[k] * (law.rate * length[k] + law.offset);
        least = std::min(least, part);
        greatest = std::max(greatest, part);
      }
      out.least[k] += least;
      out.greatest[k] += greatest;
    }
  }
}

std::optional<Finding> first_broken_limit(const Mechanism& mechanism, const AffineLoads& loads,
                                          std::span<const SpringCorners> corners) {
  for (std::size_t s = 0; s < corners.size(); ++s)
    for (std::size_t c = 0; c < corners[s].springs.size(); ++c)
      if (auto finding = broken_by_spring(s, loads.springs[s], loads, corners[s].springs[c],
                                          corners[s].laws[c]))
        return finding;
  LoadRange range;
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
    const double bound = mechanism.actuators[a].max_load;
    if (std::isinf(bound)) continue;
    load_range(loads, a, corners, range);
    const auto size = [&](std::size_t k) { return std::max(-range.least[k], range.greatest[k]); };
    if (auto finding = first_beyond(FindingKind::actuator_overloaded, a, bound, 1.0, loads, size))
      return finding;
  }
  return std::nullopt;
}

}  // namespace counterpoise
