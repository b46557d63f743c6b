#include "engine/kinematics/closure/passages.hpp"

#include "engine/kinematics/closure/tolerances.hpp"
#include "engine/math/cubic.hpp"

namespace counterpoise {
namespace {

// The least cosine between two bases, over all their directions together: a basis that turned by
// less than 60 degrees since the last sample cannot hide a passage; the reference follows earlier.
constexpr double near_enough = 0.5;
constexpr double near = 0.8;
// The number of parts of a step in which a passage is looked for. A pose as near to singular as a
// lever moves in one part counts as passed.
constexpr int parts = 64;

std::size_t slots_of(const GroupSolver& group) {
  int slots = 0;
  for (const Equation& equation : group.system().equations())
    slots = std::max(slots, equation.slot + 1);
  return static_cast<std::size_t>(slots);
}

}  // namespace

GroupWatch::GroupWatch(const GroupSolver& group, int bodies)
    : between_(bodies), no_drive_(slots_of(group), 0.0) {
  const auto m = static_cast<Eigen::Index>(group.unknowns().size());
  if (group.system().rows() > m) basis_.setZero(group.system().rows(), m);
  product_.setZero(m, m);
  factor_ = decltype(factor_)(m);
}

std::optional<double> GroupWatch::see(const DesignGeometry& geometry, GroupSolver& group,
                                      const JointView<double>& before, const JointView<double>& now,
                                      double step) {
  if (!started_) {
    started_ = true;
    refer_to(group);
    return std::nullopt;
  }
  const double cosine = turn(group) * sign_;
  if (cosine < near_enough) {
    const auto passed = search(geometry, group, before, now, step);
    group.linearise(geometry, now, no_drive_);
    return passed;
  }
  if (cosine < near) refer_to(group);
  return std::nullopt;
}

/// The cosine between the reference and the basis of the group's pose, with the sign of det R.
double GroupWatch::turn(const GroupSolver& group) {
  if (basis_.size() == 0)
    product_ = group.columns();
  else
    product_.noalias() = basis_.transpose() * group.columns();
  return factor_.compute(product_).determinant() / group.volume();
}

void GroupWatch::refer_to(GroupSolver& group) {
  if (basis_.size() > 0) group.read_basis(basis_);
  sign_ = turn(group) < 0.0 ? -1.0 : 1.0;
}

std::optional<double> GroupWatch::search(const DesignGeometry& geometry, GroupSolver& group,
                                         const JointView<double>& before,
                                         const JointView<double>& now, double step) {
  for (int part = 1; part <= parts; ++part) {
    const double share = static_cast<double>(part) / parts;
    for (std::size_t b = 0; b < now.q.size(); ++b) {
      const Hermite way{before.q[b], before.v[b], now.q[b], now.v[b], step};
      between_.set_position(geometry.frames, static_cast<int>(b),
                            part == parts ? now.q[b] : way.position(share));
    }
    group.linearise(geometry, between_.view(), no_drive_);
    if (!(group.conditioning() >= singular_pivot)) return share;
    const double cosine = turn(group) * sign_;
    if (cosine < 0.0) return share - 0.5 / parts;
    if (cosine < near) refer_to(group);
  }
  return std::nullopt;
}

}  // namespace counterpoise
