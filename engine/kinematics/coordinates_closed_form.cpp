#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/kinematics/closure/line_joint.hpp"
#include "engine/kinematics/closure/tolerances.hpp"
#include "engine/kinematics/coordinates.hpp"
#include "engine/kinematics/passages/sign_watch.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {
namespace {

constexpr double full_turn = 2.0 * std::numbers::pi;

/// The angle equal to `q` modulo full turns that lies nearest to `near`.
double unwrapped(double q, double near) {
  const double off = q - near;
  return std::abs(off) <= std::numbers::pi ? q : q - full_turn * std::round(off / full_turn);
}

/// Watches the samples of a closed-form step and keeps the first finding and the worst gap.
class Watch {
 public:
  struct Kinds {
    FindingKind open, singular, passed;
  };
  Watch(Kinds kinds, int element, double step) : kinds_(kinds), element_(element), step_(step) {}

  /// Takes sample `k`. `sine` is that of the angle that vanishes in singular poses; `lever` is the
  /// smallest singular value of the Jacobian, with the sign of its determinant.
  void see(double gap, double size, double sine, double lever, int k) {
    const auto passed = signs_.see(lever);
    if (gap > closed_tolerance * size) {
      worst_ = std::max(worst_, gap / size);
      if (!finding_) finding_ = {kinds_.open, element_, k * step_, gap, 0.0, 0.0};
    } else if (sine < singular_sine && !finding_) {
      finding_ = {kinds_.singular, element_, k * step_, std::abs(lever), 0.0, 0.0};
    } else if (passed && !finding_) {
      finding_ = {kinds_.passed, element_, (k - 1 + *passed) * step_, 0.0, 0.0, 0.0};
    }
  }

  /// Takes the samples of a block: all at once where nothing is to be found in it.
  template <class S>
  void see_block(const S& gap, const S& size, const S& sine, const S& lever, int block) {
    const S before = shifted(lever, signs_.last());
    const auto sound =
        (gap <= size * closed_tolerance) & (sine >= S(singular_sine)) & (lever * before > S(0.0));
    if (holds(sound, lanes<S>)) {
      signs_.see(lane(lever, lanes<S> - 1));
      return;
    }
    for (int i = 0; i < lanes<S>; ++i)
      see(lane(gap, i), lane(size, i), lane(sine, i), lane(lever, i), block * lanes<S> + i);
  }

  std::optional<Finding> result() {
    if (finding_) finding_->violation = worst_;
    return finding_;
  }

 private:
  Kinds kinds_;
  int element_;
  double step_;
  SignWatch signs_;
  double worst_ = 0.0;
  std::optional<Finding> finding_;
};

// For a smooth motion the trapezoid's error is far below: (omega h)^3 / 12 of its speed.
constexpr double share_of_speed = 0.5;
constexpr double share_of_step = 0.6;  // of the speed that one step's acceleration gives
constexpr double turn_of_rounding = 1e-9;

/// Tries to continue a block of samples at once, whose angles are continuous if all are less by
/// `turns` full turns. Returns whether they are, and the velocity turned at none; else does
/// nothing.
template <class S>
bool continue_block(const JointState<S>& state, std::size_t b, bool angle, double turns,
                    double step, const std::array<double, 3>& before) {
  const S v = state.v[b], a = state.a[b];
  const S v_before = shifted(v, before[1]), a_before = shifted(a, before[2]);
  const S turn = abs(S(v - v_before - (a_before + a) * (step / 2.0)));
  const S smooth = larger(abs(v), abs(v_before)) * share_of_speed +
                   larger(abs(a), abs(a_before)) * (share_of_step * step);
  if (!holds(turn <= smooth + S(turn_of_rounding), lanes<S>)) return false;
  if (!angle) return true;
  const S q = state.q[b] - S(full_turn * turns);
  const S off = q - shifted(q, before[0]) - (v_before + v) * (step / 2.0);
  if (!holds(abs(off) <= S(std::numbers::pi), lanes<S>)) return false;
  state.q[b] = q;
  return true;
}

/// Makes the angles of a closed-form step continuous from `start` on. Returns the first sample at
/// which the velocity turned since the sample before as in no smooth motion (there the closed form
/// stayed on its branch although the mechanism passed a singular pose between the two), or -1 if
/// there is none. Whole blocks are continued at once where nothing changes in them.
template <class S>
int make_continuous(JointMotion<S>& motion, BodyIndex body, bool angle, double start, double step) {
  const auto b = static_cast<std::size_t>(body);
  double q_before = start, v_before = 0.0, a_before = 0.0, turns = 0.0;
  int kink = -1;
  for (int k = 0; k < motion.blocks() * lanes<S>; ++k) {
    const SamplePlace<S> place(k);
    const JointState<S> state = motion.block(place.block);
    if (place.lane == 0 && k > 0 && k + lanes<S> <= motion.samples() &&
        continue_block(state, b, angle, turns, step, {q_before, v_before, a_before})) {
      constexpr int last = lanes<S> - 1;
      q_before = lane(state.q[b], last);
      v_before = lane(state.v[b], last);
      a_before = lane(state.a[b], last);
      k += last;
      continue;
    }
    double q = lane(state.q[b], place.lane);
    const double v = lane(state.v[b], place.lane);
    const double a = lane(state.a[b], place.lane);
    const double h = k == 0 || k >= motion.samples() ? 0.0 : step;
    if (angle) {
      const double near = q_before + h * (v_before + v) / 2.0;
      turns = std::abs(q - near) <= std::numbers::pi ? 0.0 : std::round((q - near) / full_turn);
      q -= full_turn * turns;
      set_lane(state.q[b], place.lane, q);
    }
    const double turn = std::abs(v - v_before - h * (a_before + a) / 2.0);
    const double smooth = share_of_speed * std::max(std::abs(v), std::abs(v_before)) +
                          share_of_step * h * std::max(std::abs(a), std::abs(a_before));
    if (kink < 0 && k > 0 && h > 0.0 && turn > smooth + turn_of_rounding) kink = k;
    q_before = q;
    v_before = v;
    a_before = a;
  }
  return kink;
}

template <class S>
Vec3<S> in_space(const PlaneAxes& plane, const Vec2<S>& x) {
  return {x(0) * plane.e1(0) + x(1) * plane.e2(0), x(0) * plane.e1(1) + x(1) * plane.e2(1),
          x(0) * plane.e1(2) + x(1) * plane.e2(2)};
}

}  // namespace

template <class S>
std::optional<Finding> Coordinates<S>::follow_line(const Call& call, const Step& step,
                                                   Scratch& scratch) {
  const DesignGeometry& geometry = call.geometry;
  const std::span<const JointFrame> frames = geometry.frames;
  JointMotion<S>& out = call.out;
  const Equation& drive = step.equations.front();
  const auto slot = static_cast<std::size_t>(drive.slot);
  const Path& path = paths_->actuators[static_cast<std::size_t>(drive.element)];
  const PathJoint& joint = step.line_joint;
  const auto b = static_cast<std::size_t>(joint.body);
  const bool angle = frames[b].type == JointType::revolute;
  const double q_zero = call.zero.q[b];
  Line<S>& line = scratch.line;
  ClosureColumns<S>& columns = *call.closures.of(drive);
  columns.resize(out.blocks());

  const auto solve = [&](int block, double branch) {
    return solve_line_joint(geometry, path, joint, branch, drives_.position(slot, block),
                            out.block(block), line);
  };
  const auto distance = [&](double branch) {
    const double q = lane(solve(0, branch).q, 0);
    return std::abs((angle ? unwrapped(q, q_zero) : q) - q_zero);
  };
  const double branch = distance(1.0) <= distance(-1.0) ? 1.0 : -1.0;

  Watch watch({FindingKind::actuator_unreachable, FindingKind::singular_actuator,
               FindingKind::singular_actuator_passed},
              drive.element, call.step);
  for (int block = 0; block < out.blocks(); ++block) {
    const LineJointSolution<S> solution = solve(block, branch);
    const JointState<S> state = out.block(block);
    set_position(frames[b], state, b, solution.q);
    trace_line<S>(geometry, path, state, line);
    columns.write(block, line);
    const S slope = length_slope(line, joint.end, joint.position);
    watch.see_block(solution.gap, drives_.position(slot, block), solution.sine, slope, block);
    S known_rate(0.0), rate(0.0);
    for (std::size_t end : {0u, 1u})
      for (std::size_t k = 0; k < path.chains[end].size(); ++k) {
        const BodyIndex body = path.chains[end][k];
        if (body != joint.body) known_rate += length_slope(line, end, k) * state.v[body];
      }
    state.v[b] = (drives_.velocity(slot, block) - known_rate) / slope;
    state.a[b] = S(0.0);
    const S known = length_acceleration<S>(frames, path, state, line, rate);
    state.a[b] = (drives_.acceleration(slot, block) - known) / slope;
  }
  if (const auto finding = watch.result()) return finding;
  const int kink = make_continuous(out, joint.body, angle, q_zero, call.step);
  if (kink >= 0)
    return Finding{FindingKind::actuator_jump, drive.element, kink * call.step, 0.0, 0.0, 0.0};
  columns.finish();
  return std::nullopt;
}

template <class S>
std::optional<Finding> Coordinates<S>::follow_dyad(const Call& call, const Step& step,
                                                   Scratch& scratch) {
  const DesignGeometry& geometry = call.geometry;
  const std::span<const JointFrame> frames = geometry.frames;
  JointMotion<S>& out = call.out;
  const LoopIndex loop = step.equations.front().element;
  const Path& path = paths_->loops[static_cast<std::size_t>(loop)];
  const auto plane = find_plane(geometry, geometry.mechanism.loops[static_cast<std::size_t>(loop)],
                                path, step.dyad, call.zero, scratch.plane_ends);
  if (!plane) return follow_group(call, scratch);
  ClosureColumns<S>& columns = *call.closures.of(step.equations.front());
  columns.resize(out.blocks());

  const PlanarLoop& planar = scratch.loop;
  scratch.loop.set(geometry, path, step.dyad, *plane, at_zero_.view(), scratch.plane_ends);
  const auto& joints = step.dyad.joints;
  const std::array<std::size_t, 2> b = {static_cast<std::size_t>(joints[0].body),
                                        static_cast<std::size_t>(joints[1].body)};
  auto& ends = scratch.ends;
  const auto distance = [&](double branch) {
    const auto solution = solve_dyad(planar, step.dyad, branch, out.block(0), ends);
    double sum = 0.0;
    for (std::size_t j : {0u, 1u}) {
      const double q = lane(solution.q[j], 0);
      const bool angle = frames[b[j]].type == JointType::revolute;
      const double d = (angle ? unwrapped(q, call.zero.q[b[j]]) : q) - call.zero.q[b[j]];
      sum += d * d;
    }
    return sum;
  };
  const double branch = distance(1.0) <= distance(-1.0) ? 1.0 : -1.0;

  Watch watch(
      {FindingKind::loop_open, FindingKind::singular_loop, FindingKind::singular_loop_passed}, loop,
      call.step);
  const auto high = [&](std::size_t end) {
    return S(planar.chains[end].height * planar.chains[end].height);
  };
  for (int block = 0; block < out.blocks(); ++block) {
    const JointState<S> state = out.block(block);
    const auto solution = solve_dyad(planar, step.dyad, branch, state, ends);
    for (std::size_t j : {0u, 1u}) {
      set_position(frames[b[j]], state, b[j], solution.q[j]);
      state.v[b[j]] = S(0.0);
      state.a[b[j]] = S(0.0);
    }
    // closure p_first - p_second = 0 in the plane gives two equations for the two joints
    Vec2<S> rest_v(S(0.0), S(0.0));  // velocity of the ends apart, by known joints
    for (std::size_t end : {0u, 1u}) {
      const PlaneChain& chain = planar.chains[end];
      if (joints[0].end == end || joints[1].end == end) ends[end].follow(chain, state);
      for (std::size_t i = 0; i < chain.joints.size(); ++i) {
        const Vec2<S>& c = ends[end].column[i];
        const S& v = state.v[static_cast<std::size_t>(chain.joints[i].body)];
        rest_v += c * (end == 0 ? v : S(-v));
        columns.write(block, end, chain.joints[i].position, in_space(*plane, c));
      }
    }
    const S gap = larger(solution.gap, S(planar.aside()));
    const S size =
        sqrt(larger(S(ends[0].p.dot(ends[0].p) + high(0)), S(ends[1].p.dot(ends[1].p) + high(1))));
    const auto column = [&](std::size_t j) {
      const Vec2<S>& c = ends[joints[j].end].column[planar.joints[j]];
      return joints[j].end == 0 ? c : Vec2<S>(-c);
    };
    const Vec2<S> c0 = column(0), c1 = column(1);
    const S det = cross2<S>(c0, c1), inverse = S(1.0) / det;
    // near a singular pose the square of the larger singular value is the sum of both squares
    const S lever = det / larger(S(sqrt(S(c0.dot(c0) + c1.dot(c1)))), S(tiny));
    watch.see_block(gap, size, solution.sine, lever, block);
    const auto solve_pair = [&](const Vec2<S>& rest, const JointColumn<S>& values) {
      values[b[0]] = cross2<S>(c1, rest) * inverse;
      values[b[1]] = cross2<S>(rest, c0) * inverse;
    };
    solve_pair(rest_v, state.v);
    solve_pair(ends[0].acceleration(planar.chains[0], state) -
                   ends[1].acceleration(planar.chains[1], state),
               state.a);
  }
  if (const auto finding = watch.result()) return finding;
  for (std::size_t j : {0u, 1u}) {
    const bool angle = frames[b[j]].type == JointType::revolute;
    const int kink = make_continuous(out, joints[j].body, angle, call.zero.q[b[j]], call.step);
    if (kink >= 0) return Finding{FindingKind::loop_jump, loop, kink * call.step, 0.0, 0.0, 0.0};
  }
  columns.finish();
  return std::nullopt;
}

template std::optional<Finding> Coordinates<double>::follow_line(const Call&, const Step&,
                                                                 Scratch&);
template std::optional<Finding> Coordinates<double>::follow_dyad(const Call&, const Step&,
                                                                 Scratch&);
template std::optional<Finding> Coordinates<Pack>::follow_line(const Call&, const Step&, Scratch&);
template std::optional<Finding> Coordinates<Pack>::follow_dyad(const Call&, const Step&, Scratch&);

}  // namespace counterpoise
