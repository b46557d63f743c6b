// Definitions of the templates in mass_matrix.hpp, for code that needs them with its own scalar.
#pragma once

#include "engine/dynamics/mass_matrix.hpp"

namespace counterpoise {
namespace tree {

/// Takes the components of x from a body's axes to axes that differ by the body's joint angle about
/// axis k.
template <class S>
void turn_up(int k, const S& sine, const S& cosine, Vec3<S>& x) {
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  const S along = x(i) * cosine - x(j) * sine;
  x(j) = x(j) * cosine + x(i) * sine;
  x(i) = along;
}

template <class S>
Vec3<S> times(const Mat3d& matrix, const Vec3<S>& x) {
  Vec3<S> y;
  for (int i = 0; i < 3; ++i)
    y(i) = x(0) * matrix(i, 0) + x(1) * matrix(i, 1) + x(2) * matrix(i, 2);
  return y;
}

/// Takes the components of a vector from the body's axes to the parent's.
template <class S>
Vec3<S> in_parent(const TreeModel::Body& body, const JointView<S>& state, Vec3<S> x) {
  if (body.type != JointType::revolute) return x;
  const auto b = static_cast<std::size_t>(body.index);
  turn_up<S>(body.turn_axis, body.reversed ? S(-state.sine[b]) : S(state.sine[b]), state.cosine[b],
             x);
  return body.tilted ? times<S>(body.tilt, x) : x;
}

/// Takes the components of a vector from the parent's axes to the body's.
template <class S>
Vec3<S> from_parent(const TreeModel::Body& body, const JointView<S>& state, Vec3<S> x) {
  if (body.type != JointType::revolute) return x;
  const auto b = static_cast<std::size_t>(body.index);
  if (body.tilted) x = times<S>(body.tilt.transpose(), x);
  turn_up<S>(body.turn_axis, body.reversed ? S(state.sine[b]) : S(-state.sine[b]), state.cosine[b],
             x);
  return x;
}

/// The position of the body's origin from its parent's, in the parent's axes.
template <class S>
Vec3<S> origin_in_parent(const TreeModel::Body& body, const JointView<S>& state) {
  Vec3<S> p;
  for (int i = 0; i < 3; ++i) p(i) = S(body.origin_P.value(i));
  if (body.type == JointType::prismatic)
    for (int i = 0; i < 3; ++i) p(i) += state.q[body.index] * body.slide_P(i);
  return p;
}

/// The moments of a body's own mass, which do not depend on the joint positions.
template <class S>
BranchMoments<S> own_moments(const TreeModel::Body& body) {
  BranchMoments<S> m;
  for (int k = 0; k < 3; ++k) {
    const auto at = static_cast<std::size_t>(k);
    m.first(k) = S(body.first_moment.value(k));
    m.same[at] = S(body.second_moment(k, k));
    m.next[at] = S(body.second_moment((k + 1) % 3, (k + 2) % 3));
  }
  return m;
}

/// Takes a symmetric matrix to axes turned about axis k, as `turn_up` does a vector. Its entries
/// are ordered as in BranchMoments.
template <class S>
void turn_symmetric(int k, const S& sine, const S& cosine, std::array<S, 3>& same,
                    std::array<S, 3>& next) {
  const auto i = static_cast<std::size_t>((k + 1) % 3), j = static_cast<std::size_t>((k + 2) % 3);
  const auto z = static_cast<std::size_t>(k);
  const S square = cosine * cosine, mixed = cosine * sine;
  const S difference = same[i] - same[j];
  const S low = same[j] + square * difference - mixed * next[z] * 2.0;
  next[z] = mixed * difference + (square * 2.0 - S(1.0)) * next[z];
  same[j] = same[i] + same[j] - low;
  same[i] = low;
  // the entries of axes i and k and of axes j and k turn as a vector along i and j
  const S with_i = next[j] * cosine - next[i] * sine;
  next[i] = next[i] * cosine + next[j] * sine;
  next[j] = with_i;
}

/// Takes moments to axes turned about axis k, as `turn_up` does a vector.
template <class S>
void turn_moments(int k, const S& sine, const S& cosine, BranchMoments<S>& m) {
  turn_up<S>(k, sine, cosine, m.first);
  turn_symmetric<S>(k, sine, cosine, m.same, m.next);
}

template <class S>
void tilt_moments(const Mat3d& tilt, BranchMoments<S>& m) {
  m.first = times<S>(tilt, m.first);
  const std::array<Vec3<S>, 3> rows = {times<S>(tilt, Vec3<S>(m.same[0], m.next[2], m.next[1])),
                                       times<S>(tilt, Vec3<S>(m.next[2], m.same[1], m.next[0])),
                                       times<S>(tilt, Vec3<S>(m.next[1], m.next[0], m.same[2]))};
  const auto entry = [&](int a, int b) {
    return S(rows[0](a) * tilt(b, 0) + rows[1](a) * tilt(b, 1) + rows[2](a) * tilt(b, 2));
  };
  for (int k = 0; k < 3; ++k) {
    m.same[k] = entry(k, k);
    m.next[k] = entry((k + 1) % 3, (k + 2) % 3);
  }
}

/// Adds a branch to `to`: its mass, the position p of its origin and its moments `m` about that
/// origin, both in the parent's axes.
template <class S>
void add_branch(double mass, const Vec3<S>& p, const BranchMoments<S>& m, BranchMoments<S>& to) {
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const auto at = static_cast<std::size_t>(k);
    to.first(k) += m.first(k) + p(k) * mass;
    to.same[at] += m.same[at] + p(k) * (m.first(k) * 2.0 + p(k) * mass);
    to.next[at] += m.next[at] + p(i) * (m.first(j) + p(j) * mass) + p(j) * m.first(i);
  }
}

/// Force and moment about its origin that give a branch the unit acceleration of its joint.
template <class S>
void unit_wrench(const TreeModel::Body& body, double mass, const BranchMoments<S>& m,
                 Vec3<S>& force, Vec3<S>& moment) {
  if (body.type == JointType::prismatic) {
    const Vec3<S> along = body.slide_P.template cast<S>();
    force = along * S(mass);
    moment = m.first.cross(along);
    return;
  }
  const int k = body.turn_axis, i = (k + 1) % 3, j = (k + 2) % 3;
  const auto at_i = static_cast<std::size_t>(i), at_j = static_cast<std::size_t>(j);
  force(k) = S(0.0);
  force(i) = -m.first(j);
  force(j) = m.first(i);
  moment(k) = m.same[at_i] + m.same[at_j];
  moment(i) = -m.next[at_j];
  moment(j) = -m.next[at_i];
  if (body.reversed) {
    force = -force;
    moment = -moment;
  }
}

template <class S>
S on_joint(const TreeModel::Body& body, const Vec3<S>& force, const Vec3<S>& moment) {
  if (body.type == JointType::prismatic) return S(body.slide_P.template cast<S>().dot(force));
  return body.reversed ? S(-moment(body.turn_axis)) : S(moment(body.turn_axis));
}

}  // namespace tree

template <class S>
void MassMatrixScratch<S>::prepare(const TreeModel& model, std::size_t bodies) {
  mass.assign(model.bodies.size(), 0.0);
  moments.resize(model.bodies.size());
  gravity.resize(model.bodies.size());
  place.assign(bodies, -1);
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    mass[i] = model.bodies[i].mass;
    place[model.bodies[i].index] = static_cast<int>(i);
  }
  for (std::size_t i = model.bodies.size(); i-- > 0;) {
    const int parent = model.bodies[i].parent;
    if (parent != world_body) mass[place[static_cast<std::size_t>(parent)]] += mass[i];
  }
}

template <class S>
void mass_matrix(const TreeModel& model, const JointView<S>& state, MassMatrixScratch<S>& scratch,
                 Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>& matrix) {
  const auto place_of = [&](int body) { return static_cast<std::size_t>(scratch.place[body]); };
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    scratch.moments[i] = tree::own_moments<S>(model.bodies[i]);
  for (std::size_t i = model.bodies.size(); i-- > 0;) {
    const TreeModel::Body& body = model.bodies[i];
    if (body.parent == world_body) continue;
    BranchMoments<S> m = scratch.moments[i];
    if (body.type == JointType::revolute) {
      const auto b = static_cast<std::size_t>(body.index);
      tree::turn_moments<S>(body.turn_axis, body.reversed ? S(-state.sine[b]) : S(state.sine[b]),
                            state.cosine[b], m);
      if (body.tilted) tree::tilt_moments<S>(body.tilt, m);
    }
    tree::add_branch<S>(scratch.mass[i], tree::origin_in_parent<S>(body, state), m,
                        scratch.moments[place_of(body.parent)]);
  }

  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const TreeModel::Body& body = model.bodies[i];
    if (body.type == JointType::fixed) continue;
    Vec3<S> force, moment;
    tree::unit_wrench<S>(body, scratch.mass[i], scratch.moments[i], force, moment);
    matrix(body.index, body.index) = tree::on_joint<S>(body, force, moment);
    for (const TreeModel::Body* from = &body; from->parent != world_body;) {
      force = tree::in_parent<S>(*from, state, force);
      moment = tree::in_parent<S>(*from, state, moment);
      moment += tree::origin_in_parent<S>(*from, state).cross(force);
      from = &model.bodies[place_of(from->parent)];
      if (from->type == JointType::fixed) continue;
      const S entry = tree::on_joint<S>(*from, force, moment);
      matrix(body.index, from->index) = entry;
      matrix(from->index, body.index) = entry;
    }
  }
}

template <class S>
void gravity_forces(const TreeModel& model, const JointView<S>& state,
                    MassMatrixScratch<S>& scratch, std::span<S> forces) {
  const auto place_of = [&](int body) { return static_cast<std::size_t>(scratch.place[body]); };
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const TreeModel::Body& body = model.bodies[i];
    const Vec3<S> above = body.parent == world_body ? Vec3<S>(model.gravity.template cast<S>())
                                                    : scratch.gravity[place_of(body.parent)];
    scratch.gravity[i] = tree::from_parent<S>(body, state, above);
    scratch.moments[i].first = body.first_moment.value.template cast<S>();
  }
  for (std::size_t i = model.bodies.size(); i-- > 0;) {
    const TreeModel::Body& body = model.bodies[i];
    const Vec3<S>& first = scratch.moments[i].first;
    const Vec3<S>& gravity = scratch.gravity[i];
    if (body.type != JointType::fixed) {
      const auto b = static_cast<std::size_t>(body.index);
      const int k = body.turn_axis, l = (k + 1) % 3, m = (k + 2) % 3;
      if (body.type == JointType::prismatic)
        forces[b] = -(S(body.slide_P.template cast<S>().dot(gravity)) * scratch.mass[i]);
      else
        forces[b] =
            (first(m) * gravity(l) - first(l) * gravity(m)) * (body.reversed ? S(-1.0) : S(1.0));
    }
    if (body.parent == world_body) continue;
    const Vec3<S> p = tree::origin_in_parent<S>(body, state);
    scratch.moments[place_of(body.parent)].first +=
        tree::in_parent<S>(body, state, first) + p * S(scratch.mass[i]);
  }
}

}  // namespace counterpoise
