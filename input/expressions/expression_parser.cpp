#include "input/expressions/expression_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>
#include <vector>

#include "input/expressions/expression.hpp"
#include "input/expressions/expression_tokens.hpp"

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

namespace {

using Token = ExpressionToken::Kind;
using Kind = ExpressionNode::Kind;

constexpr int any_number = 1000;
struct Function {
  std::string_view name;
  Kind kind;
  int fewest, most;  // arguments
};
constexpr std::array<Function, 11> functions = {{{"sqrt", Kind::sqrt, 1, 1},
                                                 {"sin", Kind::sin, 1, 1},
                                                 {"cos", Kind::cos, 1, 1},
                                                 {"tan", Kind::tan, 1, 1},
                                                 {"asin", Kind::asin, 1, 1},
                                                 {"acos", Kind::acos, 1, 1},
                                                 {"atan", Kind::atan, 1, 1},
                                                 {"atan2", Kind::atan2, 2, 2},
                                                 {"abs", Kind::abs, 1, 1},
                                                 {"min", Kind::min, 1, any_number},
                                                 {"max", Kind::max, 1, any_number}}};

struct Operator {
  std::string_view sign;
  Kind kind;
  int binding;  // the higher the tighter
};
constexpr std::array<Operator, 13> operators = {{{"||", Kind::either, 1},
                                                 {"&&", Kind::both, 2},
                                                 {"<", Kind::less, 3},
                                                 {"<=", Kind::at_most, 3},
                                                 {">", Kind::greater, 3},
                                                 {">=", Kind::at_least, 3},
                                                 {"==", Kind::equal, 3},
                                                 {"!=", Kind::different, 3},
                                                 {"+", Kind::sum, 4},
                                                 {"-", Kind::difference, 4},
                                                 {"*", Kind::product, 5},
                                                 {"/", Kind::quotient, 5},
                                                 {"^", Kind::raised, 7}}};
constexpr int sign_binding = 6;     // of a minus before a number
constexpr int number_bindings = 4;  // operators of numbers bind at least so tightly

const Function* find_function(std::string_view name) {
  const auto found = std::find_if(functions.begin(), functions.end(),
                                  [&](const Function& f) { return f.name == name; });
  return found == functions.end() ? nullptr : &*found;
}

const Operator& operator_of(std::string_view sign) {
  return *std::find_if(operators.begin(), operators.end(),
                       [&](const Operator& o) { return o.sign == sign; });
}

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Walks along the tokens; at each one either an operand or an operator is due. Operators and
/// parentheses wait in a stack until what they hold is complete.
class Parser {
 public:
  Parser(std::string_view text, const Scope& scope, const Location& where, ExpressionKind kind)
      : text_(text),
        scope_(scope),
        where_(where),
        kind_(kind),
        tokens_(expression_tokens(text, where)),
        units_(text, where) {}

  ParsedExpression parse() {
    for (at_ = 0; tokens_[at_].kind != Token::end; ++at_) {
      if (operand_due_)
        take_operand();
      else
        take_operator();
    }
    if (operand_due_) refuse("the expression ends where a number or a name is due");
    complete(0);
    if (!waiting_.empty()) {
      at_ = waiting_.back().token;
      refuse("this parenthesis is not closed");
    }
    const bool has_units = std::any_of(tokens_.begin(), tokens_.end(),
                                       [](const ExpressionToken& t) { return t.unit.has_value(); });
    return {tree_.take(), std::move(used_), units_.last(), has_units};
  }

 private:
  /// An operator, or an open parenthesis with the function it belongs to, if any.
  struct Waiting {
    std::size_t token = 0;
    int binding = 0;  // 0: a parenthesis
    Kind kind = Kind::constant;
    const Function* function = nullptr;
    int arguments = 1;
  };

  [[noreturn]] void refuse(std::string_view message) const {
    refuse_expression(where_, text_, tokens_[at_].at, message);
  }
  [[nodiscard]] std::string found() const {
    return fmt::format("found {}", in_quotes(tokens_[at_].spelling));
  }
  [[nodiscard]] int character(std::size_t token) const {
    return static_cast<int>(tokens_[token].at);
  }

  void take_operand() {
    const ExpressionToken& token = tokens_[at_];
    switch (token.kind) {
      case Token::number:
        if (token.unit)
          units_.add({PartUnit::Is::known, si_unit(*token.unit), token.unit, token.at});
        else
          units_.add({});
        return take_number(token.number);
      case Token::text:
        check_comparison();
        units_.add({.is = PartUnit::Is::unknown});
        return take_number(scope_.number_of(token.spelling));
      case Token::name:
        return take_name();
      case Token::open:
        waiting_.push_back({.token = at_});
        return;
      case Token::sign:
        if (one_of(token.spelling, {"+", "-"})) return take_sign();
        break;
      default:
        break;
    }
    refuse(found() + ", expected a number or a name");
  }

  void take_sign() {
    if (tokens_[at_].spelling == "+") return;  // changes nothing
    if (!waiting_.empty() && waiting_.back().kind == Kind::negative)
      waiting_.pop_back();  // minus minus
    else
      waiting_.push_back({.token = at_, .binding = sign_binding, .kind = Kind::negative});
  }

  void take_name() {
    const std::string_view name = tokens_[at_].spelling;
    const bool called = tokens_[at_ + 1].kind == Token::open;
    if (const Function* function = find_function(name)) {
      if (!called) refuse(fmt::format("the function {} needs its argument in parentheses", name));
      ++at_;
      waiting_.push_back({.token = at_, .function = function});
      return;
    }
    if (called) refuse_function(name);
    if (name == "pi") {
      units_.add({});
      return take_number(std::numbers::pi);
    }
    const int index = scope_.find(name);
    if (index < 0) {
      const std::string like = did_you_mean(name, scope_.names());
      refuse_unit(!like.empty());
      refuse(fmt::format("{}, expected {}{}", found(), scope_.what(), like));
    }
    if (scope_.is_text(index)) check_comparison();
    if (std::find(used_.begin(), used_.end(), index) == used_.end()) used_.push_back(index);
    tree_.add_value(index, character(at_));
    const std::string_view unit = scope_.unit(index);
    units_.add({.is = unit.empty() ? PartUnit::Is::unknown : PartUnit::Is::known, .si = unit});
    take_complete_operand();
  }

  /// Of an unknown name that ends what looks like a unit, as in 2 N/Mm. Where the name may be
  /// another (`named`), only if there is such a unit.
  void refuse_unit(bool named) const {
    if (at_ < 2 || tokens_[at_ - 1].kind != Token::sign || !tokens_[at_ - 2].unit) return;
    const ExpressionToken& number = tokens_[at_ - 2];
    const std::size_t end = number.at + number.spelling.size();
    if (end + 1 != tokens_[at_].at) return;  // with a blank it is no unit
    const std::size_t begin = end - number.unit->name.size();
    const std::size_t length = tokens_[at_].at + tokens_[at_].spelling.size() - begin;
    if (named && unit_like(text_.substr(begin, length)).empty()) return;
    refuse_expression(where_, text_, begin, unknown_leading_unit(text_.substr(begin)));
  }

  void take_number(double value) {
    tree_.add_constant(value, character(at_));
    take_complete_operand();
  }

  void take_complete_operand() {
    if (tree_.waiting() > deepest_expression)
      refuse(
          fmt::format("an expression is nested at most {} deep; give a part of it a name of "
                      "its own, as a parameter",
                      deepest_expression));
    operand_due_ = false;
  }

  [[noreturn]] void refuse_function(std::string_view name) const {
    std::vector<std::string> names;
    std::vector<std::string_view> views;
    for (const Function& function : functions) {
      names.emplace_back(function.name);
      views.push_back(function.name);
    }
    std::string hint = did_you_mean(name, names);
    if (hint.empty()) hint = "; there are " + listed(views);
    refuse(fmt::format("{}, expected a function{}", found(), hint));
  }

  /// A text is compared with a text and stands nowhere else: `... material == "steel" && ...`.
  void check_comparison() const {
    if (kind_ == ExpressionKind::number) refuse(found() + " is a text, expected a number");
    const auto compares = [&](std::size_t i) {
      return tokens_[i].kind == Token::sign && one_of(tokens_[i].spelling, {"==", "!="});
    };
    const auto is_text = [&](std::size_t i) {
      if (tokens_[i].kind == Token::text) return true;
      const int index = tokens_[i].kind == Token::name ? scope_.find(tokens_[i].spelling) : -1;
      return index >= 0 && scope_.is_text(index);
    };
    const auto separates = [&](std::size_t i) {
      return one_of(tokens_[i].spelling, {"&&", "||", "(", ")"}) || tokens_[i].kind == Token::end;
    };
    const bool left = compares(at_ + 1) && is_text(at_ + 2) && separates(at_ + 3) &&
                      (at_ == 0 || separates(at_ - 1));
    const bool right = at_ >= 2 && compares(at_ - 1) && is_text(at_ - 2) && separates(at_ + 1) &&
                       (at_ == 2 || separates(at_ - 3));
    if (!left && !right)
      refuse(found() + " is a text; texts are only compared with texts, by == or !=");
  }

  void take_operator() {
    const ExpressionToken& token = tokens_[at_];
    switch (token.kind) {
      case Token::sign:
        return take_binary(operator_of(token.spelling));
      case Token::close:
        return close();
      case Token::comma:
        complete(0);
        if (waiting_.empty() || waiting_.back().function == nullptr)
          refuse("a comma stands only between the arguments of a function");
        ++waiting_.back().arguments;
        operand_due_ = true;
        return;
      default:
        refuse_operand();
    }
  }

  /// Of an operand where an operator is due: a name behind a number may be meant as a unit.
  [[noreturn]] void refuse_operand() const {
    const ExpressionToken &token = tokens_[at_], &before = tokens_[at_ - 1];
    if (token.kind != Token::name || before.kind != Token::number || before.unit)
      refuse(found() + ", expected an operator");
    refuse(found() + ", expected an operator or a unit" +
           (scope_.find(token.spelling) < 0 ? unit_like(token.spelling) : ""));
  }

  void take_binary(const Operator& taken) {
    if (kind_ == ExpressionKind::number && taken.binding < number_bindings)
      refuse(found() + ", but this is a number and not a condition");
    // a power binds right: one that waits goes on waiting
    complete(taken.kind == Kind::raised ? taken.binding : taken.binding - 1);
    waiting_.push_back({.token = at_, .binding = taken.binding, .kind = taken.kind});
    operand_due_ = true;
  }

  /// Builds the nodes of all operators that wait, up to one that binds this loosely.
  void complete(int binding) {
    while (!waiting_.empty() && waiting_.back().binding > binding) {
      const Waiting& last = waiting_.back();
      const int operands = last.kind == Kind::negative ? 1 : 2;
      tree_.join(last.kind, operands, character(last.token));
      units_.join(last.kind, operands);
      waiting_.pop_back();
    }
  }

  void close() {
    complete(0);
    if (waiting_.empty()) refuse("this parenthesis was not opened");
    const Waiting opened = waiting_.back();
    waiting_.pop_back();
    const Function* const f = opened.function;
    if (f == nullptr) return;
    if (opened.arguments < f->fewest || opened.arguments > f->most)
      refuse(fmt::format("{} takes {} argument{}, found {}", f->name, f->fewest,
                         f->fewest == 1 ? "" : "s", opened.arguments));
    tree_.join(f->kind, opened.arguments, character(opened.token - 1));
    units_.join(f->kind, opened.arguments);
  }

  std::string_view text_;
  const Scope& scope_;
  const Location& where_;
  ExpressionKind kind_;
  std::vector<ExpressionToken> tokens_;
  std::size_t at_ = 0;
  bool operand_due_ = true;
  std::vector<Waiting> waiting_;
  TreeBuilder tree_;
  PartUnits units_;
  std::vector<int> used_;
};

}  // namespace

ParsedExpression parse_expression(std::string_view text, const Scope& scope, const Location& where,
                                  ExpressionKind kind) {
  return Parser(text, scope, where, kind).parse();
}

bool is_reserved_in_expressions(std::string_view name) {
  return name == "pi" || find_function(name) != nullptr;
}

std::string_view ExpressionNode::spelling() const {
  for (const Function& f : functions)
    if (f.kind == kind) return f.name;
  for (const Operator& o : operators)
    if (o.kind == kind) return o.sign;
  return kind == Kind::negative ? "-" : "";
}

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
