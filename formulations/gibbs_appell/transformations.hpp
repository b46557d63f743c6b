#pragma once

#include "formulations/gibbs_appell/equations.hpp"

namespace counterpoise::rod_tree {

/// What a formulation by 4x4 transformation matrices knows of one rod in its branch. T_i takes
/// points from the rod's frame to the world's.
template <class S>
struct RodTransformation {
  Mat3<S> rotation;       // R from the rod's axes to the previous rod's
  Mat4<S> from_previous;  // E_(i-1) A_i, of the first rod A_1
  Mat4<S> position;       // T_i, eq. 3
  Mat4<S> velocity;       // dT_i/dt                                            [1/s, m/s]
  Mat4<S> slope;          // dT_i/dq_i = That_(i-1) U_1i, eq. 33
  Mat4<S> drift;          // T''_v,i: d2T_i/dt2 with theta'' = 0, eq. 30    [1/s^2, m/s^2]
};

/// A_i of eq. 4 for a joint about z.
template <class S>
Mat4<S> joint_transformation(const S& sine, const S& cosine) {
  Mat4<S> A = Mat4<S>::Constant(S(0.0));
  A(0, 0) = A(1, 1) = cosine;
  A(0, 1) = -sine;
  A(1, 0) = sine;
  A(2, 2) = A(3, 3) = S(1.0);
  return A;
}

/// U_1i = dA_i/dq_i, eq. 7.
template <class S>
Mat4<S> joint_slope(const S& sine, const S& cosine) {
  Mat4<S> U = Mat4<S>::Constant(S(0.0));
  U(0, 0) = U(1, 1) = -sine;
  U(0, 1) = -cosine;
  U(1, 0) = cosine;
  return U;
}

/// U_2i = d2A_i/dq_i^2, eq. 8.
template <class S>
Mat4<S> joint_curvature(const S& sine, const S& cosine) {
  Mat4<S> U = Mat4<S>::Constant(S(0.0));
  U(0, 0) = U(1, 1) = -cosine;
  U(0, 1) = sine;
  U(1, 0) = -sine;
  return U;
}

/// The transformations of a branch and their derivatives, base to tip. The sums of eq. 30 become a
/// recursion from T_i = That_(i-1) A_i, differentiated twice:
///
///   T''_v,i = T''_v,(i-1) E_(i-1) A_i + 2 d(That_(i-1))/dt U_1i q'_i + That_(i-1) U_2i q'_i^2
///
/// Eq. 30 as printed lacks the dot of the second transformation in both brackets of its second sum,
/// which is zero in any case: the floating base slides along fixed directions and turns nothing.
template <class S>
void transform_branch(const Branch& branch, const State<S>& state,
                      std::vector<RodTransformation<S>>& rods) {
  rods.resize(branch.size());
  Mat4<S> end = Mat4d::Identity().template cast<S>();  // That_0 = E_0, eq. 10
  Mat4<S> end_velocity = Mat4<S>::Constant(S(0.0));
  Mat4<S> end_drift = end_velocity;
  for (int k = 0; k < 2; ++k) {
    end(k, 3) = state.base(k);
    end_velocity(k, 3) = state.base_velocity(k);
  }
  for (std::size_t i = 0; i < branch.size(); ++i) {
    const auto at = static_cast<std::size_t>(branch[i].rod);
    const S &sine = state.sine[at], &cosine = state.cosine[at], &rate = state.rate[at];
    const Mat4<S> A = joint_transformation<S>(sine, cosine), U = joint_slope<S>(sine, cosine);
    RodTransformation<S>& rod = rods[i];
    rod.rotation = A.template topLeftCorner<3, 3>();
    rod.from_previous = A;
    if (i > 0) rod.from_previous = branch[i - 1].end.template cast<S>() * A;
    rod.position = end * A;
    rod.slope = end * U;
    rod.velocity = end_velocity * A + rod.slope * rate;
    rod.drift = end_drift * A + end_velocity * U * S(rate * 2.0) +
                end * joint_curvature<S>(sine, cosine) * S(rate * rate);
    const Mat4<S> E = branch[i].end.template cast<S>();
    end = rod.position * E;
    end_velocity = rod.velocity * E;
    end_drift = rod.drift * E;
  }
}

/// Tr(a b).
template <class S>
S trace_of_product(const Mat4<S>& a, const Mat4<S>& b) {
  return a.cwiseProduct(b.transpose()).sum();
}

}  // namespace counterpoise::rod_tree
