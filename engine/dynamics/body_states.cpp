#include "engine/dynamics/body_states.hpp"

namespace counterpoise {

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

void BodyStates::add_slopes(const DesignGeometry& geometry, BodyIndex body, const Vec3d& place,
                            const Vec3d& direction, double sign, std::span<double> row) const {
  for (BodyIndex b = body; b != world_body; b = geometry.frames[b].parent) {
    const BodyState& state = of(b);
    const JointType type = geometry.type_of(b);
    if (type == JointType::revolute)
      row[b] += sign * direction.dot(state.axis.cross(place - state.origin));
    else if (type == JointType::prismatic)
      row[b] += sign * direction.dot(state.axis);
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
