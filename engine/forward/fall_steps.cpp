#include <algorithm>
#include <cmath>

#include "engine/forward/faller.hpp"
#include "engine/forward/impact.hpp"

namespace counterpoise {
namespace {

/// Steps that have to be shorter are of no use [s].
constexpr double least_step = 1e-6;

}  // namespace

/// Takes the integrator's state over, with loads. Returns false where the pose has none.
bool Faller::see(double t) {
  time_ = t;
  work_ = integrator_->y().back();
  trouble_ = equations_.close(t, integrator_->y());
  if (trouble_ == Result::solved) trouble_ = equations_.accelerate();
  if (trouble_ != Result::solved) return false;
  equations_.find_loads();
  equations_.see_bodies();
  return true;
}

bool Faller::integrate_to(double t) {
  while (integrator_->time() < t)
    if (!integrator_->step(t)) return false;
  return see(t);
}

/// Integrates again from the beginning of a step, up to a time within it.
auto Faller::return_to(const StepStart& from, double t) -> Stopped {
  integrator_->reset(from.time, from.y);
  return integrate_to(t) ? std::nullopt : stop_for_integration();
}

auto Faller::stop_for_integration() const -> Stopped {
  if (trouble_ != Result::solved) return stop_for(trouble_);
  return stop(FallStop::Kind::not_integrated, "the integrator cannot keep the tolerance");
}

void Faller::read_gaps(std::vector<GapValue>& values) {
  equations_.see_bodies();
  values.resize(equations_.gaps().size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = equations_.gap(i);
}

bool Faller::watched(std::size_t gap) const {
  const GapList& held = equations_.held();
  return std::find(held.begin(), held.end(), gap) == held.end() &&
         std::find(passed_.begin(), passed_.end(), gap) == passed_.end();
}

auto Faller::balance() -> Balance {
  const double kinetic = equations_.kinetic_energy(), potential = equations_.potential_energy(),
               springs = equations_.spring_energy();
  return {kinetic + potential + springs - work_ + lost_,
          kinetic + std::abs(potential) + std::abs(springs)};
}

/// Takes one step. One that does not keep the energy has come to another branch beyond a singular
/// pose, and is halved until it is none.
auto Faller::take_step(const StepStart& from, double target) -> Stopped {
  const Balance before = balance();
  const JointStart branch = equations_.joints();
  const double kept = std::max(1e-6, std::sqrt(scenario_.tolerance));
  for (;;) {
    if (!integrator_->step(target) || !see(integrator_->time())) return stop_for_integration();
    const Balance after = balance();
    if (std::abs(after.value - before.value) <= kept * (before.size + after.size))
      return std::nullopt;
    target = 0.5 * (from.time + time_);
    time_ = from.time;
    if (target - from.time < least_step)
      return stop(FallStop::Kind::singular_pose,
                  "a step does not keep the energy: the pose is nearly singular, or the tolerance "
                  "is too large");
    integrator_->reset(from.time, from.y);
    equations_.place(branch);
    if (!see(from.time)) return stop_for_integration();
  }
}

auto Faller::advance(double target) -> Stopped {
  while (time_ < target) {
    if (between_steps_) between_steps_();
    if (const Stopped stopped = end_profiles()) return stopped;
    double limit = target;
    for (std::size_t a = 0; a < scenario_.actuators.size(); ++a)
      if (end_of_profile(a) < limit - same_time) limit = end_of_profile(a);
    const StepStart from{time_, {integrator_->y().begin(), integrator_->y().end()}};
    read_gaps(before_);
    std::erase_if(passed_, [this](std::size_t gap) {
      return before_[gap].gap > event_depth * equations_.size();
    });
    if (const Stopped stopped = take_step(from, limit)) return stopped;
    read_gaps(after_);
    while (may_miss(from.time)) {
      if (const Stopped stopped = return_to(from, 0.5 * (from.time + time_))) return stopped;
      read_gaps(after_);
    }
    Stopped stopped;
    if (const auto crossing = first_crossing(from.time))
      stopped = meet(*crossing, from, time_);
    else if (pulls())
      stopped = lose(from, time_);
    else if (equations_.choice_is_poor())
      stopped = restart();
    if (stopped) return stopped;
    equations_.see_bodies();
    record_.observe(time_, equations_);
  }
  return std::nullopt;
}

/// The way of a gap from a time to the present one.
Cubic Faller::way_of(std::size_t gap, double t0) const {
  return {time_ - t0, before_[gap].gap, before_[gap].rate, after_[gap].gap, after_[gap].rate};
}

/// Whether a gap comes nearer to zero within a step than the cubic is known to be near the gap.
bool Faller::may_miss(double t0) const {
  constexpr double careful = 4.0;
  if (time_ - t0 < least_step) return false;
  for (std::size_t i = 0; i < after_.size(); ++i) {
    if (!watched(i)) continue;
    const Cubic way = way_of(i, t0);
    const double error = careful * way.error(before_[i].acceleration, after_[i].acceleration);
    if (error > event_depth * equations_.size() && std::abs(way.least_inside()) < error)
      return true;
  }
  return false;
}

/// The gap that closes first between a time and the present one, as the cubics through the gaps
/// say.
auto Faller::first_crossing(double t0) const -> std::optional<Crossing> {
  std::optional<Crossing> first;
  for (std::size_t i = 0; i < after_.size(); ++i) {
    if (!watched(i)) continue;
    const auto crossing = way_of(i, t0).falls_below(event_depth * equations_.size());
    if (crossing && (!first || t0 + *crossing < first->time)) first = {i, t0 + *crossing};
  }
  return first;
}

/// Whether a gap closes together with what happens now.
bool Faller::closes_soon(std::size_t gap) const {
  const GapValue& value = after_[gap];
  if (!watched(gap) || !(value.rate < 0.0)) return false;
  const double size = std::abs(value.gap);
  return size <= -value.rate * scenario_.simultaneous ||
         (value.rate < -scenario_.rest_speed && size <= event_depth * equations_.size());
}

/// Integrates to the time at which a gap closes, by Newton's method on the gap.
auto Faller::find_closing(const Crossing& crossing, const StepStart& from, double t1) -> Stopped {
  double t = std::max(crossing.time, from.time);
  for (int step = 0; step < 12; ++step) {
    if (const Stopped stopped = return_to(from, t)) return stopped;
    const GapValue value = equations_.gap(crossing.gap);
    if (!(value.rate < 0.0)) break;
    const double next = std::clamp(t - value.gap / value.rate, from.time, t1);
    if (std::abs(next - t) <= 1e-15 * std::max(1.0, t)) break;
    t = next;
  }
  read_gaps(after_);
  return std::nullopt;
}

/// Lets a gap collide where it closes, unless another one closes before it, or a held gap pulls.
auto Faller::meet(Crossing crossing, const StepStart& from, double t1) -> Stopped {
  for (;;) {
    if (const Stopped stopped = find_closing(crossing, from, t1)) return stopped;
    auto earlier = time_ > from.time ? first_crossing(from.time) : std::nullopt;
    if (!earlier || earlier->gap == crossing.gap || closes_soon(earlier->gap)) break;
    crossing = *earlier;
    t1 = time_;
  }
  if (pulls()) return lose(from, time_);
  const GapValue& value = after_[crossing.gap];
  const double near = touching * equations_.size();
  // where the cubic erred, nothing closes, and the fall goes on from here
  if (time_ > from.time && (value.gap > near || value.rate > scenario_.rest_speed))
    return std::nullopt;
  GapList closing;
  for (std::size_t i = 0; i < after_.size(); ++i)
    if (i == crossing.gap || closes_soon(i)) closing.push_back(i);
  return collide_at(closing, touching_now(closing));
}

/// Whether the held gaps cannot all push any more. Where their forces are not unique, those of
/// least norm may pull while others would push.
bool Faller::pulls() {
  const GapList& held = equations_.held();
  bool pulling = false;
  for (std::size_t place = 0; place < held.size(); ++place)
    pulling = pulling || equations_.gap_force(place) < 0.0;
  if (!pulling || !redundant_) return pulling;
  if (!unheld_) unheld_.emplace(equations_.mechanism(), scenario_);
  for (std::size_t a = 0; a < equations_.mechanism().actuators.size(); ++a)
    if (scenario_.actuators[a].mode == ActuatorMode::held)
      unheld_->keep(a, equations_.rule_at(a, time_).position);
  if (unheld_->choose(time_, equations_.joints()) != Result::solved ||
      unheld_->accelerate() != Result::solved)
    return true;
  return find_resting(*unheld_, held).size() < held.size();
}

/// Integrates to the time at which the held gaps begin to pull, and lets go of those that do.
auto Faller::lose(const StepStart& from, double t1) -> Stopped {
  double low = from.time, high = t1;
  for (int step = 0; step < 60 && high - low > 1e-13 * std::max(1.0, t1); ++step) {
    const double middle = 0.5 * (low + high);
    if (const Stopped stopped = return_to(from, middle)) return stopped;
    (pulls() ? high : low) = middle;
  }
  if (const Stopped stopped = return_to(from, high)) return stopped;
  return leave();
}

}  // namespace counterpoise
