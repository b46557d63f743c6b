#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "input/reading/model_reading.hpp"

namespace counterpoise {
namespace {

constexpr std::array<std::string_view, 2> joins = {"series", "parallel"};

/// The key of an object that joins springs, or nothing.
const JsonValue* joined_springs(const JsonValue& value) {
  if (value.kind != JsonValue::Kind::object) return nullptr;
  for (const std::string_view join : joins)
    if (const JsonValue* found = value.find(join)) return found;
  return nullptr;
}

/// Reads the springs of a group, and the groups among them.
class GroupReader {
 public:
  GroupReader(ModelReading& reading, SpringGroup& group) : reading_(reading), group_(group) {}

  void read(const JsonValue& members) {
    const auto all = array_of(members, "an array of springs, or groups of springs");
    if (all.size() < 2) refuse(members, "two springs or more");
    for (const JsonValue& member : all) {
      const JsonValue* const inner = joined_springs(member);
      if (inner == nullptr) {
        read_part(member);
        continue;
      }
      const ObjectReader object(member, "a group of springs",
                                {"series", "parallel", "source", "note"});
      check_remarks(object);
      require_one_join(object);
      read(*inner);
    }
    group_.steps.push_back(
        {members.key == joins[0] ? SpringGroup::Join::series : SpringGroup::Join::parallel,
         all.size()});
  }

  /// Refuses an object in which springs are joined in both ways at once.
  static void require_one_join(const ObjectReader& object) {
    const JsonValue* const parallel = object.find("parallel");
    if (parallel != nullptr && object.find("series") != nullptr)
      throw InputError(parallel->key_location(),
                       "found \"parallel\" beside \"series\", expected one of them; a group may be "
                       "one of the springs of another");
  }

  void give(int spring) const {
    for (const auto& [field, numbers] : numbers_)
      reading_.give(FieldNumbers{.field = field, .element = spring, .numbers = numbers});
  }

 private:
  void read_part(const JsonValue& value) {
    const ObjectReader object(
        value, "a spring of a group",
        {"rate", "free_length", "initial_tension", "series", "parallel", "source", "note"});
    check_remarks(object);
    const JsonValue& rate = object.required("rate");
    const std::size_t part = group_.parts.size();
    if (part == SpringGroup::most_parts)
      throw InputError(value.location(),
                       fmt::format("found more than {} springs in a group, expected at most {}; "
                                   "springs side by side may also be springs of their own",
                                   SpringGroup::most_parts, SpringGroup::most_parts));
    group_.parts.emplace_back();
    group_.steps.push_back({});
    for (auto& [field, numbers] : numbers_) {
      const FieldDescription& description = describe(field);
      const bool stiffness = field == Field::part_rates;
      if (const JsonValue* number = stiffness ? &rate : object.find(description.key.sliding))
        numbers[part] =
            reading_.numbers.read(*number, TextUnit::of(description.unit.sliding, number->key));
    }
  }

  struct OfParts {
    Field field;
    std::array<Number, 6> numbers = {};
  };
  std::array<OfParts, 3> numbers_ = {
      {{Field::part_rates}, {Field::part_free_lengths}, {Field::part_initial_tensions}}};
  ModelReading& reading_;
  SpringGroup& group_;
};

/// The place of a spring of a group, counting down `part` to it.
std::optional<std::string> find_part(const JsonValue& group, std::size_t& part) {
  const JsonValue* const members = joined_springs(group);
  if (members == nullptr) return part-- == 0 ? std::optional<std::string>("") : std::nullopt;
  for (std::size_t i = 0; i < members->items.size(); ++i)
    if (const auto at = find_part(members->items[i], part))
      return fmt::format("/{}/{}{}", members->key, i, *at);
  return std::nullopt;
}

}  // namespace

void read_group(const ObjectReader& object, int index, ModelReading& reading) {
  const JsonValue* const series = object.find("series");
  const JsonValue* const members = series != nullptr ? series : object.find("parallel");
  if (members == nullptr) return;
  Spring& spring = reading.model.nominal.springs[index];
  GroupReader::require_one_join(object);
  if (spring.type == SpringType::coil)
    throw InputError(members->key_location(),
                     fmt::format("found \"{}\" without \"type\", expected \"extension\" or "
                                 "\"compression\": what all springs of the group are",
                                 members->key));
  for (const std::string_view key : {"rate", "free_length", "initial_tension", "friction", "mass"})
    if (const JsonValue* found = object.find(key))
      throw InputError(
          found->key_location(),
          fmt::format("found \"{}\" beside \"{}\", expected one of them: {}", key, members->key,
                      key == "friction" || key == "mass"
                          ? "it is known of single springs"
                          : "the springs of a group have numbers of their own"));
  GroupReader group(reading, spring.group);
  group.read(*members);
  group.give(index);
}

std::string pointer_to_part(const JsonValue& spring, std::size_t part) {
  return find_part(spring, part).value_or("");
}

}  // namespace counterpoise
