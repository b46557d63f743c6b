#include "studies/io/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "studies/io/binding/fields.hpp"

namespace counterpoise {
namespace {

void add_once(std::vector<int>& indices, int index) {
  if (std::find(indices.begin(), indices.end(), index) == indices.end()) indices.push_back(index);
}

template <class Element>
void gather(const std::vector<Element>& all, const std::vector<int>& indices,
            std::vector<Element>& out) {
  out.resize(indices.size());
  for (std::size_t i = 0; i < indices.size(); ++i)
    out[i] = all[static_cast<std::size_t>(indices[i])];
}

}  // namespace

Location Model::location(std::string_view pointer) const {
  return document.at_or_above(pointer).location();
}

ModelBinder::ModelBinder(const Model& model)
    : model_(&model),
      expressions_(model.expressions),
      values_(model.parameters.size(), 0.0),
      is_set_(model.parameters.size(), 0) {
  for (const FieldNumbers& field : model.varying) {
    switch (owner_of(field.field)) {
      case FieldOwner::world:
        break;
      case FieldOwner::body:
        add_once(bodies_, field.element);
        break;
      case FieldOwner::point:
        add_once(points_, field.element);
        break;
      case FieldOwner::coupling:
        add_once(couplings_, field.element);
        break;
      case FieldOwner::spring:
        add_once(springs_, field.element);
        break;
      case FieldOwner::actuator:
        add_once(actuators_, field.element);
        break;
    }
  }
}

std::optional<std::string> ModelBinder::bind(std::span<const ParameterSetting> settings,
                                             Mechanism& out) {
  refused_parameter_ = -1;
  if (auto reason = set_parameters(settings)) return reason;
  if (auto reason = find_value_out_of_bounds()) return reason;

  out = model_->nominal;
  std::array<double, 6> numbers{};
  for (const FieldNumbers& field : model_->varying) {
    for (std::size_t i = 0; i < size_of(field.field); ++i)
      numbers[i] = evaluate(field.numbers[i], expressions_, values_.data());
    assign(field.field, field.element, numbers, out);
  }
  return find_impossible_change(out);
}

std::optional<std::string> ModelBinder::set_parameters(std::span<const ParameterSetting> settings) {
  std::fill(is_set_.begin(), is_set_.end(), char{0});
  for (std::size_t p = 0; p < values_.size(); ++p) values_[p] = model_->parameters[p].value.value;
  for (const ParameterSetting& setting : settings) {
    const auto p = static_cast<std::size_t>(setting.parameter);
    values_[p] = setting.value;
    is_set_[p] = 1;
  }
  for (const int index : model_->evaluation_order) {
    const auto p = static_cast<std::size_t>(index);
    const Parameter& parameter = model_->parameters[p];
    if (is_set_[p] == 0)
      values_[p] = parameter.unit.to_si(evaluate(parameter.value, expressions_, values_.data()));
  }
  for (std::size_t p = 0; p < values_.size(); ++p) {
    if (std::isfinite(values_[p])) continue;
    refused_parameter_ = static_cast<int>(p);
    return fmt::format("parameter {} is {}, expected a finite number", model_->parameters[p].name,
                       values_[p]);
  }
  return std::nullopt;
}

std::optional<std::string> ModelBinder::find_value_out_of_bounds() {
  for (std::size_t p = 0; p < values_.size(); ++p) {
    const Parameter& parameter = model_->parameters[p];
    const auto bound = [&](const std::optional<Number>& number, double none) {
      if (!number) return none;
      const double value = evaluate(*number, expressions_, values_.data());
      return number->fixed() ? value : parameter.unit.to_si(value);
    };
    const double low = bound(parameter.min, -no_limit);
    const double high = bound(parameter.max, no_limit);
    if (values_[p] >= low && values_[p] <= high) continue;
    refused_parameter_ = static_cast<int>(p);
    const bool below = !(values_[p] >= low);
    return fmt::format("parameter {} = {} is {} its {} {}", parameter.name, values_[p],
                       below ? "below" : "above", below ? "min" : "max", below ? low : high);
  }
  return std::nullopt;
}

std::optional<std::string> ModelBinder::find_impossible_change(const Mechanism& mechanism) {
  changed_.gravity = mechanism.gravity;
  gather(mechanism.bodies, bodies_, changed_.bodies);
  gather(mechanism.points, points_, changed_.points);
  gather(mechanism.couplings, couplings_, changed_.couplings);
  gather(mechanism.springs, springs_, changed_.springs);
  gather(mechanism.actuators, actuators_, changed_.actuators);
  return find_impossible_number(changed_);
}

}  // namespace counterpoise
