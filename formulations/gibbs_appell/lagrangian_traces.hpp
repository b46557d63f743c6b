#pragma once

#include "formulations/gibbs_appell/transformations.hpp"

namespace counterpoise::rod_tree {

/// The Lagrangian equations of one branch by 4x4 transformation matrices, in the recursions of
/// Hollerbach 1980 (reference 38 of paper 002) extended by a floating base and massless rods:
///
///   D_i = J_i (d2T_i/dt2)' + E_i A_(i+1) D_(i+1),    tau_i = Tr(dT_i/dq_i D_i) - g . dT_i/dq_i p_i
///
/// with the pseudo-inertia J_i = integral of r r' dm, which here includes the slices' own inertia.
/// The right-hand side is -tau with theta'' = 0; column k of the inertia matrix is tau for a unit
/// theta''_k alone, in which only rods from k on accelerate.
template <class S>
class Lagrangian {
 public:
  /// Writes the branch's right-hand side and the upper triangle of its inertia matrix.
  void operator()(const Vec3<S>& gravity, const Branch& branch, const State<S>& state,
                  Equations<S>& equations) {
    transform_branch(branch, state, rods_);
    pseudo_inertia_.resize(branch.size());
    acceleration_.resize(branch.size());
    for (std::size_t i = 0; i < branch.size(); ++i)
      pseudo_inertia_[i] = pseudo_inertia(branch[i]).template cast<S>();
    write_right_side(gravity, branch, state, equations.right_side);
    write_inertia(equations.inertia);
  }

 private:
  /// The integral of r r' dm that gives a body this inertia has the trace of half the inertia's.
  static Mat4d pseudo_inertia(const BranchRod& rod) {
    Mat4d J = 2.0 * rod.second_moment;
    J.topLeftCorner<3, 3>() += 0.5 * rod.inertia.trace() * Mat3d::Identity() - rod.inertia;
    return J;
  }

  void write_right_side(const Vec3<S>& gravity, const Branch& branch, const State<S>& state,
                        Vector<S>& right_side) {
    Vec4<S> p = Vec4<S>::Constant(S(0.0));
    Mat4<S> D = Mat4<S>::Constant(S(0.0));
    for (std::size_t i = branch.size(); i-- > 0;) {
      const RodTransformation<S>& rod = rods_[i];
      p += branch[i].first_moment.template cast<S>();
      D += pseudo_inertia_[i] * rod.drift.transpose();
      const Vec4<S> lever = rod.slope * p;
      right_side(static_cast<int>(i)) = torque_in(branch[i], state) +
                                        gravity.dot(lever.template head<3>()) -
                                        trace_of_product<S>(rod.slope, D);
      p = (rod.from_previous * p).eval();
      D = (rod.from_previous * D).eval();
    }
    const int n = static_cast<int>(branch.size());
    for (int k = 0; k < 2; ++k) right_side(n + k) = gravity(k) * p(3) - D(3, k);
  }

  void write_inertia(Matrix<S>& inertia) {
    const int n = static_cast<int>(rods_.size());
    for (int k = 0; k < n + 2; ++k) {
      const int first = k < n ? k : 0;  // rod that accelerates
      Mat4<S> start = Mat4<S>::Constant(S(0.0));
      if (k < n)
        start = rods_[k].slope;
      else
        start(k - n, 3) = S(1.0);  // U_3 A_1
      Mat4<S> D = forces_on(static_cast<std::size_t>(first), start);
      for (int j = first; j >= 0; --j) {
        const RodTransformation<S>& rod = rods_[j];
        if (k < n) inertia(j, k) = trace_of_product<S>(rod.slope, D);
        D = (rod.from_previous * D).eval();
      }
      for (int i = 0; i < 2; ++i) {
        if (k < n) inertia(k, n + i) = D(3, i);
        if (k >= n + i) inertia(n + i, k) = D(3, i);
      }
    }
  }

  /// D of the rod `first` when the matrix of that rod has the acceleration `start`.
  Mat4<S> forces_on(std::size_t first, const Mat4<S>& start) {
    acceleration_[first] = start;
    for (std::size_t i = first + 1; i < rods_.size(); ++i)
      acceleration_[i] = acceleration_[i - 1] * rods_[i].from_previous;
    Mat4<S> D = pseudo_inertia_.back() * acceleration_.back().transpose();
    for (std::size_t i = rods_.size() - 1; i-- > first;)
      D = (pseudo_inertia_[i] * acceleration_[i].transpose() + rods_[i + 1].from_previous * D)
              .eval();
    return D;
  }

  std::vector<RodTransformation<S>> rods_;
  std::vector<Mat4<S>> pseudo_inertia_, acceleration_;
};

}  // namespace counterpoise::rod_tree
