#pragma once

#include <string>

namespace counterpoise::test {

/// "loop" and 3 give "loop3". (Appending spares GCC 12 a false warning about `"loop" + ...`.)
inline std::string numbered(const char* stem, std::size_t index) {
  std::string name = stem;
  name += std::to_string(index);
  return name;
}

}  // namespace counterpoise::test
