#include "engine/kinematics/closure/closed_form.hpp"

#include <algorithm>

#include "engine/kinematics/closure/tolerances.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {
namespace {

template <class S>
S root(const S& x) {
  return sqrt(larger(x, S(0.0)));
}

template <class S>
Angle<S> angle_between(const Vec2<S>& from, const Vec2<S>& to) {
  return angle_of<S>(cross2<S>(from, to), from.dot(to));
}

template <class S>
Angle<S> slide(const S& q) {
  return {q, S(0.0), S(1.0)};
}

/// Where one joint alone can bring the pin: on a circle or a line in the plane, from `start`, where
/// the joint is at 0.
template <class S>
struct JointArc {
  bool circle = false;
  double sign = 1.0;  // q = sign * (angle about the normal, or way along the axis)
  Vec2<S> centre;     // centre of a circle
  Vec2<S> along;      // unit direction of a line
  Vec2<S> start;
};

template <class S>
DyadSolution<S> two_circles(const JointArc<S>& a, const JointArc<S>& b, double branch) {
  const Vec2<S> d = b.centre - a.centre;
  const Vec2<S> from_a = a.start - a.centre;
  const Vec2<S> from_b = b.start - b.centre;
  const S ra2 = from_a.dot(from_a);
  const S rb2 = from_b.dot(from_b);
  const S d2 = larger(S(d.dot(d)), S(tiny));
  const S along = (d2 + ra2 - rb2) / (d2 * 2.0);
  const S height = root<S>(ra2 / d2 - along * along);
  const Vec2<S> side(-d(1), d(0));
  const Vec2<S> to_a = d * along + side * S(height * branch);
  const Vec2<S> to_b = to_a - d;

  const S ra = sqrt(ra2), rb = sqrt(rb2), distance = sqrt(d2);
  DyadSolution<S> solution;
  solution.joints = {angle_between(from_a, to_a) * a.sign, angle_between(from_b, to_b) * b.sign};
  solution.gap = larger(distance - ra - rb, abs(ra - rb) - distance);
  solution.sine = height * d2 / larger(ra * rb, S(tiny));
  return solution;
}

template <class S>
DyadSolution<S> circle_and_line(const JointArc<S>& circle, const JointArc<S>& line, double branch) {
  const Vec2<S> from = circle.start - circle.centre;
  const Vec2<S> w = line.start - circle.centre;
  const S foot_at = -line.along.dot(w);
  const Vec2<S> foot = w + line.along * foot_at;
  const S r2 = from.dot(from);
  const S half_chord = root<S>(r2 - foot.dot(foot));
  const S t = foot_at + half_chord * branch;
  const Vec2<S> to = w + line.along * t;

  DyadSolution<S> solution;
  solution.joints = {angle_between(from, to) * circle.sign, slide<S>(t * line.sign)};
  const S radius = sqrt(r2);
  solution.gap = sqrt(S(foot.dot(foot))) - radius;
  solution.sine = half_chord / larger(radius, S(tiny));
  return solution;
}

template <class S>
DyadSolution<S> two_lines(const JointArc<S>& a, const JointArc<S>& b) {
  const Vec2<S> d = b.start - a.start;
  const S det = cross2<S>(a.along, b.along);
  const S safe = select(abs(det) < S(tiny), S(tiny), det);
  DyadSolution<S> solution;
  solution.joints = {slide<S>(cross2<S>(d, b.along) / safe * a.sign),
                     slide<S>(cross2<S>(d, a.along) / safe * b.sign)};
  solution.gap = S(-1.0);
  solution.sine = abs(det);
  return solution;
}

template <class S>
void set_to_zero(const Dyad& dyad, const JointState<S>& state) {
  for (const PathJoint& joint : dyad.joints) {
    const auto b = static_cast<std::size_t>(joint.body);
    state.q[b] = S(0.0);
    state.sine[b] = S(0.0);
    state.cosine[b] = S(1.0);
  }
}

}  // namespace

std::optional<PathJoint> find_on_path(const Path& path, BodyIndex body) {
  for (std::size_t end : {0u, 1u}) {
    const std::vector<BodyIndex>& chain = path.chains[end];
    const auto at = std::find(chain.begin(), chain.end(), body);
    if (at != chain.end())
      return PathJoint{body, end, static_cast<std::size_t>(at - chain.begin())};
  }
  return std::nullopt;
}

std::optional<Dyad> make_dyad(const Loop& loop, const Path& path,
                              std::span<const BodyIndex> unknowns) {
  const bool pin = loop.keep == LoopKeep::point || loop.keep == LoopKeep::parallel;
  if (!pin || unknowns.size() != 2) return std::nullopt;
  const auto first = find_on_path(path, unknowns[0]);
  const auto second = find_on_path(path, unknowns[1]);
  if (!first || !second) return std::nullopt;
  Dyad dyad{{*first, *second}};
  if (dyad.same_chain() && first->position > second->position)
    std::swap(dyad.joints[0], dyad.joints[1]);
  return dyad;
}

std::optional<PlaneAxes> find_plane(const DesignGeometry& geometry, const Loop& loop,
                                    const Path& path, const Dyad& dyad,
                                    const JointView<double>& state,
                                    std::array<Trace<double>, 2>& ends) {
  for (std::size_t end : {0u, 1u}) trace_end(geometry, path, end, state, ends[end]);
  const auto type = [&](BodyIndex body) { return geometry.type_of(body); };
  const auto axis = [&](const PathJoint& joint) { return ends[joint.end].axis[joint.position]; };

  PlaneAxes plane;
  const auto& [a, b] = dyad.joints;
  if (type(a.body) == JointType::revolute)
    plane.normal = axis(a);
  else if (type(b.body) == JointType::revolute)
    plane.normal = axis(b);
  else
    plane.normal = axis(a).cross(axis(b));
  if (plane.normal.norm() < 1e-6) return std::nullopt;
  plane.normal.normalize();

  constexpr double parallel = 1e-12;  // sine of the angle by which two axes may differ
  for (std::size_t end : {0u, 1u})
    for (std::size_t k = 0; k < path.chains[end].size(); ++k) {
      const Vec3d& z = ends[end].axis[k];
      const JointType kind = type(path.chains[end][k]);
      if (kind == JointType::revolute && z.cross(plane.normal).norm() > parallel)
        return std::nullopt;
      if (kind == JointType::prismatic && std::abs(z.dot(plane.normal)) > parallel)
        return std::nullopt;
    }
  if (loop.keep == LoopKeep::parallel)
    for (std::size_t end : {0u, 1u})
      if ((ends[end].rotation * loop.axes[end]).cross(plane.normal).norm() > parallel)
        return std::nullopt;
  plane.e1 = plane.normal.unitOrthogonal();
  plane.e2 = plane.normal.cross(plane.e1);
  return plane;
}

void PlanarLoop::set(const DesignGeometry& geometry, const Path& path, const Dyad& dyad,
                     const PlaneAxes& plane, const JointView<double>& at_zero,
                     std::array<Trace<double>, 2>& ends) {
  extent = 0.0;
  for (std::size_t end : {0u, 1u}) {
    chains[end].set(geometry, path, end, plane, at_zero, ends[end]);
    const auto own = static_cast<std::size_t>(
        std::count_if(dyad.joints.begin(), dyad.joints.end(),
                      [end](const PathJoint& joint) { return joint.end == end; }));
    alone[end] = chains[end].joints.size() == own;
    extent = std::max(extent, chains[end].start.norm());
    for (const PlaneChain::PlaneJoint& joint : chains[end].joints)
      extent = std::max(extent, joint.way.norm());
  }
  for (std::size_t i : {0u, 1u}) {
    const auto& all = chains[dyad.joints[i].end].joints;
    joints[i] = 0;
    while (all[joints[i]].body != dyad.joints[i].body) ++joints[i];
  }
}

template <class S>
void DyadEnds<S>::begin(const PlanarLoop& loop, const Dyad& dyad, const JointState<S>& state) {
  set_to_zero(dyad, state);
  for (std::size_t end : {0u, 1u})
    if (loop.alone[end]) at_zero[end].follow(loop.chains[end], state);
}

template <class S>
void DyadEnds<S>::follow(const PlanarLoop& loop, const Dyad& dyad, const JointView<S>& state) {
  for (std::size_t end : {0u, 1u})
    if (dyad.is_on(end)) solved[end].follow(loop.chains[end], state);
}

template <class S>
DyadSolution<S> solve_dyad(const PlanarLoop& loop, const Dyad& dyad, double branch,
                           const JointState<S>& state, DyadEnds<S>& ends) {
  set_to_zero(dyad, state);
  std::array<PlaneTrace<S>, 2>& traces = ends.at_zero;
  for (std::size_t end : {0u, 1u})
    if (!loop.alone[end]) traces[end].follow(loop.chains[end], state);

  // If both are on one chain the upper joint is undone instead: turned backwards, it brings the
  // other end to the lower joint's arc.
  std::array<JointArc<S>, 2> arcs;
  for (std::size_t i : {0u, 1u}) {
    const std::size_t end = dyad.joints[i].end;
    const bool undone = dyad.same_chain() && i == 0;
    const PlaneChain::PlaneJoint& joint = loop.chains[end].joints[loop.joints[i]];
    JointArc<S>& arc = arcs[i];
    arc.circle = joint.turns;
    arc.start = traces[undone ? 1 - end : end].p;
    arc.sign = undone ? -1.0 : 1.0;
    if (arc.circle) {
      arc.centre = traces[end].origin[loop.joints[i]];
      arc.sign *= joint.sign;
    } else {
      arc.along = traces[end].column[loop.joints[i]];
    }
  }

  if (arcs[0].circle && arcs[1].circle) return two_circles(arcs[0], arcs[1], branch);
  if (arcs[0].circle) return circle_and_line(arcs[0], arcs[1], branch);
  if (arcs[1].circle) {
    DyadSolution<S> solution = circle_and_line(arcs[1], arcs[0], branch);
    std::swap(solution.joints[0], solution.joints[1]);
    return solution;
  }
  return two_lines(arcs[0], arcs[1]);
}

template struct DyadEnds<double>;
template struct DyadEnds<Pack>;
template DyadSolution<double> solve_dyad(const PlanarLoop&, const Dyad&, double,
                                         const JointState<double>&, DyadEnds<double>&);
template DyadSolution<Pack> solve_dyad(const PlanarLoop&, const Dyad&, double,
                                       const JointState<Pack>&, DyadEnds<Pack>&);

namespace {

/// A vector turned by a right angle about the normal.
template <class S>
Vec2<S> upright(const Vec2<S>& x) {
  return {-x(1), x(0)};
}

template <class S>
Vec2<S> turned_in_plane(const Vec2<double>& x, const S& sine, const S& cosine) {
  return {cosine * x(0) - sine * x(1), sine * x(0) + cosine * x(1)};
}

}  // namespace

void PlaneChain::set(const DesignGeometry& geometry, const Path& path, std::size_t end,
                     const PlaneAxes& plane, const JointView<double>& at_zero,
                     Trace<double>& trace) {
  trace_end(geometry, path, end, at_zero, trace);
  const auto in_plane = [&](const Vec3d& x) {
    return Vec2<double>(plane.e1.dot(x), plane.e2.dot(x));
  };
  joints.clear();
  const std::vector<BodyIndex>& bodies = path.chains[end];
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const JointType type = geometry.type_of(bodies[k]);
    if (type == JointType::fixed) continue;
    const double sign = plane.normal.dot(trace.axis[k]) < 0.0 ? -1.0 : 1.0;
    joints.push_back({bodies[k], k, type == JointType::revolute, sign, in_plane(trace.axis[k]),
                      Vec2<double>::Zero()});
  }
  height = plane.normal.dot(trace.p);
  Vec2<double> next = in_plane(trace.p);
  for (std::size_t i = joints.size(); i-- > 0;) {
    const Vec2<double> origin = in_plane(trace.origin[joints[i].position]);
    joints[i].way = next - origin;
    next = origin;
  }
  start = next;
}

template <class S>
void PlaneTrace<S>::follow(const PlaneChain& chain, const JointView<S>& state) {
  const std::size_t count = chain.joints.size();
  origin.resize(count);
  column.resize(count);
  S sine(0.0), cosine(1.0);  // of the turn so far
  Vec2<S> at(S(chain.start(0)), S(chain.start(1)));
  for (std::size_t i = 0; i < count; ++i) {
    const PlaneChain::PlaneJoint& joint = chain.joints[i];
    const auto b = static_cast<std::size_t>(joint.body);
    if (joint.turns) {
      const S s = state.sine[b] * joint.sign, c = state.cosine[b];
      const S before = sine;
      sine = sine * c + cosine * s;
      cosine = cosine * c - before * s;
    } else {
      const Vec2<S> along = turned_in_plane(joint.along, sine, cosine);
      column[i] = along;
      at += along * state.q[b];
    }
    origin[i] = at;
    at += turned_in_plane(joint.way, sine, cosine);
  }
  for (std::size_t i = 0; i < count; ++i)
    if (chain.joints[i].turns)
      column[i] = upright(Vec2<S>(at - origin[i])) * S(chain.joints[i].sign);
  p = at;
}

template <class S>
Vec2<S> PlaneTrace<S>::acceleration(const PlaneChain& chain, const JointView<S>& state) const {
  S omega(0.0), alpha(0.0);
  Vec2<S> sum(S(0.0), S(0.0));
  const auto carry = [&](const Vec2<S>& r) { sum += upright(r) * alpha - r * S(omega * omega); };
  for (std::size_t i = 0; i < chain.joints.size(); ++i) {
    const PlaneChain::PlaneJoint& joint = chain.joints[i];
    const auto b = static_cast<std::size_t>(joint.body);
    if (i > 0) carry(origin[i] - origin[i - 1]);
    if (joint.turns) {
      omega += state.v[b] * joint.sign;
      alpha += state.a[b] * joint.sign;
    } else {
      sum += column[i] * state.a[b] + upright(column[i]) * S(omega * state.v[b] * 2.0);
    }
  }
  if (!chain.joints.empty()) carry(p - origin.back());
  return sum;
}

template struct PlaneTrace<double>;
template struct PlaneTrace<Pack>;

namespace {

/// Solves |p0 turned by q about z - w| = length, with vectors from the joint's origin.
template <class S>
LineJointSolution<S> solve_revolute(const Vec3<S>& p0, const Vec3<S>& w, const Vec3<S>& z,
                                    const S& length, double branch) {
  const S height = z.dot(p0 - w);
  const Vec3<S> p = p0 - z * z.dot(p0);
  const Vec3<S> r = w - z * z.dot(w);
  // p . r cos q + (z x p) . r sin q = k
  const S x = p.dot(r);
  const S y = z.cross(p).dot(r);
  const S pp = p.dot(p), rr = r.dot(r), hh = height * height;
  const S k = (pp + rr + hh - length * length) * 0.5;
  const S reach2 = larger(S(x * x + y * y), S(tiny));
  const S across = sqrt(larger(S(reach2 - k * k), S(0.0)));

  LineJointSolution<S> solution;
  solution.joint = angle_of<S>(y * k + x * across * branch, x * k - y * across * branch);
  const S reach = sqrt(reach2);
  const S longest = sqrt(S(pp + rr + hh + reach * 2.0));
  const S shortest = sqrt(larger(S(pp + rr + hh - reach * 2.0), S(0.0)));
  solution.gap = larger(S(length - longest), S(shortest - length));
  solution.sine = across / reach;
  return solution;
}

/// Solves |d + z q| = length.
template <class S>
LineJointSolution<S> solve_prismatic(const Vec3<S>& d, const Vec3<S>& z, const S& length,
                                     double branch) {
  const S along = z.dot(d);
  const Vec3<S> aside = d - z * along;
  const S aside2 = aside.dot(aside);
  const S way = sqrt(larger(S(length * length - aside2), S(0.0)));
  LineJointSolution<S> solution;
  solution.joint = {way * branch - along, S(0.0), S(1.0)};
  solution.gap = sqrt(aside2) - length;
  solution.sine = way / larger(length, S(tiny));
  return solution;
}

}  // namespace

template <class S>
LineJointSolution<S> solve_line_joint(const DesignGeometry& geometry, const Path& path,
                                      const PathJoint& joint, double branch, const S& length,
                                      const JointState<S>& state, Line<S>& line) {
  const auto b = static_cast<std::size_t>(joint.body);
  state.q[b] = S(0.0);
  state.sine[b] = S(0.0);
  state.cosine[b] = S(1.0);
  trace_line<S>(geometry, path, state, line);

  const Trace<S>& moving = line.ends[joint.end];
  const Trace<S>& other = line.ends[1 - joint.end];
  const Vec3<S>& z = moving.axis[joint.position];
  const Vec3<S>& o = moving.origin[joint.position];
  if (geometry.type_of(joint.body) == JointType::revolute)
    return solve_revolute<S>(moving.p - o, other.p - o, z, length, branch);
  return solve_prismatic<S>(moving.p - other.p, z, length, branch);
}

template LineJointSolution<double> solve_line_joint(const DesignGeometry&, const Path&,
                                                    const PathJoint&, double, const double&,
                                                    const JointState<double>&, Line<double>&);
template LineJointSolution<Pack> solve_line_joint(const DesignGeometry&, const Path&,
                                                  const PathJoint&, double, const Pack&,
                                                  const JointState<Pack>&, Line<Pack>&);

}  // namespace counterpoise
