#pragma once

#include <vector>

#include "studies/expressions/expression.hpp"

namespace counterpoise {

/// Puts the nodes of a tree behind each other, operands first, and folds what can be folded:
///   - operators and functions of numbers alone, but for min and max;
///   - sums and differences of numbers and of multiples of one name, products of these with a
///     number, and such a multiple over a number: factor * value + offset;
///   - powers of a name to 0, 1, 2, 3 and 4.
/// Folding decides last bits of values, so these rules are part of what a study's results are.
class TreeBuilder {
 public:
  void add_constant(double number, int at);
  void add_value(int value, int at);
  /// Makes the last `count` complete parts the operands of a new node.
  void join(ExpressionNode::Kind kind, int count, int at);

  /// The number of complete parts that no operator has joined yet.
  [[nodiscard]] int waiting() const { return static_cast<int>(parts_.size()); }
  std::vector<ExpressionNode> take() { return std::move(nodes_); }

 private:
  bool fold_numbers(const ExpressionNode& joint);
  bool fold_sum(const ExpressionNode& joint);
  bool fold_product(const ExpressionNode& joint);
  bool fold_quotient(const ExpressionNode& joint);
  bool fold_power(const ExpressionNode& joint);
  bool replace(int count, ExpressionNode by);

  std::vector<ExpressionNode> nodes_;
  std::vector<int> parts_;  // first node of each complete part
};

}  // namespace counterpoise
