#include "studies/running/stage_units.hpp"

#include <algorithm>

#include "engine/evaluation/stages/plan.hpp"
#include "engine/mechanism/finding.hpp"
#include "input/text/input_error.hpp"

namespace counterpoise {

Quantity quantity_of(Field field) {
  switch (owner_of(field)) {
    case FieldOwner::world:
      return Quantity::gravity;
    case FieldOwner::point:
      return Quantity::point;
    case FieldOwner::loop:
      return Quantity::loop_axes;
    case FieldOwner::coupling:
      return Quantity::coupling;
    case FieldOwner::spring:
      return field < Field::spring_min_length ? Quantity::spring_law : Quantity::spring_limits;
    case FieldOwner::actuator:
      return field < Field::tube_mass ? Quantity::actuator_limits : Quantity::leg_inertia;
    case FieldOwner::body:
      break;
  }
  const bool inertial = field == Field::mass || field == Field::com || field == Field::inertia;
  return inertial ? Quantity::inertia : Quantity::joint_geometry;
}

StageUnits stage_units_of(const Model& model, const LoadCase& load_case) try {
  Mechanism nominal = model.nominal;
  for (const FieldNumbers& field : model.varying)
    if (quantity_of(field.field) == Quantity::inertia) {
      double& mass = nominal.bodies[static_cast<std::size_t>(field.element)].mass;
      mass = std::max(mass, 1.0);
    }
  return EvaluationPlan(nominal, load_case.motion.nominal, Closure::closed_form).stage_units;
} catch (const MechanismError& error) {
  throw InputError(load_case.where, error.what());
}

std::vector<Stage> first_stages(const Study& study) {
  const Model& model = *study.model;
  std::vector<Stage> stages(study.reach.size(), Stage::loads);
  for (std::size_t m = 0; m < study.motions.size(); ++m) {
    const StageUnits units = stage_units_of(model, study.motions[m]);
    for (std::size_t v = 0; v < stages.size(); ++v) {
      const Reach& reach = study.reach[v].load_cases[m];
      if (reach.motion) stages[v] = Stage::coordinates;
      for (const int f : reach.fields) {
        const FieldNumbers& field = model.varying[static_cast<std::size_t>(f)];
        const NumberGroup numbers{quantity_of(field.field), field.element};
        stages[v] = std::min(stages[v], units.first_reader(numbers));
      }
    }
  }
  return stages;
}

}  // namespace counterpoise
