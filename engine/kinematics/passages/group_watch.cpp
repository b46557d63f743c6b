#include "engine/kinematics/passages/group_watch.hpp"

#include "engine/kinematics/closure/tolerances.hpp"
#include "engine/kinematics/passages/hermite.hpp"

namespace counterpoise {
namespace {

// Between bases that turned by less than 60 degrees in all, a passed singular pose cannot be
// missed.
constexpr double near_enough = 0.5;
// Parts of a step in which a passage is looked for. A pose as near to singular as a lever moves in
// one part counts as passed.
constexpr int parts = 64;

std::size_t slots_of(const GroupSolver& group) {
  int slots = 0;
  for (const Equation& equation : group.system().equations())
    slots = std::max(slots, equation.slot + 1);
  return static_cast<std::size_t>(slots);
}

}  // namespace

GroupWatch::GroupWatch(const GroupSolver& group, int bodies)
    : pose_before_(bodies), between_(bodies), no_drive_(slots_of(group), 0.0) {
  const auto m = static_cast<Eigen::Index>(group.unknowns().size());
  product_.setZero(m, m);
  factor_ = decltype(factor_)(m);
}

std::optional<double> GroupWatch::see(const Mechanism& mechanism,
                                      std::span<const JointFrame> frames, GroupSolver& group,
                                      const JointState<double>& now, double step) {
  group.read_orientation(now_);
  std::optional<double> passed;
  if (started_ && turn(before_, now_) < near_enough) {
    passed = search(mechanism, frames, group, now, step);
    group.linearise(mechanism, frames, now, no_drive_);
  }
  started_ = true;
  std::swap(before_, now_);
  copy(now.q, pose_before_.view().q);
  copy(now.v, pose_before_.view().v);
  return passed;
}

/// The cosine between two bases, all their directions together: 1 where they are the same, -1 where
/// one is the other's reflection.
double GroupWatch::turn(const GroupSolver::Orientation& from, const GroupSolver::Orientation& to) {
  const double sign = from.sign * to.sign;
  if (from.basis.size() == 0) return sign;
  product_.noalias() = from.basis.transpose() * to.basis;
  return sign * factor_.compute(product_).determinant();
}

std::optional<double> GroupWatch::search(const Mechanism& mechanism,
                                         std::span<const JointFrame> frames, GroupSolver& group,
                                         const JointState<double>& now, double step) {
  const JointState<double> before = pose_before_.view();
  from_ = before_;
  for (int part = 1; part <= parts; ++part) {
    const double share = static_cast<double>(part) / parts;
    for (std::size_t b = 0; b < now.q.size(); ++b) {
      const Hermite way{before.q[b], before.v[b], now.q[b], now.v[b], step};
      between_.set_position(frames, static_cast<int>(b),
                            part == parts ? now.q[b] : way.position(share));
    }
    group.linearise(mechanism, frames, between_.view(), no_drive_);
    if (!(group.conditioning() >= singular_pivot)) return share;
    group.read_orientation(to_);
    if (turn(from_, to_) < 0.0) return share - 0.5 / parts;
    std::swap(from_, to_);
  }
  return std::nullopt;
}

}  // namespace counterpoise
