#include "engine/evaluation/limits.hpp"

#include <cmath>

#include "engine/math/pack.hpp"

namespace counterpoise {
namespace {

constexpr double limit_slack = 1e-9;  // share of a limit's size that is still kept

/// Scans value(block) against one bound; `sign` +1 for an upper bound, -1 for a lower one.
template <class S, class Value>
void check(FindingKind kind, std::size_t element, double bound, double sign,
           const LoadHistory<S>& history, const Value& value, std::vector<Finding>& findings) {
  if (std::isinf(bound)) return;
  const int blocks = (history.samples + lanes<S> - 1) / lanes<S>;
  const double size = bound == 0.0 ? 1.0 : std::abs(bound);
  S worst(0.0);
  for (int block = 0; block < blocks; ++block)
    worst = larger(worst, S((value(block) - S(bound)) * sign));
  double excess = 0.0;
  for (int i = 0; i < lanes<S>; ++i) excess = std::max(excess, lane(worst, i));
  if (excess <= limit_slack * size) return;

  for (int k = 0; k < history.samples; ++k) {
    const SamplePlace<S> place(k);
    const double x = lane(value(place.block), place.lane);
    if ((x - bound) * sign <= limit_slack * size) continue;
    findings.push_back(
        {kind, static_cast<int>(element), k * history.step, x, bound, excess / size});
    return;
  }
}

}  // namespace

template <class S>
void find_broken_limits(const Mechanism& mechanism, const Pipeline<S>& pipeline,
                        const LoadHistory<S>& history, std::vector<Finding>& findings) {
  findings.clear();
  const auto at = [](int block, std::size_t width, std::size_t i) {
    return static_cast<std::size_t>(block) * width + i;
  };
  for (std::size_t s = 0; s < mechanism.springs.size() && !history.tensions.empty(); ++s) {
    const Spring& spring = mechanism.springs[s];
    const auto length = [&](int block) { return pipeline.lengths(block)[s]; };
    const auto tension = [&](int block) {
      return abs(history.tensions[at(block, history.springs, s)]);
    };
    check(FindingKind::spring_too_short, s, spring.min_length, -1.0, history, length, findings);
    check(FindingKind::spring_too_long, s, spring.max_length, 1.0, history, length, findings);
    check(FindingKind::spring_overloaded, s, spring.max_load, 1.0, history, tension, findings);
  }
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
    const Actuator& actuator = mechanism.actuators[a];
    const auto position = [&](int block) { return pipeline.positions(block)[a]; };
    const auto load = [&](int block) {
      return abs(history.loads[at(block, history.actuators, a)]);
    };
    const auto speed = [&](int block) { return abs(pipeline.velocities(block)[a]); };
    check(FindingKind::position_too_small, a, actuator.min_position, -1.0, history, position,
          findings);
    check(FindingKind::position_too_large, a, actuator.max_position, 1.0, history, position,
          findings);
    check(FindingKind::actuator_overloaded, a, actuator.max_load, 1.0, history, load, findings);
    check(FindingKind::actuator_too_fast, a, actuator.max_speed, 1.0, history, speed, findings);
  }
}

template void find_broken_limits(const Mechanism&, const Pipeline<double>&,
                                 const LoadHistory<double>&, std::vector<Finding>&);
template void find_broken_limits(const Mechanism&, const Pipeline<Pack>&, const LoadHistory<Pack>&,
                                 std::vector<Finding>&);

}  // namespace counterpoise
