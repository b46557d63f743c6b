#include "formulations/gibbs_appell/engine_equations.hpp"

#include <string>

namespace counterpoise::rod_tree {

Mechanism as_mechanism(const RodTree& tree) {
  Mechanism mechanism;
  mechanism.gravity = tree.gravity;
  for (int k = 0; k < 2; ++k) {
    Body slide;
    slide.name = "slide" + std::to_string(k);
    slide.parent = k - 1;
    slide.joint.type = JointType::prismatic;
    slide.joint.axis = Vec3d::Unit(k);
    mechanism.bodies.push_back(slide);
  }
  for (std::size_t i = 0; i < tree.rods.size(); ++i) {
    const Rod& rod = tree.rods[i];
    Body body;
    body.name = "rod" + std::to_string(i);
    body.parent = rod.parent + 2;  // the second slide for those at the base
    body.joint.type = JointType::revolute;
    if (rod.parent != floating_base) body.joint.origin.x() = tree.rods[rod.parent].length;
    body.mass = rod.mass_per_length * rod.length;
    body.com = Vec3d(rod.length / 2.0, 0.0, 0.0);
    const double across = body.mass * rod.length * rod.length / 12.0;
    body.inertia = rod.inertia_per_length * rod.length;
    body.inertia(1, 1) += across;
    body.inertia(2, 2) += across;
    mechanism.bodies.push_back(body);
  }
  return mechanism;
}

}  // namespace counterpoise::rod_tree
