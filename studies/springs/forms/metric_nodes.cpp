#include "studies/springs/forms/metric_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "studies/io/expressions/expression_tokens.hpp"

namespace counterpoise {
namespace {

using Token = ExpressionToken;

/// Whether a part is an affine function of parameters that springs set.
bool affine(const MetricNode& node) {
  if (node.kind == MetricNode::Kind::metric || node.kind == MetricNode::Kind::size ||
      node.kind == MetricNode::Kind::largest)
    return false;
  return std::all_of(node.parts.begin(), node.parts.end(),
                     [](const auto& part) { return affine(*part); });
}

/// Recursive descent over an expression that the grammar has accepted already.
struct Parser {
  using NodePtr = std::unique_ptr<MetricNode>;
  std::string_view text;
  const Location& where;
  const Study& study;
  const SpringRoles& roles;
  std::vector<Token> tokens;
  std::size_t at = 0;

  [[nodiscard]] bool sign(std::string_view spelling) const {
    return tokens[at].kind == Token::Kind::sign && tokens[at].spelling == spelling;
  }
  [[noreturn]] void refuse(std::size_t character, const std::string& message) const {
    refuse_expression(where, text, character, message);
  }
  /// The text from a token up to the current one, as a number.
  [[nodiscard]] NodePtr number(std::size_t first) const {
    const std::size_t from = tokens[first].at;
    auto node = std::make_unique<MetricNode>();
    node->at = from;
    node->number = Expression::parse(text.substr(from, tokens[at].at - from), study.metric_scope,
                                     where, ExpressionKind::condition);
    return node;
  }
  static bool any_varies(const std::vector<NodePtr>& parts) {
    return std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part->varies(); });
  }
  /// A node of these parts; the whole text since `first` where springs change none of them.
  [[nodiscard]] NodePtr node(MetricNode::Kind kind, std::size_t first,
                             std::vector<NodePtr> parts) const {
    if (!any_varies(parts)) return number(first);
    auto made = std::make_unique<MetricNode>();
    made->kind = kind;
    made->at = tokens[first].at;
    made->parts = std::move(parts);
    return made;
  }
  static std::vector<NodePtr> pair(NodePtr a, NodePtr b) {
    std::vector<NodePtr> parts;
    parts.push_back(std::move(a));
    parts.push_back(std::move(b));
    return parts;
  }

  [[nodiscard]] bool compares() const {
    constexpr std::array<std::string_view, 8> signs = {
        "<", "<=", ">", ">=", "==", "!=", "&&", "||"};
    return tokens[at].kind == Token::Kind::sign &&
           std::find(signs.begin(), signs.end(), tokens[at].spelling) != signs.end();
  }

  /// A sum, or sums that are compared: a number, if springs do not enter it.
  NodePtr condition() {
    const std::size_t first = at;
    NodePtr node = sum();
    if (!compares()) return node;
    const std::size_t character = tokens[at].at;
    bool varies = node->varies();
    while (compares()) {
      ++at;
      varies = sum()->varies() || varies;
    }
    if (varies) refuse(character, "a condition on what springs change is not convex");
    return number(first);
  }

  NodePtr sum() {
    const std::size_t first = at;
    NodePtr left = product();
    while (sign("+") || sign("-")) {
      const MetricNode::Kind kind =
          sign("+") ? MetricNode::Kind::sum : MetricNode::Kind::difference;
      ++at;
      NodePtr right = product();
      left = node(kind, first, pair(std::move(left), std::move(right)));
    }
    return left;
  }

  NodePtr product() {
    const std::size_t first = at;
    NodePtr left = factor();
    while (sign("*") || sign("/")) {
      const MetricNode::Kind kind =
          sign("*") ? MetricNode::Kind::product : MetricNode::Kind::quotient;
      const std::size_t character = tokens[at].at;
      ++at;
      NodePtr right = factor();
      if (right->varies() && (kind == MetricNode::Kind::quotient || left->varies()))
        refuse(character, kind == MetricNode::Kind::quotient
                              ? "dividing by what springs change is not convex"
                              : "a product of two numbers that springs change is not convex");
      left = node(kind, first, pair(std::move(left), std::move(right)));
    }
    return left;
  }

  NodePtr factor() {
    const std::size_t first = at;
    if (sign("+")) {
      ++at;
      return factor();
    }
    if (sign("-")) {
      ++at;
      std::vector<NodePtr> parts;
      parts.push_back(factor());
      return node(MetricNode::Kind::negative, first, std::move(parts));
    }
    NodePtr base = operand();
    if (!sign("^")) return base;
    const std::size_t character = tokens[at].at;
    ++at;
    const NodePtr exponent = factor();
    if (base->varies() || exponent->varies())
      refuse(character, "a power of what springs change is not convex in them; minimise the base");
    return number(first);
  }

  NodePtr operand() {
    const std::size_t first = at;
    const Token token = tokens[at++];
    if (token.kind == Token::Kind::open) {
      NodePtr inner = condition();
      ++at;
      return inner->varies() ? std::move(inner) : number(first);
    }
    if (token.kind != Token::Kind::name) return number(first);
    if (tokens[at].kind == Token::Kind::open) return call(first);
    return name(first);
  }

  NodePtr call(std::size_t first) {
    std::vector<NodePtr> parts;
    do {
      ++at;
      parts.push_back(condition());
    } while (tokens[at].kind == Token::Kind::comma);
    ++at;
    if (!any_varies(parts)) return number(first);
    const std::string_view function = tokens[first].spelling;
    if (function == "abs" && !affine(*parts.front()))
      refuse(tokens[first].at,
             "abs of loads or maxima that springs change is not convex; of rates, initial tensions "
             "and their sums it is");
    if (function != "abs" && function != "max")
      refuse(tokens[first].at, fmt::format("{} of what springs change is not convex", function));
    return node(function == "abs" ? MetricNode::Kind::size : MetricNode::Kind::largest, first,
                std::move(parts));
  }

  NodePtr name(std::size_t first) const {
    const int index = study.metric_scope.find(tokens[first].spelling);
    const auto made = [&](MetricNode::Kind kind, int of) {
      auto node = std::make_unique<MetricNode>();
      node->kind = kind;
      node->index = of;
      node->at = tokens[first].at;
      return node;
    };
    if (index >= 0 && index < study.metric_offset() &&
        roles.inner_parameters[static_cast<std::size_t>(index)])
      return made(MetricNode::Kind::parameter, index);
    if (index < study.metric_offset() || index >= study.baseline_offset()) return number(first);
    const int metric = index - study.metric_offset();
    const MetricName& which = study.metrics[static_cast<std::size_t>(metric)];
    constexpr int max_tension = 2;  // lengths follow from the mounts
    if (which.spring && which.statistic != max_tension) return number(first);
    return made(MetricNode::Kind::metric, metric);
  }
};

}  // namespace

std::unique_ptr<MetricNode> metric_nodes(const std::string& text, const Location& where,
                                         const Study& study, const SpringRoles& roles) {
  return Parser{text, where, study, roles, expression_tokens(text, where)}.condition();
}

}  // namespace counterpoise
