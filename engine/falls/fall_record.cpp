#include "engine/falls/fall_record.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/mechanism/elements.hpp"

namespace counterpoise {

FallRecord::FallRecord(const EquationsOfMotion& equations, const Scenario& scenario, bool columns)
    : scenario_(&scenario), columns_(columns) {
  const Mechanism& mechanism = equations.mechanism();
  const std::size_t hits =
      scenario.contacts.size() + scenario.stops.size() + mechanism.actuators.size();
  fall_.extremes.max_impulse.assign(hits, 0.0);
  fall_.extremes.max_impact_speed.assign(hits, 0.0);
  fall_.extremes.drop.assign(mechanism.points.size(), 0.0);
  fall_.extremes.max_speed.assign(mechanism.points.size(), 0.0);
  points_.resize(mechanism.points.size());
  points_away_.resize(mechanism.points.size());
  bodies_away_.resize(mechanism.bodies.size());
  joints_travel_.resize(mechanism.bodies.size());
  actuators_travel_.resize(mechanism.actuators.size());
  fall_.extremes.joint_moved.assign(mechanism.bodies.size(), 0.0);
  fall_.extremes.actuator_moved.assign(mechanism.actuators.size(), 0.0);
  const auto add = [&](const std::string& name) { fall_.columns.push_back({name, {}}); };
  if (!columns) return;
  add("t");
  for (const Actuator& actuator : mechanism.actuators)
    for (const char* quantity : {".position", ".velocity", ".load"}) add(actuator.name + quantity);
  for (BodyIndex b = 0; b < mechanism.body_count(); ++b)
    if (mechanism.moves(b))
      for (const char* quantity : {".q", ".qd", ".qdd"}) add(mechanism.bodies[b].name + quantity);
  for (const Spring& spring : mechanism.springs) {
    const bool torsion = spring.type == SpringType::torsion;
    add(spring.name + (torsion ? ".angle" : ".length"));
    add(spring.name + (torsion ? ".torque" : ".tension"));
  }
  for (const char* quantity : {"kinetic", "potential", "springs", "total", "lost", "work"})
    add(std::string("energy.") + quantity);
}

void FallRecord::add_row(double t, EquationsOfMotion& equations, double lost, double work) {
  if (!columns_) return;
  const Mechanism& mechanism = equations.mechanism();
  const JointView<double> state = equations.state();
  std::size_t column = 0;
  const auto add = [&](double value) { fall_.columns[column++].values.push_back(value); };
  add(t);
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
    const ProfileValue value = equations.actuator(a);
    add(value.position);
    add(value.velocity);
    add(equations.load(a));
  }
  for (BodyIndex b = 0; b < mechanism.body_count(); ++b)
    if (mechanism.moves(b))
      for (const double value : {state.q[b], state.v[b], state.a[b]}) add(value);
  for (std::size_t s = 0; s < mechanism.springs.size(); ++s) {
    const double length = equations.spring_length(s);
    add(length);
    add(tension_of(mechanism.springs[s], length));
  }
  equations.see_bodies();
  const double kinetic = equations.kinetic_energy(), potential = equations.potential_energy(),
               springs = equations.spring_energy();
  for (const double energy :
       {kinetic, potential, springs, kinetic + potential + springs, lost, work})
    add(energy);
}

void FallRecord::observe_place(double step, const BodyState& body, const Vec3d& point, Away& away) {
  const Vec3d place = body.place(point);
  if (!observed_) away.start = place;
  const Vec3d from = place - away.start;
  const double square = from.squaredNorm(), rate = 2.0 * from.dot(body.velocity_at(place));
  double farthest = square;
  if (step > 0.0) farthest = Cubic{step, away.square, away.rate, square, rate}.largest();
  fall_.extremes.moved = std::max(fall_.extremes.moved, std::sqrt(farthest));
  away.square = square;
  away.rate = rate;
}

void FallRecord::observe_travel(double step, const ProfileValue& at, Travel& travel,
                                double& most) const {
  if (!observed_) travel.start = at.position;
  const double way = at.position - travel.start;
  most = std::max(most, std::abs(way));
  if (step > 0.0)
    for (const double sign : {1.0, -1.0})
      most = std::max(
          most, Cubic{step, sign * travel.way, sign * travel.rate, sign * way, sign * at.velocity}
                    .largest());
  travel.way = way;
  travel.rate = at.velocity;
}

void FallRecord::observe(double t, EquationsOfMotion& equations) {
  const Mechanism& mechanism = equations.mechanism();
  const JointView<double> state = equations.state();
  const double strength = mechanism.gravity.norm();
  const Vec3d down = strength > 0.0 ? Vec3d(mechanism.gravity / strength) : Vec3d::Zero().eval();
  for (std::size_t p = 0; p < points_.size(); ++p) {
    const Point& point = mechanism.points[p];
    const BodyState& body = equations.bodies().of(point.body);
    const Vec3d place = body.place(point.position), v = body.velocity_at(place);
    Watched& watched = points_[p];
    const double at = down.dot(place), rate = down.dot(v);
    const double square = v.squaredNorm(), square_rate = 2.0 * v.dot(body.acceleration_at(place));
    double &drop = fall_.extremes.drop[p], &speed = fall_.extremes.max_speed[p];
    double fastest = square;
    if (!observed_)
      watched.start = at;
    else if (t > last_) {
      const double step = t - last_;
      drop = std::max(drop,
                      Cubic{step, watched.down, watched.rate, at, rate}.largest() - watched.start);
      fastest = Cubic{step, watched.square, watched.square_rate, square, square_rate}.largest();
    }
    speed = std::max(speed, std::sqrt(fastest));
    watched.down = at;
    watched.rate = rate;
    watched.square = square;
    watched.square_rate = square_rate;
  }
  moving_ = false;
  joints_.resize(mechanism.bodies.size());
  const double step = observed_ ? t - last_ : 0.0;
  for (std::size_t p = 0; p < points_.size(); ++p)
    observe_place(step, equations.bodies().of(mechanism.points[p].body),
                  mechanism.points[p].position, points_away_[p]);
  for (BodyIndex b = 0; b < mechanism.body_count(); ++b) {
    if (mechanism.bodies[b].mass > 0.0)
      observe_place(step, equations.bodies().of(b), mechanism.bodies[b].com, bodies_away_[at(b)]);
    observe_travel(step, {state.q[b], state.v[b], state.a[b]}, joints_travel_[at(b)],
                   fall_.extremes.joint_moved[at(b)]);
  }
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a)
    observe_travel(step, equations.actuator(a), actuators_travel_[a],
                   fall_.extremes.actuator_moved[a]);
  for (BodyIndex b = 0; b < mechanism.body_count(); ++b) {
    auto& [v, a] = joints_[b];
    const double bound = scenario_->settled_speed;
    moving_ |= std::abs(state.v[b]) > bound;
    if (step > 0.0)
      if (const auto fast = Cubic{step, v, a, state.v[b], state.a[b]}.last_beyond(bound))
        moved_ = std::max(moved_, last_ + *fast);
    v = state.v[b];
    a = state.a[b];
  }
  if (moving_) moved_ = t;
  last_ = t;
  observed_ = true;
}

void FallRecord::add_event(const FallEvent& event) {
  fall_.events.push_back(event);
  if (event.kind != FallEvent::Kind::impact) return;
  const auto at = static_cast<std::size_t>(event.contact);
  double &impulse = fall_.extremes.max_impulse[at], &speed = fall_.extremes.max_impact_speed[at];
  impulse = std::max(impulse, std::abs(event.impulse));
  speed = std::max(speed, std::abs(event.normal_velocity_before));
}

Fall FallRecord::finish(double t, double lost) {
  fall_.extremes.settled = moving_ ? std::max(t, scenario_->duration) : moved_;
  fall_.extremes.energy_lost = lost;
  return std::move(fall_);
}

}  // namespace counterpoise
