// Operations on articulated inertias, for articulated_bodies.cpp.
#pragma once

#include "engine/dynamics/articulated_bodies/articulated_bodies.hpp"
#include "engine/dynamics/mass_matrix/mass_matrix_sweeps.hpp"

namespace counterpoise::articulated {

// Every function below that knows an axis as k writes its components out, so that the compiler sees
// constants. The other two axes are i and j in cyclic order.

inline Mat3d matrix_of(const Symmetric3& m) {
  Mat3d matrix;
  matrix << m.same[0], m.next[2], m.next[1], m.next[2], m.same[1], m.next[0], m.next[1], m.next[0],
      m.same[2];
  return matrix;
}

inline Symmetric3 symmetric_of(const Mat3d& m) {
  return {{m(0, 0), m(1, 1), m(2, 2)}, {m(1, 2), m(2, 0), m(0, 1)}};
}

inline Vec3d product(const Symmetric3& m, const Vec3d& x) {
  return {m.same[0] * x(0) + m.next[2] * x(1) + m.next[1] * x(2),
          m.next[2] * x(0) + m.same[1] * x(1) + m.next[0] * x(2),
          m.next[1] * x(0) + m.next[0] * x(1) + m.same[2] * x(2)};
}

inline void add(const Symmetric3& m, Symmetric3& sum) {
  for (std::size_t k = 0; k < 3; ++k) {
    sum.same[k] += m.same[k];
    sum.next[k] += m.next[k];
  }
}

inline ArticulatedInertia own_inertia(const TreeModel::Body& body) {
  ArticulatedInertia m;
  // the integral of r'r 1 - r r'
  m.angular = symmetric_of(body.second_moment.trace() * Mat3d::Identity() - body.second_moment);
  const Vec3d& h = body.first_moment.value;
  m.coupling << 0.0, -h(2), h(1), h(2), 0.0, -h(0), -h(1), h(0), 0.0;
  m.linear.same.fill(body.mass);
  return m;
}

/// Takes from the inertia what the joint gives way to: U U' / D with U the wrench of its unit
/// acceleration.
inline void give_way(const ArticulatedBodiesScratch::Joint& joint, ArticulatedInertia& m) {
  const Vec3d moment = joint.moment * joint.inverse, force = joint.force * joint.inverse;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    const auto at = [](std::size_t c) { return static_cast<Eigen::Index>(c); };
    m.angular.same[k] -= joint.moment(at(k)) * moment(at(k));
    m.angular.next[k] -= joint.moment(at(i)) * moment(at(j));
    m.linear.same[k] -= joint.force(at(k)) * force(at(k));
    m.linear.next[k] -= joint.force(at(i)) * force(at(j));
  }
  m.coupling.noalias() -= joint.moment * force.transpose();
}

template <int k>
void turn_inertia(double sine, double cosine, ArticulatedInertia& m) {
  constexpr int i = (k + 1) % 3, j = (k + 2) % 3;
  tree::turn_symmetric<double>(k, sine, cosine, m.angular.same, m.angular.next);
  tree::turn_symmetric<double>(k, sine, cosine, m.linear.same, m.linear.next);
  const Vec3d column_i = m.coupling.col(i), column_j = m.coupling.col(j);
  m.coupling.col(i) = cosine * column_i - sine * column_j;
  m.coupling.col(j) = cosine * column_j + sine * column_i;
  for (int c = 0; c < 3; ++c) {
    const double along = m.coupling(i, c);
    m.coupling(i, c) = cosine * along - sine * m.coupling(j, c);
    m.coupling(j, c) = cosine * m.coupling(j, c) + sine * along;
  }
}

/// Takes the inertia to axes that are tilted against its own.
inline void tilt_inertia(const Mat3d& tilt, ArticulatedInertia& m) {
  const Mat3d back = tilt.transpose();
  m.angular = symmetric_of(tilt * matrix_of(m.angular) * back);
  m.linear = symmetric_of(tilt * matrix_of(m.linear) * back);
  m.coupling = (tilt * m.coupling * back).eval();
}

/// Takes the inertia to a point that lies x behind the present one along axis k.
template <int k>
void shift_along(double x, ArticulatedInertia& m) {
  constexpr int i = (k + 1) % 3, j = (k + 2) % 3;
  Mat3d& c = m.coupling;
  Symmetric3 &a = m.angular, &l = m.linear;
  // the present moments first, then those of the new coupling
  a.next[j] -= x * c(k, j);
  a.next[i] += x * c(k, i);
  a.same[i] -= x * c(i, j);
  a.same[j] += x * c(j, i);
  a.next[k] -= x * c(j, j);
  c(i, i) -= x * l.next[k];
  c(i, j) -= x * l.same[j];
  c(i, k) -= x * l.next[i];
  c(j, i) += x * l.same[i];
  c(j, j) += x * l.next[k];
  c(j, k) += x * l.next[j];
  a.same[i] -= x * c(i, j);
  a.same[j] += x * c(j, i);
  a.next[k] += x * c(i, i);
}

inline void shift_to_parent(const Vec3d& origin, ArticulatedInertia& m) {
  if (origin(0) != 0.0) shift_along<0>(origin(0), m);
  if (origin(1) != 0.0) shift_along<1>(origin(1), m);
  if (origin(2) != 0.0) shift_along<2>(origin(2), m);
}

}  // namespace counterpoise::articulated
