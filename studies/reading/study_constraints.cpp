#include <fmt/format.h>

#include "studies/definition/mechanism_units.hpp"
#include "studies/reading/study_reading.hpp"

namespace counterpoise {
namespace {

/// The SI unit of a part of an expression: empty if it is not known, nothing if the part is made of
/// numbers alone, which go with every unit.
using PartUnit = std::optional<std::string>;

/// The SI unit of one of the values that constraints read.
std::string unit_of_value(const Study& study, int value) {
  if (value < study.metric_offset())
    return std::string(si_unit(study.model->parameters[static_cast<std::size_t>(value)].unit));
  const auto metric =
      static_cast<std::size_t>(value - study.metric_offset()) % study.metrics.size();
  return unit_of(study.model->nominal, study.metrics[metric]);
}

PartUnit common_unit(const std::vector<int>& operands, const std::vector<PartUnit>& units) {
  PartUnit common;
  for (const int operand : operands) {
    const PartUnit& unit = units[static_cast<std::size_t>(operand)];
    if (!unit) continue;
    if (common && *common != *unit) return "";
    common = unit;
  }
  return common;
}

/// The SI unit of an expression, where signs, sums, abs, min and max of values in one unit tell it;
/// empty where they do not.
std::string unit_of(const Study& study, const Expression& expression) {
  using Kind = ExpressionNode::Kind;
  std::vector<PartUnit> units;
  for (const ExpressionNode& node : expression.nodes()) {
    switch (node.kind) {
      case Kind::constant:
        units.emplace_back();
        break;
      case Kind::linear:
        units.emplace_back(std::abs(node.factor) == 1.0 ? unit_of_value(study, node.value) : "");
        break;
      case Kind::negative:
      case Kind::sum:
      case Kind::difference:
      case Kind::abs:
      case Kind::min:
      case Kind::max:
        units.push_back(common_unit(expression.operands(static_cast<int>(units.size())), units));
        break;
      default:
        units.emplace_back("");
    }
  }
  return units.back().value_or("");
}

Constraint read_constraint(const JsonValue& value, const Study& study) {
  const ObjectReader object(value, "a constraint", {"name", "expression", "min", "max", "unit"});
  const std::string& name = name_of(object.required("name"));
  for (const Constraint& other : study.constraints)
    if (other.name == name)
      throw InputError(value.location(), fmt::format("a second constraint {}", in_quotes(name)));
  const JsonValue& text = object.required("expression");
  Constraint constraint{name,
                        Expression::parse(string_of(text, "an expression"), study.metric_scope,
                                          text.location(), ExpressionKind::condition),
                        text.location()};
  Unit unit;
  constraint.unit = unit_of(study, constraint.expression);
  if (const JsonValue* given = object.find("unit")) {
    unit = unit_in(*given);
    if (const auto own = find_unit(constraint.unit))
      require_fit(unit, *own, constraint.expression.text(), given->location());
    if (constraint.unit.empty()) constraint.unit = si_unit(unit);
  }
  if (const JsonValue* min = object.find("min"))
    constraint.min = fixed_quantity(*min, "a number", unit);
  if (const JsonValue* max = object.find("max"))
    constraint.max = fixed_quantity(*max, "a number", unit);
  if (constraint.min > constraint.max) refuse(value, "min not above max");
  if (object.find("min") == nullptr && object.find("max") == nullptr)
    refuse(value, "\"min\", \"max\" or both");
  return constraint;
}

}  // namespace

void read_constraints(const JsonValue& array, Study& study) {
  read_each(array_of(array, "an array of constraints"), [&](const JsonValue& value) {
    study.constraints.push_back(read_constraint(value, study));
  });
}

}  // namespace counterpoise
