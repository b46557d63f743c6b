#include "engine/kinematics/closure/equations.hpp"

#include <algorithm>
#include <cmath>

#include "engine/kinematics/closure/tolerances.hpp"

namespace counterpoise {
namespace {

bool spans_points(const Equation& equation) {
  return equation.kind == EquationKind::loop || equation.kind == EquationKind::line_drive;
}

const Path& path_of(const Equation& equation, const Paths& paths) {
  const auto i = static_cast<std::size_t>(equation.element);
  return equation.kind == EquationKind::loop ? paths.loops[i] : paths.actuators[i];
}

std::vector<int> moving_joints(const Path& path, const Mechanism& mechanism) {
  std::vector<int> joints;
  for (const std::vector<int>& chain : path.chains)
    for (int body : chain)
      if (mechanism.moves(body)) joints.push_back(body);
  return joints;
}

}  // namespace

Paths::Paths(const Mechanism& mechanism) {
  for (const Loop& loop : mechanism.loops) loops.push_back(path_between(mechanism, loop.points));
  for (const Actuator& actuator : mechanism.actuators)
    actuators.push_back(actuator.linear() ? path_between(mechanism, actuator.points) : Path{});
  for (const Spring& spring : mechanism.springs)
    springs.push_back(spring.type == SpringType::torsion ? Path{}
                                                         : path_between(mechanism, spring.points));
}

std::vector<int> joints_of(const Equation& equation, const Mechanism& mechanism,
                           const Paths& paths) {
  if (equation.kind == EquationKind::joint_drive) return {equation.element};
  if (equation.kind == EquationKind::coupling) {
    const Coupling& coupling = mechanism.couplings[static_cast<std::size_t>(equation.element)];
    return {coupling.joint, coupling.of};
  }
  return moving_joints(path_of(equation, paths), mechanism);
}

std::vector<int> joints_of_spring(const Mechanism& mechanism, const Paths& paths, int spring) {
  const auto s = static_cast<std::size_t>(spring);
  if (mechanism.springs[s].type == SpringType::torsion) return {mechanism.springs[s].joint};
  return moving_joints(paths.springs[s], mechanism);
}

EquationSystem::EquationSystem(std::vector<Equation> equations, const Mechanism& mechanism,
                               const Paths& paths)
    : equations_(std::move(equations)), paths_(&paths), lines_(equations_.size()) {
  Eigen::Index rows = 0;
  for (std::size_t i = 0; i < equations_.size(); ++i) {
    rows += equations_[i].rows();
    if (spans_points(equations_[i])) lines_[i].resize(path(equations_[i]));
  }
  residual.setZero(rows);
  acceleration.setZero(rows);
  jacobian.setZero(rows, mechanism.body_count());
}

const Path& EquationSystem::path(const Equation& equation) const {
  return path_of(equation, *paths_);
}

void EquationSystem::evaluate(const Mechanism& mechanism, std::span<const JointFrame> frames,
                              const JointState<double>& state, std::span<const double> driven) {
  jacobian.setZero();
  couplings_ = &mechanism.couplings;
  Eigen::Index row = 0;
  for (std::size_t i = 0; i < equations_.size(); ++i) {
    const Equation& equation = equations_[i];
    const auto element = static_cast<std::size_t>(equation.element);
    const auto slot = static_cast<std::size_t>(equation.slot);
    switch (equation.kind) {
      case EquationKind::joint_drive:
        residual(row) = state.q[element] - driven[slot];
        jacobian(row, equation.element) = 1.0;
        break;
      case EquationKind::coupling: {
        const Coupling& c = mechanism.couplings[element];
        residual(row) = state.q[static_cast<std::size_t>(c.joint)] -
                        c.ratio * state.q[static_cast<std::size_t>(c.of)] - c.offset;
        jacobian(row, c.joint) = 1.0;
        jacobian(row, c.of) -= c.ratio;
        break;
      }
      case EquationKind::line_drive:
      case EquationKind::loop: {
        const Path& way = path(equation);
        Line<double>& line = lines_[i];
        trace_line(mechanism, frames, way, state, line);
        for (std::size_t end : {0u, 1u})
          for (std::size_t k = 0; k < way.chains[end].size(); ++k) {
            const int body = way.chains[end][k];
            if (equation.kind == EquationKind::line_drive)
              jacobian(row, body) = length_slope(line, end, k);
            else
              jacobian.block<3, 1>(row, body) =
                  end == 0 ? line.ends[0].column[k] : Vec3d(-line.ends[1].column[k]);
          }
        if (equation.kind == EquationKind::line_drive)
          residual(row) = line.length - driven[slot];
        else
          residual.segment<3>(row) = line.ends[0].p - line.ends[1].p;
        break;
      }
    }
    row += equation.rows();
  }
}

void EquationSystem::accelerate(std::span<const JointFrame> frames,
                                const JointState<double>& state) {
  Eigen::Index row = 0;
  for (std::size_t i = 0; i < equations_.size(); ++i) {
    const Equation& equation = equations_[i];
    const auto element = static_cast<std::size_t>(equation.element);
    if (equation.kind == EquationKind::joint_drive) {
      acceleration(row) = state.a[element];
    } else if (equation.kind == EquationKind::coupling) {
      const Coupling& c = (*couplings_)[element];
      acceleration(row) = state.a[static_cast<std::size_t>(c.joint)] -
                          c.ratio * state.a[static_cast<std::size_t>(c.of)];
    } else if (equation.kind == EquationKind::line_drive) {
      double rate = 0.0;
      acceleration(row) = length_acceleration(frames, path(equation), state, lines_[i], rate);
    } else {
      const Path& way = path(equation);
      const Line<double>& line = lines_[i];
      acceleration.segment<3>(row) = trace_motion(frames, way.chains[0], state, line.ends[0]).a -
                                     trace_motion(frames, way.chains[1], state, line.ends[1]).a;
    }
    row += equation.rows();
  }
}

void EquationSystem::add_driven(std::span<const double> driven, Eigen::VectorXd& rows) const {
  Eigen::Index row = 0;
  for (const Equation& equation : equations_) {
    if (equation.slot >= 0) rows(row) += driven[static_cast<std::size_t>(equation.slot)];
    row += equation.rows();
  }
}

double EquationSystem::scale() const {
  double scale = 0.0;
  for (std::size_t i = 0; i < equations_.size(); ++i)
    if (spans_points(equations_[i]))
      for (const Trace<double>& end : lines_[i].ends) scale = std::max(scale, end.p.norm());
  return scale;
}

const Equation& EquationSystem::worst() const {
  Eigen::Index row = 0;
  double largest = -1.0;
  const Equation* worst = &equations_.front();
  for (const Equation& equation : equations_) {
    const double gap = residual.segment(row, equation.rows()).norm();
    if (gap > largest) {
      largest = gap;
      worst = &equation;
    }
    row += equation.rows();
  }
  return *worst;
}

const Equation& EquationSystem::spokesman() const {
  for (const Equation& equation : equations_)
    if (equation.kind == EquationKind::loop) return equation;
  for (const Equation& equation : equations_)
    if (equation.kind == EquationKind::line_drive) return equation;
  return equations_.front();
}

Finding EquationSystem::open_finding(double time) const {
  const Equation& equation = worst();
  const double gap = residual.cwiseAbs().maxCoeff();
  FindingKind kind = FindingKind::loop_open;
  if (equation.kind == EquationKind::line_drive) kind = FindingKind::actuator_unreachable;
  if (equation.kind == EquationKind::coupling) kind = FindingKind::coupling_open;
  return {kind, equation.element, time, gap, 0.0, gap / std::max(scale(), 1e-6)};
}

Finding EquationSystem::singular_finding(double time, double conditioning) const {
  const Equation& equation = spokesman();
  const bool loop = equation.kind == EquationKind::loop;
  return {loop ? FindingKind::singular_loop : FindingKind::singular_actuator,
          equation.element,
          time,
          conditioning,
          singular_tolerance,
          0.0};
}

Finding EquationSystem::jump_finding(double time) const {
  const Equation& equation = spokesman();
  const bool loop = equation.kind == EquationKind::loop;
  return {loop ? FindingKind::loop_jump : FindingKind::actuator_jump, equation.element, time};
}

}  // namespace counterpoise
