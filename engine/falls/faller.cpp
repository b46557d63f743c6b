#include "engine/falls/faller.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/falls/impact.hpp"
#include "engine/math/cubic.hpp"
#include "engine/mechanism/elements.hpp"

namespace counterpoise {
namespace {

/// Shorter steps make no progress [s].
constexpr double least_step = 1e-6;

}  // namespace

/// Takes the integrator's state over, with loads. Returns false where the pose has none.
bool Faller::see(double t) {
  time_ = t;
  work_ = integrator_->y().back();
  trouble_ = equations_.close(t, integrator_->y());
  if (trouble_ == Result::solved) trouble_ = equations_.accelerate();
  if (trouble_ == Result::solved && equations_.cables_slip()) trouble_ = Result::no_cable;
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

/// Takes one step. A step that does not keep the energy has jumped to another branch beyond a
/// singular pose; it is halved until it does not.
auto Faller::take_step(const StepStart& from, double target) -> Stopped {
  const Balance before = balance();
  step_start_ = equations_.joints();
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
    equations_.place(step_start_);
    if (!see(from.time)) return stop_for_integration();
  }
}

auto Faller::advance(double target) -> Stopped {
  while (time_ < target) {
    if (between_steps_) between_steps_();
    if (const Stopped stopped = end_profiles()) return stopped;
    if (const Stopped stopped = close_brakes()) return stopped;
    double limit = target;
    for (const double end : {equations_.next_brake(), corner_behind(time_ + same_time)})
      if (end < limit - same_time) limit = end;
    for (std::size_t a = 0; a < scenario_.actuators.size(); ++a)
      if (end_of_profile(a) < limit - same_time) limit = end_of_profile(a);
    const StepStart from{time_, {integrator_->y().begin(), integrator_->y().end()}};
    read_gaps(before_);
    std::erase_if(passed_, [this](std::size_t gap) {
      return before_[gap].gap > event_depth * equations_.size();
    });
    read_pieces(pieces_);
    if (const Stopped stopped = take_step(from, limit)) return stopped;
    if (const Stopped stopped = find_bend(from, pieces_)) return stopped;
    read_gaps(after_);
    while (may_miss(from.time)) {
      if (const Stopped stopped = return_to(from, 0.5 * (from.time + time_))) return stopped;
      read_gaps(after_);
    }
    Stopped stopped;
    const bool slipping = slips();
    if (slipping) {
      stopped = find_slip(from, time_);
      if (stopped) return stopped;
      read_gaps(after_);
    }
    if (const auto crossing = first_crossing(from.time))
      stopped = meet(*crossing, from, time_);
    else if (slipping)
      stopped = slip();
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

void Faller::read_pieces(std::vector<int>& pieces) {
  pieces.clear();
  for (const std::size_t s : bent_)
    pieces.push_back(piece_at(equations_.mechanism().springs[s], equations_.spring_length(s)));
}

/// A law bends there, and a step over the bend would be less exact than one up to it.
auto Faller::find_bend(const StepStart& from, const std::vector<int>& pieces) -> Stopped {
  std::vector<int> now;
  read_pieces(now);
  if (now == pieces) return std::nullopt;
  double low = from.time, high = time_;
  for (int step = 0; step < 60 && high - low > 1e-13 * std::max(1.0, time_); ++step) {
    const double middle = 0.5 * (low + high);
    if (const Stopped stopped = return_to(from, middle)) return stopped;
    read_pieces(now);
    (now == pieces ? low : high) = middle;
  }
  return return_to(from, high);
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

/// Whether a gap closes at the same instant as the present event.
bool Faller::closes_soon(std::size_t gap) const {
  const GapValue& value = after_[gap];
  if (!watched(gap) || !(value.rate < 0.0)) return false;
  const double size = std::abs(value.gap);
  return size <= -value.rate * scenario_.simultaneous ||
         (value.rate < -scenario_.rest_speed && size <= event_depth * equations_.size());
}

/// Integrates to the time at which a gap closes, by Newton's method on the gap.
auto Faller::find_closing(const Crossing& crossing, const StepStart& from, double t1) -> Stopped {
  constexpr double near = 1e-12;  // where changes that do not shrink any more are rounding
  double t = std::max(crossing.time, from.time), change = t1 - from.time;
  for (int step = 0; step < 12; ++step) {
    if (const Stopped stopped = return_to(from, t)) return stopped;
    const GapValue value = equations_.gap(crossing.gap);
    if (!(value.rate < 0.0)) break;
    const double next = std::clamp(t - value.gap / value.rate, from.time, t1);
    const double last = std::exchange(change, std::abs(next - t));
    if (change <= 1e-15 * std::max(1.0, t)) break;
    if (change >= last && change <= near * std::max(1.0, t)) break;
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

/// Whether the held gaps cannot all push any more. Where their forces are not unique, the
/// least-norm forces may pull although others would push.
bool Faller::pulls() {
  const GapList& held = equations_.held();
  bool pulling = false;
  for (std::size_t place = 0; place < held.size(); ++place)
    pulling = pulling || equations_.gap_force(place) < 0.0;
  if (!pulling || !redundant_) return pulling;
  if (!unheld_) unheld_.emplace(equations_.mechanism(), scenario_);
  unheld_->stand_as(equations_);
  unheld_->place(equations_.joints());
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
  if (gaps.empty()) return settle_friction();
  const std::size_t freedoms = equations_.independent().size(), count = gaps.size();
  equations_.hold(std::move(gaps));
  if (const Stopped stopped = restart()) return stopped;
  redundant_ = equations_.independent().size() + count > freedoms;
  return settle_friction();
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
  loosen();
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
