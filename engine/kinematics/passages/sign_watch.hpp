#pragma once

#include <optional>
#include <utility>

namespace counterpoise {

/// Watches a signed number over consecutive samples that is zero in singular poses and continuous
/// between them, such as an actuator's lever: where it changes its sign, a singular pose was
/// passed.
class SignWatch {
 public:
  /// Starts over: the next sample is the first of a motion.
  void begin() { before_ = 0.0; }

  /// Takes the number at the next sample. Returns where it vanished since the last sample, as a
  /// share of the interval by linear interpolation; nothing if it kept its sign.
  std::optional<double> see(double number) {
    const double before = std::exchange(before_, number);
    const bool passed = (before < 0.0 && number > 0.0) || (before > 0.0 && number < 0.0);
    return passed ? std::optional(before / (before - number)) : std::nullopt;
  }

  /// The number at the last sample; 0 before the first.
  [[nodiscard]] double last() const { return before_; }

 private:
  double before_ = 0.0;
};

}  // namespace counterpoise
