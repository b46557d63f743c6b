#include <fmt/format.h>

#include "studies/definition/mechanism_units.hpp"
#include "studies/reading/study_reading.hpp"

namespace counterpoise {
namespace {

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
  require_no_scenario(study, constraint.expression, text.location());
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
