#include "engine/kinematics/lanes/group_lanes.hpp"

#include <algorithm>

namespace counterpoise {
namespace {

// Four decades above the pivot that counts as singular: what lanes solve here, one sample at a time
// solves as well, and both agree to rounding.
constexpr double least_conditioning = 1e-4;

}  // namespace

GroupLanes::GroupLanes(std::vector<Equation> equations, std::vector<BodyIndex> unknowns,
                       const Mechanism& mechanism, const Paths& paths)
    : equations_(std::move(equations), unknowns, mechanism, paths),
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

}  // namespace counterpoise
