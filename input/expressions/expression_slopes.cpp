#include "input/expressions/expression_slopes.hpp"

#include <array>
#include <cmath>

#include "input/expressions/expression_parser.hpp"

namespace counterpoise {
namespace {

using NodeKind = ExpressionNode::Kind;

bool is_constant(const ExpressionSlopes& x) {
  return x.first == 0.0 && x.second == 0.0;
}

/// The chain rule: of a function with this value, slope and bend at x.
ExpressionSlopes chained(const ExpressionSlopes& x, double value, double slope, double bend) {
  if (is_constant(x)) return {value, 0.0, 0.0};
  return {value, slope * x.first, bend * x.first * x.first + slope * x.second};
}

ExpressionSlopes product(const ExpressionSlopes& a, const ExpressionSlopes& b, double value) {
  return {value, a.first * b.value + a.value * b.first,
          a.second * b.value + 2.0 * a.first * b.first + a.value * b.second};
}

/// a * b to the power of minus one.
ExpressionSlopes quotient(const ExpressionSlopes& a, const ExpressionSlopes& b, double value) {
  const double first = (a.first - value * b.first) / b.value;
  return {value, first, (a.second - 2.0 * first * b.first - value * b.second) / b.value};
}

ExpressionSlopes raised(const ExpressionSlopes& a, const ExpressionSlopes& b, double value) {
  const double n = b.value;
  if (is_constant(b))
    return chained(a, value, n == 0.0 ? 0.0 : n * std::pow(a.value, n - 1.0),
                   n == 0.0 || n == 1.0 ? 0.0 : n * (n - 1.0) * std::pow(a.value, n - 2.0));
  const double log = std::log(a.value);  // the power is e to the power of b log(a)
  const ExpressionSlopes of_log = chained(a, log, 1.0 / a.value, -1.0 / (a.value * a.value));
  return chained(product(b, of_log, n * log), value, value, value);
}

/// The angle of (x, y).
ExpressionSlopes angle_of(const ExpressionSlopes& y, const ExpressionSlopes& x, double value) {
  const double square = x.value * x.value + y.value * y.value;
  const double first = (x.value * y.first - y.value * x.first) / square;
  const double turned = x.value * y.second - y.value * x.second;
  return {value, first, (turned - 2.0 * first * (x.value * x.first + y.value * y.first)) / square};
}

ExpressionSlopes derived(const ExpressionNode& node, const ExpressionSlopes* operands,
                         double value) {
  const ExpressionSlopes& a = operands[0];
  const double x = a.value;
  switch (node.kind) {
    case NodeKind::negative:
      return {value, -a.first, -a.second};
    case NodeKind::sum:
      return {value, a.first + operands[1].first, a.second + operands[1].second};
    case NodeKind::difference:
      return {value, a.first - operands[1].first, a.second - operands[1].second};
    case NodeKind::product:
      return product(a, operands[1], value);
    case NodeKind::quotient:
      return quotient(a, operands[1], value);
    case NodeKind::raised:
      return raised(a, operands[1], value);
    case NodeKind::sqrt:
      return chained(a, value, 0.5 / value, -0.25 / (x * value));
    case NodeKind::sin:
      return chained(a, value, std::cos(x), -value);
    case NodeKind::cos:
      return chained(a, value, -std::sin(x), -value);
    case NodeKind::tan:
      return chained(a, value, 1.0 + value * value, 2.0 * value * (1.0 + value * value));
    case NodeKind::asin:
    case NodeKind::acos: {
      const double sign = node.kind == NodeKind::asin ? 1.0 : -1.0;
      const double square = (1.0 - x) * (1.0 + x), root = std::sqrt(square);
      return chained(a, value, sign / root, sign * x / (square * root));
    }
    case NodeKind::atan: {
      const double slope = 1.0 / (1.0 + x * x);
      return chained(a, value, slope, -2.0 * x * slope * slope);
    }
    case NodeKind::atan2:
      return angle_of(a, operands[1], value);
    case NodeKind::abs:
      return x < 0.0 ? ExpressionSlopes{value, -a.first, -a.second} : a;
    case NodeKind::min:
    case NodeKind::max:
      for (int i = 0; i < node.operands; ++i)
        if (operands[i].value == value) return operands[i];
      return {value, value, value};  // not a number
    default:
      return {value, 0.0, 0.0};  // comparisons
  }
}

/// Of a node that reads one number, which is the one that is derived by, or another.
ExpressionSlopes of_number(const ExpressionNode& node, double x, double value, bool varies) {
  if (!varies) return {value, 0.0, 0.0};
  switch (node.kind) {
    case NodeKind::square:
      return {value, 2.0 * x, 2.0};
    case NodeKind::cube:
      return {value, 3.0 * x * x, 6.0 * x};
    case NodeKind::fourth:
      return {value, 4.0 * x * x * x, 12.0 * x * x};
    default:
      return {value, node.factor, 0.0};
  }
}

}  // namespace

ExpressionSlopes slopes_of(const Expression& expression, const double* values, int by) {
  std::array<ExpressionSlopes, deepest_expression> stack;  // as in Expression::evaluate()
  std::array<double, deepest_expression> operands;
  ExpressionSlopes* top = stack.data();
  const std::span<const ExpressionNode> nodes = expression.nodes();
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const ExpressionNode& node = nodes[n];
    if (node.kind == NodeKind::constant) {
      *top++ = {node.offset, 0.0, 0.0};
    } else if (node.operands == 0) {
      *top++ = of_number(node, values[node.value], expression.evaluate(static_cast<int>(n), values),
                         node.value == by);
    } else {
      top -= node.operands;
      for (int i = 0; i < node.operands; ++i) operands[i] = top[i].value;
      *top = derived(node, top, apply(node, operands.data()));
      ++top;
    }
  }
  return stack[0];
}

}  // namespace counterpoise
