#include <algorithm>
#include <cmath>

#include "engine/forward/faller.hpp"
#include "engine/forward/impact.hpp"

namespace counterpoise {

/// Integrates to the time at which a gap closes, by Newton's method on the gap, and lets it
/// collide.
auto Faller::meet(std::size_t gap, double t0, const std::vector<double>& y0, double guess,
                  double t1) -> Stopped {
  double t = std::max(guess, t0);
  for (int step = 0; step < 12; ++step) {
    integrator_->reset(t0, y0);
    if (!integrate_to(t)) return stop_for(trouble_ == Result::solved ? Result::singular : trouble_);
    const GapValue value = equations_.gap(gap);
    if (!(value.rate < 0.0)) break;
    const double change = -value.gap / value.rate;
    const double next = std::clamp(t + change, t0, t1);
    if (std::abs(next - t) <= 1e-15 * std::max(1.0, t)) break;
    t = next;
  }
  return collide_at(closing_now(gap));
}

/// The gaps that close together with the first one.
auto Faller::closing_now(std::size_t first) -> GapList {
  GapList closing;
  read_gaps(after_);
  const GapList& held = equations_.held();
  for (std::size_t i = 0; i < after_.size(); ++i) {
    if (std::find(held.begin(), held.end(), i) != held.end()) continue;
    const bool soon =
        after_[i].rate < 0.0 && std::abs(after_[i].gap) <= -after_[i].rate * scenario_.simultaneous;
    if (i == first || soon) closing.push_back(i);
  }
  return closing;
}

/// Integrates to the time at which a held gap begins to pull, and lets it go.
auto Faller::lose(std::size_t place, double t0, const std::vector<double>& y0, double t1)
    -> Stopped {
  double low = t0, high = t1;
  for (int step = 0; step < 60 && high - low > 1e-13 * std::max(1.0, t1); ++step) {
    const double middle = 0.5 * (low + high);
    integrator_->reset(t0, y0);
    if (!integrate_to(middle))
      return stop_for(trouble_ == Result::solved ? Result::singular : trouble_);
    (equations_.gap_force(place) < 0.0 ? high : low) = middle;
  }
  integrator_->reset(t0, y0);
  if (!integrate_to(high))
    return stop_for(trouble_ == Result::solved ? Result::singular : trouble_);
  return leave(place);
}

FallEvent Faller::event_of(std::size_t gap, FallEvent::Kind kind) const {
  FallEvent event;
  event.time = time_;
  event.group = groups_;
  event.contact = equations_.gap_info(gap).contact;
  event.point = equations_.gap_info(gap).point;
  event.kind = kind;
  return event;
}

auto Faller::leave(std::size_t place) -> Stopped {
  GapList rest = equations_.held();
  const std::size_t gone = rest[place];
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(place));
  ++groups_;
  record_.add_event(event_of(gone, FallEvent::Kind::leave));
  add_row();
  equations_.hold({});
  if (const Stopped stopped = restart()) return stopped;
  const GapList resting = find_resting(equations_, rest);
  for (const std::size_t gap : rest)
    if (std::find(resting.begin(), resting.end(), gap) == resting.end())
      record_.add_event(event_of(gap, FallEvent::Kind::leave));
  equations_.hold(resting);
  if (const Stopped stopped = restart()) return stopped;
  add_row();
  return ++events_ > scenario_.max_events
             ? stop(FallStop::Kind::too_many_events, "there are more events than max_events")
             : std::nullopt;
}

auto Faller::collide_at(const GapList& closing) -> Stopped {
  equations_.see_bodies();
  record_.observe(time_, equations_);
  add_row();
  const GapList held = equations_.held();
  GapList all = closing;
  all.insert(all.end(), held.begin(), held.end());
  equations_.see_bodies();
  std::vector<double> angles;
  for (const std::size_t gap : closing) angles.push_back(equations_.angle(gap));
  equations_.hold({});
  if (const Stopped stopped = restart()) return stopped;
  const double kinetic = equations_.kinetic_energy();
  Impact impact = collide(equations_, all);
  if (const Stopped stopped = stop_for(equations_.accelerate())) return stopped;
  GapList slow;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (impact.after[i] < scenario_.rest_speed) slow.push_back(all[i]);
  const GapList resting = find_resting(equations_, slow);
  const Impact last = halt(equations_, resting);
  for (std::size_t i = 0; i < resting.size(); ++i) {
    const auto at =
        static_cast<std::size_t>(std::find(all.begin(), all.end(), resting[i]) - all.begin());
    impact.after[at] = last.after[i];
    impact.impulse[at] += last.impulse[i];
  }
  impact.energy_lost += last.energy_lost;
  lost_ += impact.energy_lost;
  work_ += equations_.kinetic_energy() - kinetic + impact.energy_lost;
  ++groups_;
  const auto is_in = [](const GapList& some, std::size_t gap) {
    return std::find(some.begin(), some.end(), gap) != some.end();
  };
  for (std::size_t i = 0; i < closing.size(); ++i) {
    FallEvent event = event_of(closing[i], FallEvent::Kind::impact);
    event.angle = angles[i];
    event.normal_velocity_before = impact.before[i];
    event.normal_velocity_after = impact.after[i];
    event.impulse = impact.impulse[i];
    event.energy_lost = i == 0 ? impact.energy_lost : 0.0;
    event.restitution_lowered = impact.restitution_lowered;
    record_.add_event(event);
  }
  for (const std::size_t gap : resting)
    if (!is_in(held, gap)) record_.add_event(event_of(gap, FallEvent::Kind::rest));
  for (const std::size_t gap : held)
    if (!is_in(resting, gap)) record_.add_event(event_of(gap, FallEvent::Kind::leave));
  equations_.hold(resting);
  if (const Stopped stopped = restart()) return stopped;
  add_row();
  return ++events_ > scenario_.max_events
             ? stop(FallStop::Kind::too_many_events, "there are more events than max_events")
             : std::nullopt;
}

}  // namespace counterpoise
