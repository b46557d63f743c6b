#include "engine/kinematics/zero_configuration.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/math/same_bits.hpp"

namespace counterpoise {
namespace {

/// The distance between two positions of one joint; angles count modulo a full turn.
double change(const JointFrame& frame, double from, double to) {
  const double d = to - from;
  return frame.type == JointType::revolute ? std::remainder(d, 2.0 * std::numbers::pi) : d;
}

}  // namespace

ZeroConfiguration::ZeroConfiguration(const Mechanism& mechanism, const Paths& paths,
                                     const Plan& actuator_plan)
    : paths_(&paths),
      plan_(&actuator_plan),
      solvers_(actuator_plan.steps.size()),
      coupled_(actuator_plan.steps.size()),
      state_(mechanism.body_count()),
      at_zero_(mechanism.body_count()),
      before_(mechanism.bodies.size()) {
  for (std::size_t i = 0; i < solvers_.size(); ++i) {
    const Step& step = actuator_plan.steps[i];
    std::vector<Equation> closing, couplings;
    for (const Equation& equation : step.equations) {
      if (equation.kind == EquationKind::loop || equation.kind == EquationKind::coupling)
        closing.push_back(equation);
      if (equation.kind == EquationKind::coupling) couplings.push_back(equation);
    }
    const bool both = !couplings.empty() && couplings.size() < closing.size();
    if (both) coupled_[i].emplace(std::move(couplings), step.unknowns, mechanism, paths);
    if (!closing.empty()) solvers_[i].emplace(std::move(closing), step.unknowns, mechanism, paths);
  }
  if (!actuator_plan.redundant.empty())
    redundant_.emplace(actuator_plan.redundant, mechanism, paths);
}

std::optional<Finding> ZeroConfiguration::solve(const DesignGeometry& geometry) {
  state_.set_guess(geometry);
  for (std::size_t i = 0; i < solvers_.size(); ++i) {
    if (!solvers_[i]) continue;
    const bool dyad = plan_->steps[i].kind == StepKind::dyad;
    const auto finding = dyad ? close_dyad(geometry, i) : close_group(geometry, i);
    if (finding) return finding;
  }
  if (!redundant_) return std::nullopt;
  redundant_->evaluate(geometry, state_.view(), {});
  if (redundant_->misfit() <= closed_tolerance) return std::nullopt;
  return redundant_->open_finding(0.0);
}

std::optional<Finding> ZeroConfiguration::follow(const DesignGeometry& geometry,
                                                 StaleUnits& stale) {
  const JointState<double> state = state_.view();
  for (std::size_t b = 0; b < before_.size(); ++b) before_[b] = state.q[b];
  const auto finding = solve(geometry);
  for (std::size_t b = 0; b < before_.size(); ++b)
    if (!same_bits<1>(&state.q[b], &before_[b]))
      stale.touch({Quantity::zero_position, static_cast<int>(b)});
  return finding;
}

std::optional<Finding> ZeroConfiguration::close_dyad(const DesignGeometry& geometry,
                                                     std::size_t index) {
  const Step& step = plan_->steps[index];
  const LoopIndex loop = step.equations.front().element;
  const Path& path = paths_->loops[loop];
  const JointState<double> state = state_.view();
  for (std::size_t end : {0u, 1u}) ends_[end].resize(path.chains[end].size());
  const auto plane =
      find_plane(geometry, geometry.mechanism.loops[loop], path, step.dyad, state, ends_);
  if (!plane) return close_group(geometry, index);

  loop_.set(geometry, path, step.dyad, *plane, at_zero_.view(), ends_);
  std::array<double, 2> guess{};
  for (std::size_t j : {0u, 1u}) guess[j] = state.q[step.dyad.joints[j].body];
  planar_ends_.begin(loop_, step.dyad, state);

  DyadSolution<double> best{};
  double least = std::numeric_limits<double>::infinity();
  for (const double branch : {1.0, -1.0}) {
    const auto solution = solve_dyad(loop_, step.dyad, branch, state, planar_ends_);
    double distance = 0.0;
    for (std::size_t j : {0u, 1u}) {
      const auto b = static_cast<std::size_t>(step.dyad.joints[j].body);
      const double d = change(geometry.frames[b], guess[j], solution.joints[j].q);
      distance += d * d;
    }
    if (distance < least) {
      least = distance;
      best = solution;
    }
  }
  for (std::size_t j : {0u, 1u}) {
    const BodyIndex body = step.dyad.joints[j].body;
    const JointFrame& frame = geometry.frames[body];
    state_.set_position(geometry.frames, body,
                        guess[j] + change(frame, guess[j], best.joints[j].q));
  }
  const auto distance_of = [&](std::size_t end) {
    return std::hypot(planar_ends_.at_zero[end].p.norm(), loop_.chains[end].height);
  };
  const double size = std::max({distance_of(0), distance_of(1), loop_.extent});
  const double gap = std::max(best.gap, loop_.aside());
  if (gap > closed_tolerance * size)
    return Finding{FindingKind::loop_open, loop, 0.0, gap, 0.0, gap / size};
  return std::nullopt;
}

std::optional<Finding> ZeroConfiguration::close_group(const DesignGeometry& geometry,
                                                      std::size_t index) {
  // Newton's method starts where the couplings, which are linear, are met already. From a guess
  // that lies in line, or far off, it may find no solution. Then it starts beside the guess,
  // farther and farther away.
  constexpr int tries = 16;
  constexpr double farther = 1.25;
  GroupSolver& solver = *solvers_[index];
  const std::vector<BodyIndex>& unknowns = solver.unknowns();
  std::vector<double> guess;
  std::optional<Finding> nearest;
  double reach = 1.0, least = 0.0;
  for (int trial = 0; trial < tries; ++trial, reach *= farther) {
    for (std::size_t j = 0; j < unknowns.size() && trial > 0; ++j) {
      const BodyIndex body = unknowns[j];
      const JointType type = geometry.type_of(body);
      state_.set_position(geometry.frames, body, guess[j] + reach * nudge(trial, body, type));
    }
    if (trial == 0)
      for (BodyIndex body : unknowns) guess.push_back(state_.view().q[body]);
    if (coupled_[index]) coupled_[index]->solve_positions(geometry, state_, {});
    if (solver.solve_positions(geometry, state_, {}) == GroupSolver::Result::solved)
      return std::nullopt;
    const double miss = solver.system().residual.norm();
    if (nearest && miss > 0.99 * least) continue;
    least = miss;
    nearest = solver.system().open_finding(0.0);
  }
  return nearest;
}

}  // namespace counterpoise
