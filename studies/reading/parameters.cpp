#include <fmt/format.h>

#include <algorithm>

#include "studies/reading/model_reading.hpp"

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
  if (const JsonValue* unit = object.find("unit")) parameter.unit = unit_in(*unit);
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
  /// A parameter and how many of those that it reads have been looked at.
  struct Open {
    int parameter;
    std::span<const int> reads;
    std::size_t next;
  };

  /// Depth first, with a stack of its own: chains may be as long as a file.
  void visit(int first) {
    open(first);
    while (!path_.empty()) {
      const Open& last = path_.back();
      if (last.next < last.reads.size()) {
        open(last.reads[path_.back().next++]);
        continue;
      }
      state_[static_cast<std::size_t>(last.parameter)] = State::done;
      model_.evaluation_order.push_back(last.parameter);
      path_.pop_back();
    }
  }

  void open(int index) {
    State& state = state_[static_cast<std::size_t>(index)];
    const Number& value = parameter(index).value;
    if (state == State::done || value.fixed()) return;
    if (state == State::open) refuse_cycle(index);
    state = State::open;
    path_.push_back(
        {index, model_.expressions[static_cast<std::size_t>(value.expression)].used(), 0});
  }

  [[noreturn]] void refuse_cycle(int again) const {
    auto first = std::find_if(path_.begin(), path_.end(),
                              [&](const Open& open) { return open.parameter == again; });
    std::string cycle;
    for (; first != path_.end(); ++first) cycle += parameter(first->parameter).name + " -> ";
    throw InputError(parameter(again).where, fmt::format("the parameter depends on itself: {}{}",
                                                         cycle, parameter(again).name));
  }

  [[nodiscard]] const Parameter& parameter(int index) const {
    return model_.parameters[static_cast<std::size_t>(index)];
  }

  Model& model_;
  std::vector<State> state_;
  std::vector<Open> path_;
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
  read_each(members, [&](const JsonValue& member) {
    model.parameters.push_back(read_parameter(member, numbers));
  });
  Sorter(model).sort();
}

}  // namespace counterpoise
