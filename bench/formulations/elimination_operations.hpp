#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

namespace counterpoise::bench {

/// How often each operation of paper 003, Table 1 occurs.
struct Operations {
  int sums = 0, products = 0, quotients = 0, roots = 0, sines = 0, arctangents = 0;
  int assignments = 0;  // of intermediate values used more than once, and of results

  /// With the factors of Table 1.
  [[nodiscard]] int weighted() const {
    return sums + products + 4 * quotients + 5 * roots + 10 * sines + 15 * arctangents +
           assignments;
  }
};

/// A number that records how it was computed, as a generator of code would: constants are folded,
/// zeros and ones vanish, signs cost nothing, what is computed twice is computed once. It meets the
/// engine's Scalar contract as far as the formulations need it.
class Counted {
 public:
  Counted(double constant = 0.0);  // NOLINT: numbers convert as they do to double
  static Counted input(double value);

  [[nodiscard]] double value() const;

  friend Counted operator+(const Counted& a, const Counted& b);
  friend Counted operator*(const Counted& a, const Counted& b);
  friend Counted operator/(const Counted& a, const Counted& b);
  friend Counted operator-(Counted a) {
    a.negative_ = !a.negative_;
    return a;
  }
  friend Counted operator-(const Counted& a, const Counted& b) { return a + -b; }
  Counted& operator+=(const Counted& b) { return *this = *this + b; }
  Counted& operator-=(const Counted& b) { return *this = *this - b; }
  Counted& operator*=(const Counted& b) { return *this = *this * b; }
  Counted& operator/=(const Counted& b) { return *this = *this / b; }

  friend Counted sqrt(const Counted& a);
  friend void sincos(const Counted& angle, Counted& sine, Counted& cosine);
  friend Counted atan2(const Counted& y, const Counted& x);

  /// Forgets everything recorded; numbers made before are void.
  static void start();
  /// What it takes to compute these results.
  static Operations operations(std::span<const Counted> results);

 private:
  enum class Kind : std::uint8_t {
    constant,
    input,
    sum,
    difference,
    product,
    quotient,
    root,
    sine,
    cosine,
    arctangent
  };
  struct Node {
    Kind kind;
    bool first_negative, second_negative;  // arctangents only; else signs are taken out
    int first, second;
    double value;
  };
  struct Record;
  static Record& record();
  static Counted make(const Node& node, bool negative);

  [[nodiscard]] bool constant() const;
  [[nodiscard]] bool is(double value) const { return constant() && this->value() == value; }

  int node_ = 0;
  bool negative_ = false;
};

}  // namespace counterpoise::bench

namespace Eigen {
template <>
struct NumTraits<counterpoise::bench::Counted> : GenericNumTraits<counterpoise::bench::Counted> {};
}  // namespace Eigen
