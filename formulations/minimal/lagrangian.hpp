#pragma once

#include "formulations/minimal/minimal_state.hpp"

namespace counterpoise {

/// Gravity forces and mass matrix of the Lagrangian in minimal coordinates (paper 003, eqs. 7-9),
/// after an elimination has set joints and slopes. No joint force of the tree appears: each body's
/// velocity is a linear function of dq1/dt, and energies are summed over bodies.

namespace lagrangian {

/// Computes the angular velocity of every body per unit velocity of each coordinate, in the body's
/// own axes.
template <class S>
void spin(const MinimalPlan& plan, MinimalState<S>& state) {
  for (const TreeModel::Body& body : plan.tree.bodies)
    for (int k : plan.carried_by[body.index]) {
      Vec3<S> omega(S(0.0), S(0.0), S(0.0));
      if (body.parent != world_body)
        omega = tree::from_parent<S>(body, state.joints(), state.omega[state.at(body.parent, k)]);
      if (body.type == JointType::revolute)
        omega(body.turn_axis) += state.slopes(body.index, k) * (body.reversed ? -1.0 : 1.0);
      state.omega[state.at(body.index, k)] = omega;
    }
}

/// Computes the velocity of every body's origin per unit velocity of each coordinate, in the body's
/// own axes.
template <class S>
void carry(const MinimalPlan& plan, MinimalState<S>& state) {
  for (const TreeModel::Body& body : plan.tree.bodies) {
    const Vec3<S> p = tree::origin_in_parent<S>(body, state.joints());
    for (int k : plan.carried_by[body.index]) {
      Vec3<S> v(S(0.0), S(0.0), S(0.0));
      if (body.parent != world_body)
        v = state.velocity[state.at(body.parent, k)] +
            state.omega[state.at(body.parent, k)].cross(p);
      if (body.type == JointType::prismatic)
        v += body.slide_P.template cast<S>() * state.slopes(body.index, k);
      state.velocity[state.at(body.index, k)] = tree::from_parent<S>(body, state.joints(), v);
    }
  }
}

}  // namespace lagrangian

/// Computes g1 = dU/dq1 with U = - sum over bodies of n . H, where n is gravity in a body's axes
/// and H collects what hangs on that body: its own first moment and the whole mass beyond each
/// further joint, put at that joint's origin. H is constant except for sliding joints.
template <class S>
void lagrangian_gravity(const MinimalPlan& plan, MinimalState<S>& state, Vector<S>& g1) {
  lagrangian::spin(plan, state);
  const auto place_of = [&](int body) { return static_cast<std::size_t>(state.tree.place[body]); };
  g1.setConstant(S(0.0));
  const std::vector<TreeModel::Body>& bodies = plan.tree.bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    state.tree.moments[i].first = bodies[i].first_moment.value.template cast<S>();
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].parent != world_body)
      state.tree.moments[place_of(bodies[i].parent)].first +=
          tree::origin_in_parent<S>(bodies[i], state.joints()) * S(state.tree.mass[i]);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const TreeModel::Body& body = bodies[i];
    const Vec3<S> above = body.parent == world_body
                              ? Vec3<S>(plan.mechanism.gravity.template cast<S>())
                              : state.tree.gravity[place_of(body.parent)];
    const Vec3<S> n = tree::from_parent<S>(body, state.joints(), above);
    state.tree.gravity[i] = n;
    const Vec3<S> turn = n.cross(state.tree.moments[i].first);  // d(n . H) = -omega . (n x H)
    const S slide = body.type == JointType::prismatic
                        ? S(S(body.slide_P.template cast<S>().dot(above)) * state.tree.mass[i])
                        : S(0.0);
    for (int k : plan.carried_by[body.index]) {
      g1(k) += state.omega[state.at(body.index, k)].dot(turn);
      if (body.type == JointType::prismatic) g1(k) -= slide * state.slopes(body.index, k);
    }
  }
}

/// Computes M1 of T = dq1/dt' M1 dq1/dt / 2 as the sum over bodies of velocities times momenta.
template <class S>
void lagrangian_mass_matrix(const MinimalPlan& plan, MinimalState<S>& state, Matrix<S>& M1) {
  lagrangian::spin(plan, state);
  lagrangian::carry(plan, state);
  M1.setConstant(S(0.0));
  for (const TreeModel::Body& body : plan.tree.bodies) {
    if (body.massless) continue;
    const auto& carried_by = plan.carried_by[body.index];
    const Vec3<S> first = body.first_moment.value.template cast<S>();
    const Mat3d inertia =
        body.second_moment.trace() * Mat3d::Identity() - body.second_moment;  // about the origin
    for (int k : carried_by) {
      const Vec3<S>& omega = state.omega[state.at(body.index, k)];
      const Vec3<S>& v = state.velocity[state.at(body.index, k)];
      const auto at = static_cast<std::size_t>(k);
      state.momentum[at] = v * S(body.mass) + omega.cross(first);
      state.moment_of_momentum[at] = tree::times<S>(inertia, omega) + first.cross(v);
    }
    for (int k : carried_by)
      for (int l : carried_by) {
        if (l > k) break;
        const auto at = static_cast<std::size_t>(l);
        M1(k, l) += state.velocity[state.at(body.index, k)].dot(state.momentum[at]) +
                    state.omega[state.at(body.index, k)].dot(state.moment_of_momentum[at]);
      }
  }
  for (int k = 0; k < plan.freedoms(); ++k)
    for (int l = 0; l < k; ++l) M1(l, k) = M1(k, l);
}

}  // namespace counterpoise
