#include "engine/kinematics/closure/equations.hpp"

namespace counterpoise {
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
    equations.push_back(
        {EquationKind::loop, i, -1, rows_of(mechanism.loops[static_cast<std::size_t>(i)])});
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
    const Coupling& coupling = mechanism.couplings[static_cast<std::size_t>(equation.element)];
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
