#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "input/expressions/expression.hpp"

namespace counterpoise {

/// A closed interval that holds a number; its ends may be infinite. Results of arithmetic are
/// rounded outward, so that the interval of a result holds the results for all numbers in the
/// intervals of the operands, also as floating point computes them. Undefined numbers (the root of
/// a negative number) are left out, because a design with one is infeasible.
struct NumberRange {
  double low = 0.0;
  double high = 0.0;

  static NumberRange all();
  static NumberRange of(double number) { return {number, number}; }

  [[nodiscard]] bool holds(double number) const { return low <= number && number <= high; }
  /// The smallest interval that holds both.
  [[nodiscard]] NumberRange joined(const NumberRange& other) const;
  /// The intersection of both, which must have a number in common.
  [[nodiscard]] NumberRange cut(const NumberRange& other) const;
};

NumberRange operator+(const NumberRange& a, const NumberRange& b);
NumberRange operator*(const NumberRange& a, const NumberRange& b);

/// The range of a node of an expression from its operands' ranges.
NumberRange range_of(const ExpressionNode& node, std::span<const NumberRange> operands);

/// A number as an affine function of some unknowns u: constant + sum of slope * u.
struct AffineNumber {
  double constant = 0.0;
  std::vector<double> slopes;  // one per unknown

  [[nodiscard]] bool fixed() const;
  [[nodiscard]] double at(const std::vector<double>& u) const;
};

/// Why a number is not an affine function: the place in the expression that is not affine, and what
/// is there.
struct AffineRefusal {
  Expression expression;
  int at = 0;       // character of its text, from 0
  std::string why;  // "a product of two numbers that the variables change"
};

/// What is known about a number while unknowns range over intervals and other numbers may vary too.
struct AffineValue {
  bool varies = false;  // reads an unknown
  AffineNumber
      number;  // for the present values of everything that is not unknown; has slopes if it varies
  NumberRange
      constant;  // range of number.constant over all values of everything that is not unknown
  std::vector<NumberRange> slopes;               // one per unknown if it varies, else none
  NumberRange range;                             // the number itself, for all values of everything
  std::shared_ptr<const AffineRefusal> refusal;  // it is not affine; nothing else holds
};

/// Follows numbers through expressions and tells which of them are affine functions of unknowns, by
/// the rules of algebra: what is accepted is affine everywhere in the ranges. min, max and abs of
/// unknowns are accepted where intervals tell which branch they take over the whole ranges;
/// products of unknowns, quotients by them, powers and other functions of them are not.
class AffineAnalysis {
 public:
  explicit AffineAnalysis(std::vector<NumberRange> unknowns) : unknowns_(std::move(unknowns)) {}

  [[nodiscard]] AffineValue unknown(std::size_t index) const;
  /// A number that is `present` now and may be anything within `range`.
  [[nodiscard]] static AffineValue other(double present, const NumberRange& range);
  [[nodiscard]] static AffineValue constant(double number) {
    return other(number, NumberRange::of(number));
  }
  /// The value of an expression whose names have these `values`, indexed as its scope.
  [[nodiscard]] AffineValue of(const Expression& expression,
                               std::span<const AffineValue> values) const;
  /// value * times / over, as units convert.
  [[nodiscard]] AffineValue scaled(AffineValue value, double times, double over) const;

 private:
  [[nodiscard]] AffineValue joined(const ExpressionNode& node,
                                   std::span<const AffineValue> operands, std::string& why) const;
  [[nodiscard]] AffineValue sum(const AffineValue& a, const AffineValue& b, double sign) const;
  static AffineValue multiple(const AffineValue& a, double factor, const NumberRange& range);
  void narrow(AffineValue& value) const;

  std::vector<NumberRange> unknowns_;
};

}  // namespace counterpoise
