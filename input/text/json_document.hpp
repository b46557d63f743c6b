#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input/text/input_error.hpp"
#include "input/text/units.hpp"

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
/// The same for the key of a value, and at the key.
[[noreturn]] void refuse_key(const JsonValue& value, std::string_view what,
                             std::span<const std::string> known);

/// Gives the text of a file. Reading goes through one, so that a study can be read again from texts
/// that were stored with its results. Throws InputError when there is no such file.
using FileProvider = std::function<std::string(const std::filesystem::path&)>;

/// The most that is read of one input file [bytes]: two million rows of a table with ten columns.
/// An input that never ends, such as /dev/zero, is also refused for its size.
inline constexpr std::size_t largest_input = std::size_t{256} << 20;

/// The FileProvider of the disk: files, pipes and devices. Throws InputError for a file that cannot
/// be read or is larger than largest_input.
std::string read_text_file(const std::filesystem::path& path);

}  // namespace counterpoise
