#include "engine/kinematics/closure/group_solver.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include "engine/kinematics/closure/tolerances.hpp"

namespace counterpoise {
namespace {

// Of a joint in a Newton step: [rad], [m] or of the size. Joints that are on no path go any way, as
// all equations of theirs are linear.
constexpr double longest_step = 0.5;
constexpr int most_steps = 40;

}  // namespace

GroupSolver::GroupSolver(std::vector<Equation> equations, std::vector<BodyIndex> unknowns,
                         const Mechanism& mechanism, const Paths& paths)
    : system_(std::move(equations), mechanism, paths, unknowns),
      unknowns_(std::move(unknowns)),
      is_unknown_(mechanism.bodies.size(), 0),
      bends_(mechanism.bodies.size(), 0) {
  for (BodyIndex body : unknowns_) is_unknown_[body] = 1;
  const std::vector<BodyIndex>& joints = system_.joints();
  for (std::size_t j = unknowns_.size(); j < joints.size(); ++j)
    known_.emplace_back(joints[j], static_cast<Eigen::Index>(j));
  std::sort(known_.begin(), known_.end());
  for (const Equation& equation : system_.equations())
    if (has_path(equation))
      for (BodyIndex body : joints_of(equation, mechanism, paths)) bends_[body] = 1;
  const auto m = static_cast<Eigen::Index>(unknowns_.size());
  columns_.setZero(system_.rows(), m);
  right_.setZero(system_.rows());
  solution_.setZero(m);
  work_.setZero(m);
  start_.resize(unknowns_.size());
  factor_ = OrthogonalDecomposition(columns_.rows(), columns_.cols());
  factor_.set_threshold(rank_threshold);
}

void GroupSolver::factorise() {
  columns_ = system_.jacobian.leftCols(columns_.cols());
  factor_.compute(columns_);
}

void GroupSolver::read_driven(const DesignGeometry& geometry, const JointView<double>& state,
                              std::span<double> driven) {
  for (const Equation& equation : system_.equations())
    if (equation.slot >= 0) driven[equation.slot] = 0.0;
  system_.evaluate(geometry, state, driven);
  Eigen::Index row = 0;
  for (const Equation& equation : system_.equations()) {
    if (equation.slot >= 0) driven[equation.slot] = system_.residual(row);
    row += equation.rows;
  }
}

void GroupSolver::linearise(const DesignGeometry& geometry, const JointView<double>& state,
                            std::span<const double> driven) {
  system_.evaluate(geometry, state, driven);
  factorise();
}

GroupSolver::Result GroupSolver::solve_positions(const DesignGeometry& geometry,
                                                 SampleState& sample,
                                                 std::span<const double> driven) {
  const JointView<double> state = sample.view();
  const auto move = [&](double share) {
    for (std::size_t j = 0; j < unknowns_.size(); ++j)
      sample.set_position(geometry.frames, unknowns_[j],
                          start_[j] - share * solution_(static_cast<Eigen::Index>(j)));
    system_.evaluate(geometry, state, driven);
  };

  system_.evaluate(geometry, state, driven);
  const double size = std::max(system_.scale(), 1.0);
  struct Longest {
    double of_all = 0.0, of_bending = 0.0;
  };
  const auto longest_of = [&](const Eigen::VectorXd& way) {
    Longest longest;
    for (std::size_t j = 0; j < unknowns_.size(); ++j) {
      const bool slides = geometry.type_of(unknowns_[j]) == JointType::prismatic;
      const double part = std::abs(way(static_cast<Eigen::Index>(j))) / (slides ? size : 1.0);
      if (!(part <= longest.of_all)) longest.of_all = part;
      if (bends_[unknowns_[j]] != 0) longest.of_bending = std::max(longest.of_bending, part);
    }
    return longest;
  };
  for (int step = 0; step < most_steps; ++step) {
    const double before = system_.residual.norm();
    const bool rough = system_.misfit() > solved_misfit;
    factorise();
    factor_.solve(system_.residual, solution_);
    const auto [longest, bending] = longest_of(solution_);
    if (!std::isfinite(longest)) return Result::diverged;
    for (std::size_t j = 0; j < unknowns_.size(); ++j) start_[j] = state.q[unknowns_[j]];

    double share = std::min(1.0, longest_step / std::max(bending, longest_step));
    move(share);
    for (int halving = 0; halving < 8 && rough && system_.residual.norm() > before; ++halving) {
      share /= 2.0;
      move(share);
    }
    // a last step in the range of quadratic convergence leaves rounding only
    if (share == 1.0 && longest < 1e-7 && system_.misfit() <= solved_misfit) return Result::solved;
    if (rough && !(system_.residual.norm() < before) && !descend(before, move)) break;
    if (longest * share < 1e-13) break;
  }
  return system_.misfit() <= solved_misfit ? Result::solved : Result::open;
}

/// Used where Newton's direction leads nowhere: tries a damped step (Levenberg, Marquardt) that
/// lowers the residual.
template <class Move>
bool GroupSolver::descend(double before, const Move& move) {
  move(0.0);
  const Eigen::MatrixXd normal = columns_.transpose() * columns_;
  const Eigen::VectorXd slope = columns_.transpose() * system_.residual;
  double damping = 1e-3 * std::max(normal.diagonal().maxCoeff(), 1e-12);
  for (int trial = 0; trial < 10; ++trial, damping *= 10.0) {
    Eigen::MatrixXd damped = normal;
    damped.diagonal().array() += damping;
    solution_ = damped.ldlt().solve(slope);
    move(1.0);
    if (system_.residual.norm() < before * (1.0 - 1e-9)) return true;
  }
  move(0.0);
  return false;
}

void GroupSolver::solve_velocities(const JointState<double>& state,
                                   std::span<const double> driven_velocity) {
  right_.setZero();
  for (const auto& [body, column] : known_)
    if (state.v[body] != 0.0) right_ -= system_.jacobian.col(column) * state.v[body];
  system_.add_driven(driven_velocity, right_);
  factor_.solve(right_, solution_);
  for (std::size_t j = 0; j < unknowns_.size(); ++j)
    state.v[unknowns_[j]] = solution_(static_cast<Eigen::Index>(j));
}

void GroupSolver::solve_accelerations(std::span<const JointFrame> frames,
                                      const JointState<double>& state,
                                      std::span<const double> driven_acceleration) {
  for (BodyIndex body : unknowns_) state.a[body] = 0.0;
  system_.accelerate(frames, state);
  right_ = -system_.acceleration;
  system_.add_driven(driven_acceleration, right_);
  factor_.solve(right_, solution_);
  for (std::size_t j = 0; j < unknowns_.size(); ++j)
    state.a[unknowns_[j]] = solution_(static_cast<Eigen::Index>(j));
}

double GroupSolver::smallest_singular_value() const {
  return singular_values(columns_).minCoeff();
}

void GroupSolver::read_basis(Eigen::MatrixXd& basis) {
  basis.setIdentity();
  factor_.apply_rotation(basis, work_);
}

double GroupSolver::volume() const {
  return factor_.pivots().prod();
}

double GroupSolver::conditioning() const {
  const auto m = static_cast<Eigen::Index>(unknowns_.size());
  if (factor_.rank() < m) return 0.0;
  const double largest = factor_.pivots().maxCoeff();
  return largest > 0.0 ? factor_.pivots().minCoeff() / largest : 0.0;
}

}  // namespace counterpoise
