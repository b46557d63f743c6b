#include "engine/forward/fall.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/forward/cubic.hpp"
#include "engine/forward/faller.hpp"
#include "engine/forward/impact.hpp"
#include "engine/mechanism/number_text.hpp"

namespace counterpoise {
namespace {

/// How far inside a surface, relative to the mechanism's size, a point still only touches it.
constexpr double touching = 1e-9;
/// How far a gap must fall below zero, relative to that size, to be an event.
constexpr double event_depth = 1e-11;

}  // namespace

auto Faller::stop_for(Result result) const -> Stopped {
  if (result == Result::solved) return std::nullopt;
  if (result == Result::open)
    return stop(FallStop::Kind::singular_pose,
                "the loops, couplings and held actuators cannot stay closed");
  if (result == Result::singular)
    return stop(FallStop::Kind::singular_pose,
                "the pose is singular: no choice of joints determines the others");
  std::string names;
  for (const BodyIndex b : equations_.independent()) {
    names += names.empty() ? "" : ", ";
    names += equations_.mechanism().bodies[b].name;
  }
  return stop(FallStop::Kind::singular_mass,
              "a motion of these joints moves no mass: " + names +
                  "; give their bodies mass, or hold or follow their actuators");
}

std::optional<FallStop> Faller::begin(const JointStart& start) {
  const Mechanism& mechanism = equations_.mechanism();
  equations_.place(start);
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
    const ProfileValue now = equations_.actuator(a);
    equations_.keep(a, now.position);
    if (scenario_.actuators[a].mode != ActuatorMode::follow) continue;
    const ProfileValue rule = equations_.rule_at(a, 0.0);
    constexpr double agree = 1e-9;
    if (std::abs(rule.position - now.position) > agree * std::max(1.0, std::abs(now.position)) ||
        std::abs(rule.velocity - now.velocity) > agree * std::max(1.0, std::abs(now.velocity)))
      return stop(FallStop::Kind::start_not_followed,
                  "actuator " + mechanism.actuators[a].name + " starts at " +
                      number_text(now.position) + " with velocity " + number_text(now.velocity) +
                      ", and what it follows at " + number_text(rule.position) + " with " +
                      number_text(rule.velocity));
  }
  const Result result = equations_.choose(0.0, start);
  if (result == Result::open)
    return stop(FallStop::Kind::open_start, "loops, couplings or held actuators do not close");
  if (const Stopped stopped = stop_for(result)) return stopped;
  const Result moved = equations_.accelerate();
  if (const Stopped stopped = stop_for(moved)) return stopped;
  return settle_start();
}

auto Faller::settle_start() -> Stopped {
  GapList closing, touched;
  const double size = equations_.size();
  read_gaps(before_);
  for (std::size_t i = 0; i < before_.size(); ++i) {
    if (before_[i].gap > touching * size) continue;
    if (before_[i].gap < -touching * size) {
      const auto& gap = equations_.gaps()[i];
      const bool surface = gap.point >= 0;
      const std::string name =
          surface
              ? scenario_.contacts[static_cast<std::size_t>(gap.contact)].name
              : scenario_.stops[static_cast<std::size_t>(gap.contact) - scenario_.contacts.size()]
                    .name;
      return stop(FallStop::Kind::start_in_contact,
                  (surface ? "a point starts beyond " : "it starts beyond ") + name + " by " +
                      number_text(-before_[i].gap) +
                      (equations_.gaps().is_length(i, equations_.mechanism()) ? " m" : " rad"));
    }
    touched.push_back(i);
  }
  if (const Stopped stopped = stop_held_actuators()) return stopped;
  read_gaps(before_);
  for (const std::size_t i : touched)
    if (before_[i].rate < -scenario_.rest_speed) closing.push_back(i);
  if (!touched.empty() && closing.empty()) {
    GapList still;
    for (const std::size_t i : touched)
      if (std::abs(before_[i].rate) <= scenario_.rest_speed) still.push_back(i);
    if (const Stopped stopped = stop_for(equations_.accelerate())) return stopped;
    const GapList resting = find_resting(equations_, still);
    if (!resting.empty()) ++groups_;
    for (const std::size_t i : resting) record_.add_event(event_of(i, FallEvent::Kind::rest));
    equations_.hold(resting);
  }
  if (const Stopped stopped = restart()) return stopped;
  equations_.see_bodies();
  record_.observe(time_, equations_);
  add_row();
  return closing.empty() ? std::nullopt : collide_at(closing);
}

/// A held actuator that moves at the start is stopped by an impulse through the mechanism.
auto Faller::stop_held_actuators() -> Stopped {
  const Mechanism& mechanism = equations_.mechanism();
  std::vector<double> velocity(mechanism.actuators.size());
  for (std::size_t a = 0; a < velocity.size(); ++a) velocity[a] = equations_.actuator(a).velocity;
  double fastest = 0.0;
  for (const double v : velocity) fastest = std::max(fastest, std::abs(v));
  const double kinetic = equations_.kinetic_energy();
  const auto impulses = equations_.stop_held();
  if (!impulses) return std::nullopt;
  const double lost = kinetic - equations_.kinetic_energy();
  lost_ += lost;
  ++groups_;
  double told = lost;
  for (std::size_t a = 0; a < velocity.size(); ++a) {
    if (scenario_.actuators[a].mode != ActuatorMode::held ||
        std::abs(velocity[a]) <= 1e-12 * fastest)
      continue;
    FallEvent event;
    event.group = groups_;
    event.contact = static_cast<int>(scenario_.contacts.size() + scenario_.stops.size() + a);
    event.normal_velocity_before = velocity[a];
    event.impulse = (*impulses)[a];
    event.energy_lost = std::exchange(told, 0.0);
    record_.add_event(event);
  }
  return std::nullopt;
}

auto Faller::restart() -> Stopped {
  if (const Stopped stopped = stop_for(equations_.choose(time_, equations_.joints())))
    return stopped;
  if (const Stopped stopped = stop_for(equations_.accelerate())) return stopped;
  equations_.find_loads();
  std::vector<double> y = equations_.independent_state();
  y.push_back(work_);
  integrate_from(time_, y);
  return std::nullopt;
}

void Faller::integrate_from(double t, const std::vector<double>& y) {
  if (integrator_ && integrated_ == equations_.independent()) {
    integrator_->reset(t, y);
    return;
  }
  integrated_ = equations_.independent();
  const Mechanism& mechanism = equations_.mechanism();
  std::vector<double> absolute(y.size(), scenario_.tolerance);
  for (std::size_t i = 0; i < integrated_.size(); ++i)
    if (mechanism.bodies[integrated_[i]].joint.type == JointType::prismatic)
      for (const std::size_t at : {i, i + integrated_.size()}) absolute[at] *= equations_.size();
  const bool works = equations_.works();
  integrator_.emplace(
      [this, works](double at, std::span<const double> state, std::span<double> slope) {
        Result result = equations_.close(at, state);
        if (result == Result::solved) result = equations_.accelerate();
        if (result != Result::solved) {
          trouble_ = result;
          return false;
        }
        const std::size_t n = integrated_.size();
        const JointView<double> joints = equations_.state();
        for (std::size_t i = 0; i < n; ++i) {
          slope[i] = joints.v[integrated_[i]];
          slope[n + i] = joints.a[integrated_[i]];
        }
        slope[2 * n] = 0.0;
        if (works) {
          equations_.find_loads();
          slope[2 * n] = equations_.power();
        }
        return true;
      },
      t, y, scenario_.tolerance, absolute);
}

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

void Faller::read_gaps(std::vector<GapValue>& values) {
  equations_.see_bodies();
  values.resize(equations_.gaps().size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = equations_.gap(i);
}

auto Faller::advance(double target) -> Stopped {
  while (time_ < target) {
    const double t0 = time_;
    const std::vector<double> y0(integrator_->y().begin(), integrator_->y().end());
    read_gaps(before_);
    if (!integrator_->step(target) || !see(integrator_->time())) {
      if (trouble_ != Result::solved) return stop_for(trouble_);
      return stop(FallStop::Kind::not_integrated, "the integrator cannot keep the tolerance");
    }
    const double t1 = time_;
    read_gaps(after_);
    double first = t1;
    std::optional<std::size_t> hit, lost;
    const GapList& held = equations_.held();
    for (std::size_t i = 0; i < after_.size(); ++i) {
      if (std::find(held.begin(), held.end(), i) != held.end()) continue;
      const Cubic way{t1 - t0, before_[i].gap, before_[i].rate, after_[i].gap, after_[i].rate};
      const auto crossing = way.falls_below(event_depth * equations_.size());
      if (!crossing || t0 + *crossing > first) continue;
      first = t0 + *crossing;
      hit = i;
    }
    for (std::size_t place = 0; place < held.size() && !hit; ++place)
      if (equations_.gap_force(place) < 0.0) lost = place;
    Stopped stopped;
    if (hit)
      stopped = meet(*hit, t0, y0, first, t1);
    else if (lost)
      stopped = lose(*lost, t0, y0, t1);
    else if (equations_.choice_is_poor())
      stopped = restart();
    if (stopped) return stopped;
    equations_.see_bodies();
    record_.observe(time_, equations_);
  }
  return std::nullopt;
}

Fall Faller::run() {
  const auto samples = static_cast<int>(std::lround(scenario_.duration / scenario_.step));
  Stopped stopped;
  for (int k = 1; k <= samples && !stopped; ++k) {
    stopped = advance(k * scenario_.step);
    if (!stopped) add_row();
  }
  Fall fall = record_.finish(time_, lost_);
  fall.stopped = std::move(stopped);
  return fall;
}

std::variant<Fall, FallStop> simulate_fall(const Mechanism& mechanism, const Scenario& scenario,
                                           const JointStart& start, const FallOptions& options) {
  Faller faller(mechanism, scenario, options.columns);
  if (std::optional<FallStop> stopped = faller.begin(start)) return *stopped;
  return faller.run();
}

}  // namespace counterpoise
