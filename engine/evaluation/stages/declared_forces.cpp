#include "engine/dynamics/leg_forces.hpp"
#include "engine/dynamics/tree_model.hpp"
#include "engine/evaluation/stages/declared_units.hpp"
#include "engine/evaluation/stages/unit_draft.hpp"

namespace counterpoise {
namespace {

/// The bodies of a design whose joints get forces of the tree or of actuators that have mass.
std::set<BodyIndex> carriers_of(const Mechanism& design) {
  std::set<BodyIndex> carriers;
  TreeModel tree;
  tree.prepare(design);
  for (const TreeModel::Body& body : tree.bodies) carriers.insert(body.index);
  const LegForces<double> legs(design);
  for (const auto& [actuator, path] : legs.legs())
    if (LegForces<double>::has_mass(design.actuators[actuator]))
      for (const std::vector<BodyIndex>& chain : path.chains)
        carriers.insert(chain.begin(), chain.end());
  return carriers;
}

}  // namespace

StageUnit declare_tree_forces(const EvaluationPlan& plan, const Mechanism& design) {
  const std::vector<std::size_t> step_of = steps_of_joints(plan);
  Draft draft;
  draft.reads.insert({Quantity::gravity, -1});
  const auto see_joint = [&](BodyIndex body) {
    draft.reads.insert({Quantity::joint_geometry, body});
    if (step_of[at(body)] != StageUnits::none) draft.upstream.insert(step_of[at(body)]);
  };
  for (BodyIndex body = 0; body < design.body_count(); ++body)
    draft.reads.insert({Quantity::inertia, body});
  for (const BodyIndex body : carriers_of(design)) see_joint(body);
  const LegForces<double> legs(design);
  for (const auto& [actuator, path] : legs.legs()) {
    draft.reads.insert({Quantity::leg_inertia, static_cast<int>(actuator)});
    if (!LegForces<double>::has_mass(design.actuators[actuator])) continue;
    for (const PointIndex point : path.points) draft.reads.insert({Quantity::point, point});
  }
  return draft.unit(Stage::tree_forces, 1, design.bodies.size());
}

std::vector<StageUnit> declare_bare_loads(const EvaluationPlan& plan, const StageUnits& declared,
                                          const Mechanism& design) {
  std::vector<Draft> drafts(design.actuators.size());
  for (Draft& draft : drafts) draft.upstream.insert(declared.tree_forces);
  const std::set<BodyIndex> carriers = carriers_of(design);
  for (std::size_t i = 0; i < plan.actuator_plan.steps.size(); ++i)
    for (const BodyIndex body : plan.actuator_plan.steps[i].unknowns) {
      if (declared.transmission[i] == StageUnits::none || !carriers.contains(body)) continue;
      for (const ForceShare& share : plan.force_shares[at(body)])
        drafts[at(share.actuator)].upstream.insert(declared.transmission[i]);
    }
  std::vector<StageUnit> units;
  for (const Draft& draft : drafts) units.push_back(draft.unit(Stage::bare_loads, 1, 1));
  return units;
}

}  // namespace counterpoise
