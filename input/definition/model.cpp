#include "input/definition/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace counterpoise {
namespace {

/// Describes what is impossible about one element.
std::optional<std::string> impossible_element(const Mechanism& mechanism, FieldOwner owner,
                                              int index) {
  const auto i = static_cast<std::size_t>(index);
  switch (owner) {
    case FieldOwner::world:
      return find_impossible_gravity(mechanism);
    case FieldOwner::body:
      return find_impossible_number(mechanism.bodies[i]);
    case FieldOwner::point:
      return find_impossible_number(mechanism.points[i]);
    case FieldOwner::loop:
      return find_impossible_number(mechanism.loops[i]);
    case FieldOwner::coupling:
      return find_impossible_number(mechanism.couplings[i]);
    case FieldOwner::spring:
      return find_impossible_number(mechanism.springs[i]);
    case FieldOwner::actuator:
      return find_impossible_number(mechanism.actuators[i]);
    case FieldOwner::force:
      return find_impossible_number(mechanism.forces[i]);
    case FieldOwner::obstacle:
      return find_impossible_number(mechanism.obstacles[i]);
  }
  return std::nullopt;
}

}  // namespace

bool Model::has_friction() const {
  return counterpoise::has_friction(nominal) ||
         std::any_of(varying.begin(), varying.end(), [](const FieldNumbers& field) {
           return describe(field.field).quantity == Quantity::friction ||
                  field.field == Field::spring_friction;
         });
}

int Model::load_friction_joint() const {
  for (const FieldNumbers& field : varying)
    if (field.field == Field::friction_load_coefficient) return field.element;
  return find_load_friction(nominal);
}

const CamShape* Model::find_cam_shape(int point) const {
  const auto found = std::find_if(cam_shapes.begin(), cam_shapes.end(),
                                  [point](const CamShape& shape) { return shape.point == point; });
  return found == cam_shapes.end() ? nullptr : &*found;
}

ElementSet Model::varying_elements() const {
  ElementSet set;
  const auto list_of = [&set](FieldOwner owner) -> std::vector<std::size_t>* {
    switch (owner) {
      case FieldOwner::world:
        return nullptr;
      case FieldOwner::body:
        return &set.bodies;
      case FieldOwner::point:
        return &set.points;
      case FieldOwner::loop:
        return &set.loops;
      case FieldOwner::coupling:
        return &set.couplings;
      case FieldOwner::spring:
        return &set.springs;
      case FieldOwner::actuator:
        return &set.actuators;
      case FieldOwner::force:
        return &set.forces;
      case FieldOwner::obstacle:
        return &set.obstacles;
    }
    return nullptr;
  };
  for (const FieldNumbers& field : varying) {
    std::vector<std::size_t>* list = list_of(describe(field.field).owner);
    const auto element = static_cast<std::size_t>(field.element);
    if (list == nullptr)
      set.gravity = true;
    else if (std::find(list->begin(), list->end(), element) == list->end())
      list->push_back(element);
  }
  return set;
}

std::size_t ModelBinder::Flags::first() const {
  return static_cast<std::size_t>(std::find(up.begin(), up.end(), char{1}) - up.begin());
}

ModelBinder::ModelBinder(const Model& model)
    : model_(&model),
      values_(model.parameters.size(), 0.0),
      round_(model.parameters.size(), 0),
      stale_fields_(model.varying.size(), 0),
      mechanism_(model.nominal) {
  for (Flags* flags : {&set_, &not_finite_, &out_of_bounds_})
    flags->up.assign(model.parameters.size(), 0);
  pending_.up.assign(model.evaluation_order.size(), 0);
  changed_.reserve(model.parameters.size());
  find_elements();
}

void ModelBinder::find_elements() {
  const auto find = [&](const FieldNumbers& field) {
    return std::find_if(elements_.begin(), elements_.end(), [&](const Element& element) {
      return element.owner == describe(field.field).owner && element.index == field.element;
    });
  };
  for (const FieldNumbers& field : model_->varying)
    if (find(field) == elements_.end())
      elements_.push_back({describe(field.field).owner, field.element, false, false});
  std::stable_sort(elements_.begin(), elements_.end(),
                   [](const Element& a, const Element& b) { return a.owner < b.owner; });
  for (const FieldNumbers& field : model_->varying)
    element_of_field_.push_back(static_cast<std::size_t>(find(field) - elements_.begin()));
}

std::optional<std::string> ModelBinder::bind(std::span<const ParameterSetting> settings) {
  changed_.clear();
  take(settings);
  evaluate_parameters();
  if (!changed_.empty() || !bound_before_) {
    update_fields();
    examine_elements();
  }
  bound_before_ = true;
  return reason();
}

/// A new value of a parameter; what reads it is now out of date.
void ModelBinder::give(std::size_t parameter, double value) {
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  if (bound_before_ && bits(values_[parameter]) == bits(value)) return;
  values_[parameter] = value;
  changed_.push_back(parameter);
  for (const int place : model_->readers[parameter].parameters)
    pending_.set(static_cast<std::size_t>(place), true);
}

void ModelBinder::take(std::span<const ParameterSetting> settings) {
  ++rounds_;
  for (const ParameterSetting& setting : settings) {
    const auto p = static_cast<std::size_t>(setting.parameter);
    set_.set(p, true);
    round_[p] = rounds_;
    give(p, setting.value);
  }
  if (bound_before_ && set_.count == static_cast<int>(settings.size())) return;

  // parameters that are not set, or no longer
  for (std::size_t p = 0; p < values_.size(); ++p) {
    const bool free = round_[p] != rounds_;
    if (!free || (bound_before_ && set_.up[p] == 0)) continue;
    set_.set(p, false);
    if (model_->parameters[p].value.fixed()) give(p, model_->parameters[p].value.value);
  }
  for (std::size_t k = 0; k < pending_.up.size(); ++k) pending_.set(k, true);
}

void ModelBinder::evaluate_parameters() {
  for (std::size_t k = 0; pending_.count > 0; ++k) {
    if (pending_.up[k] == 0) continue;
    pending_.set(k, false);
    const auto p = static_cast<std::size_t>(model_->evaluation_order[k]);
    const Parameter& parameter = model_->parameters[p];
    if (set_.up[p] == 0)
      give(p, parameter.unit.to_si(evaluate(parameter.value, model_->expressions, values_.data())));
  }
}

ModelBinder::Bounds ModelBinder::bounds_of(std::size_t p) const {
  const Parameter& parameter = model_->parameters[p];
  const auto bound = [&](const std::optional<Number>& number, double none) {
    if (!number) return none;
    const double value = evaluate(*number, model_->expressions, values_.data());
    return number->fixed() ? value : parameter.unit.to_si(value);
  };
  return {bound(parameter.min, -no_limit), bound(parameter.max, no_limit)};
}

/// The size of the terms that add up to a parameter's value.
double ModelBinder::size_of_terms(std::size_t p) const {
  const Parameter& parameter = model_->parameters[p];
  if (set_.up[p] != 0 || parameter.value.fixed()) return std::abs(values_[p]);
  const auto e = static_cast<std::size_t>(parameter.value.expression);
  return std::abs(parameter.unit.to_si(model_->expressions[e].size_of_terms(values_.data())));
}

void ModelBinder::hold_against_bounds(std::size_t p) {
  const Parameter& parameter = model_->parameters[p];
  if (!parameter.min && !parameter.max) return;
  const Bounds bounds = bounds_of(p);
  const double value = values_[p];
  bool kept = value >= bounds.low && value <= bounds.high;
  if (!kept && std::isfinite(value)) {
    const auto slack = [&](double bound) {
      return slack_of(std::isinf(bound) ? 0.0 : bound, size_of_terms(p));
    };
    kept = bounds.low - value <= slack(bounds.low) && value - bounds.high <= slack(bounds.high);
  }
  out_of_bounds_.set(p, !kept);
}

void ModelBinder::update_fields() {
  for (std::size_t p : changed_) {
    not_finite_.set(p, !std::isfinite(values_[p]));
    hold_against_bounds(p);
    for (const int bounded : model_->readers[p].bounds)
      hold_against_bounds(static_cast<std::size_t>(bounded));
    for (const int f : model_->readers[p].fields) stale_fields_[f] = 1;
  }
  std::array<double, 6> numbers{};
  for (std::size_t f = 0; f < stale_fields_.size(); ++f) {
    if (stale_fields_[f] == 0) continue;
    stale_fields_[f] = 0;
    const FieldNumbers& field = model_->varying[f];
    const FieldDescription& description = describe(field.field);
    for (std::size_t i = 0; i < description.size; ++i)
      numbers[i] = evaluate(field.numbers[i], model_->expressions, values_.data());
    if (field.field == Field::cam_profile)
      make_cam(*model_->find_cam_shape(field.element), numbers, values_, mechanism_);
    else
      description.assign(mechanism_, field.element, numbers);
    elements_[element_of_field_[f]].stale = true;
  }
}

void ModelBinder::examine_elements() {
  for (Element& element : elements_) {
    if (!element.stale) continue;
    element.stale = false;
    const bool impossible =
        impossible_element(mechanism_, element.owner, element.index).has_value();
    impossible_ += static_cast<int>(impossible) - static_cast<int>(element.impossible);
    element.impossible = impossible;
  }
}

ModelBinder::Fault ModelBinder::fault_at_bound(std::size_t p) const {
  const Bounds bounds = bounds_of(p);
  const bool below = !(values_[p] > bounds.high);
  return {below ? Fault::Kind::below_min : Fault::Kind::above_max, static_cast<int>(p), values_[p],
          below ? bounds.low : bounds.high};
}

std::vector<ModelBinder::Fault> ModelBinder::all_beyond_bounds() const {
  std::vector<Fault> all;
  if (not_finite_.count > 0 || impossible_ > 0) return all;
  for (std::size_t p = 0; p < out_of_bounds_.up.size(); ++p)
    if (out_of_bounds_.up[p] != 0) all.push_back(fault_at_bound(p));
  return all;
}

/// The first of the present faults, in words.
std::optional<std::string> ModelBinder::reason() {
  fault_.reset();
  if (not_finite_.count > 0) {
    const std::size_t p = not_finite_.first();
    fault_ = {Fault::Kind::not_finite, static_cast<int>(p), values_[p],
              std::numeric_limits<double>::quiet_NaN()};
    return fmt::format("parameter {} is {}, expected a finite number", model_->parameters[p].name,
                       values_[p]);
  }
  if (out_of_bounds_.count > 0) {
    fault_ = fault_at_bound(out_of_bounds_.first());
    const bool below = fault_->kind == Fault::Kind::below_min;
    return fmt::format("parameter {} = {} is {} its {} {}",
                       model_->parameters[fault_->parameter].name, fault_->value,
                       below ? "below" : "above", below ? "min" : "max", fault_->bound);
  }
  if (impossible_ == 0) return std::nullopt;
  const auto first = std::find_if(elements_.begin(), elements_.end(),
                                  [](const Element& element) { return element.impossible; });
  return impossible_element(mechanism_, first->owner, first->index);
}

}  // namespace counterpoise
