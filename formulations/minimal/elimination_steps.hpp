// The steps by which the direct and the trigonometric elimination in elimination.hpp compute
// dependent joints from known ones, and the slopes of these joints by the coordinates.
#pragma once

#include <cmath>

#include "formulations/minimal/minimal_state.hpp"

namespace counterpoise::elimination {

template <class S>
using DyadState = typename MinimalState<S>::DyadState;

template <class S>
void set_joint(const MinimalPlan& plan, int body, const S& q, const JointState<S>& joints) {
  const auto b = static_cast<std::size_t>(body);
  joints.q[b] = q;
  if (plan.mechanism.bodies[b].joint.type == JointType::revolute)
    sincos(q, joints.sine[b], joints.cosine[b]);
}

template <class S>
void set_driven(const MinimalPlan& plan, const MinimalStep& step, std::span<const S> q1,
                MinimalState<S>& state) {
  set_joint<S>(plan, step.body, q1[step.coordinate], state.joints());
  state.slopes(step.body, step.coordinate) = S(1.0);
}

template <class S>
void couple_positions(const MinimalPlan& plan, const MinimalStep& step, MinimalState<S>& state) {
  S q(step.coupling.offset);
  for (const CouplingTerm& term : step.coupling.terms) q += state.joints().q[term.of] * term.ratio;
  set_joint<S>(plan, step.body, q, state.joints());
}

template <class S>
void couple_slopes(const MinimalPlan& plan, const MinimalStep& step, MinimalState<S>& state) {
  for (int k : plan.depends_on[step.body]) {
    S slope(0.0);
    for (const CouplingTerm& term : step.coupling.terms)
      slope += state.slopes(int{term.of}, k) * term.ratio;
    state.slopes(step.body, k) = slope;
  }
}

/// Sets sine and cosine of a coupled joint, whose angle is a sum of whole multiples of angles with
/// known sines and cosines.
template <class S>
void couple_turns(const MinimalStep& step, MinimalState<S>& state) {
  const JointState<S> joints = state.joints();
  S sine(std::sin(step.coupling.offset)), cosine(std::cos(step.coupling.offset));
  for (const CouplingTerm& term : step.coupling.terms) {
    const auto of = static_cast<std::size_t>(term.of);
    const S s = term.ratio < 0.0 ? S(-joints.sine[of]) : S(joints.sine[of]);
    for (int turns = static_cast<int>(std::lround(std::abs(term.ratio))); turns > 0; --turns) {
      const S before = cosine;
      cosine = before * joints.cosine[of] - sine * s;
      sine = sine * joints.cosine[of] + before * s;
    }
  }
  const auto b = static_cast<std::size_t>(step.body);
  joints.sine[b] = sine;
  joints.cosine[b] = cosine;
}

/// Whether unknown joint i is solved backwards. If both unknown joints are on one chain, the upper
/// joint is: it is solved as if it brought the other chain's pin to the lower joint's circle or
/// line.
inline bool undone(const PlanarDyad& dyad, std::size_t i) {
  return i == 0 && dyad.same_chain();
}
inline double direction(const PlanarDyad& dyad, std::size_t i) {
  const PlanarJoint& joint = dyad.joint(dyad.unknowns[i]);
  return (joint.turns ? joint.sign : 1.0) * (undone(dyad, i) ? -1.0 : 1.0);
}

/// The circle or line on which unknown joint i moves the pin, without its radius, from the poses of
/// the chains; or the slopes of that circle or line, from the slopes of the chains.
template <class S>
Arc<S> arc_of(const PlanarDyad& dyad, std::size_t i, const std::array<ChainPose<S>, 2>& chains) {
  const DyadJoint& at = dyad.unknowns[i];
  Arc<S> arc;
  arc.start = chains[undone(dyad, i) ? 1 - at.end : at.end].tip;
  arc.centre = chains[at.end].origin[at.position];
  arc.along = chains[at.end].along[at.position];
  return arc;
}

template <class S>
void meet(const PlanarDyad& dyad, const JointState<S>& joints, DyadState<S>& at) {
  for (std::size_t end : {0u, 1u})
    place_chain<S>(dyad, end, joints, Unknowns::at_zero, at.poses[end]);
  for (std::size_t i : {0u, 1u}) {
    Arc<S>& arc = at.form.arcs[i];
    arc = arc_of<S>(dyad, i, at.poses);
    const Vec2<S> from = arc.start - arc.centre;
    const double radius2 = dyad.unknowns[i].radius2;
    arc.radius2 = radius2 >= 0.0 ? S(radius2) : S(from.dot(from));
  }
  const bool first = dyad.joint(dyad.unknowns[0]).turns,
             second = dyad.joint(dyad.unknowns[1]).turns;
  if (first && second)
    meet_circles<S>(dyad.branch, at.form);
  else if (first || second)
    meet_line<S>(first ? 0 : 1, dyad.branch, at.form);
  else
    meet_lines<S>(at.form);
}

/// Sets the unknown joints: angles by arctangents, sliding joints by the positions on their lines.
template <class S>
void set_angles(const PlanarDyad& dyad, const JointState<S>& joints, const DyadState<S>& at) {
  for (std::size_t i : {0u, 1u}) {
    const auto b = static_cast<std::size_t>(dyad.joint(dyad.unknowns[i]).body);
    const DyadForm<S>& f = at.form;
    if (!dyad.joint(dyad.unknowns[i]).turns) {
      joints.q[b] = f.way[i] * direction(dyad, i);
      continue;
    }
    joints.q[b] =
        atan2(cross2<S>(f.from[i], f.reach[i]), S(f.from[i].dot(f.reach[i]))) * direction(dyad, i);
    sincos(joints.q[b], joints.sine[b], joints.cosine[b]);
  }
}

/// Sets the unknown joints: sines and cosines of angles, sliding joints by their positions on
/// lines.
template <class S>
void set_turns(const PlanarDyad& dyad, const JointState<S>& joints, const DyadState<S>& at) {
  for (std::size_t i : {0u, 1u}) {
    const auto b = static_cast<std::size_t>(dyad.joint(dyad.unknowns[i]).body);
    const DyadForm<S>& f = at.form;
    if (!dyad.joint(dyad.unknowns[i]).turns) {
      joints.q[b] = f.way[i] * direction(dyad, i);
      continue;
    }
    const S per_radius2 = S(direction(dyad, i)) / f.arcs[i].radius2;
    joints.sine[b] = cross2<S>(f.from[i], f.reach[i]) * per_radius2;
    joints.cosine[b] = S(f.from[i].dot(f.reach[i])) * (per_radius2 * direction(dyad, i));
  }
}

/// The slopes of both circles or lines by coordinate k.
template <class S>
std::array<Arc<S>, 2> arcs_by(const PlanarDyad& dyad, int k, DyadState<S>& at,
                              const Matrix<S>& slopes) {
  for (std::size_t end : {0u, 1u}) move_chain<S>(dyad, end, at.poses[end], slopes, k, at.by[end]);
  std::array<Arc<S>, 2> by;
  for (std::size_t i : {0u, 1u}) {
    by[i] = arc_of<S>(dyad, i, at.by);
    const Arc<S>& arc = at.form.arcs[i];
    const Vec2<S> from = arc.start - arc.centre, by_from = by[i].start - by[i].centre;
    by[i].radius2 = dyad.unknowns[i].radius2 >= 0.0 ? S(0.0) : S(from.dot(by_from)) * 2.0;
  }
  return by;
}

/// The slope of the angle from `from` to `reach`, given the slope of `reach`.
template <class S>
S angle_slope(const DyadForm<S>& f, std::size_t i, const std::array<Arc<S>, 2>& by,
              const Vec2<S>& reach) {
  const Vec2<S> by_from = by[i].start - by[i].centre;
  return (cross2<S>(f.reach[i], reach) - cross2<S>(f.from[i], by_from)) / f.arcs[i].radius2;
}

/// Sets the slopes of the unknown joints by coordinate k as derivatives of the closed forms.
template <class S>
void slope_of_angles(const PlanarDyad& dyad, int k, DyadState<S>& at, Matrix<S>& slopes) {
  const DyadForm<S>& f = at.form;
  const std::array<Arc<S>, 2> by = arcs_by<S>(dyad, k, at, slopes);
  const bool first = dyad.joint(dyad.unknowns[0]).turns,
             second = dyad.joint(dyad.unknowns[1]).turns;
  std::array<S, 2> slope;
  if (first && second) {
    const std::array<Vec2<S>, 2> reach = circles_slope<S>(f, by);
    for (std::size_t i : {0u, 1u}) slope[i] = angle_slope<S>(f, i, by, reach[i]);
  } else if (first || second) {
    const std::size_t c = first ? 0 : 1;
    const auto [way, reach] = line_slope<S>(c, f, by);
    slope[c] = angle_slope<S>(f, c, by, reach);
    slope[1 - c] = way;
  } else {
    slope = lines_slope<S>(f, by);
  }
  for (std::size_t i : {0u, 1u})
    slopes(dyad.joint(dyad.unknowns[i]).body, k) = slope[i] * direction(dyad, i);
}

/// Sets the slopes of the unknown joints by coordinate k from the vectors to the pin: the known
/// joints move the two arcs apart, and an unknown joint has to close the part of this gap that lies
/// along the other joint's vector.
template <class S>
void rates_of_vectors(const PlanarDyad& dyad, int k, DyadState<S>& at, Matrix<S>& slopes) {
  const DyadForm<S>& f = at.form;
  const std::array<Arc<S>, 2> by = arcs_by<S>(dyad, k, at, slopes);
  const bool first = dyad.joint(dyad.unknowns[0]).turns,
             second = dyad.joint(dyad.unknowns[1]).turns;
  std::array<S, 2> rate;
  const auto own_turn = [&](std::size_t i) {  // turn of `from` itself
    return S(cross2<S>(f.from[i], Vec2<S>(by[i].start - by[i].centre)) / f.arcs[i].radius2);
  };
  if (first && second) {
    const Vec2<S> dd = by[1].centre - by[0].centre;
    const S sine = f.height * f.d2;  // sine of the angle at the pin, times both radii
    const S cosine = f.reach[0].dot(f.reach[1]);
    const auto stretch = [&](std::size_t i) { return S(by[i].radius2 * 0.5 / f.arcs[i].radius2); };
    const S to_first = S(dd.dot(f.reach[1])) - stretch(0) * cosine + by[1].radius2 * 0.5;
    const S to_second = S(dd.dot(f.reach[0])) + stretch(1) * cosine - by[0].radius2 * 0.5;
    rate = {to_first / sine - own_turn(0), to_second / sine - own_turn(1)};
  } else if (first || second) {
    const std::size_t c = first ? 0 : 1;
    const Vec2<S> dd = Vec2<S>(by[1 - c].start - by[c].centre) + by[1 - c].along * f.way[1 - c];
    rate[1 - c] = (by[c].radius2 * 0.5 - S(dd.dot(f.reach[c]))) / f.half;
    const Vec2<S> reach = dd + f.arcs[1 - c].along * rate[1 - c];
    rate[c] = cross2<S>(f.reach[c], reach) / f.arcs[c].radius2 - own_turn(c);
  } else {
    rate = lines_slope<S>(f, by);
  }
  for (std::size_t i : {0u, 1u})
    slopes(dyad.joint(dyad.unknowns[i]).body, k) = rate[i] * direction(dyad, i);
}

}  // namespace counterpoise::elimination
