#include "engine/kinematics/closure/equation_system.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace counterpoise {
namespace {

bool spans_points(const Equation& equation) {
  return equation.kind == EquationKind::loop || equation.kind == EquationKind::line_drive;
}

}  // namespace

EquationSystem::EquationSystem(std::vector<Equation> equations, const Mechanism& mechanism,
                               const Paths& paths)
    : equations_(std::move(equations)),
      paths_(&paths),
      lines_(equations_.size()),
      terms_(equations_.size(), 1.0) {
  Eigen::Index rows = 0;
  for (std::size_t i = 0; i < equations_.size(); ++i) {
    rows += equations_[i].rows;
    if (spans_points(equations_[i])) lines_[i].resize(path(equations_[i]));
  }
  residual.setZero(rows);
  acceleration.setZero(rows);
  jacobian.setZero(rows, mechanism.body_count());
}

const Path& EquationSystem::path(const Equation& equation) const {
  return path_of(equation, *paths_);
}

void EquationSystem::evaluate(const DesignGeometry& geometry, const JointView<double>& state,
                              std::span<const double> driven) {
  const Mechanism& mechanism = geometry.mechanism;
  jacobian.setZero();
  flipped_ = false;
  mechanism_ = &mechanism;
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
        residual(row) = state.q[c.joint] - c.offset;
        jacobian(row, int{c.joint}) = 1.0;
        terms_[i] = std::max({1.0, std::abs(state.q[c.joint]), std::abs(c.offset)});
        for (const CouplingTerm& term : c.terms) {
          residual(row) -= term.ratio * state.q[term.of];
          jacobian(row, int{term.of}) -= term.ratio;
          terms_[i] = std::max(terms_[i], std::abs(term.ratio * state.q[term.of]));
        }
        break;
      }
      case EquationKind::line_drive: {
        const Path& way = path(equation);
        Line<double>& line = lines_[i];
        trace_line(geometry, way, state, line);
        for (std::size_t end : {0u, 1u})
          for (std::size_t k = 0; k < way.chains[end].size(); ++k)
            jacobian(row, int{way.chains[end][k]}) = length_slope(line, end, k);
        residual(row) = line.length - driven[slot];
        break;
      }
      case EquationKind::loop: {
        const Path& way = path(equation);
        trace_line(geometry, way, state, lines_[i]);
        evaluate_loop(equation, way, lines_[i], row);
        break;
      }
    }
    row += equation.rows;
  }
}

void EquationSystem::evaluate_loop(const Equation& equation, const Path& way,
                                   const Line<double>& line, Eigen::Index row) {
  const Loop& loop = mechanism_->loops[equation.element];
  const auto& [first, second] = line.ends;
  residual.segment<3>(row) = first.p - second.p;
  for (std::size_t end : {0u, 1u})
    for (std::size_t k = 0; k < way.chains[end].size(); ++k)
      jacobian.block<3, 1>(row, way.chains[end][k]) =
          end == 0 ? first.column[k] : Vec3d(-second.column[k]);

  if (loop.keep == LoopKeep::weld &&
      (first.rotation * loop.rotation).cwiseProduct(second.rotation).sum() < 1.0)
    flipped_ = true;
  const auto pairs = axis_pairs(loop);
  for (int i = 0; i < equation.rows - 3; ++i) {
    const AxisPair& pair = pairs[i];
    const Vec3d u = first.rotation * pair.first, w = second.rotation * pair.second;
    const Eigen::Index at = row + 3 + i;
    residual(at) = u.dot(w);
    const Vec3d lever = u.cross(w);  // turning the first body by z changes the cosine by z . lever
    for (std::size_t end : {0u, 1u})
      for (std::size_t k = 0; k < way.chains[end].size(); ++k) {
        const BodyIndex body = way.chains[end][k];
        if (mechanism_->bodies[body].joint.type != JointType::revolute) continue;
        const double slope = line.ends[end].axis[k].dot(lever);
        jacobian(at, int{body}) = end == 0 ? slope : -slope;
      }
  }
}

void EquationSystem::accelerate(std::span<const JointFrame> frames,
                                const JointView<double>& state) {
  Eigen::Index row = 0;
  for (std::size_t i = 0; i < equations_.size(); ++i) {
    const Equation& equation = equations_[i];
    const auto element = static_cast<std::size_t>(equation.element);
    if (equation.kind == EquationKind::joint_drive) {
      acceleration(row) = state.a[element];
    } else if (equation.kind == EquationKind::coupling) {
      const Coupling& c = mechanism_->couplings[element];
      acceleration(row) = state.a[c.joint];
      for (const CouplingTerm& term : c.terms) acceleration(row) -= term.ratio * state.a[term.of];
    } else if (equation.kind == EquationKind::line_drive) {
      double rate = 0.0;
      acceleration(row) = length_acceleration(frames, path(equation), state, lines_[i], rate);
    } else {
      const Path& way = path(equation);
      const Line<double>& line = lines_[i];
      const EndState<double> first = trace_motion(frames, way.chains[0], state, line.ends[0]);
      const EndState<double> second = trace_motion(frames, way.chains[1], state, line.ends[1]);
      acceleration.segment<3>(row) = first.a - second.a;
      const auto pairs = axis_pairs(mechanism_->loops[element]);
      for (int k = 0; k < equation.rows - 3; ++k) {
        const Vec3d u = line.ends[0].rotation * pairs[k].first;
        const Vec3d w = line.ends[1].rotation * pairs[k].second;
        const Vec3d du = first.omega.cross(u), dw = second.omega.cross(w);
        const Vec3d ddu = first.alpha.cross(u) + first.omega.cross(du);
        const Vec3d ddw = second.alpha.cross(w) + second.omega.cross(dw);
        acceleration(row + 3 + k) = ddu.dot(w) + 2.0 * du.dot(dw) + u.dot(ddw);
      }
    }
    row += equation.rows;
  }
}

void EquationSystem::add_driven(std::span<const double> driven, Eigen::VectorXd& rows) const {
  Eigen::Index row = 0;
  for (const Equation& equation : equations_) {
    if (equation.slot >= 0) rows(row) += driven[equation.slot];
    row += equation.rows;
  }
}

double EquationSystem::scale() const {
  double scale = 0.0;
  for (std::size_t i = 0; i < equations_.size(); ++i)
    if (spans_points(equations_[i]))
      for (const Trace<double>& end : lines_[i].ends) {
        scale = std::max(scale, end.p.norm());
        for (const Vec3d& origin : end.origin) scale = std::max(scale, origin.norm());
      }
  return scale;
}

EquationSystem::Worst EquationSystem::worst() const {
  const double size = std::max(scale(), 1e-6);
  Eigen::Index row = 0;
  Worst worst{0, -1.0, 0.0, false};
  for (std::size_t e = 0; e < equations_.size(); ++e) {
    const Equation& equation = equations_[e];
    const int points = std::min(equation.rows, 3);  // rows of the two points, or the only row
    const double gap = residual.segment(row, points).norm();
    const double misfit = gap / (spans_points(equation) ? size : terms_[e]);
    if (!(misfit <= worst.misfit)) worst = {e, misfit, gap, false};
    const double cosine = residual.segment(row + points, equation.rows - points).norm();
    if (!(cosine <= worst.misfit)) worst = {e, cosine, 0.0, true};
    row += equation.rows;
  }
  if (!flipped_) return worst;
  for (std::size_t e = 0; e < equations_.size(); ++e)
    if (equations_[e].rows == 6 && angle_off(e) > 1.0) return {e, 1.0, 0.0, true};
  return worst;
}

/// The angle by which the bodies of a loop are turned against what it keeps [rad].
double EquationSystem::angle_off(std::size_t index) const {
  const Loop& loop = mechanism_->loops[equations_[index].element];
  const auto& [first, second] = lines_[index].ends;
  const Vec3d a = first.rotation * loop.axes[0], b = second.rotation * loop.axes[1];
  const double between = std::atan2(a.cross(b).norm(), std::abs(a.dot(b)));
  if (loop.keep == LoopKeep::parallel) return between;
  if (loop.keep == LoopKeep::perpendicular) return std::numbers::pi / 2.0 - between;
  return Eigen::AngleAxisd(first.rotation * loop.rotation * second.rotation.transpose()).angle();
}

double EquationSystem::misfit() const {
  return worst().misfit;
}

const Equation& EquationSystem::spokesman() const {
  for (const Equation& equation : equations_)
    if (equation.kind == EquationKind::loop) return equation;
  for (const Equation& equation : equations_)
    if (equation.kind == EquationKind::line_drive) return equation;
  return equations_.front();
}

Finding EquationSystem::open_finding(double time) const {
  const Worst at = worst();
  const Equation& equation = equations_[at.equation];
  if (at.angle) {
    const double off = angle_off(at.equation);
    return {FindingKind::loop_askew, equation.element, time, off, 0.0, off};
  }
  FindingKind kind = FindingKind::loop_open;
  if (equation.kind == EquationKind::line_drive) kind = FindingKind::actuator_unreachable;
  if (equation.kind == EquationKind::coupling) kind = FindingKind::coupling_open;
  return {kind, equation.element, time, at.residual, 0.0, at.misfit};
}

Finding EquationSystem::singular_finding(double time, double smallest) const {
  const Equation& equation = spokesman();
  const bool loop = equation.kind == EquationKind::loop;
  return {loop ? FindingKind::singular_loop : FindingKind::singular_actuator,
          equation.element,
          time,
          smallest,
          0.0,
          0.0};
}

Finding EquationSystem::passage_finding(double time) const {
  const Equation& equation = spokesman();
  const bool loop = equation.kind == EquationKind::loop;
  return {loop ? FindingKind::singular_loop_passed : FindingKind::singular_actuator_passed,
          equation.element, time};
}

Finding EquationSystem::jump_finding(double time) const {
  const Equation& equation = spokesman();
  const bool loop = equation.kind == EquationKind::loop;
  return {loop ? FindingKind::loop_jump : FindingKind::actuator_jump, equation.element, time};
}

namespace {

std::vector<BodyIndex> moving_joints(const Path& path, const Mechanism& mechanism) {
  std::vector<BodyIndex> joints;
  for (const std::vector<BodyIndex>& chain : path.chains)
    for (BodyIndex body : chain)
      if (mechanism.moves(body)) joints.push_back(body);
  return joints;
}

int rows_of(const Loop& loop) {
  switch (loop.keep) {
    case LoopKeep::point:
      return 3;
    case LoopKeep::perpendicular:
      return 4;
    case LoopKeep::parallel:
      return 5;
    case LoopKeep::weld:
      return 6;
  }
  return 3;
}

}  // namespace

std::vector<Equation> closing_equations(const Mechanism& mechanism) {
  std::vector<Equation> equations;
  for (int i = 0; i < static_cast<int>(mechanism.couplings.size()); ++i)
    equations.push_back({EquationKind::coupling, i});
  for (int i = 0; i < static_cast<int>(mechanism.loops.size()); ++i)
    equations.push_back({EquationKind::loop, i, -1, rows_of(mechanism.loops[i])});
  return equations;
}

const Path& path_of(const Equation& equation, const Paths& paths) {
  const auto i = static_cast<std::size_t>(equation.element);
  return equation.kind == EquationKind::loop ? paths.loops[i] : paths.actuators[i];
}

Paths::Paths(const Mechanism& mechanism) {
  for (const Loop& loop : mechanism.loops) loops.push_back(path_between(mechanism, loop.points));
  for (const Actuator& actuator : mechanism.actuators)
    actuators.push_back(actuator.linear() ? path_between(mechanism, actuator.points) : Path{});
  for (const Spring& spring : mechanism.springs)
    springs.push_back(spring.type == SpringType::torsion ? Path{}
                                                         : path_between(mechanism, spring.points));
}

std::vector<BodyIndex> joints_of(const Equation& equation, const Mechanism& mechanism,
                                 const Paths& paths) {
  if (equation.kind == EquationKind::joint_drive) return {equation.element};
  if (equation.kind == EquationKind::coupling) {
    const Coupling& coupling = mechanism.couplings[equation.element];
    std::vector<BodyIndex> joints = {coupling.joint};
    for (const CouplingTerm& term : coupling.terms) joints.push_back(term.of);
    return joints;
  }
  return moving_joints(path_of(equation, paths), mechanism);
}

std::vector<BodyIndex> joints_of_spring(const Mechanism& mechanism, const Paths& paths,
                                        SpringIndex spring) {
  const auto s = static_cast<std::size_t>(spring);
  if (mechanism.springs[s].type == SpringType::torsion) return {mechanism.springs[s].joint};
  return moving_joints(paths.springs[s], mechanism);
}

std::array<AxisPair, 3> axis_pairs(const Loop& loop) {
  const auto& [a, b] = loop.axes;
  switch (loop.keep) {
    case LoopKeep::point:
      break;
    case LoopKeep::perpendicular:
      return {AxisPair{a, b}};
    case LoopKeep::parallel: {
      const Vec3d e = a.unitOrthogonal();
      return {AxisPair{e, b}, AxisPair{a.cross(e), b}};
    }
    case LoopKeep::weld: {
      const Mat3d& r = loop.rotation;
      return {AxisPair{r.col(0), Vec3d::UnitY()}, AxisPair{r.col(1), Vec3d::UnitZ()},
              AxisPair{r.col(2), Vec3d::UnitX()}};
    }
  }
  return {};
}

}  // namespace counterpoise
