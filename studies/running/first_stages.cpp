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

using Marks = std::vector<bool>;  // one per parameter

bool reads(const Expression& expression, const Marks& marks) {
  const auto used = expression.used();
  return std::any_of(used.begin(), used.end(),
                     [&](int p) { return marks[static_cast<std::size_t>(p)]; });
}

/// The parameters that a variable changes where those in `fixed` have values of their own.
Marks changed_by(const Variable& variable, const Model& model, const Marks& fixed,
                 const Marks& set) {
  Marks changed(model.parameters.size(), false);
  for (const VariableTarget& target : variable.targets) {
    const auto p = static_cast<std::size_t>(target.parameter);
    changed[p] = !fixed[p];
  }
  for (const int index : model.evaluation_order) {
    const auto p = static_cast<std::size_t>(index);
    const Number& value = model.parameters[p].value;
    if (!fixed[p] && !set[p] &&
        reads(model.expressions[static_cast<std::size_t>(value.expression)], changed))
      changed[p] = true;
  }
  return changed;
}

Stage first_stage(const Model& model, const ParametricMotion& motion, const Marks& changed) {
  for (const Expression& expression : motion.expressions)
    if (reads(expression, changed)) return Stage::coordinates;
  Stage first = Stage::loads;
  for (const FieldNumbers& field : model.varying) {
    const bool varies =
        std::any_of(field.numbers.begin(), field.numbers.end(), [&](const Number& n) {
          return !n.fixed() &&
                 reads(model.expressions[static_cast<std::size_t>(n.expression)], changed);
        });
    if (varies)
      first = std::min(first, first_reader(model.nominal, quantity_of(field.field), field.element));
  }
  return first;
}

}  // namespace

std::vector<Stage> first_stages(const Study& study) {
  const Model& model = *study.model;
  Marks set(model.parameters.size(), false);
  for (const Variable& variable : study.variables)
    for (const VariableTarget& target : variable.targets)
      set[static_cast<std::size_t>(target.parameter)] = true;

  std::vector<Stage> stages(study.variables.size(), Stage::loads);
  for (const LoadCase& load_case : study.motions) {
    Marks fixed(model.parameters.size(), false);
    for (const ParameterSetting& setting : load_case.settings)
      fixed[static_cast<std::size_t>(setting.parameter)] = true;
    for (std::size_t v = 0; v < stages.size(); ++v) {
      const Marks changed = changed_by(study.variables[v], model, fixed, set);
      stages[v] = std::min(stages[v], first_stage(model, load_case.motion, changed));
    }
  }
  return stages;
}

}  // namespace counterpoise
