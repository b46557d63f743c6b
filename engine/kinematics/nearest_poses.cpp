#include "engine/kinematics/nearest_poses.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/kinematics/closure/group_solver.hpp"
#include "engine/kinematics/closure/mobility.hpp"
#include "engine/kinematics/closure/path.hpp"
#include "engine/kinematics/drive_samples.hpp"

namespace counterpoise {
namespace {

/// Solves the closing equations together with the equations of driven lines, sample after sample.
class NearestSolver {
 public:
  NearestSolver(const Mechanism& mechanism, const std::vector<Drive>& drives)
      : mechanism_(mechanism), paths_(mechanism, drives), state_(mechanism.body_count()) {
    prepare_frames(mechanism, frames_);
    std::vector<Equation> equations = closing_equations(mechanism);
    joints_.reserve(drives.size());
    for (std::size_t d = 0; d < drives.size(); ++d) {
      const Drive& drive = drives[d];
      const Equation equation = drive_equation(drive, static_cast<int>(d), mechanism);
      const bool of_joint = equation.kind == EquationKind::joint_drive;
      joints_.push_back(of_joint ? BodyIndex(equation.element) : world_body);
      if (!of_joint) equations.push_back(equation);
    }
    const auto given = [&](BodyIndex body) {
      const auto is_joint = [&](const Actuator& actuator) { return actuator.joint == body; };
      return std::find(joints_.begin(), joints_.end(), body) != joints_.end() ||
             (drives.empty() &&
              std::any_of(mechanism.actuators.begin(), mechanism.actuators.end(), is_joint));
    };
    std::vector<BodyIndex> unknowns;
    for (BodyIndex b = 0; b < mechanism.body_count(); ++b)
      if (mechanism.moves(b) && !given(b)) unknowns.push_back(b);
    if (!unknowns.empty() && !equations.empty())
      solver_.emplace(std::move(equations), std::move(unknowns), mechanism, paths_);
  }

  [[nodiscard]] DesignGeometry geometry() const { return {mechanism_, frames_}; }

  /// Goes on from the joint positions `from` to the joint positions at these values of the drives.
  std::vector<double> step(const std::vector<double>& from, const std::vector<double>& driven) {
    for (BodyIndex b = 0; b < mechanism_.body_count(); ++b)
      state_.set_position(frames_, b, from[b]);
    for (std::size_t d = 0; d < driven.size(); ++d)
      if (joints_[d] != world_body) state_.set_position(frames_, joints_[d], driven[d]);
    settle(driven);
    std::vector<double> q(from.size(), 0.0);
    for (BodyIndex b = 0; b < mechanism_.body_count(); ++b)
      if (mechanism_.moves(b)) q[b] = state_.view().q[b];
    return q;
  }

  /// The length between an actuator's points at the last step.
  double length(ActuatorIndex actuator) {
    const Path& path = paths_.actuators[actuator];
    Line<double> line;
    line.resize(path);
    trace_line<double>(geometry(), path, state_.view(), line);
    return line.length;
  }

 private:
  /// Goes to a pose where the loops close, or else where the misfit is least in every direction.
  /// Newton's method on the equations comes near such a pose, but it creeps where a gap is left,
  /// and stops where the gap is least in some directions only.
  void settle(const std::vector<double>& driven) {
    constexpr int most_steps = 200;
    if (!solver_ || closes(driven)) return;
    for (int step = 0; step < most_steps; ++step)
      if (!descend(driven)) return;
  }

  bool closes(const std::vector<double>& driven) {
    return solver_->solve_positions(geometry(), state_, driven) == GroupSolver::Result::solved;
  }

  /// A step of Newton's method on half the squared misfit, downhill in every direction whatever the
  /// sign of its curvature. A stretched chain that points away from its target has no slope to
  /// either side: there the direction of most negative curvature is tried both ways. Returns
  /// whether the misfit fell.
  bool descend(const std::vector<double>& driven) {
    constexpr double flat = 1e-6;  // a curvature, relative to the largest
    constexpr double longest = 0.5, turn = 0.1, shortest_share = 1e-4;
    constexpr double worth = 1e-12;  // a fall of the misfit, relative
    const Eigen::VectorXd here = positions();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> curvature(second_derivatives(driven));
    const Eigen::VectorXd slope = curvature.eigenvectors().transpose() * slope_at(here, driven);
    const double before = misfit(driven);
    const Eigen::VectorXd& curved = curvature.eigenvalues();
    const double floor = flat * curved.cwiseAbs().maxCoeff();
    if (!(floor > 0.0) || !(before > 0.0)) return false;

    Eigen::VectorXd way = -slope.array() / curved.array().abs().max(floor);
    if (way.norm() > longest) way *= longest / way.norm();
    if (curved(0) < -floor && std::abs(way(0)) < turn) way(0) = std::copysign(turn, way(0));
    for (double share = 1.0; share > shortest_share; share /= 2.0)
      for (const double side : {1.0, -1.0}) {
        Eigen::VectorXd part = share * way;
        part(0) *= side;
        place(here + curvature.eigenvectors() * part);
        if (misfit(driven) < before * (1.0 - worth)) return true;
        if (curved(0) >= -floor) break;
      }
    place(here);
    return false;
  }

  /// Second derivatives of half the squared residual by the unknowns, from differences of its
  /// slope.
  Eigen::MatrixXd second_derivatives(const std::vector<double>& driven) {
    constexpr double step = 1e-5;
    const Eigen::VectorXd here = positions();
    Eigen::MatrixXd derivatives(here.size(), here.size());
    for (Eigen::Index j = 0; j < here.size(); ++j) {
      Eigen::VectorXd there = here;
      there(j) += step;
      const Eigen::VectorXd ahead = slope_at(there, driven);
      there(j) -= 2.0 * step;
      derivatives.col(j) = (ahead - slope_at(there, driven)) / (2.0 * step);
    }
    return 0.5 * (derivatives + derivatives.transpose());
  }

  Eigen::VectorXd slope_at(const Eigen::VectorXd& q, const std::vector<double>& driven) {
    place(q);
    solver_->linearise(geometry(), state_.view(), driven);
    return solver_->columns().transpose() * solver_->system().residual;
  }

  double misfit(const std::vector<double>& driven) {
    solver_->linearise(geometry(), state_.view(), driven);
    return solver_->system().residual.norm();
  }

  [[nodiscard]] Eigen::VectorXd positions() const {
    Eigen::VectorXd q(static_cast<Eigen::Index>(solver_->unknowns().size()));
    for (Eigen::Index j = 0; j < q.size(); ++j) q(j) = state_.view().q[solver_->unknowns()[j]];
    return q;
  }

  void place(const Eigen::VectorXd& q) {
    for (Eigen::Index j = 0; j < q.size(); ++j)
      state_.set_position(frames_, solver_->unknowns()[j], q(j));
  }

  const Mechanism& mechanism_;
  Paths paths_;
  std::vector<JointFrame> frames_;
  SampleState state_;
  std::vector<BodyIndex> joints_;  // per drive; the world for lines, points and turned bodies
  std::optional<GroupSolver> solver_;
};

std::vector<double> guesses(const Mechanism& mechanism) {
  std::vector<double> q;
  for (const Body& body : mechanism.bodies)
    q.push_back(body.joint.type == JointType::fixed ? 0.0 : body.joint.guess);
  return q;
}

/// The motion's drives, and a hold for each actuator that has to be held because the motion does
/// not name it. Adds nothing if the motion has as many drives as the mechanism has actuators.
std::vector<Drive> with_held_actuators(const Mechanism& mechanism, const Motion& motion,
                                       NearestSolver& zero, const std::vector<double>& q) {
  std::vector<Drive> drives = motion.drives;
  if (drives.size() >= mechanism.actuators.size()) return drives;
  for (const ActuatorIndex a : held_actuators(mechanism, Paths(mechanism, motion.drives), motion)) {
    const Actuator& actuator = mechanism.actuators[a];
    const bool driven = std::any_of(
        motion.drives.begin(), motion.drives.end(),
        [&](const Drive& drive) { return !actuator.linear() && drive.joint == actuator.joint; });
    if (!driven)
      drives.push_back(
          {{.actuator = a}, Hold{actuator.linear() ? zero.length(a) : q[actuator.joint]}});
  }
  return drives;
}

}  // namespace

std::vector<double> nearest_zero_configuration(const Mechanism& mechanism) {
  return NearestSolver(mechanism, {}).step(guesses(mechanism), {});
}

std::vector<std::vector<double>> nearest_to_motion(const Mechanism& mechanism,
                                                   const Motion& motion) {
  NearestSolver zero(mechanism, {});
  std::vector<double> q = zero.step(guesses(mechanism), {});
  const std::vector<Drive> drives = with_held_actuators(mechanism, motion, zero, q);
  NearestSolver solver(mechanism, drives);
  std::vector<std::vector<double>> samples;
  std::vector<double> driven(drives.size());
  for (int k = 0; k < motion.sample_count(); ++k) {
    for (std::size_t d = 0; d < drives.size(); ++d)
      driven[d] = evaluate(drives[d].profile, k * motion.step, motion.duration).position;
    q = solver.step(q, driven);
    samples.push_back(q);
  }
  return samples;
}

}  // namespace counterpoise
