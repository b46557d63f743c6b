#include <algorithm>
#include <cmath>

#include "engine/forward/faller.hpp"
#include "engine/forward/impact.hpp"

namespace counterpoise {
namespace {

bool is_in(const std::vector<std::size_t>& gaps, std::size_t gap) {
  return std::find(gaps.begin(), gaps.end(), gap) != gaps.end();
}

}  // namespace

FallEvent Faller::event_of(std::size_t gap, FallEvent::Kind kind) const {
  FallEvent event;
  event.time = time_;
  event.group = groups_;
  event.contact = equations_.gap_info(gap).contact;
  event.point = equations_.gap_info(gap).point;
  event.kind = kind;
  return event;
}

auto Faller::count_event() -> Stopped {
  return ++events_ > scenario_.max_events
             ? stop(FallStop::Kind::too_many_events, "there are more events than max_events")
             : std::nullopt;
}

auto Faller::rest_on(GapList gaps) -> Stopped {
  equations_.hold({});
  if (const Stopped stopped = restart()) return stopped;
  redundant_ = false;
  if (gaps.empty()) return std::nullopt;
  const std::size_t freedoms = equations_.independent().size(), count = gaps.size();
  equations_.hold(std::move(gaps));
  if (const Stopped stopped = restart()) return stopped;
  redundant_ = equations_.independent().size() + count > freedoms;
  return std::nullopt;
}

/// Lets go of those held gaps that would pull.
auto Faller::leave() -> Stopped {
  const GapList held = equations_.held();
  std::size_t least = 0;
  for (std::size_t place = 1; place < held.size(); ++place)
    if (equations_.gap_force(place) < equations_.gap_force(least)) least = place;
  ++groups_;
  add_row();
  equations_.hold({});
  if (const Stopped stopped = restart()) return stopped;
  GapList resting = find_resting(equations_, held);
  if (resting.size() == held.size()) std::erase(resting, held[least]);
  for (const std::size_t gap : held)
    if (!is_in(resting, gap)) record_.add_event(event_of(gap, FallEvent::Kind::leave));
  if (const Stopped stopped = rest_on(resting)) return stopped;
  add_row();
  return count_event();
}

/// The gaps that are shut without being held: others carry what would press them, or they have just
/// been hit.
auto Faller::touching_now(const GapList& closing) -> GapList {
  GapList found;
  for (std::size_t i = 0; i < after_.size(); ++i)
    if (watched(i) && !is_in(closing, i) &&
        std::abs(after_[i].gap) <= event_depth * equations_.size())
      found.push_back(i);
  return found;
}

/// Ends the last of slow rebounds, and says which gaps rest.
auto Faller::settle(const GapList& gaps, Impact& impact) -> GapList {
  // a rebound that would not rise above what is an event cannot be followed
  const double lowest = 2.0 * event_depth * equations_.size();
  GapList slow;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    const double rate = impact.after[i];
    const bool low = rate * rate < -lowest * equations_.gap(gaps[i]).acceleration;
    if (std::abs(rate) < scenario_.rest_speed || low) slow.push_back(gaps[i]);
  }
  const GapList resting = find_resting(equations_, slow);
  const Impact last = halt(equations_, resting);
  for (std::size_t i = 0; i < resting.size(); ++i) {
    const auto at =
        static_cast<std::size_t>(std::find(gaps.begin(), gaps.end(), resting[i]) - gaps.begin());
    const double both = impact.impulse[at] + last.impulse[i];
    if (both >= 0.0) impact.impulse[at] = both;  // what draws a gap back is not told
  }
  impact.energy_lost += last.energy_lost;
  for (std::size_t i = 0; i < gaps.size(); ++i) impact.after[i] = equations_.gap(gaps[i]).rate;
  return resting;
}

/// Lets gaps collide. Those that are held and those that touch take part.
auto Faller::collide_at(const GapList& closing, const GapList& touched) -> Stopped {
  equations_.see_bodies();
  record_.observe(time_, equations_);
  add_row();
  const GapList held = equations_.held();
  GapList all = closing;
  for (const GapList* more : {&held, &touched}) all.insert(all.end(), more->begin(), more->end());
  equations_.see_bodies();
  std::vector<double> angles;
  for (const std::size_t gap : all) angles.push_back(equations_.angle(gap));
  equations_.hold({});
  if (const Stopped stopped = restart()) return stopped;
  const double kinetic = equations_.kinetic_energy();
  Impact impact = collide(equations_, all, closing.size());
  if (impact.jammed) {
    std::string names;
    std::vector<int> told;
    for (const std::size_t gap : all) {
      const int contact = equations_.gap_info(gap).contact;
      if (std::find(told.begin(), told.end(), contact) != told.end()) continue;
      names += (told.empty() ? "" : ", ") + name_of(gap);
      told.push_back(contact);
    }
    return stop(FallStop::Kind::jammed,
                "what is followed presses against " + names + ", and nothing can give way");
  }
  if (const Stopped stopped = stop_for(equations_.accelerate())) return stopped;
  const GapList resting = settle(all, impact);
  lost_ += impact.energy_lost;
  work_ += equations_.kinetic_energy() - kinetic + impact.energy_lost;
  ++groups_;
  tell_impact(all, closing.size(), impact, angles);
  for (const std::size_t gap : resting)
    if (!is_in(held, gap)) record_.add_event(event_of(gap, FallEvent::Kind::rest));
  for (const std::size_t gap : held)
    if (!is_in(resting, gap)) record_.add_event(event_of(gap, FallEvent::Kind::leave));
  for (const std::size_t i : impact.forced)
    if (!is_in(passed_, all[i])) passed_.push_back(all[i]);
  if (const Stopped stopped = rest_on(resting)) return stopped;
  add_row();
  return count_event();
}

/// Tells the impacts of gaps that closed, which are the first ones, and of those that passed an
/// impulse on while they were shut.
void Faller::tell_impact(const GapList& gaps, std::size_t closing, const Impact& impact,
                         const std::vector<double>& angles) {
  double largest = 0.0, fastest = 0.0;
  for (std::size_t i = 0; i < closing; ++i) {
    largest = std::max(largest, impact.impulse[i]);
    fastest = std::max(fastest, std::abs(impact.before[i]));
  }
  constexpr double rounding = 1e-9;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    const bool closes = largest == 0.0 && impact.before[i] < -rounding * fastest;
    const bool passes_on = largest > 0.0 && impact.impulse[i] > rounding * largest;
    if (i >= closing && !passes_on && !closes) continue;
    FallEvent event = event_of(gaps[i], FallEvent::Kind::impact);
    event.angle = angles[i];
    event.normal_velocity_before = impact.before[i];
    event.normal_velocity_after = impact.after[i];
    event.impulse = impact.impulse[i];
    event.energy_lost = i == 0 ? impact.energy_lost : 0.0;
    event.restitution_lowered = impact.restitution_lowered;
    record_.add_event(event);
  }
}

}  // namespace counterpoise
