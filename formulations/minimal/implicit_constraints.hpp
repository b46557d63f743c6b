#pragma once

#include "formulations/minimal/elimination_steps.hpp"

namespace counterpoise {

/// Inverse dynamics from that of the tree and from constraints h(q1, q2) = 0 (paper 003, section
/// 3.4).

/// Computes W = dq/dq1 = [E; -J2^-1 J1] (eqs. 13 and 14) at the joints of `state`, which have known
/// positions. h has one row per coupling and two per loop; J2 is block triangular in the order of
/// the plan's steps, with blocks of one row or two, so that W follows by substitution.
template <class S>
void constrain(const MinimalPlan& plan, MinimalState<S>& state) {
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const MinimalStep& step = plan.steps[i];
    if (step.kind == MinimalStep::Kind::driven) {
      state.slopes(step.body, step.coordinate) = S(1.0);
      continue;
    }
    if (step.kind == MinimalStep::Kind::coupled) {
      elimination::couple_slopes(plan, step, state);
      continue;
    }
    const PlanarDyad& dyad = step.dyad;
    auto& poses = state.dyads[i].poses;
    for (std::size_t end : {0u, 1u})
      place_chain<S>(dyad, end, state.joints(), Unknowns::placed, poses[end]);
    // columns of J, of the loop's first point minus its second
    auto& columns = state.dyads[i].by;
    for (std::size_t end : {0u, 1u})
      for (std::size_t j = 0; j < dyad.chains[end].joints.size(); ++j) {
        const PlanarJoint& joint = dyad.chains[end].joints[j];
        const double sign = (end == 0 ? 1.0 : -1.0) * (joint.turns ? joint.sign : 1.0);
        columns[end].origin[j] = (joint.turns ? turned2<S>(poses[end].tip - poses[end].origin[j])
                                              : poses[end].along[j]) *
                                 S(sign);
      }
    const auto column = [&](const DyadJoint& at) { return columns[at.end].origin[at.position]; };
    const Vec2<S> first = column(dyad.unknowns[0]), second = column(dyad.unknowns[1]);
    const S per_determinant = S(-1.0) / cross2<S>(first, second);
    for (int k : dyad.coordinates) {
      Vec2<S> known(S(0.0), S(0.0));  // what J1 and earlier blocks of J2 give
      for (std::size_t end : {0u, 1u})
        for (std::size_t j = 0; j < dyad.chains[end].joints.size(); ++j)
          if (!is_unknown(dyad, end, j))
            known += columns[end].origin[j] * state.slopes(dyad.chains[end].joints[j].body, k);
      state.slopes(dyad.joint(dyad.unknowns[0]).body, k) =
          cross2<S>(known, second) * per_determinant;
      state.slopes(dyad.joint(dyad.unknowns[1]).body, k) =
          cross2<S>(first, known) * per_determinant;
    }
  }
}

/// Computes g1 = W' g (eq. 15) from the gravity forces of the tree, which hold it at rest [N, N m].
template <class S>
void projected_gravity(const MinimalPlan& plan, MinimalState<S>& state, Vector<S>& g1) {
  gravity_forces<S>(plan.tree, state.joints(), state.tree, state.gravity);
  g1.setConstant(S(0.0));
  for (std::size_t b = 0; b < plan.bodies(); ++b)
    for (int k : plan.depends_on[b])
      g1(k) += state.slopes(static_cast<Eigen::Index>(b), k) * state.gravity[b];
}

/// Computes M1 = W' M W from the mass matrix of the tree, which has entries only for two joints on
/// one path to the world.
template <class S>
void projected_mass_matrix(const MinimalPlan& plan, MinimalState<S>& state, Matrix<S>& M1) {
  mass_matrix<S>(plan.tree, state.joints(), state.tree, state.mass);
  const auto parent_of = [&](int b) { return plan.mechanism.bodies[b].parent; };
  state.mass_slopes.setConstant(S(0.0));
  for (const TreeModel::Body& body : plan.tree.bodies)
    for (int below = body.index; below != world_body; below = parent_of(below)) {
      for (int k : plan.depends_on[below])
        state.mass_slopes(body.index, k) += state.mass(body.index, below) * state.slopes(below, k);
      if (below == body.index) continue;
      for (int k : plan.depends_on[body.index])
        state.mass_slopes(below, k) += state.mass(body.index, below) * state.slopes(body.index, k);
    }
  M1.setConstant(S(0.0));
  for (const TreeModel::Body& body : plan.tree.bodies)
    for (int k : plan.depends_on[body.index])
      for (int l = 0; l <= k; ++l)
        M1(k, l) += state.slopes(body.index, k) * state.mass_slopes(body.index, l);
  for (int k = 0; k < plan.freedoms(); ++k)
    for (int l = 0; l < k; ++l) M1(l, k) = M1(k, l);
}

}  // namespace counterpoise
