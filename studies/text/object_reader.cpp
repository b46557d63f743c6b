#include "studies/text/object_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace counterpoise {
namespace {

bool contains(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

ObjectReader::ObjectReader(const JsonValue& object, std::string_view what, Keys keys, Keys reserved)
    : ObjectReader(object, std::string(what)) {
  check_keys({keys.begin(), keys.size()}, {reserved.begin(), reserved.size()});
}

ObjectReader ObjectReader::of_file(const JsonValue& root, std::string_view format,
                                   std::string_view what, Keys keys, Keys reserved) {
  ObjectReader reader(root, std::string(what));
  object_of(root, what);
  const JsonValue& given = reader.required("format");
  if (string_of(given, in_quotes(format)) != format) refuse(given, in_quotes(format));
  std::vector<std::string_view> allowed = {"format", "$schema", "name", "description", "notes"};
  for (const std::string_view text : {"$schema", "name", "description"})
    if (const JsonValue* value = root.find(text)) string_of(*value, "a text");
  allowed.insert(allowed.end(), keys.begin(), keys.end());
  reader.check_keys(allowed, {reserved.begin(), reserved.size()});
  return reader;
}

void ObjectReader::check_keys(std::span<const std::string_view> keys,
                              std::span<const std::string_view> reserved) const {
  for (const JsonValue& member : object_of(*object_, what_)) {
    if (contains(keys, member.key)) continue;
    if (contains(reserved, member.key))
      throw InputError(member.key_location(),
                       fmt::format("{} of {} is not supported yet", in_quotes(member.key), what_));
    const std::vector<std::string> known(keys.begin(), keys.end());
    std::string hint = did_you_mean(member.key, known);
    if (hint.empty()) hint = fmt::format("; the keys are {}", listed(keys));
    throw InputError(member.key_location(), fmt::format("found {}, expected a key of {}{}",
                                                        in_quotes(member.key), what_, hint));
  }
}

const JsonValue& ObjectReader::required(std::string_view key) const {
  if (const JsonValue* value = find(key)) return *value;
  throw InputError(object_->location(),
                   fmt::format("the key {} of {} is missing", in_quotes(key), what_));
}

void refuse(const JsonValue& value, std::string_view expected) {
  throw InputError(value.location(),
                   fmt::format("found {}, expected {}", describe(value), expected));
}

const std::string& string_of(const JsonValue& value, std::string_view what) {
  if (value.kind != JsonValue::Kind::string) refuse(value, what);
  return value.text;
}

const std::string& name_of(const JsonValue& value) {
  constexpr std::string_view what = "a name of letters, digits and _ that begins with no digit";
  if (!is_name(string_of(value, what))) refuse(value, what);
  return value.text;
}

double number_of(const JsonValue& value, std::string_view what) {
  if (value.kind != JsonValue::Kind::number) refuse(value, what);
  return value.number;
}

std::int64_t integer_of(const JsonValue& value, std::string_view what, std::int64_t lowest,
                        std::int64_t highest) {
  constexpr double exact = 9007199254740992.0;  // 2^53
  const std::string expected =
      fmt::format("{}, a whole number from {} to {}", what, lowest, highest);
  const double number = number_of(value, expected);
  const bool whole = std::trunc(number) == number && std::abs(number) <= exact;
  if (!whole || number < static_cast<double>(lowest) || number > static_cast<double>(highest))
    refuse(value, expected);
  return static_cast<std::int64_t>(number);
}

bool boolean_of(const JsonValue& value, std::string_view what) {
  if (value.kind != JsonValue::Kind::boolean) refuse(value, what);
  return value.boolean;
}

std::span<const JsonValue> array_of(const JsonValue& value, std::string_view what) {
  if (value.kind != JsonValue::Kind::array) refuse(value, what);
  return value.items;
}

std::span<const JsonValue> array_of(const JsonValue& value, std::size_t size,
                                    std::string_view what) {
  if (array_of(value, what).size() != size) refuse(value, what);
  return value.items;
}

std::span<const JsonValue> object_of(const JsonValue& value, std::string_view what) {
  if (value.kind != JsonValue::Kind::object) refuse(value, fmt::format("an object: {}", what));
  return value.items;
}

std::size_t choice_of(const JsonValue& value, std::span<const std::string_view> choices) {
  const std::string expected = "one of " + listed(choices);
  const std::string& text = string_of(value, expected);
  const auto found = std::find(choices.begin(), choices.end(), text);
  if (found == choices.end())
    refuse_name(value, text, expected, std::vector<std::string>(choices.begin(), choices.end()));
  return static_cast<std::size_t>(found - choices.begin());
}

Unit unit_in(const JsonValue& value) {
  constexpr auto names = unit_names();
  return known_units[choice_of(value, names)];
}

void refuse_name(const JsonValue& value, std::string_view name, std::string_view what,
                 std::span<const std::string> known) {
  throw InputError(value.location(), fmt::format("found {}, expected {}{}", in_quotes(name), what,
                                                 did_you_mean(name, known)));
}

}  // namespace counterpoise
