#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "input/text/json_document.hpp"

namespace counterpoise {

/// JSON that the program wrote into a results file, read again: another program may have changed
/// it. Each of these throws InputError, with the place in the text, where a member is missing or
/// of another kind.
const JsonValue& member_of(const JsonValue& object, std::string_view key);
double number_in(const JsonValue& object, std::string_view key);
/// The number of a member; nothing if the member is null.
std::optional<double> number_or_null_in(const JsonValue& object, std::string_view key);
/// A whole number that is not negative.
std::int64_t count_in(const JsonValue& object, std::string_view key);
const std::string& text_in(const JsonValue& object, std::string_view key);
std::span<const JsonValue> array_in(const JsonValue& object, std::string_view key);

}  // namespace counterpoise
