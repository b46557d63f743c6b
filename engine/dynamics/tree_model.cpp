#include "engine/dynamics/tree_model.hpp"

#include <cmath>

namespace counterpoise {
namespace {

// The error that products of rotations along a chain may leave in a 0 or a 1.
constexpr double rounding = 1e-14;

/// A rotation with its zeros and ones made exact.
Mat3d cleaned(Mat3d rotation) {
  for (double& entry : rotation.reshaped())
    if (std::abs(entry - std::round(entry)) < rounding) entry = std::round(entry);
  return rotation;
}

/// Sets how the body turns about `axis`, a unit vector in axes parallel to its parent's at q = 0.
/// Tilts the body's axes if `axis` is not a main axis.
void choose_turn(const Vec3d& axis, TreeModel::Body& body) {
  axis.cwiseAbs().maxCoeff(&body.turn_axis);
  body.reversed = axis(body.turn_axis) < 0.0;
  const Vec3d main = (body.reversed ? -1.0 : 1.0) * Vec3d::Unit(body.turn_axis);
  if ((axis - main).cwiseAbs().maxCoeff() < rounding) return;
  body.turn_axis = 2;
  body.reversed = false;
  body.tilted = true;
  const Vec3d across = axis.unitOrthogonal();
  body.tilt << across, axis.cross(across), axis;
  body.axes = body.axes * body.tilt;
}

void set_mass(const Body& given, TreeModel::Body& body) {
  const Vec3d com = body.axes.transpose() * given.com;
  const Mat3d inertia = body.axes.transpose() * given.inertia * body.axes;
  body.mass = given.mass;
  body.first_moment = SparseVec3(given.mass * com);
  // the inertia is the integral of r'r 1 - r r', so half its trace is that of r'r
  body.second_moment =
      0.5 * inertia.trace() * Mat3d::Identity() - inertia + given.mass * com * com.transpose();
  body.massless = given.mass == 0.0 && body.second_moment.isZero(0.0);
  body.main_axes = body.second_moment.isDiagonal(0.0);
}

}  // namespace

void TreeModel::find_carriers(const Mechanism& mechanism) {
  carries_.assign(mechanism.bodies.size(), false);
  for (std::size_t i = mechanism.bodies.size(); i-- > 0;) {
    const counterpoise::Body& body = mechanism.bodies[i];
    if (body.mass != 0.0 || !body.inertia.isZero(0.0)) carries_[i] = true;
    if (carries_[i] && body.parent != world_body) carries_[body.parent] = true;
  }
}

void TreeModel::prepare(const Mechanism& mechanism) {
  gravity = mechanism.gravity;
  find_carriers(mechanism);
  place_.resize(mechanism.bodies.size());
  bodies.clear();
  for (std::size_t i = 0; i < carries_.size(); ++i) {
    if (!carries_[i]) continue;
    const counterpoise::Body& given = mechanism.bodies[i];
    const Joint& joint = given.joint;
    Body body;
    body.index = static_cast<int>(i);
    body.parent = given.parent;
    body.type = joint.type;
    Mat3d axes_P = Mat3d::Identity();
    body.after_parent = bodies.empty();
    if (given.parent != world_body) {
      const std::size_t place = place_[given.parent];
      Body& parent = bodies[place];
      axes_P = parent.axes;
      body.parent_turns = parent.parent_turns || parent.type == JointType::revolute;
      body.after_parent = place + 1 == bodies.size();
      if (!body.after_parent) parent.kept = true;
    }
    body.origin_P = SparseVec3(axes_P.transpose() * joint.origin);
    body.axes = cleaned(joint.rotation.transpose() * axes_P);
    const Vec3d axis = body.axes.transpose() * joint.axis;
    if (body.type == JointType::revolute) choose_turn(axis, body);
    if (body.type == JointType::prismatic) body.slide_P = axis;
    set_mass(given, body);
    place_[i] = bodies.size();
    bodies.push_back(body);
  }
}

}  // namespace counterpoise
