#include "studies/expressions/tree_builder.hpp"

#include <algorithm>

#include "studies/expressions/expression_parser.hpp"

namespace counterpoise {
namespace {

using Kind = ExpressionNode::Kind;

bool is_number(const ExpressionNode& node) {
  return node.kind == Kind::constant;
}
bool is_linear(const ExpressionNode& node) {
  return node.kind == Kind::linear;
}
bool is_name(const ExpressionNode& node) {
  return is_linear(node) && node.factor == 1.0 && node.offset == 0.0;
}
double factor_of(const ExpressionNode& node) {
  return is_number(node) ? 0.0 : node.factor;
}

}  // namespace

void TreeBuilder::add_constant(double number, int at) {
  parts_.push_back(static_cast<int>(nodes_.size()));
  nodes_.push_back({.kind = Kind::constant, .offset = number, .first = parts_.back(), .at = at});
}

void TreeBuilder::add_value(int value, int at) {
  parts_.push_back(static_cast<int>(nodes_.size()));
  nodes_.push_back({.kind = Kind::linear, .value = value, .first = parts_.back(), .at = at});
}

void TreeBuilder::join(Kind kind, int count, int at) {
  const int first = parts_[parts_.size() - static_cast<std::size_t>(count)];
  const ExpressionNode joint{.kind = kind, .operands = count, .first = first, .at = at};
  if (fold_numbers(joint) || fold_sum(joint) || fold_product(joint) || fold_quotient(joint) ||
      fold_power(joint))
    return;
  nodes_.push_back(joint);
  parts_.resize(parts_.size() - static_cast<std::size_t>(count) + 1);
}

/// The last `count` nodes, each a part of its own, become one.
bool TreeBuilder::replace(int count, ExpressionNode by) {
  nodes_.resize(nodes_.size() - static_cast<std::size_t>(count));
  parts_.resize(parts_.size() - static_cast<std::size_t>(count) + 1);
  by.first = parts_.back();
  nodes_.push_back(by);
  return true;
}

bool TreeBuilder::fold_numbers(const ExpressionNode& joint) {
  if (joint.kind == Kind::min || joint.kind == Kind::max) return false;
  const auto count = static_cast<std::size_t>(joint.operands);
  const auto operands = nodes_.end() - static_cast<std::ptrdiff_t>(count);
  if (joint.first != operands - nodes_.begin() || !std::all_of(operands, nodes_.end(), is_number))
    return false;
  const double numbers[2] = {operands->offset, nodes_.back().offset};
  return replace(joint.operands,
                 {.kind = Kind::constant, .offset = apply(joint, numbers), .at = operands->at});
}

/// a*x + b plus or minus c*x + d; either may be a number.
bool TreeBuilder::fold_sum(const ExpressionNode& joint) {
  if (joint.kind != Kind::sum && joint.kind != Kind::difference) return false;
  const ExpressionNode &left = nodes_[nodes_.size() - 2], &right = nodes_.back();
  const bool one_name = (is_linear(left) && is_number(right)) ||
                        (is_number(left) && is_linear(right)) ||
                        (is_linear(left) && is_linear(right) && left.value == right.value);
  if (!one_name) return false;
  const double sign = joint.kind == Kind::sum ? 1.0 : -1.0;
  ExpressionNode folded = is_linear(left) ? left : right;
  folded.factor = factor_of(left) + sign * factor_of(right);
  folded.offset = left.offset + sign * right.offset;
  return replace(2, folded);
}

bool TreeBuilder::fold_product(const ExpressionNode& joint) {
  if (joint.kind != Kind::product) return false;
  const ExpressionNode &left = nodes_[nodes_.size() - 2], &right = nodes_.back();
  if (!(is_linear(left) && is_number(right)) && !(is_number(left) && is_linear(right)))
    return false;
  const double by = is_number(left) ? left.offset : right.offset;
  ExpressionNode folded = is_linear(left) ? left : right;
  folded.factor *= by;
  folded.offset *= by;
  return replace(2, folded);
}

/// A name alone over a number stays a quotient, which rounds once.
bool TreeBuilder::fold_quotient(const ExpressionNode& joint) {
  if (joint.kind != Kind::quotient) return false;
  const ExpressionNode &left = nodes_[nodes_.size() - 2], &right = nodes_.back();
  if (!is_linear(left) || is_name(left) || !is_number(right) || right.offset == 0.0) return false;
  ExpressionNode folded = left;
  folded.factor /= right.offset;
  folded.offset /= right.offset;
  return replace(2, folded);
}

bool TreeBuilder::fold_power(const ExpressionNode& joint) {
  if (joint.kind != Kind::raised) return false;
  const ExpressionNode &base = nodes_[nodes_.size() - 2], &exponent = nodes_.back();
  if (!is_name(base) || !is_number(exponent)) return false;
  ExpressionNode folded = base;
  folded.at = joint.at;
  if (exponent.offset == 0.0)
    folded = {.kind = Kind::constant, .offset = 1.0, .at = base.at};
  else if (exponent.offset == 1.0)
    folded.at = base.at;
  else if (exponent.offset == 2.0)
    folded.kind = Kind::square;
  else if (exponent.offset == 3.0)
    folded.kind = Kind::cube;
  else if (exponent.offset == 4.0)
    folded.kind = Kind::fourth;
  else
    return false;
  return replace(2, folded);
}

}  // namespace counterpoise
