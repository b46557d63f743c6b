#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "input/text/input_error.hpp"
#include "input/text/units.hpp"

namespace counterpoise {

/// The names an expression may use, each bound to an index of a vector of values. Names may contain
/// dots ("lift.max"). Texts are represented in the vector by numbers: equal texts have equal
/// numbers.
class Scope {
 public:
  /// `what` says in messages what a name should have been: "a parameter", "a column of x.csv".
  explicit Scope(std::string what = "a parameter") : what_(std::move(what)) {}

  /// Appends a name and returns its index in the vector of values. Of two equal names the first is
  /// found. `si` is the SI unit of its value, if that is known.
  int add(std::string name, bool text = false, std::string_view si = {});
  /// From now on every unknown name in an expression counts as index 0. This is for checking an
  /// expression whose names are not available.
  void accept_any_name() { accepts_any_ = true; }
  /// Index of a name, or -1. Its cost does not depend on the number of names.
  [[nodiscard]] int find(std::string_view name) const;
  [[nodiscard]] bool is_text(int index) const {
    const auto i = static_cast<std::size_t>(index);
    return i < text_.size() && text_[i];
  }
  /// The SI unit of a value; empty if it is not known.
  [[nodiscard]] std::string_view unit(int index) const {
    const auto i = static_cast<std::size_t>(index);
    return i < units_.size() ? units_[i] : std::string_view();
  }
  [[nodiscard]] std::span<const std::string> names() const { return names_; }
  [[nodiscard]] const std::string& what() const { return what_; }

  /// The number that stands for a text, in this scope and its copies. Not for several threads.
  [[nodiscard]] double number_of(std::string_view text) const;

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  using Indices = std::unordered_map<std::string, int, Hash, std::equal_to<>>;

  std::string what_;
  bool accepts_any_ = false;
  std::vector<std::string> names_;
  Indices indices_;
  std::vector<bool> text_;
  std::vector<std::string_view> units_;  // names in the table of units
  std::shared_ptr<Indices> texts_ = std::make_shared<Indices>();
};

/// True for pi and the names of functions, which nothing else may be called.
bool is_reserved_in_expressions(std::string_view name);

enum class ExpressionKind { number, condition };

/// One node of an expression's tree. The nodes of a tree stand in an array, every node behind its
/// operands: a node's last operand ends right before it, the one before that operand ends right
/// before the last operand's first node, and so on.
struct ExpressionNode {
  enum class Kind : std::uint8_t {
    constant,  // offset
    linear,    // factor * value + offset; a name alone has factor 1 and offset 0
    square,    // value * value
    cube,      // value * value * value
    fourth,    // value * value * value * value
    negative,
    sum,
    difference,
    product,
    quotient,
    raised,  // first operand ^ second operand
    less,
    at_most,
    greater,
    at_least,
    equal,
    different,
    both,    // &&
    either,  // ||
    sqrt,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    atan2,
    abs,
    min,
    max
  };
  Kind kind = Kind::constant;
  int operands = 0;     // that stand before it in the array
  int value = -1;       // index in the scope, of linear to fourth
  double factor = 1.0;  // of linear
  double offset = 0.0;  // of linear and constant
  int first = 0;        // index of the first node of this part of the tree
  int at = 0;           // character of the text, from 0: of a name, number, operator or function

  /// What the user calls an operator or a function ("max", "+").
  [[nodiscard]] std::string_view spelling() const;
};

/// An arithmetic expression: + - * / ^ ( ), sqrt sin cos tan asin acos atan atan2 abs min max pi; a
/// condition also < <= > >= == != && || and quoted texts compared by == or !=. `^` is
/// right-associative and binds more tightly than a sign. A condition is 1 or 0. min and max of NaN
/// are NaN. A number may have a unit behind it, as in `2.5 N/mm`, and then stands for its value in
/// SI.
///
/// An expression is one immutable tree, which copies share and any number of threads may use.
/// Numbers are folded as the tree is built, and sums and multiples of one name are one node:
/// `2*(3*b + 1)` is 6*b + 2.
class Expression {
 public:
  /// Throws InputError at `where`, saying what is wrong at which character of `text`; also for an
  /// expression nested more than 1024 deep, and where a unit is added to or compared with what is
  /// known to measure something else.
  static Expression parse(std::string_view text, const Scope& scope, const Location& where,
                          ExpressionKind kind = ExpressionKind::number);

  /// `values` is indexed as the scope; may give infinity or NaN. A few nanoseconds a node, no
  /// allocation.
  [[nodiscard]] double evaluate(const double* values) const {
    return evaluate(static_cast<int>(tree_->nodes.size()) - 1, values);
  }
  /// The value of the part of the tree that ends with this node.
  [[nodiscard]] double evaluate(int node, const double* values) const;

  /// The size of the largest term of the expression's sum, which determines its rounding; of the
  /// value itself if the expression is not a sum. `a - b + c*d` has the terms a, b and c*d.
  [[nodiscard]] double size_of_terms(const double* values) const {
    return size_of_terms(static_cast<int>(tree_->nodes.size()) - 1, values);
  }

  /// Indices of the values that the expression reads, each once, in the order of the text.
  [[nodiscard]] std::span<const int> used() const { return tree_->used; }
  [[nodiscard]] bool is_constant() const { return used().empty(); }
  [[nodiscard]] const std::string& text() const { return tree_->text; }
  [[nodiscard]] const Location& where() const { return tree_->where; }
  /// The SI unit of the value; empty where it is not known: of a product, say, and of numbers
  /// alone.
  [[nodiscard]] std::string_view unit() const { return tree_->unit; }
  /// The unit that stands in the text and that the value is known by to be of this kind.
  [[nodiscard]] const std::optional<Unit>& written_unit() const { return tree_->written; }
  /// Whether a unit stands anywhere in the text.
  [[nodiscard]] bool has_units() const { return tree_->has_units; }
  /// All nodes; the last one is the whole expression.
  [[nodiscard]] std::span<const ExpressionNode> nodes() const { return tree_->nodes; }

  /// The indices of a node's operands, from left to right.
  [[nodiscard]] std::vector<int> operands(int node) const;

  /// Throws InputError about the character (from 0) of this expression.
  [[noreturn]] void refuse(int at, std::string_view message) const;

 private:
  struct Tree {
    std::string text;
    Location where;
    std::vector<ExpressionNode> nodes;
    std::vector<int> used;
    std::string_view unit;
    std::optional<Unit> written;
    bool has_units = false;
  };
  explicit Expression(std::shared_ptr<const Tree> tree) : tree_(std::move(tree)) {}
  double size_of_terms(int node, const double* values) const;

  std::shared_ptr<const Tree> tree_;
};

}  // namespace counterpoise
