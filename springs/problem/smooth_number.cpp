#include "springs/problem/smooth_number.hpp"

#include <fmt/format.h>

#include <limits>

#include "input/expressions/expression_parser.hpp"

namespace counterpoise {
namespace {

using Kind = ExpressionNode::Kind;
constexpr std::size_t most = SmoothNumber::most_variables;

/// a * a, which is never below 0.
SmoothNumber square_of(const SmoothNumber& a) {
  SmoothNumber squared = a * a;
  squared.value = square(a.value);
  return squared;
}

/// f(a), from enclosures of f, f' and f'' over the values of a.
SmoothNumber composed(const SmoothNumber& a, const Interval& value, const Interval& slope,
                      const Interval& curvature) {
  SmoothNumber result;
  result.varies = a.varies;
  result.value = value;
  if (!result.varies) return result;
  for (std::size_t i = 0; i < most; ++i) {
    result.slopes[i] = slope * a.slopes[i];
    for (std::size_t j = 0; j <= i; ++j) {
      const std::size_t p = SmoothNumber::pair(i, j);
      result.curvatures[p] = slope * a.curvatures[p] + curvature * (a.slopes[i] * a.slopes[j]);
    }
  }
  return result;
}

/// The result of a function of the mathematical library, whose error is less than two units in the
/// last place.
Interval loosely(double low, double high) {
  return {below(below(below(low))), above(above(above(high)))};
}

/// sin or cos, whose slope is at most 1 in size, about the middle of an interval.
Interval wave(double (*function)(double), const Interval& a) {
  const double at = a.middle();
  const Interval around = loosely(function(at), function(at)) + Interval(-a.radius(), a.radius());
  return {std::max(around.low, -1.0), std::min(around.high, 1.0)};
}
double sine(double x) {
  return std::sin(x);
}
double cosine(double x) {
  return std::cos(x);
}

class Composer {
 public:
  explicit Composer(const Expression& expression) : expression_(expression) {}

  SmoothNumber apply(const ExpressionNode& node, std::span<const SmoothNumber> operands) {
    const SmoothNumber& a = operands.front();
    switch (node.kind) {
      case Kind::negative:
        return -a;
      case Kind::sum:
        return a + operands[1];
      case Kind::difference:
        return a - operands[1];
      case Kind::product:
        return a * operands[1];
      case Kind::quotient:
        return divided(node, a, operands[1]);
      case Kind::raised:
        return raised(node, a, operands[1]);
      default:
        return function(node, a);
    }
  }
  /// A node that reads one value.
  static SmoothNumber read(const ExpressionNode& node, const SmoothNumber& value) {
    switch (node.kind) {
      case Kind::square:
        return square_of(value);
      case Kind::cube:
        return square_of(value) * value;
      case Kind::fourth:
        return square_of(square_of(value));
      default:
        return linear(value, Interval(node.factor), Interval(node.offset));
    }
  }
  /// Where nothing varies, any function will do.
  SmoothNumber fixed(const ExpressionNode& node, std::span<const SmoothNumber> operands) const {
    std::vector<double> middles;
    for (const SmoothNumber& operand : operands) {
      if (operand.value.high - operand.value.low > 1e-9 * (1.0 + operand.value.size()))
        refuse(node, "rounding alone makes this unsure");
      middles.push_back(operand.value.middle());
    }
    const double result = counterpoise::apply(node, middles.data());
    if (!std::isfinite(result)) refuse(node, "the result is no finite number");
    return SmoothNumber::constant(result);
  }
  [[noreturn]] void refuse(const ExpressionNode& node, const char* why) const {
    expression_.refuse(
        node.at, fmt::format("{}; a proof over geometry needs what variables change to be twice "
                             "differentiable in them over their whole ranges",
                             why));
  }

 private:
  SmoothNumber divided(const ExpressionNode& node, const SmoothNumber& a,
                       const SmoothNumber& by) const {
    if (by.value.holds(0.0)) refuse(node, "a quotient by what may be 0");
    return a * inverse(by);
  }
  SmoothNumber raised(const ExpressionNode& node, const SmoothNumber& base,
                      const SmoothNumber& exponent) const {
    const double n = exponent.value.middle();
    if (exponent.varies || n != std::round(n) || n < 0.0 || n > 64.0)
      refuse(node, "a power other than a whole number from 0 to 64");
    SmoothNumber result = SmoothNumber::constant(1.0), square = base;
    for (int rest = static_cast<int>(n); rest > 0; rest /= 2) {
      if (rest % 2 != 0) result = result * square;
      if (rest > 1) square = square_of(square);
    }
    return result;
  }
  SmoothNumber function(const ExpressionNode& node, const SmoothNumber& a) const {
    const Interval& x = a.value;
    switch (node.kind) {
      case Kind::sqrt: {
        if (!(x.low > 0.0)) refuse(node, "a root of what may not be above 0");
        const Interval value = root(x), slope = 0.5 * inverse(value);
        return composed(a, value, slope, -(slope * (0.5 * inverse(x))));
      }
      case Kind::sin: {
        const Interval value = wave(sine, x);
        return composed(a, value, wave(cosine, x), -value);
      }
      case Kind::cos: {
        const Interval value = wave(cosine, x);
        return composed(a, value, -wave(sine, x), -value);
      }
      case Kind::tan: {
        const Interval cos = wave(cosine, x);
        if (cos.low <= 0.0 && cos.high >= 0.0) refuse(node, "a tangent of what may be a pole");
        const Interval value = wave(sine, x) * inverse(cos);
        const Interval slope = inverse(counterpoise::square(cos));
        return composed(a, value, slope, 2.0 * (value * slope));
      }
      case Kind::atan: {
        const Interval slope = inverse(Interval(1.0) + counterpoise::square(x));
        return composed(a, loosely(std::atan(x.low), std::atan(x.high)), slope,
                        -2.0 * (x * counterpoise::square(slope)));
      }
      case Kind::asin:
      case Kind::acos: {
        if (!(x.size() < 1.0)) refuse(node, "an arc of what may reach 1 or -1");
        const double sign = node.kind == Kind::asin ? 1.0 : -1.0;
        const Interval rest = Interval(1.0) - counterpoise::square(x);
        if (!(rest.low > 0.0)) refuse(node, "an arc of what may reach 1 or -1");
        const Interval slope = inverse(root(rest));
        const Interval value = sign > 0.0 ? loosely(std::asin(x.low), std::asin(x.high))
                                          : loosely(std::acos(x.high), std::acos(x.low));
        return composed(a, value, sign * slope, sign * (x * slope * counterpoise::square(slope)));
      }
      default:
        refuse(node, "min, max, abs, atan2 or a condition of what varies");
    }
  }

  const Expression& expression_;
};

}  // namespace

SmoothNumber SmoothNumber::variable(std::size_t i, const Interval& over, const Interval& scale,
                                    const Interval& offset) {
  SmoothNumber number;
  number.varies = true;
  number.value = offset + scale * over;
  number.slopes[i] = scale;
  return number;
}

SmoothNumber linear(SmoothNumber number, const Interval& factor, const Interval& offset) {
  number.value = factor * number.value + offset;
  if (!number.varies) return number;
  for (Interval& slope : number.slopes) slope = factor * slope;
  for (Interval& curvature : number.curvatures) curvature = factor * curvature;
  return number;
}

SmoothNumber operator-(SmoothNumber a) {
  a.value = -a.value;
  for (Interval& slope : a.slopes) slope = -slope;
  for (Interval& curvature : a.curvatures) curvature = -curvature;
  return a;
}

SmoothNumber operator+(const SmoothNumber& a, const SmoothNumber& b) {
  SmoothNumber sum;
  sum.varies = a.varies || b.varies;
  sum.value = a.value + b.value;
  if (!sum.varies) return sum;
  for (std::size_t i = 0; i < most; ++i) sum.slopes[i] = a.slopes[i] + b.slopes[i];
  for (std::size_t p = 0; p < SmoothNumber::pairs; ++p)
    sum.curvatures[p] = a.curvatures[p] + b.curvatures[p];
  return sum;
}

SmoothNumber operator-(const SmoothNumber& a, const SmoothNumber& b) {
  return a + -b;
}

SmoothNumber operator*(const SmoothNumber& a, const SmoothNumber& b) {
  SmoothNumber product;
  product.varies = a.varies || b.varies;
  product.value = a.value * b.value;
  if (!product.varies) return product;
  for (std::size_t i = 0; i < most; ++i) {
    product.slopes[i] = a.slopes[i] * b.value + a.value * b.slopes[i];
    for (std::size_t j = 0; j <= i; ++j) {
      const std::size_t p = SmoothNumber::pair(i, j);
      product.curvatures[p] = a.curvatures[p] * b.value + a.value * b.curvatures[p] +
                              a.slopes[i] * b.slopes[j] + a.slopes[j] * b.slopes[i];
    }
  }
  return product;
}

SmoothNumber inverse(const SmoothNumber& a) {
  const Interval value = inverse(a.value), squared = square(value);
  return composed(a, value, -squared, 2.0 * (squared * value));
}

SmoothNumber smooth_number(const Expression& expression, std::span<const SmoothNumber> values) {
  return smooth_number(expression, static_cast<int>(expression.nodes().size()) - 1, values);
}

SmoothNumber smooth_number(const Expression& expression, int last,
                           std::span<const SmoothNumber> values) {
  Composer composer(expression);
  std::vector<SmoothNumber> stack;
  const auto whole = static_cast<std::size_t>(last);
  const auto first = static_cast<std::size_t>(expression.nodes()[whole].first);
  for (const ExpressionNode& node : expression.nodes().subspan(first, whole + 1 - first)) {
    if (node.kind == Kind::constant) {
      stack.push_back(SmoothNumber::constant(node.offset));
    } else if (node.operands == 0) {
      stack.push_back(Composer::read(node, values[node.value]));
    } else {
      const auto count = static_cast<std::size_t>(node.operands);
      const std::span<const SmoothNumber> operands(stack.data() + stack.size() - count, count);
      const bool varies = std::any_of(operands.begin(), operands.end(),
                                      [](const SmoothNumber& one) { return one.varies; });
      SmoothNumber result =
          varies ? composer.apply(node, operands) : composer.fixed(node, operands);
      stack.resize(stack.size() - count);
      stack.push_back(result);
    }
  }
  return stack.back();
}

}  // namespace counterpoise
