#pragma once

#include <Eigen/Core>
#include <algorithm>

#include "engine/dynamics/mass_matrix_sweeps.hpp"
#include "engine/kinematics/closure/joint_motion.hpp"
#include "engine/math/scalar.hpp"
#include "engine/math/vector.hpp"
#include "formulations/minimal/minimal_plan.hpp"

namespace counterpoise {

/// Returns the vector turned by a right angle.
template <class S>
Vec2<S> turned2(const Vec2<S>& a) {
  return {S(-a(1)), a(0)};
}

/// The places of the joints of a planar chain, in the ancestor's planar axes.
template <class S>
struct ChainPose {
  std::vector<Vec2<S>> origin, along;  // per joint; `along` of prismatic joints only
  Vec2<S> tip;

  explicit ChainPose(std::size_t joints = 0) : origin(joints), along(joints) {}
};

/// The velocities of a chain's places per unit velocity of one coordinate.
template <class S>
using ChainSlope = ChainPose<S>;

/// Whether a chain is placed with all joints where they are, or with a dyad's unknown joints at 0.
enum class Unknowns { placed, at_zero };

inline bool is_unknown(const PlanarDyad& dyad, std::size_t end, std::size_t position) {
  return std::any_of(dyad.unknowns.begin(), dyad.unknowns.end(), [&](const DyadJoint& joint) {
    return joint.end == end && joint.position == position;
  });
}

template <class S>
void place_chain(const PlanarDyad& dyad, std::size_t end, const JointView<S>& state,
                 Unknowns unknowns, ChainPose<S>& pose) {
  const PlanarChain& chain = dyad.chains[end];
  S cosine(1.0), sine(0.0);
  Vec2<S> p(S(0.0), S(0.0));
  const auto turned = [&](const Eigen::Vector2d& r) {
    return Vec2<S>(cosine * r(0) - sine * r(1), sine * r(0) + cosine * r(1));
  };
  for (std::size_t i = 0; i < chain.joints.size(); ++i) {
    const PlanarJoint& joint = chain.joints[i];
    const auto b = static_cast<std::size_t>(joint.body);
    const bool moved = unknowns == Unknowns::placed || !is_unknown(dyad, end, i);
    p += turned(joint.origin);
    if (!joint.turns) {
      pose.along[i] = turned(joint.along);
      if (moved) p += pose.along[i] * state.q[b];
    } else if (moved) {
      const S s = joint.sign < 0.0 ? S(-state.sine[b]) : S(state.sine[b]);
      const S c = state.cosine[b];
      const S before = cosine;
      cosine = before * c - sine * s;
      sine = sine * c + before * s;
    }
    pose.origin[i] = p;
  }
  pose.tip = p + turned(chain.tip);
}

/// Computes the slopes of a chain's places by coordinate k, with the dyad's unknown joints held.
/// `slopes` are the joint positions' slopes, bodies x coordinates.
template <class S, class Slopes>
void move_chain(const PlanarDyad& dyad, std::size_t end, const ChainPose<S>& pose,
                const Slopes& slopes, int k, ChainSlope<S>& slope) {
  const PlanarChain& chain = dyad.chains[end];
  S omega(0.0);
  Vec2<S> v(S(0.0), S(0.0)), p(S(0.0), S(0.0));
  const auto carry = [&](const Vec2<S>& to) {
    v += turned2<S>(to - p) * omega;
    p = to;
  };
  for (std::size_t i = 0; i < chain.joints.size(); ++i) {
    const PlanarJoint& joint = chain.joints[i];
    const bool moved = !is_unknown(dyad, end, i);
    carry(pose.origin[i]);
    if (!joint.turns) {
      slope.along[i] = turned2<S>(pose.along[i]) * omega;
      if (moved) v += pose.along[i] * slopes(joint.body, k);
    } else if (moved) {
      omega += slopes(joint.body, k) * joint.sign;
    }
    slope.origin[i] = v;
  }
  carry(pose.tip);
  slope.tip = v;
}

/// Where one unknown joint alone can bring a dyad's pin: on a circle about `centre`, or a line
/// along `along`; in both cases from `start`, where the joint is at 0. Also the slopes of these by
/// a coordinate.
template <class S>
struct Arc {
  Vec2<S> centre, along, start;
  S radius2;  // squared radius of a circle [m^2]
};

/// The solution of a dyad in terms of its known joints only: `reach[i]` is the vector from the
/// centre of joint i's circle to the pin that joint i brings it to, `way[i]` the position along its
/// line.
template <class S>
struct DyadForm {
  std::array<Arc<S>, 2> arcs;
  std::array<Vec2<S>, 2> from, reach;
  std::array<S, 2> way;

  // intermediate results that the slopes need again
  Vec2<S> d;            // two circles: between the centres; two lines: between the starts
  S d2, along, height;  // two circles: see meet_circles
  Vec2<S> foot;         // circle and line: from the centre to the nearest point of the line
  S foot_at, half;      // circle and line: place of the foot on the line, half of the chord
  S determinant;        // two lines: cross product of their directions
};

/// Intersects two circles: the pins are at d * along + branch * height * (d turned by a right
/// angle).
template <class S>
void meet_circles(double branch, DyadForm<S>& f) {
  const auto& [a, b] = f.arcs;
  for (std::size_t i : {0u, 1u}) f.from[i] = f.arcs[i].start - f.arcs[i].centre;
  f.d = b.centre - a.centre;
  f.d2 = f.d.dot(f.d);
  f.along = (f.d2 + a.radius2 - b.radius2) / (f.d2 * 2.0);
  f.height = sqrt(S(a.radius2 / f.d2 - f.along * f.along)) * S(branch);
  f.reach[0] = f.d * f.along + turned2<S>(f.d) * f.height;
  f.reach[1] = f.reach[0] - f.d;
}

/// The slopes of reach[0] and reach[1] by a coordinate, given the slopes of the arcs: the
/// derivatives of the formulas in meet_circles, term by term.
template <class S>
std::array<Vec2<S>, 2> circles_slope(const DyadForm<S>& f, const std::array<Arc<S>, 2>& by) {
  const Vec2<S> dd = by[1].centre - by[0].centre;
  const S dd2 = S(f.d.dot(dd)) * 2.0;
  const S along = ((dd2 + by[0].radius2 - by[1].radius2) * 0.5 - f.along * dd2) / f.d2;
  const S height =
      ((by[0].radius2 - f.arcs[0].radius2 * dd2 / f.d2) / f.d2 - f.along * along * 2.0) /
      (f.height * 2.0);
  const Vec2<S> first =
      dd * f.along + f.d * along + turned2<S>(dd) * f.height + turned2<S>(f.d) * height;
  return {first, Vec2<S>(first - dd)};
}

/// Intersects the circle of joint `c` and the line of the other joint.
template <class S>
void meet_line(std::size_t c, double branch, DyadForm<S>& f) {
  const Arc<S>&circle = f.arcs[c], &line = f.arcs[1 - c];
  f.from[c] = circle.start - circle.centre;
  f.d = line.start - circle.centre;
  f.foot_at = -S(line.along.dot(f.d));
  f.foot = f.d + line.along * f.foot_at;
  f.half = sqrt(S(circle.radius2 - f.foot.dot(f.foot))) * S(branch);
  f.way[1 - c] = f.foot_at + f.half;
  f.reach[c] = f.d + line.along * f.way[1 - c];
}

/// The slopes of the way along the line and of the reach by a coordinate, given the slopes of the
/// arcs.
template <class S>
std::pair<S, Vec2<S>> line_slope(std::size_t c, const DyadForm<S>& f,
                                 const std::array<Arc<S>, 2>& by) {
  const Arc<S>& line = f.arcs[1 - c];
  const Vec2<S>& turn = by[1 - c].along;
  const Vec2<S> dd = by[1 - c].start - by[c].centre;
  const S foot_at = -S(turn.dot(f.d)) - S(line.along.dot(dd));
  const Vec2<S> foot = dd + turn * f.foot_at + line.along * foot_at;
  const S half = (by[c].radius2 * 0.5 - S(f.foot.dot(foot))) / f.half;
  const S way = foot_at + half;
  return {way, Vec2<S>(dd + turn * f.way[1 - c] + line.along * way)};
}

/// Intersects two lines.
template <class S>
void meet_lines(DyadForm<S>& f) {
  const auto& [a, b] = f.arcs;
  f.d = b.start - a.start;
  f.determinant = cross2<S>(a.along, b.along);
  f.way = {cross2<S>(f.d, b.along) / f.determinant, cross2<S>(f.d, a.along) / f.determinant};
}

template <class S>
std::array<S, 2> lines_slope(const DyadForm<S>& f, const std::array<Arc<S>, 2>& by) {
  const auto& [a, b] = f.arcs;
  const Vec2<S> dd = by[1].start - by[0].start;
  const S turn = cross2<S>(by[0].along, b.along) + cross2<S>(a.along, by[1].along);
  const auto way = [&](std::size_t i, const Vec2<S>& other, const Vec2<S>& by_other) {
    return S((cross2<S>(dd, other) + cross2<S>(f.d, by_other) - f.way[i] * turn) / f.determinant);
  };
  return {way(0, b.along, by[1].along), way(1, a.along, by[0].along)};
}

template <class S>
using Vector = Eigen::Matrix<S, Eigen::Dynamic, 1>;
template <class S>
using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;

/// One pose of a mechanism and how it depends on its independent coordinates q1: the workspace of
/// all formulations in minimal coordinates. Allocates only when made.
template <class S>
class MinimalState {
 public:
  explicit MinimalState(const MinimalPlan& plan);

  /// q, sine and cosine of each joint.
  [[nodiscard]] JointState<S> joints() { return motion_.block(0); }

  Matrix<S> slopes;  // W = dq/dq1 (paper 003, eq. 14), bodies x coordinates; zero if fixed

  // state of one step of the plan that is a dyad
  struct DyadState {
    std::array<ChainPose<S>, 2> poses;
    std::array<ChainSlope<S>, 2> by;
    DyadForm<S> form;
  };
  std::vector<DyadState> dyads;

  // dynamics of the tree
  MassMatrixScratch<S> tree;
  Matrix<S> mass;          // bodies x bodies
  Matrix<S> mass_slopes;   // mass times slopes
  std::vector<S> gravity;  // per body
  // used by the Lagrangian: each body's velocity per unit velocity of a coordinate, in its own axes
  std::vector<Vec3<S>> omega, velocity;               // bodies x coordinates
  std::vector<Vec3<S>> momentum, moment_of_momentum;  // of one body, per coordinate

  [[nodiscard]] std::size_t at(int body, int coordinate) const {
    return static_cast<std::size_t>(body) * static_cast<std::size_t>(slopes.cols()) +
           static_cast<std::size_t>(coordinate);
  }

 private:
  JointMotion<S> motion_;
};

template <class S>
MinimalState<S>::MinimalState(const MinimalPlan& plan)
    : slopes(static_cast<Eigen::Index>(plan.bodies()), plan.freedoms()),
      mass(slopes.rows(), slopes.rows()),
      mass_slopes(slopes.rows(), slopes.cols()),
      gravity(plan.bodies(), S(0.0)) {
  slopes.setConstant(S(0.0));
  mass.setConstant(S(0.0));
  mass_slopes.setConstant(S(0.0));
  motion_.resize(static_cast<int>(plan.bodies()), 1);
  tree.prepare(plan.tree, plan.bodies());
  const std::size_t entries = plan.bodies() * plan.coordinates.size();
  const Vec3<S> zero(S(0.0), S(0.0), S(0.0));
  omega.assign(entries, zero);
  velocity.assign(entries, zero);
  momentum.assign(plan.coordinates.size(), zero);
  moment_of_momentum.assign(plan.coordinates.size(), zero);
  dyads.resize(plan.steps.size());
  for (std::size_t i = 0; i < plan.steps.size(); ++i)
    for (std::size_t end : {0u, 1u}) {
      const std::size_t joints = plan.steps[i].dyad.chains[end].joints.size();
      dyads[i].poses[end] = ChainPose<S>(joints);
      dyads[i].by[end] = ChainSlope<S>(joints);
    }
}

}  // namespace counterpoise
