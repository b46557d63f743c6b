#pragma once

#include "formulations/gibbs_appell/equations.hpp"

namespace counterpoise::rod_tree {

/// The Gibbs-Appell equations of one branch by 3x3 rotation matrices alone, as in Mata et al. 2002
/// (reference 39 of paper 002), extended by a floating base and massless rods. With everything in
/// the axes of each rod and about its origin, the slope of the Gibbs function by theta''_j is
///
///   sum over i >= j of  da_i/dtheta''_j . f_i + domega'_i/dtheta''_j . m_i
///   f_i = mass a_i + omega'_i x s_i + omega_i x (omega_i x s_i)
///   m_i = s_i x a_i + J_i omega'_i + omega_i x J_i omega_i
///
/// where a_i is the acceleration of the origin and s_i the first moment. The sums run from tip to
/// base, once with theta'' = 0 and once for each unit theta''_k.
template <class S>
class GibbsAppellByRotations {
 public:
  /// Writes the branch's right-hand side and the upper triangle of its inertia matrix.
  void operator()(const Vec3<S>& gravity, const Branch& branch, const State<S>& state,
                  Equations<S>& equations) {
    prepare(branch, state);
    write_right_side(gravity, branch, state, equations.right_side);
    write_inertia(equations.inertia);
  }

 private:
  struct RodConstants {
    Mat3<S> rotation;  // from the rod's axes to the previous rod's
    S mass;
    Vec3<S> first_moment;  // s
    Vec3<S> end;
    Mat3<S> inertia;  // about the origin
  };
  /// Force and moment about the origin of a rod.
  struct Wrench {
    Vec3<S> force, moment;
  };

  void prepare(const Branch& branch, const State<S>& state) {
    rods_.resize(branch.size());
    wrenches_.resize(branch.size());
    for (std::size_t i = 0; i < branch.size(); ++i) {
      const BranchRod& of = branch[i];
      const auto at = static_cast<std::size_t>(of.rod);
      const S &sine = state.sine[at], &cosine = state.cosine[at];
      RodConstants& rod = rods_[i];
      rod.rotation << cosine, -sine, S(0.0), sine, cosine, S(0.0), S(0.0), S(0.0), S(1.0);
      rod.mass = S(of.first_moment(3));
      rod.first_moment = of.first_moment.template head<3>().template cast<S>();
      rod.end = of.end.template topRightCorner<3, 1>().template cast<S>();
      const Mat3d second = 2.0 * of.second_moment.template topLeftCorner<3, 3>();
      const Mat3d about_origin = second.trace() * Mat3d::Identity() - second + of.inertia;
      rod.inertia = about_origin.template cast<S>();
    }
  }

  void write_right_side(const Vec3<S>& gravity, const Branch& branch, const State<S>& state,
                        Vector<S>& right_side) {
    Vec3<S> omega = Vec3<S>::Constant(S(0.0)), alpha = omega;
    Vec3<S> a = -gravity;  // of the end of the rod before
    for (std::size_t i = 0; i < branch.size(); ++i) {
      const RodConstants& rod = rods_[i];
      const S& rate = state.rate[branch[i].rod];
      const Vec3<S> before = rod.rotation.transpose() * omega;
      alpha = (rod.rotation.transpose() * alpha).eval();
      alpha(0) += before(1) * rate;
      alpha(1) -= before(0) * rate;
      omega = before;
      omega(2) += rate;
      a = (rod.rotation.transpose() * a).eval();
      const Vec3<S> spin = rod.inertia * omega;
      wrenches_[i] = resisting(rod, a, alpha);
      wrenches_[i].force += omega.cross(omega.cross(rod.first_moment));
      wrenches_[i].moment += omega.cross(spin);
      a += alpha.cross(rod.end) + omega.cross(omega.cross(rod.end));
    }
    Wrench sum = zero();
    for (std::size_t i = branch.size(); i-- > 0;) {
      add(wrenches_[i], sum);
      right_side(static_cast<int>(i)) = torque_in(branch[i], state) - sum.moment(2);
      hand_down(i, sum);
    }
    const int n = static_cast<int>(branch.size());
    for (int k = 0; k < 2; ++k) right_side(n + k) = -sum.force(k);
  }

  void write_inertia(Matrix<S>& inertia) {
    const int n = static_cast<int>(rods_.size());
    for (int k = 0; k < n + 2; ++k) {
      const int first = k < n ? k : 0;
      Vec3<S> a = Vec3<S>::Constant(S(0.0)), alpha = a;
      if (k < n)
        alpha(2) = S(1.0);
      else
        a = rods_[0].rotation.row(k - n).transpose();
      for (auto i = static_cast<std::size_t>(first); i < rods_.size(); ++i) {
        if (static_cast<int>(i) > first) {
          a = (rods_[i].rotation.transpose() * (a + alpha.cross(rods_[i - 1].end))).eval();
          alpha = (rods_[i].rotation.transpose() * alpha).eval();
        }
        wrenches_[i] = resisting(rods_[i], a, alpha);
      }
      Wrench sum = zero();
      for (int j = n - 1; j >= 0; --j) {
        const auto at = static_cast<std::size_t>(j);
        if (j >= first) add(wrenches_[at], sum);
        if (j <= k && k < n) inertia(j, k) = sum.moment(2);
        hand_down(at, sum);
      }
      for (int i = 0; i < 2; ++i) {
        if (k < n) inertia(k, n + i) = sum.force(i);
        if (k >= n + i) inertia(n + i, k) = sum.force(i);
      }
    }
  }

  static Wrench zero() { return {Vec3<S>::Constant(S(0.0)), Vec3<S>::Constant(S(0.0))}; }
  static void add(const Wrench& wrench, Wrench& sum) {
    sum.force += wrench.force;
    sum.moment += wrench.moment;
  }
  /// The terms of f and m in a and omega'.
  static Wrench resisting(const RodConstants& rod, const Vec3<S>& a, const Vec3<S>& alpha) {
    return {a * rod.mass + alpha.cross(rod.first_moment),
            rod.first_moment.cross(a) + rod.inertia * alpha};
  }
  /// Takes the sum from the origin and axes of rod i to those of the rod before it.
  void hand_down(std::size_t i, Wrench& sum) const {
    sum.force = (rods_[i].rotation * sum.force).eval();
    sum.moment = (rods_[i].rotation * sum.moment).eval();
    if (i > 0) sum.moment += rods_[i - 1].end.cross(sum.force);
  }

  std::vector<RodConstants> rods_;
  std::vector<Wrench> wrenches_;
};

}  // namespace counterpoise::rod_tree
