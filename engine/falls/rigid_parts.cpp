#include "engine/falls/rigid_parts.hpp"

namespace counterpoise {
namespace {

/// The integral of r'r 1 - r r' of a point mass.
Mat3d inertia_of_point(double mass, const Vec3d& r) {
  return mass * (r.squaredNorm() * Mat3d::Identity() - r * r.transpose());
}

/// Adds a mass to a body: its centre of mass and its inertia about that, in the body's axes.
void add_mass(double mass, const Vec3d& com, const Mat3d& inertia, Body& body) {
  const double sum = body.mass + mass;
  const Vec3d centre =
      sum > 0.0 ? Vec3d((body.mass * body.com + mass * com) / sum) : Vec3d::Zero().eval();
  body.inertia += inertia + inertia_of_point(body.mass, body.com - centre) +
                  inertia_of_point(mass, com - centre);
  body.com = centre;
  body.mass = sum;
}

}  // namespace

void join_rigid_parts(const Mechanism& mechanism, std::span<const JointFrame> frames,
                      const JointView<double>& state, std::span<const char> still,
                      Mechanism& parts) {
  /// The body that a body belongs to, and where it stands in the axes of that.
  struct Place {
    BodyIndex body = world_body;
    Mat3d rotation = Mat3d::Identity();
    Vec3d origin = Vec3d::Zero();
  };
  const Place world;
  std::vector<Place> places(mechanism.bodies.size());
  parts.gravity = mechanism.gravity;
  parts.bodies = mechanism.bodies;
  for (std::size_t b = 0; b < places.size(); ++b) {
    Body& body = parts.bodies[b];
    const Place& parent = body.parent == world_body ? world : places[body.parent];
    Place& place = places[b];
    body.parent = parent.body;
    if (still[b] == 0) {
      body.joint.origin = parent.origin + parent.rotation * body.joint.origin;
      body.joint.rotation = parent.rotation * body.joint.rotation;
      place.body = BodyIndex(b);
      continue;
    }
    place.body = parent.body;
    place.rotation =
        parent.rotation * rotation_in_parent(frames[b], state.sine[b], state.cosine[b]);
    place.origin = parent.origin + parent.rotation * origin_in_parent(frames[b], state.q[b]);
    body.joint = {};
    if (place.body != world_body)
      add_mass(body.mass, place.origin + place.rotation * body.com,
               place.rotation * body.inertia * place.rotation.transpose(),
               parts.bodies[place.body]);
    body.mass = 0.0;
    body.inertia.setZero();
  }
}

}  // namespace counterpoise
