#include "engine/falls/gaps.hpp"

#include <cmath>

namespace counterpoise {
namespace {

/// The distance of a point from a surface, its gradient and its curvature, in the axes of the
/// surface's body.
struct Distance {
  double value = 0.0;
  Vec3d normal = Vec3d::UnitZ();  // gradient: away from the surface, on the points' side
  Mat3d curvature = Mat3d::Zero();
};

Distance distance_of(const Surface& surface, const Vec3d& p) {
  Vec3d d = p - surface.point;
  if (surface.kind == Surface::Kind::plane)
    return {surface.direction.dot(d), surface.direction, Mat3d::Zero()};
  Mat3d across = Mat3d::Identity();
  if (surface.kind == Surface::Kind::cylinder)
    across -= surface.direction * surface.direction.transpose();
  d = across * d;
  const double length = d.norm(), sign = surface.inside ? -1.0 : 1.0;
  // in the centre or on the axis every direction is as good
  const Vec3d out = length > 0.0 ? Vec3d(d / length) : surface.direction.unitOrthogonal().eval();
  return {sign * (length - surface.radius), sign * out,
          sign / std::max(length, 1e-300) * (across - out * out.transpose())};
}

/// The motion of a contact's point relative to the body of its surface, in that body's axes.
struct Relative {
  Vec3d place;  // in world axes
  Vec3d p, v, a;
};

Relative relative_to(const Contact& contact, int point, const Mechanism& mechanism,
                     const BodyStates& bodies) {
  const Point& at = mechanism.points[contact.points[point]];
  const BodyState& on = bodies.of(contact.surface.body);
  const BodyState& of = bodies.of(at.body);
  const Mat3d to_surface = on.rotation.transpose();
  const Vec3d place = of.place(at.position);
  const Vec3d v = of.velocity_at(place) - on.velocity_at(place);
  const Vec3d a = of.acceleration_at(place) - on.acceleration_at(place) - 2.0 * on.omega.cross(v);
  return {place, to_surface * (place - on.origin), to_surface * v, to_surface * a};
}

}  // namespace

Gaps::Gaps(const Mechanism& mechanism, const Paths& paths, std::span<const Contact> contacts,
           std::span<const Stop> stops)
    : paths_(&paths),
      contacts_(contacts.begin(), contacts.end()),
      stops_(stops.begin(), stops.end()) {
  for (std::size_t c = 0; c < contacts.size(); ++c)
    for (std::size_t p = 0; p < contacts[c].points.size(); ++p)
      gaps_.push_back(
          {static_cast<int>(c), static_cast<int>(p), 1.0, 0.0, contacts[c].restitution});
  for (std::size_t s = 0; s < stops.size(); ++s) {
    const int contact = static_cast<int>(contacts.size() + s);
    if (stops[s].min > -no_limit)
      gaps_.push_back({contact, -1, 1.0, stops[s].min, stops[s].restitution});
    if (stops[s].max < no_limit)
      gaps_.push_back({contact, -1, -1.0, stops[s].max, stops[s].restitution});
  }
  lines_.resize(gaps_.size());
  for (std::size_t i = 0; i < gaps_.size(); ++i) {
    if (gaps_[i].point >= 0) continue;
    const Stop& stop = stops_[static_cast<std::size_t>(gaps_[i].contact) - contacts_.size()];
    if (joint_of(stop, mechanism) != world_body) continue;
    lines_[i].resize(path_of(stop));
  }
}

/// The joint whose coordinate a stop limits, or none where it limits a length between two points.
BodyIndex Gaps::joint_of(const Stop& stop, const Mechanism& mechanism) const {
  if (stop.of == Stop::Of::joint) return stop.element;
  if (stop.of == Stop::Of::actuator) return mechanism.actuators[ActuatorIndex(stop.element)].joint;
  return mechanism.springs[SpringIndex(stop.element)].joint;
}

const Path& Gaps::path_of(const Stop& stop) const {
  const auto element = static_cast<std::size_t>(stop.element);
  return stop.of == Stop::Of::spring ? paths_->springs[element] : paths_->actuators[element];
}

std::vector<BodyIndex> Gaps::joints_of(std::size_t i, const Mechanism& mechanism) const {
  std::vector<BodyIndex> joints;
  const auto add = [&](BodyIndex body) {
    if (mechanism.moves(body)) joints.push_back(body);
  };
  const Gap& gap = gaps_[i];
  if (gap.point >= 0) {
    const Contact& contact = contacts_[gap.contact];
    BodyIndex first = mechanism.points[contact.points[gap.point]].body;
    BodyIndex second = contact.surface.body;
    while (first != second) {
      BodyIndex& later = first > second ? first : second;
      add(later);
      later = mechanism.bodies[later].parent;
    }
    return joints;
  }
  const Stop& stop = stops_[static_cast<std::size_t>(gap.contact) - contacts_.size()];
  const BodyIndex joint = joint_of(stop, mechanism);
  if (joint != world_body)
    add(joint);
  else
    for (const std::vector<BodyIndex>& chain : path_of(stop).chains)
      for (const BodyIndex body : chain) add(body);
  return joints;
}

bool Gaps::is_length(std::size_t i, const Mechanism& mechanism) const {
  if (gaps_[i].point >= 0) return true;
  const BodyIndex joint =
      joint_of(stops_[static_cast<std::size_t>(gaps_[i].contact) - contacts_.size()], mechanism);
  return joint == world_body || mechanism.bodies[joint].joint.type == JointType::prismatic;
}

GapValue Gaps::evaluate(std::size_t i, const DesignGeometry& geometry,
                        const JointView<double>& state, const BodyStates& bodies,
                        std::span<double> row) {
  const Gap& gap = gaps_[i];
  if (gap.point >= 0) return of_surface(gap, geometry, bodies, row);
  const Stop& stop = stops_[static_cast<std::size_t>(gap.contact) - contacts_.size()];
  const BodyIndex joint = joint_of(stop, geometry.mechanism);
  if (joint == world_body) return of_line(path_of(stop), lines_[i], gap, geometry, state, row);
  if (!row.empty()) row[joint] += gap.sign;
  return {gap.sign * (state.q[joint] - gap.end), gap.sign * state.v[joint],
          gap.sign * state.a[joint]};
}

GapValue Gaps::of_surface(const Gap& gap, const DesignGeometry& geometry, const BodyStates& bodies,
                          std::span<double> row) const {
  const Contact& contact = contacts_[gap.contact];
  const Relative point = relative_to(contact, gap.point, geometry.mechanism, bodies);
  const Distance distance = distance_of(contact.surface, point.p);
  const Vec3d normal = bodies.of(contact.surface.body).rotation * distance.normal;
  if (!row.empty())
    bodies.add_slopes(geometry, geometry.mechanism.points[contact.points[gap.point]].body,
                      contact.surface.body, point.place, normal, row);
  return {distance.value, distance.normal.dot(point.v),
          distance.normal.dot(point.a) + point.v.dot(distance.curvature * point.v)};
}

GapValue Gaps::of_line(const Path& path, Line<double>& line, const Gap& gap,
                       const DesignGeometry& geometry, const JointView<double>& state,
                       std::span<double> row) const {
  trace_line(geometry, path, state, line);
  for (const std::size_t end : {0u, 1u})
    for (std::size_t k = 0; k < path.chains[end].size() && !row.empty(); ++k)
      row[path.chains[end][k]] += gap.sign * length_slope(line, end, k);
  double rate = 0.0;
  const double acceleration = length_acceleration(geometry.frames, path, state, line, rate);
  return {gap.sign * (line.length - gap.end), gap.sign * rate, gap.sign * acceleration};
}

double Gaps::angle(std::size_t i, const DesignGeometry& geometry, const BodyStates& bodies) const {
  if (gaps_[i].point < 0) return 0.0;
  const Contact& contact = contacts_[gaps_[i].contact];
  const Relative point = relative_to(contact, gaps_[i].point, geometry.mechanism, bodies);
  const Vec3d normal = distance_of(contact.surface, point.p).normal;
  return std::atan2(normal.cross(point.v).norm(), std::abs(normal.dot(point.v)));
}

void BodyStates::compute(const DesignGeometry& geometry, const JointView<double>& state) {
  states_.resize(geometry.frames.size());
  for (std::size_t b = 0; b < states_.size(); ++b) {
    const JointFrame& frame = geometry.frames[b];
    const BodyState& parent = of(frame.parent);
    BodyState& body = states_[b];
    body.rotation = parent.rotation * rotation_in_parent(frame, state.sine[b], state.cosine[b]);
    body.origin = parent.place(origin_in_parent(frame, state.q[b]));
    body.axis = parent.rotation * frame.axis_P;
    body.omega = parent.omega;
    body.alpha = parent.alpha;
    body.velocity = parent.velocity_at(body.origin);
    body.acceleration = parent.acceleration_at(body.origin);
    if (frame.type == JointType::revolute) {
      const Vec3d turn = body.axis * state.v[b];
      body.omega += turn;
      body.alpha += body.axis * state.a[b] + parent.omega.cross(turn);
    } else if (frame.type == JointType::prismatic) {
      const Vec3d slide = body.axis * state.v[b];
      body.velocity += slide;
      body.acceleration += body.axis * state.a[b] + 2.0 * parent.omega.cross(slide);
    }
  }
}

void BodyStates::add_slopes(const DesignGeometry& geometry, BodyIndex first, BodyIndex second,
                            const Vec3d& place, const Vec3d& direction,
                            std::span<double> row) const {
  while (first != second) {
    // the later of both is not before the other
    BodyIndex& later = first > second ? first : second;
    const double sign = first > second ? 1.0 : -1.0;
    const BodyState& state = of(later);
    const JointType type = geometry.type_of(later);
    if (type == JointType::revolute)
      row[later] += sign * direction.dot(state.axis.cross(place - state.origin));
    else if (type == JointType::prismatic)
      row[later] += sign * direction.dot(state.axis);
    later = geometry.frames[later].parent;
  }
}

double BodyStates::kinetic_energy(const Mechanism& mechanism) const {
  double energy = 0.0;
  for (std::size_t b = 0; b < states_.size(); ++b) {
    const Body& body = mechanism.bodies[b];
    const BodyState& state = states_[b];
    const Vec3d v = state.velocity_at(state.place(body.com));
    const Vec3d omega = state.rotation.transpose() * state.omega;
    energy += 0.5 * body.mass * v.squaredNorm() + 0.5 * omega.dot(body.inertia * omega);
  }
  return energy;
}

double BodyStates::potential_energy(const Mechanism& mechanism) const {
  double energy = 0.0;
  for (std::size_t b = 0; b < states_.size(); ++b)
    energy -=
        mechanism.bodies[b].mass * mechanism.gravity.dot(states_[b].place(mechanism.bodies[b].com));
  return energy;
}

}  // namespace counterpoise
