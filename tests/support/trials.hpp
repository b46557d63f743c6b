#pragma once

#if defined(__has_feature)  // clang
#define COUNTERPOISE_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define COUNTERPOISE_SANITIZED (defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__))
#endif

namespace counterpoise::test {

/// How many random cases a test looks at: `of_release`, or a fifth of them where a sanitizer
/// watches every access and takes as long for each.
constexpr int trials(int of_release) {
#if COUNTERPOISE_SANITIZED
  return (of_release + 4) / 5;
#else
  return of_release;
#endif
}

/// Whether a test tries its i-th combination: each, or one in `of` where a sanitizer watches.
constexpr bool is_tried([[maybe_unused]] long i, [[maybe_unused]] int of) {
#if COUNTERPOISE_SANITIZED
  return i % of == 0;
#else
  return true;
#endif
}

}  // namespace counterpoise::test
