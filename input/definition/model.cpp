#include "input/definition/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "engine/math/rotation.hpp"
#include "input/definition/study.hpp"

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

namespace {

void sort_once(std::vector<int>& indices) {
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
}

void append(std::vector<int>& to, const std::vector<int>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// What a variable changes in one load case.
Reach reach_in(const Study& study, const LoadCase& load_case, std::vector<int> from,
               std::vector<bool> replaced) {
  for (const ParameterSetting& setting : load_case.settings) {
    replaced[setting.parameter] = true;
    std::erase(from, setting.parameter);
  }
  Reach reach = reach_of(*study.model, from, replaced);
  const auto& expressions = load_case.motion.expressions;
  reach.motion = std::any_of(expressions.begin(), expressions.end(),
                             [&](const Expression& e) { return reach.changes(e); });
  return reach;
}

}  // namespace

std::vector<ParameterReaders> find_readers(const Model& model) {
  std::vector<ParameterReaders> readers(model.parameters.size());
  const auto add = [&](const Number& number, auto list, std::size_t reader) {
    if (number.fixed()) return;
    for (const int used : model.expressions[number.expression].used()) {
      std::vector<int>& all = readers[used].*list;
      if (all.empty() || all.back() != static_cast<int>(reader))
        all.push_back(static_cast<int>(reader));
    }
  };
  for (std::size_t k = 0; k < model.evaluation_order.size(); ++k) {
    const auto p = static_cast<std::size_t>(model.evaluation_order[k]);
    add(model.parameters[p].value, &ParameterReaders::parameters, k);
  }
  for (std::size_t p = 0; p < readers.size(); ++p)
    for (const auto* bound : {&model.parameters[p].min, &model.parameters[p].max})
      if (*bound) add(**bound, &ParameterReaders::bounds, p);
  for (std::size_t f = 0; f < model.varying.size(); ++f)
    for (const Number& number : model.varying[f].numbers) add(number, &ParameterReaders::fields, f);
  return readers;
}

bool Reach::changes(const Expression& expression) const {
  const auto used = expression.used();
  return std::any_of(used.begin(), used.end(), [&](int value) {
    return static_cast<std::size_t>(value) < parameters.size() && parameters[value];
  });
}

bool Reach::changes_parameter_or_bounds(std::size_t parameter) const {
  return parameters[parameter] ||
         std::binary_search(bounds.begin(), bounds.end(), static_cast<int>(parameter));
}

Reach reach_of(const Model& model, std::span<const int> from, const std::vector<bool>& replaced) {
  Reach reach;
  reach.parameters.assign(model.parameters.size(), false);
  std::vector<int> open(from.begin(), from.end());
  for (const int p : open) reach.parameters[p] = true;
  while (!open.empty()) {
    const ParameterReaders& readers = model.readers[open.back()];
    open.pop_back();
    append(reach.bounds, readers.bounds);
    append(reach.fields, readers.fields);
    for (const int place : readers.parameters) {
      const int p = model.evaluation_order[place];
      const auto at = static_cast<std::size_t>(p);
      if (replaced[at] || reach.parameters[at]) continue;
      reach.parameters[at] = true;
      open.push_back(p);
    }
  }
  sort_once(reach.bounds);
  sort_once(reach.fields);
  return reach;
}

std::vector<int> VariableReach::fields() const {
  std::vector<int> all;
  for (const Reach& reach : load_cases) append(all, reach.fields);
  sort_once(all);
  return all;
}

bool VariableReach::moves() const {
  return std::any_of(load_cases.begin(), load_cases.end(), [](const Reach& r) { return r.motion; });
}

std::vector<bool> set_by_variables(const Study& study) {
  std::vector<bool> set(study.model->parameters.size(), false);
  for (const Variable& variable : study.variables)
    for (const VariableTarget& target : variable.targets) set[target.parameter] = true;
  return set;
}

std::vector<VariableReach> find_reach(const Study& study) {
  const std::vector<bool> set = set_by_variables(study);
  std::vector<VariableReach> found;
  for (const Variable& variable : study.variables) {
    std::vector<int> from;
    for (const VariableTarget& target : variable.targets) from.push_back(target.parameter);
    VariableReach& reach = found.emplace_back();
    reach.design = reach_of(*study.model, from, set);
    for (const LoadCase& load_case : study.motions)
      reach.load_cases.push_back(reach_in(study, load_case, from, set));
  }
  return found;
}

namespace {

using Numbers = std::span<const double>;

Vec3d vector(Numbers n) {
  return {n[0], n[1], n[2]};
}

Vec3d axis(Numbers n) {
  return vector(n).normalized();
}

Mat3d zxz(Numbers n) {
  return rotation_from_zxz(n[0], n[1], n[2]);
}

Mat3d rpy(Numbers n) {
  return rotation_from_rpy(n[0], n[1], n[2]);
}

Mat3d quaternion(Numbers n) {
  return rotation_from_quaternion(n[0], n[1], n[2], n[3]);
}

/// [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] as a matrix; the products are its entries.
Mat3d inertia(Numbers n) {
  Mat3d inertia;
  inertia << n[0], n[3], n[4],  //
      n[3], n[1], n[5],         //
      n[4], n[5], n[2];
  return inertia;
}

void set_moments(LegPart& part, Numbers n) {
  part.transverse = n[0];
  part.axial = n[1];
}

constexpr FieldDescription row(Field field, FieldOwner owner, Quantity quantity, std::size_t size,
                               FieldDescription::Word key, FieldDescription::Word unit,
                               void (*assign)(Mechanism&, int, Numbers)) {
  return {field, owner, quantity, size, key, unit, assign};
}

template <double Spring::*number>
constexpr FieldDescription of_spring(Field field, Quantity quantity, FieldDescription::Word key,
                                     FieldDescription::Word unit) {
  FieldDescription spring =
      row(field, FieldOwner::spring, quantity, 1, key, unit,
          [](Mechanism& m, int e, Numbers n) { m.springs[e].*number = n[0]; });
  spring.spring_number = number;
  return spring;
}

template <double MotorSide::*number>
constexpr FieldDescription of_motor(Field field, FieldDescription::Word key,
                                    FieldDescription::Word unit) {
  return row(field, FieldOwner::actuator, Quantity::motor, 1, key, unit,
             [](Mechanism& m, int e, Numbers n) { m.actuators[e].motor.*number = n[0]; });
}

constexpr auto fields = std::to_array({
    row(Field::gravity, FieldOwner::world, Quantity::gravity, 3, {"gravity"}, {"1"},
        [](Mechanism& m, int, Numbers n) { m.gravity = vector(n); }),
    row(Field::axis, FieldOwner::body, Quantity::joint_geometry, 3, {"axis"}, {"1"},
        [](Mechanism& m, int e, Numbers n) { m.bodies[e].joint.axis = axis(n); }),
    row(Field::origin, FieldOwner::body, Quantity::joint_geometry, 3, {"origin"}, {"m"},
        [](Mechanism& m, int e, Numbers n) { m.bodies[e].joint.origin = vector(n); }),
    row(Field::zxz, FieldOwner::body, Quantity::joint_geometry, 3, {"zxz"}, {"rad"},
        [](Mechanism& m, int e, Numbers n) { m.bodies[e].joint.rotation = zxz(n); }),
    row(Field::rpy, FieldOwner::body, Quantity::joint_geometry, 3, {"rpy"}, {"rad"},
        [](Mechanism& m, int e, Numbers n) { m.bodies[e].joint.rotation = rpy(n); }),
    row(Field::quaternion, FieldOwner::body, Quantity::joint_geometry, 4, {"quaternion"}, {"1"},
        [](Mechanism& m, int e, Numbers n) { m.bodies[e].joint.rotation = quaternion(n); }),
    row(Field::guess, FieldOwner::body, Quantity::joint_geometry, 1, {"guess"}, {"m", "rad"},
        [](Mechanism& m, int e, Numbers n) { m.bodies[e].joint.guess = n[0]; }),
    row(Field::mass, FieldOwner::body, Quantity::inertia, 1, {"mass"}, {"kg"},
        [](Mechanism& m, int e, Numbers n) { m.bodies[e].mass = n[0]; }),
    row(Field::com, FieldOwner::body, Quantity::inertia, 3, {"com"}, {"m"},
        [](Mechanism& m, int e, Numbers n) { m.bodies[e].com = vector(n); }),
    row(Field::inertia, FieldOwner::body, Quantity::inertia, 6, {"inertia"}, {"kg*m^2"},
        [](Mechanism& m, int e, Numbers n) { m.bodies[e].inertia = inertia(n); }),
    row(Field::friction_coulomb, FieldOwner::body, Quantity::friction, 1, {"coulomb"}, {"N", "N*m"},
        [](Mechanism& m, int e, Numbers n) { m.bodies[e].friction.coulomb = n[0]; }),
    row(Field::friction_viscous, FieldOwner::body, Quantity::friction, 1,
        {"viscous"}, {"N*s/m", "N*m*s/rad"},
        [](Mechanism& m, int e, Numbers n) { m.bodies[e].friction.viscous = n[0]; }),
    row(Field::friction_load_coefficient, FieldOwner::body, Quantity::friction, 1,
        {"load_coefficient"}, {"1", "m"},
        [](Mechanism& m, int e, Numbers n) { m.bodies[e].friction.load_coefficient = n[0]; }),
    row(Field::point, FieldOwner::point, Quantity::point, 3, {"points"}, {"m"},
        [](Mechanism& m, int e, Numbers n) { m.points[e].position = vector(n); }),
    row(Field::pulley_axis, FieldOwner::point, Quantity::pulley, 3, {"axis"}, {"1"},
        [](Mechanism& m, int e, Numbers n) { m.points[e].axis = axis(n); }),
    row(Field::pulley_radius, FieldOwner::point, Quantity::pulley, 1, {"radius"}, {"m"},
        [](Mechanism& m, int e, Numbers n) { m.points[e].radius = n[0]; }),
    row(Field::pulley_zero, FieldOwner::point, Quantity::pulley, 3, {"zero"}, {"1"},
        [](Mechanism& m, int e, Numbers n) { m.points[e].zero = axis(n); }),
    row(Field::loop_first_axis, FieldOwner::loop, Quantity::loop_axes, 3, {"axes"}, {"1"},
        [](Mechanism& m, int e, Numbers n) { m.loops[e].axes[0] = axis(n); }),
    row(Field::loop_second_axis, FieldOwner::loop, Quantity::loop_axes, 3, {"axes"}, {"1"},
        [](Mechanism& m, int e, Numbers n) { m.loops[e].axes[1] = axis(n); }),
    row(Field::loop_zxz, FieldOwner::loop, Quantity::loop_axes, 3, {"zxz"}, {"rad"},
        [](Mechanism& m, int e, Numbers n) { m.loops[e].rotation = zxz(n); }),
    row(Field::loop_rpy, FieldOwner::loop, Quantity::loop_axes, 3, {"rpy"}, {"rad"},
        [](Mechanism& m, int e, Numbers n) { m.loops[e].rotation = rpy(n); }),
    row(Field::loop_quaternion, FieldOwner::loop, Quantity::loop_axes, 4, {"quaternion"}, {"1"},
        [](Mechanism& m, int e, Numbers n) { m.loops[e].rotation = quaternion(n); }),
    row(Field::coupling_ratio, FieldOwner::coupling, Quantity::coupling, Coupling::most_terms,
        {"ratio"}, {"1"},
        [](Mechanism& m, int e, Numbers n) {
          std::vector<CouplingTerm>& terms = m.couplings[e].terms;
          for (std::size_t i = 0; i < terms.size(); ++i) terms[i].ratio = n[i];
        }),
    row(Field::coupling_offset, FieldOwner::coupling, Quantity::coupling, 1,
        {"offset"}, {"m", "rad"},
        [](Mechanism& m, int e, Numbers n) { m.couplings[e].offset = n[0]; }),
    of_spring<&Spring::rate>(Field::spring_rate, Quantity::spring_law,
                             {"rate"}, {"N/m", "N*m/rad"}),
    of_spring<&Spring::free_length>(Field::spring_free_length, Quantity::spring_law,
                                    {"free_length", "free_angle"}, {"m", "rad"}),
    of_spring<&Spring::initial_tension>(Field::spring_initial_tension, Quantity::spring_law,
                                        {"initial_tension", "preload"}, {"N", "N*m"}),
    of_spring<&Spring::friction>(Field::spring_friction, Quantity::spring_law, {"friction"}, {"N"}),
    of_spring<&Spring::mass>(Field::spring_mass, Quantity::spring_law, {"mass"}, {"kg"}),
    of_spring<&Spring::min_length>(Field::spring_min_length, Quantity::spring_limits,
                                   {"min_length"}, {"m", "rad"}),
    of_spring<&Spring::max_length>(Field::spring_max_length, Quantity::spring_limits,
                                   {"max_length"}, {"m", "rad"}),
    of_spring<&Spring::max_load>(Field::spring_max_load, Quantity::spring_limits,
                                 {"max_load"}, {"N", "N*m"}),
    of_spring<&Spring::radius>(Field::spring_radius, Quantity::spring_limits, {"radius"}, {"m"}),
    of_spring<&Spring::min_clearance>(Field::spring_min_clearance, Quantity::spring_limits,
                                      {"min_clearance"}, {"m"}),
    row(Field::actuator_min_position, FieldOwner::actuator, Quantity::actuator_limits, 1,
        {"min_position"}, {"m", "rad"},
        [](Mechanism& m, int e, Numbers n) { m.actuators[e].min_position = n[0]; }),
    row(Field::actuator_max_position, FieldOwner::actuator, Quantity::actuator_limits, 1,
        {"max_position"}, {"m", "rad"},
        [](Mechanism& m, int e, Numbers n) { m.actuators[e].max_position = n[0]; }),
    row(Field::actuator_max_load, FieldOwner::actuator, Quantity::actuator_limits, 1,
        {"max_load"}, {"N", "N*m"},
        [](Mechanism& m, int e, Numbers n) { m.actuators[e].max_load = n[0]; }),
    row(Field::actuator_max_speed, FieldOwner::actuator, Quantity::actuator_limits, 1,
        {"max_speed"}, {"m/s", "rad/s"},
        [](Mechanism& m, int e, Numbers n) { m.actuators[e].max_speed = n[0]; }),
    row(Field::actuator_holding_load, FieldOwner::actuator, Quantity::actuator_limits, 1,
        {"holding_load"}, {"N", "N*m"},
        [](Mechanism& m, int e, Numbers n) { m.actuators[e].holding_load = n[0]; }),
    of_motor<&MotorSide::ratio>(Field::motor_ratio, {"ratio"}, {"rad/m", "1"}),
    of_motor<&MotorSide::rotor_inertia>(Field::rotor_inertia, {"rotor_inertia"}, {"kg*m^2"}),
    row(Field::motor_coulomb, FieldOwner::actuator, Quantity::motor, 1, {"coulomb"}, {"N", "N*m"},
        [](Mechanism& m, int e, Numbers n) { m.actuators[e].motor.friction.coulomb = n[0]; }),
    row(Field::motor_viscous, FieldOwner::actuator, Quantity::motor, 1,
        {"viscous"}, {"N*s/m", "N*m*s/rad"},
        [](Mechanism& m, int e, Numbers n) { m.actuators[e].motor.friction.viscous = n[0]; }),
    of_motor<&MotorSide::efficiency>(Field::efficiency, {"efficiency"}, {"1"}),
    of_motor<&MotorSide::back_efficiency>(Field::back_efficiency, {"back_efficiency"}, {"1"}),
    of_motor<&MotorSide::torque_constant>(Field::torque_constant, {"torque_constant"}, {"N*m/A"}),
    of_motor<&MotorSide::resistance>(Field::resistance, {"resistance"}, {"ohm"}),
    row(Field::tube_mass, FieldOwner::actuator, Quantity::leg_inertia, 1, {"mass"}, {"kg"},
        [](Mechanism& m, int e, Numbers n) { m.actuators[e].tube.mass = n[0]; }),
    row(Field::tube_com, FieldOwner::actuator, Quantity::leg_inertia, 1, {"com"}, {"m"},
        [](Mechanism& m, int e, Numbers n) { m.actuators[e].tube.com = n[0]; }),
    row(Field::tube_inertia, FieldOwner::actuator, Quantity::leg_inertia, 2,
        {"inertia"}, {"kg*m^2"},
        [](Mechanism& m, int e, Numbers n) { set_moments(m.actuators[e].tube, n); }),
    row(Field::rod_mass, FieldOwner::actuator, Quantity::leg_inertia, 1, {"mass"}, {"kg"},
        [](Mechanism& m, int e, Numbers n) { m.actuators[e].rod.mass = n[0]; }),
    row(Field::rod_com, FieldOwner::actuator, Quantity::leg_inertia, 1, {"com"}, {"m"},
        [](Mechanism& m, int e, Numbers n) { m.actuators[e].rod.com = n[0]; }),
    row(Field::rod_inertia, FieldOwner::actuator, Quantity::leg_inertia, 2, {"inertia"}, {"kg*m^2"},
        [](Mechanism& m, int e, Numbers n) { set_moments(m.actuators[e].rod, n); }),
    row(Field::force, FieldOwner::force, Quantity::applied_force, 3, {"force"}, {"N"},
        [](Mechanism& m, int e, Numbers n) { m.forces[e].force = vector(n); }),
    row(Field::moment, FieldOwner::force, Quantity::applied_force, 3, {"moment"}, {"N*m"},
        [](Mechanism& m, int e, Numbers n) { m.forces[e].moment = vector(n); }),
    row(Field::obstacle_from, FieldOwner::obstacle, Quantity::obstacle, 3, {"from"}, {"m"},
        [](Mechanism& m, int e, Numbers n) { m.obstacles[e].places[0] = vector(n); }),
    row(Field::obstacle_to, FieldOwner::obstacle, Quantity::obstacle, 3, {"to"}, {"m"},
        [](Mechanism& m, int e, Numbers n) { m.obstacles[e].places[1] = vector(n); }),
    row(Field::obstacle_radius, FieldOwner::obstacle, Quantity::obstacle, 1, {"radius"}, {"m"},
        [](Mechanism& m, int e, Numbers n) { m.obstacles[e].radius = n[0]; }),
});

constexpr bool has_a_row_for_each_field() {
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (fields[i].field != static_cast<Field>(i)) return false;
  return fields.back().field == Field::obstacle_radius;
}
static_assert(has_a_row_for_each_field(), "rows in the order of Field");

}  // namespace

const FieldDescription& describe(Field field) {
  return fields[static_cast<std::size_t>(field)];
}

}  // namespace counterpoise
