#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace counterpoise {

/// A sum of finite doubles without rounding, so that it does not depend on their order: a fixed
/// point number wide enough for 2^63 of the largest. Takes 560 bytes; adding a number takes three
/// additions of integers.
class ExactSum {
 public:
  void add(double x);
  void add(const ExactSum& other);

  /// The sum rounded once, to the nearest double, ties to even; infinite beyond the largest.
  [[nodiscard]] double value() const;

  /// The exact sum as "-0x1a2bp-52", which means -0x1a2b * 2^-52; one text for each sum.
  [[nodiscard]] std::string text() const;
  /// Reads what text() writes; nothing for anything else.
  static std::optional<ExactSum> parse(std::string_view text);

 private:
  static constexpr std::size_t limb_count = 70;
  static constexpr int limb_bits = 32;
  static constexpr int lowest = -1088;  // exponent of the first limb's last bit

  using Limbs = std::array<std::int64_t, limb_count>;
  /// The sum's size with all limbs from 0 to 2^32 - 1, and whether it is negative.
  struct Magnitude {
    Limbs limbs{};
    bool negative = false;
    int top = -1;  // the highest limb that is not zero, or -1
  };
  void carry();
  [[nodiscard]] Magnitude magnitude() const;

  Limbs limbs_{};                 // the sum of limb i times 2^(32 i - 1088)
  std::int64_t since_carry_ = 0;  // numbers added; each changes a limb by less than 2^32
};

}  // namespace counterpoise
