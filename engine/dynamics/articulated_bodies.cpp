#include "engine/dynamics/articulated_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/dynamics/mass_matrix_sweeps.hpp"

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

namespace counterpoise {
namespace {

using TreeBody = TreeModel::Body;
using ArticulatedJoint = ArticulatedBodiesScratch::Joint;

/// What a unit acceleration of a revolute joint along its axis k takes.
template <int k>
double unit_turn(const ArticulatedInertia& m, ArticulatedJoint& joint) {
  constexpr int i = (k + 1) % 3, j = (k + 2) % 3;
  joint.moment(k) = m.angular.same[k];
  joint.moment(i) = m.angular.next[j];
  joint.moment(j) = m.angular.next[i];
  for (int c = 0; c < 3; ++c) joint.force(c) = m.coupling(k, c);
  return joint.moment(k);
}

/// The same of any joint; its own component is the inertia that the joint meets.
double unit_wrench(const TreeBody& body, const ArticulatedInertia& m, ArticulatedJoint& joint) {
  if (body.type == JointType::prismatic) {
    joint.moment = m.coupling * body.slide_P;
    joint.force = articulated::product(m.linear, body.slide_P);
    return joint.force.dot(body.slide_P);
  }
  switch (body.turn_axis) {
    case 0:
      return unit_turn<0>(m, joint);
    case 1:
      return unit_turn<1>(m, joint);
    default:
      return unit_turn<2>(m, joint);
  }
}

/// What a body hands to its parent: its inertia, and what its branch's forces put on it.
struct Handed {
  ArticulatedInertia inertia;
  Vec3d moment, force;
};

template <int k>
void turn_handed(double sine, double cosine, Handed& h) {
  articulated::turn_inertia<k>(sine, cosine, h.inertia);
  tree::turn_up<double>(k, sine, cosine, h.moment);
  tree::turn_up<double>(k, sine, cosine, h.force);
}

/// Goes on from the axes of a body on a revolute joint to its parent's, about the same point.
void turn_to_parent(const TreeBody& body, const JointView<double>& state, Handed& h) {
  const auto b = static_cast<std::size_t>(body.index);
  const double sine = body.reversed ? -state.sine[b] : state.sine[b], cosine = state.cosine[b];
  switch (body.turn_axis) {
    case 0:
      turn_handed<0>(sine, cosine, h);
      break;
    case 1:
      turn_handed<1>(sine, cosine, h);
      break;
    default:
      turn_handed<2>(sine, cosine, h);
  }
  if (!body.tilted) return;
  articulated::tilt_inertia(body.tilt, h.inertia);
  h.moment = (body.tilt * h.moment).eval();
  h.force = (body.tilt * h.force).eval();
}

template <int k>
void turn_motion(double sine, double cosine, Vec3d& alpha, Vec3d& a) {
  tree::turn_up<double>(k, -sine, cosine, alpha);
  tree::turn_up<double>(k, -sine, cosine, a);
}

/// Takes a motion from the axes of the parent to those of a body on a revolute joint.
void turn_from_parent(const TreeBody& body, const JointView<double>& state, Vec3d& alpha,
                      Vec3d& a) {
  const auto b = static_cast<std::size_t>(body.index);
  const double sine = body.reversed ? -state.sine[b] : state.sine[b], cosine = state.cosine[b];
  if (body.tilted) {
    alpha = (body.tilt.transpose() * alpha).eval();
    a = (body.tilt.transpose() * a).eval();
  }
  switch (body.turn_axis) {
    case 0:
      return turn_motion<0>(sine, cosine, alpha, a);
    case 1:
      return turn_motion<1>(sine, cosine, alpha, a);
    default:
      return turn_motion<2>(sine, cosine, alpha, a);
  }
}

/// A bound of the integral of r'r dm about a point this far away. By the triangle inequality the
/// roots of two such integrals differ by no more than the distance times the root of the mass.
double spread_from(double spread, double mass, double distance) {
  const double root = std::sqrt(spread) + distance * std::sqrt(mass);
  return root * root;
}

void hand_to_parent(const TreeBody& body, const JointView<double>& state, std::size_t i, Handed& h,
                    ArticulatedBodiesScratch& scratch) {
  if (body.type == JointType::revolute) turn_to_parent(body, state, h);
  const Vec3d origin = tree::origin_in_parent<double>(body, state);
  articulated::shift_to_parent(origin, h.inertia);
  const auto p = static_cast<std::size_t>(scratch.parent[i]);
  articulated::add(h.inertia.angular, scratch.inertia[p].angular);
  articulated::add(h.inertia.linear, scratch.inertia[p].linear);
  scratch.inertia[p].coupling += h.inertia.coupling;
  scratch.force[p] += h.force;
  scratch.moment[p] += h.moment + origin.cross(h.force);
  scratch.spread[p] += spread_from(scratch.spread[i], scratch.mass[i], origin.norm());
}

/// Writes the equation of a joint in a cluster: what its unit acceleration takes of the joints
/// before it and of the base, and what the branches behind leave of the force on it.
void enter_joint(const TreeModel& model, const JointView<double>& state,
                 ArticulatedBodiesScratch& scratch, std::size_t i, const Handed& h, double rotor,
                 double force) {
  const TreeBody& body = model.bodies[i];
  ArticulatedJoint& joint = scratch.joints[i];
  JointCluster& cluster = scratch.clusters.all[at(scratch.clusters.of_body[i])];
  const Eigen::Index row = scratch.clusters.row_of_body[i];
  const double met = unit_wrench(body, h.inertia, joint) + rotor;
  cluster.mass(row, row) = met;
  cluster.rest(row) = force - tree::on_joint<double>(body, h.force, h.moment);
  cluster.bound(row) =
      rotor + (body.type == JointType::prismatic ? scratch.mass[i] : scratch.spread[i]);
  Vec3d wrench = joint.force, moment = joint.moment;
  if (body.reversed) {
    wrench = -wrench;
    moment = -moment;
  }
  for (int from = static_cast<int>(i); scratch.parent[at(from)] >= 0;) {
    const TreeBody& one = model.bodies[at(from)];
    wrench = tree::in_parent<double>(one, state, wrench);
    moment = tree::in_parent<double>(one, state, moment);
    moment += tree::origin_in_parent<double>(one, state).cross(wrench);
    from = scratch.parent[at(from)];
    if (from == cluster.base) break;
    const Eigen::Index other = scratch.clusters.row_of_body[at(from)];
    if (other < 0) continue;
    const double entry = tree::on_joint<double>(model.bodies[at(from)], wrench, moment);
    cluster.mass(row, other) = entry;
    cluster.mass(other, row) = entry;
  }
  cluster.wrench.row(row) << moment.transpose(), wrench.transpose();
}

/// Writes the equations of joints that carry no mass but rotors of their own.
void enter_massless(JointCluster& cluster, std::span<const double> rotors,
                    std::span<const double> force) {
  for (std::size_t j = 0; j < cluster.joints.size(); ++j) {
    if (cluster.places[j] >= 0) continue;
    const auto row = static_cast<Eigen::Index>(j);
    const double rotor = rotors.empty() ? 0.0 : rotors[at(cluster.joints[j])];
    cluster.mass(row, row) = rotor;
    cluster.bound(row) = rotor;
    cluster.rest(row) = force[at(cluster.joints[j])];
  }
}

/// Lets a cluster give way: takes from its base what its freedoms do not carry. Returns false where
/// a freedom might move no mass. `least` and `most` are of the inertia per squared motion.
bool give_way_together(JointCluster& cluster, ArticulatedBodiesScratch& scratch, double rounding,
                       double& least, double& most) {
  cluster.mass_of_motions.noalias() = cluster.mass * cluster.motions;
  cluster.reduced.noalias() = cluster.motions.transpose() * cluster.mass_of_motions;
  cluster.factor.compute(cluster.reduced);
  if (cluster.factor.info() != Eigen::Success) return false;
  most = std::max(most, cluster.bound.maxCoeff());
  for (Eigen::Index i = 0; i < cluster.reduced.cols(); ++i) {
    const double pivot = cluster.factor.matrixLLT()(i, i), square = pivot * pivot;
    double root = 0.0;  // of a bound of the inertia that the motion meets
    for (Eigen::Index j = 0; j < cluster.motions.rows(); ++j)
      root += std::abs(cluster.motions(j, i)) * std::sqrt(cluster.bound(j));
    if (!(square > rounding * root * root)) return false;
    least = std::min(least, square / cluster.motions.col(i).squaredNorm());
  }
  cluster.left.noalias() = cluster.motions.transpose() * cluster.rest;
  cluster.factor.matrixL().solveInPlace(cluster.left);
  if (cluster.base < 0) return true;
  cluster.handed.noalias() = cluster.motions.transpose() * cluster.wrench;
  cluster.factor.matrixL().solveInPlace(cluster.handed);
  const auto base = at(cluster.base);
  ArticulatedInertia& inertia = scratch.inertia[base];
  for (Eigen::Index row = 0; row < cluster.handed.rows(); ++row) {
    const Vec3d moment = cluster.handed.row(row).head<3>().transpose(),
                force = cluster.handed.row(row).tail<3>().transpose();
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      inertia.angular.same[at(k)] -= moment(k) * moment(k);
      inertia.angular.next[at(k)] -= moment(i) * moment(j);
      inertia.linear.same[at(k)] -= force(k) * force(k);
      inertia.linear.next[at(k)] -= force(i) * force(j);
    }
    inertia.coupling -= moment * force.transpose();
    scratch.moment[base] += moment * cluster.left(row);
    scratch.force[base] += force * cluster.left(row);
  }
  return true;
}

/// Sets the accelerations of a cluster's joints once that of its base is known.
void accelerate_together(JointCluster& cluster, const ArticulatedBodiesScratch& scratch,
                         std::span<double> acceleration) {
  if (cluster.base >= 0) {
    const auto base = at(cluster.base);
    for (Eigen::Index row = 0; row < cluster.handed.rows(); ++row)
      cluster.left(row) -= cluster.handed.row(row).head<3>().dot(scratch.alpha[base]) +
                           cluster.handed.row(row).tail<3>().dot(scratch.a[base]);
  }
  cluster.factor.matrixU().solveInPlace(cluster.left);
  cluster.values.noalias() = cluster.motions * cluster.left;
  for (std::size_t j = 0; j < cluster.joints.size(); ++j)
    acceleration[at(cluster.joints[j])] = cluster.values(static_cast<Eigen::Index>(j));
}

}  // namespace

void ArticulatedBodiesScratch::tie(const TreeModel& model, std::span<const char> held,
                                   std::vector<TiedJoints> joints_tied) {
  tied = std::move(joints_tied);
  clusters.find(model, parent, place, held, tied);
}

void ArticulatedBodiesScratch::prepare(const TreeModel& model, std::size_t bodies) {
  const std::size_t n = model.bodies.size();
  place.assign(bodies, -1);
  tied.clear();
  own.resize(n);
  inertia.resize(n);
  joints.resize(n);
  for (std::vector<Vec3d>* vectors : {&moment, &force, &alpha, &a}) vectors->resize(n);
  own_spread.resize(n);
  spread.resize(n);
  mass.resize(n);
  parent.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const TreeBody& body = model.bodies[i];
    place[body.index] = static_cast<int>(i);
    parent[i] = body.parent == world_body ? -1 : place[int{body.parent}];
    own[i] = articulated::own_inertia(body);
    own_spread[i] = body.second_moment.trace();
    mass[i] = body.mass;
  }
  for (std::size_t i = n; i-- > 0;)
    if (parent[i] >= 0) mass[parent[i]] += mass[i];
  clusters.find(model, parent, place, {}, {});
}

bool articulated_bodies(const TreeModel& model, const JointView<double>& state,
                        std::span<const char> held, std::span<const double> rotors,
                        std::span<const double> force, ArticulatedBodiesScratch& scratch,
                        std::span<double> acceleration) {
  const std::size_t n = model.bodies.size();
  for (JointCluster& cluster : scratch.clusters.all) {
    if (cluster.first < 0) return false;
    cluster.take(scratch.tied);
    enter_massless(cluster, rotors, force);
  }
  for (std::size_t i = 0; i < n; ++i) {
    scratch.inertia[i] = scratch.own[i];
    scratch.spread[i] = scratch.own_spread[i];
    scratch.moment[i].setZero();
    scratch.force[i].setZero();
  }

  // tips to base: the inertia of each body with its branch, and what the branch's forces put on it
  constexpr double rounding = 1e-13, least_share = 1e-20;
  double least = std::numeric_limits<double>::infinity(), most = 0.0;
  for (std::size_t i = n; i-- > 0;) {
    const TreeBody& body = model.bodies[i];
    const auto b = static_cast<std::size_t>(body.index);
    ArticulatedJoint& joint = scratch.joints[i];
    // a copy, which the compiler can keep out of memory
    Handed h = {scratch.inertia[i], scratch.moment[i], scratch.force[i]};
    joint.inverse = 0.0;
    const int together = scratch.clusters.of_body[i];
    const double rotor = rotors.empty() ? 0.0 : rotors[b];
    if (together >= 0) {
      if (scratch.clusters.row_of_body[i] >= 0)
        enter_joint(model, state, scratch, i, h, rotor, force[b]);
    } else if (body.type != JointType::fixed && held[b] == 0) {
      const bool slides = body.type == JointType::prismatic;
      const double met = unit_wrench(body, h.inertia, joint) + rotor;
      // the branch's inertia about any axis is at most its spread
      const double bound = slides ? scratch.mass[i] : scratch.spread[i];
      if (!(met > rounding * bound)) return false;
      least = std::min(least, met);
      most = std::max(most, bound);
      joint.inverse = 1.0 / met;
      joint.rest = (body.reversed ? -force[b] : force[b]) -
                   (slides ? body.slide_P.dot(h.force) : h.moment(body.turn_axis));
      if (scratch.parent[i] >= 0) {
        articulated::give_way(joint, h.inertia);
        h.force += joint.force * (joint.rest * joint.inverse);
        h.moment += joint.moment * (joint.rest * joint.inverse);
      }
    }
    if (scratch.parent[i] >= 0) hand_to_parent(body, state, i, h, scratch);
    if (together < 0) continue;
    JointCluster& cluster = scratch.clusters.all[at(together)];
    if (cluster.first == static_cast<int>(i) &&
        !give_way_together(cluster, scratch, rounding, least, most))
      return false;
  }
  if (!(least > least_share * most)) return false;

  // base to tips: each joint takes what its parent's motion leaves to it
  for (std::size_t i = 0; i < n; ++i) {
    const TreeBody& body = model.bodies[i];
    const auto b = static_cast<std::size_t>(body.index);
    const ArticulatedJoint& joint = scratch.joints[i];
    Vec3d alpha = Vec3d::Zero(), a = Vec3d::Zero();
    if (scratch.parent[i] >= 0) {
      const auto p = static_cast<std::size_t>(scratch.parent[i]);
      alpha = scratch.alpha[p];
      a = scratch.a[p] + alpha.cross(tree::origin_in_parent<double>(body, state));
      if (body.type == JointType::revolute) turn_from_parent(body, state, alpha, a);
    }
    const int together = scratch.clusters.of_body[i];
    double x = 0.0;  // of the joint, in the sense of turn_axis
    if (together >= 0) {
      JointCluster& cluster = scratch.clusters.all[at(together)];
      if (cluster.first == static_cast<int>(i)) accelerate_together(cluster, scratch, acceleration);
      if (scratch.clusters.row_of_body[i] >= 0)
        x = body.reversed ? -acceleration[b] : acceleration[b];
      else
        acceleration[b] = 0.0;
    } else {
      if (joint.inverse != 0.0)
        x = (joint.rest - joint.moment.dot(alpha) - joint.force.dot(a)) * joint.inverse;
      acceleration[b] = body.reversed ? -x : x;
    }
    if (body.type == JointType::prismatic)
      a += body.slide_P * x;
    else if (body.type == JointType::revolute)
      alpha(body.turn_axis) += x;
    scratch.alpha[i] = alpha;
    scratch.a[i] = a;
  }
  return true;
}

}  // namespace counterpoise
