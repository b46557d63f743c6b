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

/// Whether a test tries its i-th combination: each, or every tenth where a sanitizer watches.
constexpr bool is_tried(long i) {
  return i % (trials(5) == 5 ? 1 : 10) == 0;
}

}  // namespace counterpoise::test
