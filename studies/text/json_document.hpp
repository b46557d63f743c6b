#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "studies/text/input_error.hpp"

namespace counterpoise {

/// A value of a JSON text that knows its place in it.
struct JsonValue {
  enum class Kind { null, boolean, number, string, array, object };

  Kind kind = Kind::null;
  bool boolean = false;
  double number = 0.0;  // finite
  std::string text;
  std::vector<JsonValue> items;  // of an array; of an object its values, in file order

  std::string key;  // as a member of an object: its name, and where the name stands
  int key_line = 0;
  int key_column = 0;

  int line = 0;
  int column = 0;
  std::string pointer;
  std::shared_ptr<const std::string> file;

  [[nodiscard]] Location location() const { return {*file, line, column, pointer}; }
  [[nodiscard]] Location key_location() const { return {*file, key_line, key_column, pointer}; }

  /// The member of an object with this name, or nullptr.
  [[nodiscard]] const JsonValue* find(std::string_view name) const;
  /// The value at this pointer ("/bodies/3/mass"), or the deepest one on the way that exists.
  [[nodiscard]] const JsonValue& at_or_above(std::string_view json_pointer) const;
};

/// Describes a value for messages: `"rate"`, `12.5`, `true`, `an array of 3`, `an object`.
std::string describe(const JsonValue& value);

/// The value as JSON on one line, members in file order, numbers as the shortest text.
std::string compact_text(const JsonValue& value);

/// Parses UTF-8 text (a leading byte order mark is skipped). Throws InputError at the place of a
/// syntax error, a duplicate key, a number beyond the range of double, ill-formed UTF-8, or more
/// than 100 nested arrays and objects. `file` names the text in messages.
JsonValue parse_json(std::string_view text, const std::string& file);

}  // namespace counterpoise
