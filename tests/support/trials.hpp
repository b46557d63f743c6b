#pragma once

#include <cstdlib>

namespace counterpoise::test {

/// Whether tests try everything that they can, as `scripts/test --all` asks for, instead of a
/// share.
inline bool all_trials() {
  static const bool all = std::getenv("COUNTERPOISE_ALL_TRIALS") != nullptr;
  return all;
}

/// How many of `all` random cases a test looks at: a tenth, or each.
inline int trials(int all) {
  return all_trials() ? all : (all + 9) / 10;
}

/// Whether a test tries its i-th combination: one in `of`, or each.
inline bool is_tried(long i, int of) {
  return all_trials() || i % of == 0;
}

}  // namespace counterpoise::test
