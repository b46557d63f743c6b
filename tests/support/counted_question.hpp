#pragma once

#include <atomic>
#include <cstdint>

#include "optimizer/interruption.hpp"

namespace counterpoise::test {

/// Counts how often work asks whether to stop, and says yes from the n-th time on.
class CountedQuestion {
 public:
  static constexpr std::int64_t never = INT64_MAX;

  explicit CountedQuestion(std::int64_t n = never) : first_yes_(n) {}

  [[nodiscard]] Interruption interruption() {
    return Interruption([this] { return ++asked_ >= first_yes_; });
  }
  [[nodiscard]] std::int64_t asked() const { return asked_; }
  /// Questions after the first that was answered with yes.
  [[nodiscard]] std::int64_t asked_in_vain() const {
    return asked_ > first_yes_ ? asked_ - first_yes_ : 0;
  }

 private:
  const std::int64_t first_yes_;
  std::atomic<std::int64_t> asked_{0};
};

}  // namespace counterpoise::test
