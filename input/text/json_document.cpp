#include "input/text/json_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <unordered_map>

#include "input/text/input_error.hpp"

namespace counterpoise {
namespace {

constexpr std::size_t deepest_nesting = 100;

std::string pointer_token(std::string_view key) {
  std::string token = "/";
  for (const char c : key) {
    if (c == '~')
      token += "~0";
    else if (c == '/')
      token += "~1";
    else
      token += c;
  }
  return token;
}

/// The part of a JSON pointer that leads from a value to one of its items.
std::string item_token(const JsonValue& value, std::size_t item) {
  return value.kind == JsonValue::Kind::object ? pointer_token(value.items[item].key)
                                               : "/" + std::to_string(item);
}

/// Walks along the text and counts lines and characters.
class Place {
 public:
  explicit Place(std::string_view text) : text_(text) {}

  void move_to(std::size_t offset) {
    for (; offset_ < std::min(offset, text_.size()); ++offset_) {
      const auto byte = static_cast<unsigned char>(text_[offset_]);
      if (byte == '\n') {
        ++line_;
        column_ = 1;
      } else if ((byte & 0xC0U) != 0x80U) {
        ++column_;
      }
    }
  }
  [[nodiscard]] int line() const { return line_; }
  [[nodiscard]] int column() const { return column_; }

 private:
  std::string_view text_;
  std::size_t offset_ = 0;
  int line_ = 1;
  int column_ = 1;
};

/// Receives the events of the SAX parser and builds the tree. The parser tells no positions with
/// its events, but a token that was reported is well-formed, so each one is found again in the text
/// behind the token before it.
class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, std::shared_ptr<const std::string> file)
      : text_(text), place_(text), file_(std::move(file)) {}

  JsonValue take_root() { return std::move(root_); }

  bool null() {
    next_value(JsonValue::Kind::null);
    return finish_value();
  }
  bool boolean(bool value) {
    next_value(JsonValue::Kind::boolean).boolean = value;
    return finish_value();
  }
  bool number_integer(std::int64_t value) { return number(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) { return number(static_cast<double>(value)); }
  bool number_float(double value, const std::string&) { return number(value); }
  bool string(std::string& value) {
    next_value(JsonValue::Kind::string).text = std::move(value);
    return finish_value();
  }
  bool binary(std::vector<std::uint8_t>&) { return false; }  // JSON text has none
  bool start_object(std::size_t) {
    keys_.emplace_back();
    return start(JsonValue::Kind::object);
  }
  bool start_array(std::size_t) { return start(JsonValue::Kind::array); }
  bool end_object() {
    keys_.pop_back();
    return end();
  }
  bool end_array() { return end(); }

  bool key(std::string& name) {
    find_token();
    key_ = std::move(name);
    key_line_ = place_.line();
    key_column_ = place_.column();
    const auto [first, is_new] = keys_.back().emplace(key_, key_line_);
    if (!is_new) {
      throw InputError(
          {*file_, key_line_, key_column_, open_.back().pointer + pointer_token(key_)},
          fmt::format("duplicate key {}, first given in line {}", in_quotes(key_), first->second));
    }
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception& error) {
    // `position` counts the bytes read, with one for the end of the text
    std::size_t at = text_.find_first_not_of(" \t\r\n,:", offset_);  // the token behind the last
    const bool inside = std::string_view(error.what()).find("invalid string") != std::string::npos;
    if (at >= position || inside) at = position - 1;  // a separator, or one character of a text
    place_.move_to(at);
    std::string message = error.what();  // "[json.exception...] parse error at ...: what is wrong"
    message.erase(0, message.find("] ") + 2);
    if (message.starts_with("parse error")) message.erase(0, message.find(": ") + 2);
    const std::string pointer = open_.empty() ? "" : open_.back().pointer;
    throw InputError({*file_, place_.line(), place_.column(), pointer}, message);
  }

 private:
  /// Moves to the beginning of the next token, and remembers its end.
  void find_token() {
    offset_ = text_.find_first_not_of(" \t\r\n,:", offset_);
    place_.move_to(offset_);
    const char first = text_[offset_];
    if (first == '"') {
      for (++offset_; text_[offset_] != '"'; ++offset_)
        if (text_[offset_] == '\\') ++offset_;
      ++offset_;
    } else if (std::string_view("{}[]").find(first) != std::string_view::npos) {
      ++offset_;
    } else {
      offset_ = std::min(text_.find_first_of(" \t\r\n,:{}[]\"", offset_), text_.size());
    }
  }

  JsonValue& next_value(JsonValue::Kind kind) {
    find_token();
    JsonValue value;
    value.kind = kind;
    value.line = place_.line();
    value.column = place_.column();
    value.file = file_;
    if (!open_.empty()) {
      const JsonValue& parent = open_.back();
      if (parent.kind == JsonValue::Kind::object) {
        value.key = std::move(key_);
        value.key_line = key_line_;
        value.key_column = key_column_;
        value.pointer = parent.pointer + pointer_token(value.key);
      } else {
        value.pointer = fmt::format("{}/{}", parent.pointer, parent.items.size());
      }
    }
    if (open_.size() >= deepest_nesting)
      throw InputError(value.location(), fmt::format("nested deeper than {}", deepest_nesting));
    return open_.emplace_back(std::move(value));
  }

  bool finish_value() {
    JsonValue value = std::move(open_.back());
    open_.pop_back();
    if (open_.empty())
      root_ = std::move(value);
    else
      open_.back().items.push_back(std::move(value));
    return true;
  }

  bool number(double value) {
    next_value(JsonValue::Kind::number).number = value;
    return finish_value();
  }
  bool start(JsonValue::Kind kind) {
    next_value(kind);
    return true;
  }
  bool end() {
    find_token();
    return finish_value();
  }

  std::string_view text_;
  std::size_t offset_ = 0;
  Place place_;
  std::shared_ptr<const std::string> file_;
  std::vector<JsonValue> open_;  // arrays and objects begun, and the value being read
  std::vector<std::unordered_map<std::string, int>> keys_;  // of open objects, with their lines
  std::string key_;
  int key_line_ = 0;
  int key_column_ = 0;
  JsonValue root_;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view name) const {
  const auto found = std::find_if(items.begin(), items.end(),
                                  [&](const JsonValue& member) { return member.key == name; });
  return kind == Kind::object && found != items.end() ? &*found : nullptr;
}

const JsonValue& JsonValue::at_or_above(std::string_view json_pointer) const {
  const JsonValue* value = this;
  while (json_pointer.starts_with('/')) {
    const std::size_t end = std::min(json_pointer.find('/', 1), json_pointer.size());
    const std::string_view token = json_pointer.substr(0, end);
    json_pointer.remove_prefix(end);
    std::size_t at = 0;
    while (at < value->items.size() && item_token(*value, at) != token) ++at;
    if (at == value->items.size()) break;
    value = &value->items[at];
  }
  return *value;
}

std::string describe(const JsonValue& value) {
  switch (value.kind) {
    case JsonValue::Kind::null:
      return "null";
    case JsonValue::Kind::boolean:
      return value.boolean ? "true" : "false";
    case JsonValue::Kind::number:
      return fmt::format("{}", value.number);
    case JsonValue::Kind::string:
      return in_quotes(value.text);
    case JsonValue::Kind::array:
      return fmt::format("an array of {}", value.items.size());
    case JsonValue::Kind::object:
      return "an object";
  }
  return "";
}

std::string compact_text(const JsonValue& value) {
  const auto text_of = [](const std::string& text) { return nlohmann::json(text).dump(); };
  switch (value.kind) {
    case JsonValue::Kind::string:
      return text_of(value.text);
    case JsonValue::Kind::array:
    case JsonValue::Kind::object: {
      const bool object = value.kind == JsonValue::Kind::object;
      std::string text;
      for (const JsonValue& item : value.items) {
        if (!text.empty()) text += ", ";
        if (object) text += text_of(item.key) + ": ";
        text += compact_text(item);
      }
      return object ? "{" + text + "}" : "[" + text + "]";
    }
    default:
      return describe(value);
  }
}

JsonValue parse_json(std::string_view text, const std::string& file) {
  const auto begins_with = [&](std::string_view bytes) { return text.starts_with(bytes); };
  if (begins_with("\xFF\xFE") || begins_with("\xFE\xFF"))
    throw InputError({file, 1, 1, ""}, "found UTF-16 text, expected UTF-8");
  if (begins_with("\xEF\xBB\xBF")) text.remove_prefix(3);

  TreeBuilder builder(text, std::make_shared<const std::string>(file));
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take_root();
}

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

namespace {

[[noreturn]] void refuse_unknown(const Location& where, std::string_view name,
                                 std::string_view what, std::span<const std::string> known) {
  throw InputError(where, fmt::format("found {}, expected {}{}", in_quotes(name), what,
                                      did_you_mean(name, known)));
}

}  // namespace

void refuse_name(const JsonValue& value, std::string_view name, std::string_view what,
                 std::span<const std::string> known) {
  refuse_unknown(value.location(), name, what, known);
}

void refuse_key(const JsonValue& value, std::string_view what, std::span<const std::string> known) {
  refuse_unknown(value.key_location(), value.key, what, known);
}

namespace {

constexpr std::size_t piece = 1 << 16;  // bytes read at a time

[[noreturn]] void refuse_large(const Location& where) {
  throw InputError(where, fmt::format("is larger than {} MiB, the most that is read of an input "
                                      "file; a table with fewer rows will do",
                                      largest_input >> 20));
}

}  // namespace

std::string read_text_file(const std::filesystem::path& path) {
  const Location where{.file = path.string()};
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw InputError(where, "is a folder, expected a file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    const int reason = errno;
    throw InputError(where, "cannot be opened: " + std::generic_category().message(reason));
  }
  // anything but a regular file has no size, and may have no end
  const auto size = std::filesystem::file_size(path, ignored);
  if (!ignored && size > largest_input) refuse_large(where);
  std::string text;
  if (!ignored) text.reserve(static_cast<std::size_t>(size) + piece);
  for (std::size_t length = 0; file;) {
    text.resize(length + piece);
    file.read(text.data() + length, static_cast<std::streamsize>(piece));
    length += static_cast<std::size_t>(file.gcount());
    text.resize(length);
    if (length > largest_input) refuse_large(where);
  }
  if (file.bad()) throw InputError(where, "cannot be read");
  return text;
}

}  // namespace counterpoise
