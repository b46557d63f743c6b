#include <algorithm>
#include <cmath>

#include "engine/kinematics/coordinates.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {
namespace {

template <class S>
void read_sample(JointMotion<S>& motion, int k, const JointState<double>& to) {
  const SamplePlace<S> place(k);
  const JointState<S> from = motion.block(place.block);
  for (std::size_t b = 0; b < to.q.size(); ++b) {
    to.q[b] = lane(from.q[b], place.lane);
    to.v[b] = lane(from.v[b], place.lane);
    to.a[b] = lane(from.a[b], place.lane);
    to.sine[b] = lane(from.sine[b], place.lane);
    to.cosine[b] = lane(from.cosine[b], place.lane);
  }
}

template <class S>
void write_joint(JointMotion<S>& motion, int k, std::size_t b, const JointState<double>& from) {
  const SamplePlace<S> place(k);
  const JointState<S> to = motion.block(place.block);
  set_lane(to.q[b], place.lane, from.q[b]);
  set_lane(to.v[b], place.lane, from.v[b]);
  set_lane(to.a[b], place.lane, from.a[b]);
  set_lane(to.sine[b], place.lane, from.sine[b]);
  set_lane(to.cosine[b], place.lane, from.cosine[b]);
}

void copy(const JointState<double>& from, const JointState<double>& to) {
  std::copy(from.q.begin(), from.q.end(), to.q.begin());
  std::copy(from.v.begin(), from.v.end(), to.v.begin());
  std::copy(from.a.begin(), from.a.end(), to.a.begin());
  std::copy(from.sine.begin(), from.sine.end(), to.sine.begin());
  std::copy(from.cosine.begin(), from.cosine.end(), to.cosine.begin());
}

/// Cubic through both ends' positions and velocities at u in [0, 1] of an interval of length h.
struct Hermite {
  double q0, v0, q1, v1, h;
  [[nodiscard]] double position(double u) const {
    const double w = 1.0 - u;
    return w * w * (1.0 + 2.0 * u) * q0 + u * u * (3.0 - 2.0 * u) * q1 +
           h * u * w * (w * v0 - u * v1);
  }
  [[nodiscard]] double velocity(double u) const {
    return 6.0 * u * (1.0 - u) * (q1 - q0) / h + (1.0 - u) * (1.0 - 3.0 * u) * v0 +
           u * (3.0 * u - 2.0) * v1;
  }
};

/// What a step of the continuation came to.
enum class Advance { arrived, open, singular, jumped };

/// Follows a group from a solved state to the next in `count` equal parts, everything else moving
/// on cubics between the two ends. `h` is the time between them.
class Continuation {
 public:
  Continuation(const Mechanism& mechanism, std::span<const JointFrame> frames, GroupSolver& group)
      : mechanism_(mechanism), frames_(frames), group_(group) {}

  struct End {
    const JointState<double>& joints;
    const std::vector<double>& driven;
    const std::vector<double>& driven_velocity;
  };

  Advance follow(const End& from, const End& to, double h, int count, SampleState& at) {
    const JointState<double> state = at.view();
    copy(from.joints, state);
    std::vector<double>& driven = driven_;
    driven.resize(from.driven.size());
    driven_velocity_.resize(from.driven.size());
    for (int part = 1; part <= count; ++part) {
      const double u = static_cast<double>(part) / count;
      const double dt = h / count;
      start_.clear();
      for (int body : group_.unknowns()) {
        const auto b = static_cast<std::size_t>(body);
        start_.push_back({state.q[b], state.v[b]});
      }
      place_known(from, to, h, u, state);
      for (std::size_t j = 0; j < start_.size(); ++j)
        at.set_position(frames_, group_.unknowns()[j], start_[j].q + dt * start_[j].v);

      const auto result = group_.solve_positions(mechanism_, frames_, at, driven);
      if (result != GroupSolver::Result::solved) return Advance::open;
      group_.linearise(mechanism_, frames_, state, driven);
      if (group_.conditioning() < singular_tolerance) return Advance::singular;
      group_.solve_velocities(state, driven_velocity_);
      if (!smooth(state, dt)) return Advance::jumped;
    }
    return Advance::arrived;
  }

 private:
  struct Start {
    double q, v;
  };

  void place_known(const End& from, const End& to, double h, double u,
                   const JointState<double>& state) {
    for (std::size_t i = 0; i < driven_.size(); ++i) {
      const Hermite way{from.driven[i], from.driven_velocity[i], to.driven[i],
                        to.driven_velocity[i], h};
      driven_[i] = u == 1.0 ? to.driven[i] : way.position(u);
      driven_velocity_[i] = u == 1.0 ? to.driven_velocity[i] : way.velocity(u);
    }
    for (std::size_t b = 0; b < state.q.size(); ++b) {
      if (std::find(group_.unknowns().begin(), group_.unknowns().end(), static_cast<int>(b)) !=
          group_.unknowns().end())
        continue;
      const Hermite way{from.joints.q[b], from.joints.v[b], to.joints.q[b], to.joints.v[b], h};
      state.q[b] = u == 1.0 ? to.joints.q[b] : way.position(u);
      state.v[b] = u == 1.0 ? to.joints.v[b] : way.velocity(u);
      if (frames_[b].type == JointType::revolute) {
        state.sine[b] = std::sin(state.q[b]);
        state.cosine[b] = std::cos(state.q[b]);
      }
    }
  }

  /// Whether the unknowns moved as their velocities at both ends say.
  [[nodiscard]] bool smooth(const JointState<double>& state, double dt) const {
    constexpr double share_of_move = 0.2;
    double error = 0.0, move = 0.0;
    for (std::size_t j = 0; j < start_.size(); ++j) {
      const auto b = static_cast<std::size_t>(group_.unknowns()[j]);
      error = std::max(error,
                       std::abs(state.q[b] - start_[j].q - dt * (start_[j].v + state.v[b]) / 2.0));
      move = std::max({move, dt * std::abs(start_[j].v), dt * std::abs(state.v[b])});
    }
    return error <= share_of_move * move + 1e-7;
  }

  const Mechanism& mechanism_;
  std::span<const JointFrame> frames_;
  GroupSolver& group_;
  std::vector<Start> start_;
  std::vector<double> driven_, driven_velocity_;
};

constexpr int finest = 1024;  // parts of one interval before a finding is believed

}  // namespace

template <class S>
std::optional<Finding> Coordinates<S>::follow_group(const Call& call, GroupSolver& group) {
  const Mechanism& mechanism = call.mechanism;
  const std::span<const JointFrame> frames = call.frames;
  const Motion& motion = call.motion;
  JointMotion<S>& out = call.out;
  Continuation continuation(mechanism, frames, group);
  const JointState<double> now = sample_.view(), before = previous_.view();

  // the zero configuration, at rest, is where the way to t = 0 begins
  copy(call.zero.view(), before);
  std::vector<double> driven_before(driven_position_.size(), 0.0);
  std::vector<double> velocity_before(driven_position_.size(), 0.0);
  for (const Equation& equation : group.system().equations())
    if (equation.slot >= 0) {
      const Path& path = paths_->actuators[static_cast<std::size_t>(equation.element)];
      Line<double> line;
      line.resize(path);
      trace_line(mechanism, frames, path, before, line);
      driven_before[static_cast<std::size_t>(equation.slot)] = line.length;
    }

  for (int k = 0; k < out.blocks() * lanes<S>; ++k) {
    const int source = std::min(k, out.samples() - 1);
    const SamplePlace<S> place(source);
    if (k < out.samples()) {
      read_sample(out, k, now);
      for (std::size_t c = 0; c < driven_position_.size(); ++c) {
        driven_position_[c] = lane(drives_.position(c, place.block), place.lane);
        driven_velocity_[c] = lane(drives_.velocity(c, place.block), place.lane);
        driven_acceleration_[c] = lane(drives_.acceleration(c, place.block), place.lane);
      }
      // to t = 0 the way is any smooth one: at rest at both ends, over one second
      const std::vector<double> at_rest(k == 0 ? now.v.size() : 0, 0.0);
      std::vector<double> kept_v(now.v.begin(), now.v.end());
      if (k == 0) std::fill(now.v.begin(), now.v.end(), 0.0);
      const std::vector<double>& velocity_now = k == 0 ? velocity_before : driven_velocity_;
      const Continuation::End from{before, driven_before, velocity_before};
      const Continuation::End to{now, driven_position_, velocity_now};
      const double h = k == 0 ? 1.0 : motion.step;

      Advance advance = Advance::jumped;
      for (int parts = k == 0 ? 16 : 1; parts <= finest && advance != Advance::arrived; parts *= 4)
        advance = continuation.follow(from, to, h, parts, between_);
      if (advance != Advance::arrived) {
        const double time = k * motion.step;
        if (advance == Advance::open) return group.system().open_finding(time);
        if (advance == Advance::jumped) return group.system().jump_finding(time);
        return group.system().singular_finding(time, group.conditioning());
      }
      std::copy(kept_v.begin(), kept_v.end(), now.v.begin());
      for (int body : group.unknowns()) {
        const auto b = static_cast<std::size_t>(body);
        now.q[b] = between_.view().q[b];
        now.sine[b] = between_.view().sine[b];
        now.cosine[b] = between_.view().cosine[b];
      }
      group.linearise(mechanism, frames, now, driven_position_);
      group.solve_velocities(now, driven_velocity_);
      group.solve_accelerations(frames, now, driven_acceleration_);
      copy(now, before);
      driven_before = driven_position_;
      velocity_before = driven_velocity_;
    }
    for (int body : group.unknowns()) write_joint(out, k, static_cast<std::size_t>(body), now);
  }
  return std::nullopt;
}

template <class S>
std::optional<Finding> Coordinates<S>::check_redundant(const Call& call) {
  if (!redundant_) return std::nullopt;
  const JointState<double> now = sample_.view();
  for (int k = 0; k < call.out.samples(); ++k) {
    read_sample(call.out, k, now);
    redundant_->evaluate(call.mechanism, call.frames, now, {});
    const double gap = redundant_->residual.cwiseAbs().maxCoeff();
    const double size = std::max(redundant_->scale(), 1e-6);
    if (!(gap <= closed_tolerance * size)) return redundant_->open_finding(k * call.motion.step);
  }
  return std::nullopt;
}

template std::optional<Finding> Coordinates<double>::follow_group(const Call&, GroupSolver&);
template std::optional<Finding> Coordinates<Pack>::follow_group(const Call&, GroupSolver&);
template std::optional<Finding> Coordinates<double>::check_redundant(const Call&);
template std::optional<Finding> Coordinates<Pack>::check_redundant(const Call&);

}  // namespace counterpoise
