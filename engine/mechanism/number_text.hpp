#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace counterpoise {

/// A number as messages print it: six digits, without trailing zeros.
inline std::string number_text(double x) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", x);
  return text.data();
}

}  // namespace counterpoise
