#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "input/text/input_error.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

/// What is wrong with a question of the studio's page.
inline InputError wrong_request(const std::string& words) {
  return InputError({.file = "request"}, words);
}

/// The text under a key of a question, or else another one.
inline std::string text_under(const Json& request, const char* key,
                              const std::string& otherwise = {}) {
  const auto found = request.find(key);
  return found != request.end() && found->is_string() ? found->get<std::string>() : otherwise;
}

}  // namespace counterpoise
