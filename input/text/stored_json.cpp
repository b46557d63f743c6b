#include "input/text/stored_json.hpp"

#include <fmt/format.h>

#include <limits>

#include "input/text/json_document.hpp"

namespace counterpoise {

const JsonValue& member_of(const JsonValue& object, std::string_view key) {
  object_of(object, fmt::format("one with the key {}", in_quotes(key)));
  if (const JsonValue* value = object.find(key)) return *value;
  throw InputError(object.location(), fmt::format("the key {} is missing", in_quotes(key)));
}

double number_in(const JsonValue& object, std::string_view key) {
  return number_of(member_of(object, key), "a number");
}

std::optional<double> number_or_null_in(const JsonValue& object, std::string_view key) {
  const JsonValue& value = member_of(object, key);
  if (value.kind == JsonValue::Kind::null) return std::nullopt;
  return number_of(value, "a number or null");
}

std::int64_t count_in(const JsonValue& object, std::string_view key) {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  return integer_of(member_of(object, key), "a count", 0, most);
}

const std::string& text_in(const JsonValue& object, std::string_view key) {
  return string_of(member_of(object, key), "a text");
}

std::span<const JsonValue> array_in(const JsonValue& object, std::string_view key) {
  return array_of(member_of(object, key), "an array");
}

}  // namespace counterpoise
