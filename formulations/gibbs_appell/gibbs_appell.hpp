#pragma once

#include "formulations/gibbs_appell/transformations.hpp"

namespace counterpoise::rod_tree {

/// The recursive Gibbs-Appell equations of one branch by combined 3x3 rotation and 4x4
/// transformation matrices: paper 002, eqs. 36-42 and steps 1-7 of its appendix. The translational
/// part of the Gibbs function is a trace of 4x4 matrices, the rotational part of slices is written
/// in 3x3 matrices.
///
/// Steps 1 and 2 of the appendix print compound matrices between all pairs of rods. Steps 3-7 use
/// those between neighbours and from the base only, and so does this class.
///
/// The rotational Gibbs function of eq. 13 lacks omega' . (omega x J omega), which is zero for
/// joints that are all about z.
template <class S>
class GibbsAppell {
 public:
  /// Writes the branch's right-hand side and the upper triangle of its inertia matrix.
  void operator()(const Vec3<S>& gravity, const Branch& branch, const State<S>& state,
                  Equations<S>& equations) {
    transform_branch(branch, state, rods_);
    turn_branch(branch, state);
    write_right_side(gravity, branch, state, equations.right_side);
    write_inertia(branch, equations.inertia);
  }

 private:
  /// Step 3, eqs. 28 and 32: the angular acceleration of each rod with theta'' = 0, in rod axes.
  /// Eq. 32 as printed repeats the index of its rotation; R_(k+1) is from axes k + 1 to axes k.
  void turn_branch(const Branch& branch, const State<S>& state) {
    drift_.resize(branch.size());
    Vec3<S> omega = Vec3<S>::Constant(S(0.0)), drift = omega;
    for (std::size_t i = 0; i < branch.size(); ++i) {
      const Mat3<S>& R = rods_[i].rotation;
      const S& rate = state.rate[branch[i].rod];
      if (i > 0) {
        const Vec3<S> joint = R.col(2) * rate;  // in the axes of the previous rod
        drift = (R.transpose() * (omega.cross(joint) + drift)).eval();
        omega = (R.transpose() * omega).eval();
      }
      omega(2) += rate;
      drift_[i] = drift;
    }
  }

  /// Steps 4 and 5, eqs. 41 and 42. Step 5 prints Tr(U_3 Q_1) for Tr(U_3 A_1 Q_1), which is the
  /// same: U_3 takes the last row only, and that of A_1 is that of the unit matrix.
  void write_right_side(const Vec3<S>& gravity, const Branch& branch, const State<S>& state,
                        Vector<S>& right_side) {
    Vec4<S> p = Vec4<S>::Constant(S(0.0));
    Mat4<S> Q = Mat4<S>::Constant(S(0.0));
    Vec3<S> chi = Vec3<S>::Constant(S(0.0));
    for (std::size_t i = branch.size(); i-- > 0;) {
      const RodTransformation<S>& rod = rods_[i];
      p += branch[i].first_moment.template cast<S>();
      Q += branch[i].second_moment.template cast<S>() * rod.drift.transpose();
      chi += branch[i].inertia.template cast<S>() * drift_[i];
      const Vec4<S> lever = rod.slope * p;
      right_side(static_cast<int>(i)) = torque_in(branch[i], state) +
                                        gravity.dot(lever.template head<3>()) -
                                        trace_of_product<S>(rod.slope, Q) * S(2.0) - chi(2);
      p = (rod.from_previous * p).eval();
      Q = (rod.from_previous * Q).eval();
      chi = (rod.rotation * chi).eval();
    }
    const int n = static_cast<int>(branch.size());
    for (int k = 0; k < 2; ++k) right_side(n + k) = gravity(k) * p(3) - Q(3, k) * S(2.0);
  }

  /// Steps 6 and 7, eqs. I, II and 36-40, column by column: `across` is F_jk, `turning` Pi_jk.
  /// Step 7 as printed lacks the transposes of U_1k, That_(k-1), U_3 and T_0 that (I) and (II)
  /// have.
  void write_inertia(const Branch& branch, Matrix<S>& inertia) {
    const int n = static_cast<int>(branch.size());
    Mat4<S> F = Mat4<S>::Constant(S(0.0));   // F_kk
    Mat3<S> Pi = Mat3<S>::Constant(S(0.0));  // Pi_kk
    Mat4<S> above = F;                       // F_(k,k+1)
    Mat3<S> turning_above = Pi;
    for (int k = n - 1; k >= 0; --k) {
      const auto at = static_cast<std::size_t>(k);
      F = branch[at].second_moment.template cast<S>();
      Pi = branch[at].inertia.template cast<S>();
      if (k + 1 < n) {
        F += above * rods_[at + 1].from_previous.transpose();
        Pi += turning_above * rods_[at + 1].rotation.transpose();
      }
      Mat4<S> across = F;
      Mat3<S> turning = Pi;
      for (int j = k; j >= 0; --j) {
        const RodTransformation<S>& rod = rods_[j];
        const Mat4<S> product = rod.slope * across;
        inertia(j, k) = product.cwiseProduct(rods_[at].slope).sum() * S(2.0) + turning(2, 2);
        across = (rod.from_previous * across).eval();
        if (j > 0) turning = (rod.rotation * turning).eval();
        if (j == k) {
          above = across;
          turning_above = turning;
        }
      }
      // U_3 takes the last row of F_0k
      for (int i = 0; i < 2; ++i)
        inertia(k, n + i) = across.row(3).dot(rods_[at].slope.row(i)) * S(2.0);
    }
    const Mat4<S> base = above * rods_[0].from_previous.transpose();  // F_00
    for (int i = 0; i < 2; ++i) inertia(n + i, n + i) = base(3, 3) * S(2.0);
    inertia(n, n + 1) = S(0.0);
  }

  std::vector<RodTransformation<S>> rods_;
  std::vector<Vec3<S>> drift_;
};

}  // namespace counterpoise::rod_tree
