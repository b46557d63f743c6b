#pragma once

#include <Eigen/Core>

namespace counterpoise::bench {

/// How many multiplications and additions ran. Subtractions count as additions, signs are free.
struct Tally {
  long long products = 0, sums = 0;

  Tally operator-(const Tally& b) const { return {products - b.products, sums - b.sums}; }
};

/// A number that counts what is done with it, operation by operation, in two ways. `dense` counts
/// every operation of the program as written, as published tables of formulations do. `sparse`
/// leaves out those that code written out for the same matrices would not contain: sums with a
/// constant zero, products with a constant zero, one or minus one, and operations on constants
/// alone. Results are constant only if these rules make them so. Unlike Counted it keeps no record,
/// so it also serves for matrices of hundreds of rows; what is computed twice counts twice.
class Tallied {
 public:
  Tallied(double constant = 0.0)  // NOLINT: numbers convert as they do to double
      : value_(constant), constant_(true) {}
  static Tallied input(double value) { return {value, false}; }

  [[nodiscard]] double value() const { return value_; }
  static const Tally& dense() { return all().dense; }
  static const Tally& sparse() { return all().sparse; }

  friend Tallied operator+(const Tallied& a, const Tallied& b) { return added(a, b, b.value_); }
  friend Tallied operator-(const Tallied& a, const Tallied& b) { return added(a, b, -b.value_); }
  friend Tallied operator-(const Tallied& a) { return {-a.value_, a.constant_}; }
  friend Tallied operator*(const Tallied& a, const Tallied& b) {
    ++all().dense.products;
    if (!a.vanishes() && !b.vanishes() && !a.only_signs() && !b.only_signs() &&
        !(a.constant_ && b.constant_))
      ++all().sparse.products;
    return {a.value_ * b.value_, (a.constant_ && b.constant_) || a.vanishes() || b.vanishes()};
  }
  Tallied& operator+=(const Tallied& b) { return *this = *this + b; }
  Tallied& operator-=(const Tallied& b) { return *this = *this - b; }
  Tallied& operator*=(const Tallied& b) { return *this = *this * b; }

 private:
  struct Tallies {
    Tally dense, sparse;
  };

  Tallied(double value, bool constant) : value_(value), constant_(constant) {}

  static Tallies& all() {
    static Tallies tallies;
    return tallies;
  }
  static Tallied added(const Tallied& a, const Tallied& b, double signed_b) {
    ++all().dense.sums;
    if (!a.vanishes() && !b.vanishes() && !(a.constant_ && b.constant_)) ++all().sparse.sums;
    return {a.value_ + signed_b, a.constant_ && b.constant_};
  }
  [[nodiscard]] bool vanishes() const { return constant_ && value_ == 0.0; }
  [[nodiscard]] bool only_signs() const { return constant_ && (value_ == 1.0 || value_ == -1.0); }

  double value_;
  bool constant_;
};

}  // namespace counterpoise::bench

namespace Eigen {
template <>
struct NumTraits<counterpoise::bench::Tallied> : GenericNumTraits<counterpoise::bench::Tallied> {};
}  // namespace Eigen
