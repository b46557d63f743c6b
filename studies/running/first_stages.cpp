#include <algorithm>

#include "studies/running/case_order.hpp"

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

namespace {

Stage first_stage(const Model& model, const Reach& reach) {
  if (reach.motion) return Stage::coordinates;
  Stage first = Stage::loads;
  for (const int f : reach.fields) {
    const FieldNumbers& field = model.varying[static_cast<std::size_t>(f)];
    first = std::min(first, first_reader(model.nominal, quantity_of(field.field), field.element));
  }
  return first;
}

}  // namespace

std::vector<Stage> first_stages(const Study& study) {
  std::vector<Stage> stages;
  for (const VariableReach& variable : study.reach) {
    Stage first = Stage::loads;
    for (const Reach& reach : variable.load_cases)
      first = std::min(first, first_stage(*study.model, reach));
    stages.push_back(first);
  }
  return stages;
}

}  // namespace counterpoise
