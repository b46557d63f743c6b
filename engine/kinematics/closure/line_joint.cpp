#include "engine/kinematics/closure/line_joint.hpp"

#include "engine/kinematics/closure/tolerances.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {
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
