#include <fmt/format.h>

#include <algorithm>

#include "studies/io/reading/model_reading.hpp"

namespace counterpoise {
namespace {

Parameter read_parameter(const JsonValue& value, const NumberReader& numbers) {
  Parameter parameter;
  parameter.name = value.key;
  parameter.where = value.location();
  if (value.kind != JsonValue::Kind::object) {
    parameter.value = numbers.read(value);
    return parameter;
  }
  const ObjectReader object(value, "a parameter",
                            {"value", "unit", "source", "note", "min", "max"});
  if (const JsonValue* unit = object.find("unit")) {
    const auto names = unit_names();
    parameter.unit = known_units[choice_of(*unit, names)];
  }
  const auto read = [&](const JsonValue& number) {
    Number result = numbers.read(number);
    if (result.fixed()) result.value = parameter.unit.to_si(result.value);
    return result;
  };
  parameter.value = read(object.required("value"));
  parameter.where = object.required("value").location();
  if (const JsonValue* min = object.find("min")) parameter.min = read(*min);
  if (const JsonValue* max = object.find("max")) parameter.max = read(*max);
  if (const JsonValue* source = object.find("source"))
    parameter.source = string_of(*source, "a text");
  if (const JsonValue* note = object.find("note")) parameter.note = string_of(*note, "a text");
  return parameter;
}

/// Orders the parameters so that each stands behind those its expression reads.
class Sorter {
 public:
  explicit Sorter(Model& model) : model_(model), state_(model.parameters.size(), State::new_) {}

  void sort() {
    for (std::size_t p = 0; p < state_.size(); ++p) visit(static_cast<int>(p));
  }

 private:
  enum class State { new_, open, done };

  void visit(int index) {
    State& state = state_[static_cast<std::size_t>(index)];
    const Number& value = model_.parameters[static_cast<std::size_t>(index)].value;
    if (state == State::done || value.fixed()) return;
    path_.push_back(index);
    if (state == State::open) refuse_cycle();
    state = State::open;
    for (const int read : model_.expressions[static_cast<std::size_t>(value.expression)].used())
      visit(read);
    state = State::done;
    path_.pop_back();
    model_.evaluation_order.push_back(index);
  }

  [[noreturn]] void refuse_cycle() const {
    const auto first = std::find(path_.begin(), path_.end(), path_.back());
    std::string cycle;
    for (auto p = first; p != path_.end(); ++p)
      cycle += (p == first ? "" : " -> ") + parameter(*p).name;
    throw InputError(parameter(path_.back()).where, "the parameter depends on itself: " + cycle);
  }

  [[nodiscard]] const Parameter& parameter(int index) const {
    return model_.parameters[static_cast<std::size_t>(index)];
  }

  Model& model_;
  std::vector<State> state_;
  std::vector<int> path_;
};

}  // namespace

void read_parameters(const JsonValue& section, Model& model) {
  const auto members = object_of(section, "name -> parameter");
  for (const JsonValue& member : members) {
    if (!is_name(member.key) || is_reserved_in_expressions(member.key))
      throw InputError(member.key_location(),
                       fmt::format("found {}, expected a name of letters, digits and _ that is no "
                                   "function",
                                   in_quotes(member.key)));
    model.scope.add(member.key);
  }
  const NumberReader numbers(model.scope, model.expressions);
  for (const JsonValue& member : members)
    model.parameters.push_back(read_parameter(member, numbers));
  Sorter(model).sort();
}

}  // namespace counterpoise
