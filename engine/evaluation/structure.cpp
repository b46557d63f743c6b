#include "engine/evaluation/structure.hpp"

#include <memory>

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
  structure.point_closures = static_cast<int>(mechanism.loops.size());
  structure.couplings = static_cast<int>(mechanism.couplings.size());
  structure.springs = static_cast<int>(mechanism.springs.size());
  structure.actuators = static_cast<int>(mechanism.actuators.size());

  const Paths paths(mechanism);
  const Freedom freedom(mechanism, paths);
  structure.degrees_of_freedom = freedom.degrees_of_freedom();
  std::vector<Coordinate> actuators;
  for (int a = 0; a < structure.actuators; ++a) actuators.push_back({a, -1});
  freedom.require_determined_by(actuators, "actuators");

  const Plan plan = make_plan(mechanism, paths, freedom, actuators, Closure::closed_form);
  std::vector<JointFrame> frames;
  prepare_frames(mechanism, frames);
  ZeroConfiguration zero(mechanism, paths, plan);
  if (const auto finding = zero.solve(mechanism, frames))
    throw MechanismError(describe(*finding, mechanism) + ", the zero configuration");
  return structure;
}

}  // namespace counterpoise
