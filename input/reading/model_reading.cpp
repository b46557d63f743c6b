#include "input/reading/model_reading.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "input/definition/mechanism_units.hpp"
#include "input/definition/model.hpp"

namespace counterpoise {

namespace {

/// Whether an element turns rather than slides (see FieldDescription::Word).
bool turns(FieldOwner owner, int element, const Mechanism& mechanism) {
  const auto joint_turns = [&](BodyIndex joint) {
    return mechanism.bodies[joint].joint.type != JointType::prismatic;
  };
  switch (owner) {
    case FieldOwner::body:
      return joint_turns(element);
    case FieldOwner::coupling:
      return joint_turns(mechanism.couplings[element].joint);
    case FieldOwner::spring:
      return turns(mechanism, mechanism.springs[element]);
    case FieldOwner::actuator:
      return !mechanism.actuators[element].linear() &&
             joint_turns(mechanism.actuators[element].joint);
    default:
      return false;
  }
}

}  // namespace

void ModelReading::give(Field field, int element, const JsonValue& value, std::string_view what) {
  FieldNumbers given{.field = field, .element = element, .numbers = {}};
  const FieldDescription& description = describe(field);
  const std::span<Number> used(given.numbers.data(), description.size);
  const std::string_view unit =
      description.unit.of(turns(description.owner, element, model.nominal));
  const TextUnit allowed = unit == "1" ? TextUnit::none() : TextUnit::of(unit, value.key);
  if (used.size() == 1)
    used[0] = numbers.read(value, allowed);
  else
    numbers.read(value, used, what, allowed);

  give(given);
}

void ModelReading::give(const FieldNumbers& given) {
  const FieldDescription& description = describe(given.field);
  const std::span<const Number> used(given.numbers.data(), description.size);
  std::array<double, 6> fixed{};
  std::transform(used.begin(), used.end(), fixed.begin(), [](const Number& n) { return n.value; });
  if (std::all_of(used.begin(), used.end(), [](const Number& n) { return n.fixed(); }))
    description.assign(model.nominal, given.element, fixed);
  else
    model.varying.push_back(given);
}

void ModelReading::give(Field field, int element, const ObjectReader& object,
                        std::string_view what) {
  const FieldDescription& description = describe(field);
  // a torsion spring along a joint that slides has lengths under the keys of angles
  const bool turning = description.owner == FieldOwner::spring
                           ? model.nominal.springs[element].type == SpringType::torsion
                           : turns(description.owner, element, model.nominal);
  if (const JsonValue* value = object.find(description.key.of(turning)))
    give(field, element, *value, what);
}

void ModelReading::give_axis(Field field, int element, const JsonValue& value) {
  constexpr std::string_view what = "an axis: \"x\", \"y\", \"z\" or [x, y, z]";
  if (value.kind != JsonValue::Kind::string) return give(field, element, value, what);
  const auto axis = std::string_view("xyz").find(value.text);
  if (value.text.size() != 1 || axis == std::string_view::npos) refuse(value, what);
  const Vec3d unit = Vec3d::Unit(static_cast<Eigen::Index>(axis));
  describe(field).assign(model.nominal, element, std::span(unit.data(), 3));
}

void ModelReading::give_rotation(const RotationFields& fields, int element,
                                 const JsonValue& value) {
  const ObjectReader object(value, "a rotation", {"zxz", "rpy", "quaternion"});
  if (value.items.size() != 1) refuse(value, "one of zxz, rpy, quaternion");
  give(fields.zxz, element, object, "three angles [z, x, z]");
  give(fields.rpy, element, object, "three angles [roll, pitch, yaw]");
  give(fields.quaternion, element, object, "a quaternion [w, x, y, z]");
}

int ModelReading::body(const JsonValue& value) const {
  const std::string& name = string_of(value, "the name of a body");
  const int index = find_body(model.nominal, name);
  if (index >= 0) return index;
  std::vector<std::string> known;
  for (const Body& candidate : model.nominal.bodies) known.push_back(candidate.name);
  refuse_name(value, name, "a body", known);
}

int ModelReading::moving_joint(const JsonValue& value) const {
  const int index = body(value);
  if (!model.nominal.moves(index))
    throw InputError(
        value.location(),
        fmt::format("the joint of {} is fixed, expected one that moves", in_quotes(value.text)));
  return index;
}

int ModelReading::point(const JsonValue& value) const {
  const std::string& name = string_of(value, "a point, \"body.point\"");
  std::vector<std::string> known;
  for (const Point& candidate : model.nominal.points) {
    if (candidate.name == name) return static_cast<int>(known.size());
    known.push_back(candidate.name);
  }
  refuse_name(value, name, "a point, \"body.point\"", known);
}

std::array<PointIndex, 2> ModelReading::points(const JsonValue& value) const {
  const auto items = array_of(value, 2, "two points [\"body.point\", \"body.point\"]");
  const std::array<PointIndex, 2> pair = {point(items[0]), point(items[1])};
  if (pair[0] == pair[1]) refuse(items[1], "another point than the first");
  return pair;
}

void ModelReading::connect(const JsonValue& value, Spring& spring) const {
  constexpr std::string_view what =
      "two points [\"body.point\", \"body.point\"], with what a cable runs over between them";
  const auto items = array_of(value, what);
  if (items.size() == 2) {
    spring.points = points(value);
  } else {
    if (items.size() < 2) refuse(value, what);
    for (std::size_t i = 0; i < items.size(); ++i) {
      const int index = point(items[i]);
      if (i > 0 && items[i].text == items[i - 1].text)
        refuse(items[i], "another point or pulley than the one before");
      if (i == 0 || i + 1 == items.size())
        spring.points[i == 0 ? 0 : 1] = index;
      else
        spring.over.emplace_back(index);
    }
  }
  const auto& places = model.nominal.points;
  for (std::size_t i = 1; i + 1 < items.size(); ++i)
    if (places[spring.over[i - 1]].is_cam)
      throw InputError(items[i].location(),
                       fmt::format("found cam {} between the ends of a cable, expected it at an "
                                   "end: a cable is fixed to its cam",
                                   in_quotes(items[i].text)));
  if (places[spring.points[0]].is_cam && places[spring.points[1]].is_cam)
    throw InputError(items.back().location(),
                     "found a second cam, expected a point: one end of a cable is on a cam");
  spring.on_cam = places[spring.points[0]].is_cam || places[spring.points[1]].is_cam;
  for (const std::size_t end : {0u, 1u})
    if (places[spring.points[end]].is_pulley && !places[spring.points[end]].is_cam)
      throw InputError(
          items[end == 0 ? 0 : items.size() - 1].location(),
          fmt::format("found pulley {} at the end of a spring, expected a point to fix "
                      "it to; pulleys stand between the ends: [\"body.point\", "
                      "\"body.pulley\", \"body.point\"]",
                      in_quotes(model.nominal.points[spring.points[end]].name)));
}

const std::string& unique_name(const JsonValue& value, std::vector<std::string>& taken,
                               std::string_view what) {
  const std::string& name = name_of(value);
  if (std::find(taken.begin(), taken.end(), name) != taken.end())
    throw InputError(value.location(), fmt::format("duplicate {} {}", what, in_quotes(name)));
  taken.push_back(name);
  return name;
}

void check_remarks(const ObjectReader& element) {
  if (const JsonValue* source = element.find("source"))
    string_of(*source, "a text that says where the numbers are from");
  if (const JsonValue* note = element.find("note")) string_of(*note, "a note");
}

namespace {

Parameter read_parameter(const JsonValue& value, const NumberReader& numbers) {
  Parameter parameter;
  parameter.name = value.key;
  parameter.where = value.location();
  std::optional<Unit> written;
  if (value.kind != JsonValue::Kind::object) {
    parameter.value = numbers.read(value, TextUnit::any(), &written);
    if (written) parameter.unit = *find_unit(si_unit(*written));
    return parameter;
  }
  const ObjectReader object(value, "a parameter",
                            {"value", "unit", "source", "note", "min", "max"});
  const JsonValue* unit = object.find("unit");
  if (unit != nullptr) parameter.unit = unit_in(*unit);
  const auto read = [&](const JsonValue& number) {
    const TextUnit allowed =
        unit == nullptr ? TextUnit{parameter.unit, parameter.name} : TextUnit::none();
    Number result = numbers.read(number, allowed, &written);
    const std::string_view own = numbers.unit_of(result);
    if (unit != nullptr && !own.empty() && own != "1" &&
        (parameter.unit.to_si(1.0) != 1.0 || !fits(*find_unit(own), parameter.unit)))
      throw InputError(number.location(),
                       fmt::format("found {}, which is in {}, and the unit {} beside it, in which "
                                   "its value would be taken; leave that out",
                                   in_quotes(number.text), own, parameter.unit.name));
    if (result.fixed()) result.value = parameter.unit.to_si(result.value);
    return result;
  };
  parameter.value = read(object.required("value"));
  if (written) parameter.unit = *find_unit(si_unit(*written));  // in which its text was read
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
      state_[last.parameter] = State::done;
      model_.evaluation_order.push_back(last.parameter);
      path_.pop_back();
    }
  }

  void open(int index) {
    State& state = state_[index];
    const Number& value = parameter(index).value;
    if (state == State::done || value.fixed()) return;
    if (state == State::open) refuse_cycle(index);
    state = State::open;
    path_.push_back({index, model_.expressions[value.expression].used(), 0});
  }

  [[noreturn]] void refuse_cycle(int again) const {
    auto first = std::find_if(path_.begin(), path_.end(),
                              [&](const Open& open) { return open.parameter == again; });
    std::string cycle;
    for (; first != path_.end(); ++first) cycle += parameter(first->parameter).name + " -> ";
    throw InputError(parameter(again).where, fmt::format("the parameter depends on itself: {}{}",
                                                         cycle, parameter(again).name));
  }

  [[nodiscard]] const Parameter& parameter(int index) const { return model_.parameters[index]; }

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
    const JsonValue* unit = member.kind == JsonValue::Kind::object ? member.find("unit") : nullptr;
    model.scope.add(member.key, false, unit == nullptr ? std::string_view() : unit->text);
  }
  const NumberReader numbers(model.scope, model.expressions);
  read_each(members, [&](const JsonValue& member) {
    model.parameters.push_back(read_parameter(member, numbers));
  });
  Sorter(model).sort();
}

}  // namespace counterpoise
