#include "engine/falls/fall.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "engine/evaluation/pipeline.hpp"
#include "engine/falls/faller.hpp"
#include "engine/falls/profile_corners.hpp"
#include "engine/kinematics/closure/group_solver.hpp"
#include "engine/mechanism/finding.hpp"

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
  if (result == Result::no_cable)
    return stop(FallStop::Kind::not_integrated,
                "the cable of a spring would have to push, or has no course over its pulleys");
  if (result == Result::jumps)
    return stop(
        FallStop::Kind::not_integrated,
        "a spring goes slack or is taken up, or a part of one, where its initial tension or "
        "preload is there at once");
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
  equations_.close_brakes(0.0);
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
  loosen();
  if (const Stopped stopped = stop_for(equations_.choose(time_, equations_.joints())))
    return stopped;
  stop_actuators(ended);
  if (const Stopped stopped = restart()) return stopped;
  if (const Stopped stopped = settle_friction()) return stopped;
  if (moving) add_row();
  return std::nullopt;
}

std::vector<double> Faller::corners_of_forces(const Scenario& scenario) {
  std::vector<double> corners;
  for (const FallingForce& force : scenario.forces) {
    for (const double time : corners_of(force.profile, force.profile_duration))
      if (time <= force.profile_duration) corners.push_back(time - force.profile_start);
    corners.push_back(force.profile_duration - force.profile_start);
  }
  std::sort(corners.begin(), corners.end());
  return corners;
}

double Faller::corner_behind(double time) const {
  const auto next = std::upper_bound(corners_.begin(), corners_.end(), time);
  return next == corners_.end() ? no_limit : *next;
}

auto Faller::close_brakes() -> Stopped {
  if (equations_.next_brake() > time_ + same_time) return std::nullopt;
  equations_.close_brakes(time_ + same_time);
  return settle_friction();
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
          // loops are closed from where joints are: not from a pose that may be singular
          if (!step_start_.q.empty()) equations_.place(step_start_);
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
          if (equations_.needs_loads()) equations_.find_loads();
          slope[2 * n] = equations_.power();
        }
        return true;
      },
      t, y, scenario_.tolerance, std::move(absolute));
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

namespace {

/// The actuators and rules of a mechanism whose springs have friction, behind its own: a free
/// actuator between the points of each of these springs, in whose gears the friction is.
struct RubbingSprings {
  Mechanism mechanism;
  Scenario scenario;
  std::vector<std::size_t> springs;

  RubbingSprings(const Mechanism& given, const Scenario& rules)
      : mechanism(given), scenario(rules) {
    for (std::size_t s = 0; s < given.springs.size(); ++s) {
      const Spring& spring = given.springs[s];
      if (!spring.rubs) continue;
      Actuator gears;
      gears.points = spring.points;
      gears.motor.known = true;
      gears.motor.friction.coulomb = spring.friction;
      mechanism.actuators.push_back(gears);
      scenario.actuators.emplace_back();
      springs.push_back(s);
    }
  }
  /// Tells what it tells of these actuators as friction of the springs.
  void tell(Fall& fall) const;
};

void RubbingSprings::tell(Fall& fall) const {
  const std::size_t actuators = mechanism.actuators.size() - springs.size();
  fall.extremes.actuator_moved.resize(actuators);
  for (std::vector<double>* hits : {&fall.extremes.max_impulse, &fall.extremes.max_impact_speed})
    hits->resize(hits->size() - springs.size());
  if (fall.columns.empty()) return;
  constexpr std::size_t each = 3, load = 2;  // position, velocity and load of an actuator
  const auto first = fall.columns.begin() + static_cast<std::ptrdiff_t>(1 + each * actuators);
  const auto last = first + static_cast<std::ptrdiff_t>(each * springs.size());
  std::vector<Series> made(first, last);
  fall.columns.erase(first, last);
  for (std::size_t i = 0; i < springs.size(); ++i) {
    const std::string& name = mechanism.springs[springs[i]].name;
    Series friction{name + ".friction", std::move(made[each * i + load].values)};
    for (double& value : friction.values) value = 0.0 - value;  // a load pushes its points apart
    const auto tension =
        std::find_if(fall.columns.begin(), fall.columns.end(),
                     [&](const Series& series) { return series.name == name + ".tension"; });
    fall.columns.insert(tension + 1, std::move(friction));
  }
}

std::variant<Fall, FallStop> fall_of(const Mechanism& mechanism, const Scenario& scenario,
                                     const JointStart& start, const FallOptions& options) {
  Faller faller(mechanism, scenario, options);
  if (std::optional<FallStop> stopped = faller.begin(start)) return *stopped;
  return faller.run();
}

}  // namespace

std::variant<Fall, FallStop> simulate_fall(const Mechanism& mechanism, const Scenario& scenario,
                                           const JointStart& start, const FallOptions& options) {
  if (std::none_of(mechanism.springs.begin(), mechanism.springs.end(),
                   [](const Spring& spring) { return spring.rubs; }))
    return fall_of(mechanism, scenario, start, options);
  const RubbingSprings with(mechanism, scenario);
  auto result = fall_of(with.mechanism, with.scenario, start, options);
  if (Fall* fall = std::get_if<Fall>(&result)) with.tell(*fall);
  return result;
}

namespace {

/// A pose on the way of a motion from which Newton's method may go on.
struct Waypoint {
  SampleState state;
  std::vector<Coordinate> coordinates;
  std::size_t driven = 0;
};

/// The pose of a motion at sample k, or why it has none.
std::variant<Waypoint, Finding> waypoint(const Mechanism& mechanism, const Motion& motion, int k) {
  const auto plan = std::make_shared<const EvaluationPlan>(mechanism, motion, Closure::closed_form);
  Pipeline<double> pipeline(plan, motion, Reuse::remember);
  if (const auto finding = pipeline.follow(mechanism)) return *finding;
  Waypoint point{SampleState(mechanism.body_count()), plan->drives.coordinates,
                 plan->drives.driven};
  point.state.read_lane<double>(pipeline.joints(k), 0);
  return point;
}

double position_of(const Coordinate& coordinate, const Mechanism& mechanism, const Paths& paths,
                   const DesignGeometry& geometry, const JointView<double>& state) {
  const BodyIndex joint =
      coordinate.actuator >= 0 ? mechanism.actuators[coordinate.actuator].joint : coordinate.joint;
  if (joint != world_body) return state.q[joint];
  const Path& path = paths.actuators[coordinate.actuator];
  Line<double> line;
  line.resize(path);
  trace_line<double>(geometry, path, state, line);
  return line.length;
}

/// Closes the mechanism where its coordinates have these values, from the pose of a waypoint.
std::variant<JointStart, Finding> close_at(const Mechanism& mechanism, Waypoint point,
                                           const std::vector<Drive>& drives,
                                           const std::vector<ProfileValue>& given, double time) {
  const Paths paths(mechanism, drives);
  std::vector<JointFrame> frames;
  prepare_frames(mechanism, frames);
  const DesignGeometry geometry{mechanism, frames};
  std::vector<Equation> equations = closing_equations(mechanism);
  std::vector<double> position, velocity;
  for (std::size_t c = 0; c < point.coordinates.size(); ++c) {
    const Coordinate& coordinate = point.coordinates[c];
    equations.push_back(drive_equation(coordinate, static_cast<int>(c), mechanism));
    const bool driven = c < given.size();
    position.push_back(
        driven ? given[c].position
               : position_of(coordinate, mechanism, paths, geometry, point.state.view()));
    velocity.push_back(driven ? given[c].velocity : 0.0);
  }
  std::vector<BodyIndex> moving;
  for (BodyIndex b = 0; b < mechanism.body_count(); ++b)
    if (mechanism.moves(b)) moving.push_back(b);
  JointStart start;
  start.q.assign(mechanism.bodies.size(), 0.0);
  start.v = start.q;
  if (moving.empty()) return start;
  GroupSolver solver(std::move(equations), moving, mechanism, paths);
  if (solver.solve_positions(geometry, point.state, position) != GroupSolver::Result::solved)
    return solver.system().open_finding(time);
  solver.linearise(geometry, point.state.view(), position);
  solver.solve_velocities(point.state.view(), velocity);
  for (const BodyIndex b : moving) {
    start.q[b] = point.state.view().q[b];
    start.v[b] = point.state.view().v[b];
  }
  return start;
}

}  // namespace

std::variant<JointStart, Finding> start_of_motion(const Mechanism& mechanism, const Motion& motion,
                                                  double time) {
  const int k =
      std::clamp(static_cast<int>(std::lround(time / motion.step)), 0, motion.sample_count() - 1);
  auto near = waypoint(mechanism, motion, k);
  if (const auto* finding = std::get_if<Finding>(&near)) return *finding;
  std::vector<ProfileValue> given;
  for (const Drive& drive : motion.drives)
    given.push_back(evaluate(drive.profile, time, motion.duration));
  return close_at(mechanism, std::move(std::get<Waypoint>(near)), motion.drives, given, time);
}

std::variant<JointStart, Finding> start_of_coordinates(const Mechanism& mechanism,
                                                       const std::vector<GivenCoordinate>& given) {
  // the way from the zero configuration to the given coordinates, so that loops stay on its branch
  constexpr int steps = 100;
  Motion motion;
  motion.duration = 1.0;
  motion.step = 1.0 / steps;
  motion.inertia = false;
  for (const GivenCoordinate& one : given)
    motion.drives.push_back({{one.actuator, one.joint}, Hold{one.position}});
  {
    Motion zero = motion;
    zero.drives.clear();
    auto at_zero = waypoint(mechanism, zero, 0);
    if (const auto* finding = std::get_if<Finding>(&at_zero)) return *finding;
    const Paths paths(mechanism);
    std::vector<JointFrame> frames;
    prepare_frames(mechanism, frames);
    for (std::size_t i = 0; i < given.size(); ++i) {
      const double from =
          position_of({given[i].actuator, given[i].joint}, mechanism, paths, {mechanism, frames},
                      std::get<Waypoint>(at_zero).state.view());
      motion.drives[i].profile = PointToPoint{from, given[i].position, 0.0, 1.0};
    }
  }
  auto at_end = waypoint(mechanism, motion, steps);
  if (const auto* finding = std::get_if<Finding>(&at_end)) return *finding;
  std::vector<ProfileValue> values;
  for (const GivenCoordinate& one : given) values.push_back({one.position, one.velocity, 0.0});
  return close_at(mechanism, std::move(std::get<Waypoint>(at_end)), motion.drives, values, 0.0);
}

}  // namespace counterpoise
