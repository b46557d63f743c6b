#pragma once

#include <string>

#include "input/text/input_error.hpp"

namespace counterpoise {

/// What is wrong with a question of the studio's page.
inline InputError wrong_request(const std::string& words) {
  return InputError({.file = "request"}, words);
}

}  // namespace counterpoise
