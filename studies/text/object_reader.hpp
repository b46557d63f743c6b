#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "studies/text/json_document.hpp"
#include "studies/text/units.hpp"

namespace counterpoise {

/// Reads the members of a JSON object whose keys are known. Every function here throws InputError
/// at the place of what is wrong; `what` says what was expected ("a spring", "a mass").
class ObjectReader {
 public:
  using Keys = std::initializer_list<std::string_view>;

  /// Refuses a value that is not an object, unknown keys (naming the nearest valid one), and
  /// `reserved` keys as not supported yet.
  ObjectReader(const JsonValue& object, std::string_view what, Keys keys, Keys reserved = {});

  /// The reader of a whole file: checks `format`, and allows the keys every file may have.
  static ObjectReader of_file(const JsonValue& root, std::string_view format, std::string_view what,
                              Keys keys, Keys reserved = {});

  [[nodiscard]] const JsonValue* find(std::string_view key) const { return object_->find(key); }
  [[nodiscard]] const JsonValue& required(std::string_view key) const;

 private:
  ObjectReader(const JsonValue& object, std::string what)
      : object_(&object), what_(std::move(what)) {}
  void check_keys(std::span<const std::string_view> keys,
                  std::span<const std::string_view> reserved) const;

  const JsonValue* object_;
  std::string what_;
};

/// Throws `found ..., expected ...` at the place of `value`.
[[noreturn]] void refuse(const JsonValue& value, std::string_view expected);

const std::string& string_of(const JsonValue& value, std::string_view what);
/// A string that is a name: [A-Za-z_][A-Za-z0-9_]*.
const std::string& name_of(const JsonValue& value);
/// A JSON number; expressions are not allowed here.
double number_of(const JsonValue& value, std::string_view what);
/// A whole number in [lowest, highest], at most 2^53 in size; a refusal names the two.
std::int64_t integer_of(const JsonValue& value, std::string_view what, std::int64_t lowest,
                        std::int64_t highest);
bool boolean_of(const JsonValue& value, std::string_view what);
std::span<const JsonValue> array_of(const JsonValue& value, std::string_view what);
std::span<const JsonValue> array_of(const JsonValue& value, std::size_t size,
                                    std::string_view what);
std::span<const JsonValue> object_of(const JsonValue& value, std::string_view what);

/// The index of the text among `choices`; otherwise says what is allowed and what is nearest.
std::size_t choice_of(const JsonValue& value, std::span<const std::string_view> choices);

/// A unit by its name.
Unit unit_in(const JsonValue& value);

/// Throws `found "x", expected <what>; did you mean "y"?` for a name that is not one of `known`.
[[noreturn]] void refuse_name(const JsonValue& value, std::string_view name, std::string_view what,
                              std::span<const std::string> known);

}  // namespace counterpoise
