#include "engine/forward/fall.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/forward/faller.hpp"
#include "engine/mechanism/number_text.hpp"

namespace counterpoise {

auto Faller::stop_for(Result result) const -> Stopped {
  if (result == Result::solved) return std::nullopt;
  if (result == Result::open)
    return stop(
        FallStop::Kind::singular_pose,
        "the loops, couplings and held actuators cannot stay closed: the pose is nearly singular");
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

const std::string& Faller::name_of(std::size_t gap) const {
  const auto contact = static_cast<std::size_t>(equations_.gap_info(gap).contact);
  return contact < scenario_.contacts.size()
             ? scenario_.contacts[contact].name
             : scenario_.stops[contact - scenario_.contacts.size()].name;
}

auto Faller::settle_start() -> Stopped {
  GapList closing, touched;
  const double size = equations_.size();
  read_gaps(before_);
  for (std::size_t i = 0; i < before_.size(); ++i) {
    if (before_[i].gap > touching * size) continue;
    if (before_[i].gap < -touching * size) {
      const bool surface = equations_.gap_info(i).point >= 0;
      return stop(FallStop::Kind::start_in_contact,
                  (surface ? "a point starts beyond " : "it starts beyond ") + name_of(i) + " by " +
                      number_text(-before_[i].gap) +
                      (equations_.gaps().is_length(i, equations_.mechanism()) ? " m" : " rad"));
    }
    touched.push_back(i);
  }
  std::vector<std::size_t> held;
  for (std::size_t a = 0; a < scenario_.actuators.size(); ++a)
    if (scenario_.actuators[a].mode == ActuatorMode::held) held.push_back(a);
  stop_actuators(held);
  read_gaps(before_);
  GapList still;
  for (const std::size_t i : touched) {
    if (before_[i].rate < -scenario_.rest_speed)
      closing.push_back(i);
    else if (before_[i].rate <= scenario_.rest_speed)
      still.push_back(i);
  }
  if (closing.empty()) {
    if (const Stopped stopped = stop_for(equations_.accelerate())) return stopped;
    const GapList resting = find_resting(equations_, still);
    if (!resting.empty()) ++groups_;
    for (const std::size_t i : resting) record_.add_event(event_of(i, FallEvent::Kind::rest));
    if (const Stopped stopped = rest_on(resting)) return stopped;
  } else if (const Stopped stopped = restart()) {
    return stopped;
  }
  equations_.see_bodies();
  record_.observe(time_, equations_);
  add_row();
  return closing.empty() ? std::nullopt : collide_at(closing, still);
}

/// Stops held actuators that move by an impulse through the mechanism.
void Faller::stop_actuators(const std::vector<std::size_t>& held) {
  const Mechanism& mechanism = equations_.mechanism();
  std::vector<double> velocity(mechanism.actuators.size());
  for (std::size_t a = 0; a < velocity.size(); ++a) velocity[a] = equations_.actuator(a).velocity;
  double fastest = 0.0;
  for (const double v : velocity) fastest = std::max(fastest, std::abs(v));
  const double kinetic = equations_.kinetic_energy();
  const auto impulses = equations_.stop_held();
  if (!impulses) return;
  const double lost = kinetic - equations_.kinetic_energy();
  lost_ += lost;
  ++groups_;
  double told = lost;
  for (const std::size_t a : held) {
    if (std::abs(velocity[a]) <= 1e-12 * fastest) continue;
    FallEvent event;
    event.time = time_;
    event.group = groups_;
    event.contact = static_cast<int>(scenario_.contacts.size() + scenario_.stops.size() + a);
    event.normal_velocity_before = velocity[a];
    event.impulse = (*impulses)[a];
    event.energy_lost = std::exchange(told, 0.0);
    record_.add_event(event);
  }
}

/// From the end of its profile on an actuator is held.
auto Faller::end_profiles() -> Stopped {
  std::vector<std::size_t> ended;
  bool moving = false;
  for (std::size_t a = 0; a < scenario_.actuators.size(); ++a) {
    if (end_of_profile(a) > time_ + same_time) continue;
    ended.push_back(a);
    moving = moving || std::abs(equations_.rule_at(a, time_).velocity) > scenario_.rest_speed;
  }
  if (ended.empty()) return std::nullopt;
  if (moving) add_row();
  for (const std::size_t a : ended) {
    equations_.hold_actuator(a);
    scenario_.actuators[a].mode = ActuatorMode::held;
  }
  if (const Stopped stopped = stop_for(equations_.choose(time_, equations_.joints())))
    return stopped;
  stop_actuators(ended);
  if (const Stopped stopped = restart()) return stopped;
  if (moving) add_row();
  return std::nullopt;
}

double Faller::end_of_profile(std::size_t actuator) const {
  const ActuatorRule& rule = scenario_.actuators[actuator];
  return rule.mode == ActuatorMode::follow ? rule.profile_duration - rule.profile_start : no_limit;
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
  Faller faller(mechanism, scenario, options);
  if (std::optional<FallStop> stopped = faller.begin(start)) return *stopped;
  return faller.run();
}

}  // namespace counterpoise
