#pragma once

#include <string>
#include <string_view>

#include "results/text/cells.hpp"

namespace counterpoise {

/// Builds one JSON object, key by key, for `--json`.
class JsonObject {
 public:
  JsonObject& add(std::string_view key, const Value& value) {
    begin(key);
    append_json(text_, value);
    return *this;
  }
  JsonObject& add(std::string_view key, bool value) {
    return add_raw(key, value ? "true" : "false");
  }
  JsonObject& add(std::string_view key, int value) { return add(key, Value{std::int64_t{value}}); }
  /// A value that is JSON already.
  JsonObject& add_raw(std::string_view key, std::string_view json) {
    begin(key);
    text_ += json;
    return *this;
  }

  [[nodiscard]] std::string text() const { return text_ + "}"; }

 private:
  void begin(std::string_view key) {
    if (text_.size() > 1) text_ += ", ";
    append_json(text_, key);
    text_ += ": ";
  }

  std::string text_ = "{";
};

}  // namespace counterpoise
