#pragma once

#include <array>
#include <charconv>
#include <string>

namespace counterpoise {

/// A number as messages print it: six digits, without trailing zeros, as %.6g in the C locale.
inline std::string number_text(double x) {
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::general, 6);
  return {text.data(), end.ptr};
}

}  // namespace counterpoise
