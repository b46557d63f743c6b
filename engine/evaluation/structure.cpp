#include "engine/evaluation/structure.hpp"

#include <algorithm>

#include "engine/kinematics/transmission.hpp"
#include "engine/kinematics/zero_configuration.hpp"

namespace counterpoise {

Structure examine_structure(const Mechanism& mechanism) {
  Structure structure;
  structure.bodies = mechanism.body_count();
  for (const Body& body : mechanism.bodies) {
    structure.fixed_joints += body.joint.type == JointType::fixed ? 1 : 0;
    structure.revolute_joints += body.joint.type == JointType::revolute ? 1 : 0;
    structure.prismatic_joints += body.joint.type == JointType::prismatic ? 1 : 0;
  }
  for (const Loop& loop : mechanism.loops) {
    structure.revolute_joints += loop.keep == LoopKeep::parallel ? 1 : 0;
    structure.universal_joints += loop.keep == LoopKeep::perpendicular ? 1 : 0;
    structure.fixed_joints += loop.keep == LoopKeep::weld ? 1 : 0;
    structure.point_closures += loop.keep == LoopKeep::point ? 1 : 0;
  }
  structure.loops = static_cast<int>(mechanism.loops.size());
  structure.couplings = static_cast<int>(mechanism.couplings.size());
  structure.springs = static_cast<int>(mechanism.springs.size());
  structure.actuators = static_cast<int>(mechanism.actuators.size());

  const Paths paths(mechanism);
  const Freedom freedom(mechanism, paths);
  structure.degrees_of_freedom = freedom.degrees_of_freedom();
  structure.redundant_equations = freedom.redundant_equations();
  const Plan plan = plan_actuators(mechanism, paths, freedom, Closure::closed_form);
  std::vector<JointFrame> frames;
  prepare_frames(mechanism, frames);
  ZeroConfiguration zero(mechanism, paths, plan);
  if (const auto finding = zero.solve(mechanism, frames))
    throw MechanismError(describe(*finding, mechanism) + ", the zero configuration",
                         MechanismError::Part::loops);
  return structure;
}

std::vector<std::vector<int>> actuators_loaded_by_springs(const Mechanism& mechanism) {
  const Paths paths(mechanism);
  const Freedom freedom(mechanism, paths);
  const Plan plan = plan_actuators(mechanism, paths, freedom, Closure::closed_form);
  const Transmission<double> transmission(mechanism, paths, plan);
  std::vector<std::vector<int>> loaded;
  for (std::size_t s = 0; s < mechanism.springs.size(); ++s) {
    std::vector<int>& actuators = loaded.emplace_back();
    for (int joint : joints_of_spring(mechanism, paths, static_cast<int>(s)))
      for (int actuator : transmission.route(joint).actuators)
        if (std::find(actuators.begin(), actuators.end(), actuator) == actuators.end())
          actuators.push_back(actuator);
    std::sort(actuators.begin(), actuators.end());
  }
  return loaded;
}

}  // namespace counterpoise
