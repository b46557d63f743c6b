#include "input/expressions/expression.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "input/expressions/expression_parser.hpp"
#include "input/expressions/expression_tokens.hpp"

namespace counterpoise {
namespace {

using Kind = ExpressionNode::Kind;

/// The first of the smallest (or largest) numbers; NaN if any is NaN.
template <class Before>
double extreme(const double* numbers, int count, Before before) {
  double best = numbers[0];
  for (int i = 1; i < count; ++i) {
    if (std::isnan(best)) return best;
    if (std::isnan(numbers[i]) || before(numbers[i], best)) best = numbers[i];
  }
  return best;
}

/// The value of a node that reads one number.
double value_of(const ExpressionNode& node, double value) {
  switch (node.kind) {
    case Kind::square:
      return value * value;
    case Kind::cube:
      return value * value * value;
    case Kind::fourth:
      return value * value * value * value;
    default:
      return node.factor == 1.0 && node.offset == 0.0 ? value : node.factor * value + node.offset;
  }
}

}  // namespace

double apply(const ExpressionNode& node, const double* operands) {
  const auto truth = [](bool holds) { return holds ? 1.0 : 0.0; };
  const double a = operands[0];
  switch (node.kind) {
    case Kind::constant:
    case Kind::linear:
    case Kind::square:
    case Kind::cube:
    case Kind::fourth:
      break;
    case Kind::negative:
      return -a;
    case Kind::sum:
      return a + operands[1];
    case Kind::difference:
      return a - operands[1];
    case Kind::product:
      return a * operands[1];
    case Kind::quotient:
      return a / operands[1];
    case Kind::raised:
      return std::pow(a, operands[1]);
    case Kind::less:
      return truth(a < operands[1]);
    case Kind::at_most:
      return truth(a <= operands[1]);
    case Kind::greater:
      return truth(a > operands[1]);
    case Kind::at_least:
      return truth(a >= operands[1]);
    case Kind::equal:
      return truth(a == operands[1]);
    case Kind::different:
      return truth(a != operands[1]);
    case Kind::both:
      return truth(a != 0.0 && operands[1] != 0.0);
    case Kind::either:
      return truth(a != 0.0 || operands[1] != 0.0);
    case Kind::sqrt:
      return std::sqrt(a);
    case Kind::sin:
      return std::sin(a);
    case Kind::cos:
      return std::cos(a);
    case Kind::tan:
      return std::tan(a);
    case Kind::asin:
      return std::asin(a);
    case Kind::acos:
      return std::acos(a);
    case Kind::atan:
      return std::atan(a);
    case Kind::atan2:
      return std::atan2(a, operands[1]);
    case Kind::abs:
      return std::fabs(a);
    case Kind::min:
      return extreme(operands, node.operands, std::less<>());
    case Kind::max:
      return extreme(operands, node.operands, std::greater<>());
  }
  return std::numeric_limits<double>::quiet_NaN();
}

double Expression::evaluate(int node, const double* values) const {
  std::array<double, deepest_expression> stack;  // numbers that wait for their operator
  double* top = stack.data();                    // one past the last of them
  const ExpressionNode* const last = tree_->nodes.data() + node;
  for (const ExpressionNode* n = tree_->nodes.data() + last->first; n <= last; ++n) {
    if (n->kind == Kind::constant) {
      *top++ = n->offset;
    } else if (n->operands == 0) {
      *top++ = value_of(*n, values[n->value]);
    } else {
      top -= n->operands;
      *top = apply(*n, top);
      ++top;
    }
  }
  return stack[0];
}

double Expression::size_of_terms(int node, const double* values) const {
  const ExpressionNode& own = tree_->nodes[node];
  if (own.kind == Kind::linear)
    return std::max(std::abs(own.factor * values[own.value]), std::abs(own.offset));
  const std::vector<int> of = operands(node);
  const auto size = [&](std::size_t i) { return size_of_terms(of[i], values); };
  const auto value = [&](std::size_t i) { return std::abs(evaluate(of[i], values)); };
  switch (own.kind) {
    case Kind::sum:
    case Kind::difference:
    case Kind::min:
    case Kind::max: {
      double largest = 0.0;
      for (std::size_t i = 0; i < of.size(); ++i) largest = std::max(largest, size(i));
      return largest;
    }
    case Kind::negative:
    case Kind::abs:
      return size(0);
    case Kind::product:
      return std::max(size(0) * value(1), value(0) * size(1));
    case Kind::quotient:
      return size(0) / value(1);
    default:
      return std::abs(evaluate(node, values));
  }
}

Expression Expression::parse(std::string_view text, const Scope& scope, const Location& where,
                             ExpressionKind kind) {
  ParsedExpression parsed = parse_expression(text, scope, where, kind);
  return Expression(std::make_shared<const Tree>(
      Tree{std::string(text), where, std::move(parsed.nodes), std::move(parsed.used),
           parsed.unit.si, parsed.unit.written, parsed.has_units}));
}

std::vector<int> Expression::operands(int node) const {
  std::vector<int> found(static_cast<std::size_t>(tree_->nodes[node].operands));
  int last = node - 1;
  for (auto at = found.rbegin(); at != found.rend(); ++at) {
    *at = last;
    last = tree_->nodes[last].first - 1;
  }
  return found;
}

void Expression::refuse(int at, std::string_view message) const {
  refuse_expression(where(), text(), static_cast<std::size_t>(at), message);
}

int Scope::add(std::string name, bool text, std::string_view si) {
  const int index = static_cast<int>(names_.size());
  indices_.emplace(name, index);
  names_.push_back(std::move(name));
  text_.push_back(text);
  const std::optional<Unit> unit = find_unit(si);
  units_.push_back(unit ? si_unit(*unit) : std::string_view());
  return index;
}

int Scope::find(std::string_view name) const {
  const auto found = indices_.find(name);
  if (found == indices_.end()) return accepts_any_ ? 0 : -1;
  return found->second;
}

double Scope::number_of(std::string_view text) const {
  const auto found = texts_->find(text);
  if (found != texts_->end()) return found->second;
  const int number = static_cast<int>(texts_->size());
  texts_->emplace(text, number);
  return number;
}

}  // namespace counterpoise
