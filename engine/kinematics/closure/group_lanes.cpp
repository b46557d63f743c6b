#include "engine/kinematics/closure/group_lanes.hpp"

#include <algorithm>
#include <cmath>

namespace counterpoise {
namespace {

// Four decades above the pivot that counts as singular: what lanes solve here, one sample at a time
// solves as well, and both agree to rounding.
constexpr double least_conditioning = 1e-4;

}  // namespace

GroupLanes::GroupLanes(std::vector<Equation> equations, std::vector<BodyIndex> unknowns,
                       const Mechanism& mechanism, const Paths& paths)
    : equations_(std::move(equations), mechanism, paths, unknowns),
      unknowns_(std::move(unknowns)),
      factor_(equations_.rows(), static_cast<int>(unknowns_.size())),
      right_(equations_.residual().size()),
      solution_(unknowns_.size()) {}

void GroupLanes::linearise(const DesignGeometry& geometry, const JointView<Pack>& state,
                           std::span<const Pack> driven) {
  equations_.evaluate(geometry, state, driven);
  for (std::size_t j = 0; j < unknowns_.size(); ++j) {
    const std::span<const Pack> from = equations_.column(j);
    std::copy(from.begin(), from.end(), factor_.column(static_cast<int>(j)).begin());
  }
  factor_.compute();
}

std::span<const Pack> GroupLanes::newton_step() {
  const std::span<const Pack> residual = equations_.residual();
  std::copy(residual.begin(), residual.end(), right_.begin());
  factor_.solve(right_, solution_);
  return solution_;
}

void GroupLanes::set_unknowns(const JointColumn<Pack>& values) {
  factor_.solve(right_, solution_);
  for (std::size_t j = 0; j < unknowns_.size(); ++j) values[unknowns_[j]] = solution_[j];
}

void GroupLanes::solve_velocities(const JointState<Pack>& state,
                                  std::span<const Pack> driven_velocity) {
  std::fill(right_.begin(), right_.end(), Pack(0.0));
  const std::vector<BodyIndex>& joints = equations_.joints();
  for (std::size_t j = unknowns_.size(); j < joints.size(); ++j) {
    const std::span<const Pack> column = equations_.column(j);
    const Pack v = state.v[joints[j]];
    for (std::size_t i = 0; i < right_.size(); ++i) right_[i] -= column[i] * v;
  }
  equations_.add_driven(driven_velocity, right_);
  set_unknowns(state.v);
}

void GroupLanes::solve_accelerations(const DesignGeometry& geometry, const JointState<Pack>& state,
                                     std::span<const Pack> driven_acceleration) {
  for (BodyIndex body : unknowns_) state.a[body] = Pack(0.0);
  equations_.accelerate(geometry, state, right_);
  for (Pack& row : right_) row = -row;
  equations_.add_driven(driven_acceleration, right_);
  set_unknowns(state.a);
}

PackMask GroupLanes::regular() {
  return factor_.conditioning() >= Pack(least_conditioning);
}

PackMask GroupLanes::met(double tolerance) const {
  PackMask met = equations_.upright();
  equations_.for_each_misfit([&](std::size_t, const Pack& gap, const Pack& turn, const Pack& size) {
    const Pack most = size * tolerance;
    met = met & (gap <= most * most) & (turn <= Pack(tolerance * tolerance));
  });
  return met;
}

namespace {

// The least cosine between the spans of two consecutive samples. GroupWatch lets a span turn by up
// to 37 degrees before it refers to another one, and looks closer from 60 degrees on; 16 degrees
// more never take it there.
constexpr double little_turn = 0.96;

}  // namespace

WatchLanes::WatchLanes(const GroupLanes& group, int bodies, std::size_t driven_values)
    : product_(static_cast<int>(group.unknowns().size()),
               static_cast<int>(group.unknowns().size())),
      no_drive_(driven_values) {
  at_.resize(bodies, lanes<Pack>);
  const auto rows = static_cast<std::size_t>(group.equations().rows());
  if (rows > group.unknowns().size()) columns_.resize(rows * group.unknowns().size());
}

void WatchLanes::keep(const GroupLanes& group, int lane_kept) {
  determinant_ = lane(group.factor().determinant(), lane_kept);
  if (columns_.empty()) return;
  const auto rows = static_cast<std::size_t>(group.equations().rows());
  for (std::size_t j = 0; j < group.unknowns().size(); ++j)
    for (std::size_t i = 0; i < rows; ++i)
      columns_[j * rows + i] = lane(group.equations().column(j)[i], lane_kept);
}

void WatchLanes::begin(const DesignGeometry& geometry, GroupLanes& group,
                       const JointView<double>& sample) {
  const JointState<Pack> at = at_.block(0);
  for (BodyIndex joint : group.equations().joints()) {
    const auto b = static_cast<std::size_t>(joint);
    at.q[b] = Pack(sample.q[b]);
    at.sine[b] = Pack(sample.sine[b]);
    at.cosine[b] = Pack(sample.cosine[b]);
  }
  group.linearise(geometry, at, no_drive_);
  keep(group, 0);
}

bool WatchLanes::quiet(const GroupLanes& group, int used) {
  const Pack determinant = group.factor().determinant();
  const Pack both = shifted(determinant, determinant_) * determinant;
  PackMask same = both > Pack(0.0);
  if (!columns_.empty()) {
    const auto rows = static_cast<std::size_t>(group.equations().rows());
    const std::size_t m = group.unknowns().size();
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < m; ++j) product_.column(static_cast<int>(j))[i] = Pack(0.0);
      for (std::size_t r = 0; r < rows; ++r) {
        const Pack before = shifted(group.equations().column(i)[r], columns_[i * rows + r]);
        for (std::size_t j = 0; j < m; ++j)
          product_.column(static_cast<int>(j))[i] += before * group.equations().column(j)[r];
      }
    }
    product_.compute();
    same = product_.determinant() >= abs(both) * little_turn;
  }
  if (!holds(same, used)) return false;
  keep(group, used - 1);
  return true;
}

}  // namespace counterpoise
