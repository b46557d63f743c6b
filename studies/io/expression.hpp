#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "studies/io/input_error.hpp"

namespace counterpoise {

/// The names an expression may use, each bound to an index of a vector of values. Names may contain
/// dots ("lift.max"). Text stands in the vector as numbers: equal texts have equal numbers.
class Scope {
 public:
  /// `what` says in messages what a name should have been: "a parameter", "a column of x.csv".
  explicit Scope(std::string what = "a parameter") : what_(std::move(what)) {}

  /// Appends a name and returns its index in the vector of values.
  int add(std::string name, bool text = false);
  /// From here on every name an expression uses and that is not known counts as index 0: for
  /// checking an expression whose names are not at hand.
  void accept_any_name() { accepts_any_ = true; }
  /// Index of a name, or -1.
  [[nodiscard]] int find(std::string_view name) const;
  [[nodiscard]] bool is_text(int index) const {
    const auto i = static_cast<std::size_t>(index);
    return i < text_.size() && text_[i];
  }
  [[nodiscard]] std::span<const std::string> names() const { return names_; }
  [[nodiscard]] const std::string& what() const { return what_; }

  /// The number that stands for a text, in this scope and its copies. Not for several threads.
  [[nodiscard]] double number_of(std::string_view text) const;

 private:
  std::string what_;
  bool accepts_any_ = false;
  std::vector<std::string> names_;
  std::vector<bool> text_;
  std::shared_ptr<std::vector<std::string>> texts_ = std::make_shared<std::vector<std::string>>();
};

/// True for pi and the names of functions, which nothing else may be called.
bool is_reserved_in_expressions(std::string_view name);

enum class ExpressionKind { number, condition };

/// An expression of FORMATS: + - * / ^ ( ), sqrt sin cos tan asin acos atan atan2 abs min max pi;
/// a condition also < <= > >= == != && || and quoted texts compared by == or !=. `^` binds right
/// and before the sign. A condition is 1 or 0.
class Expression {
 public:
  /// Throws InputError at `where`, saying what is wrong at which character of `text`.
  static Expression parse(std::string_view text, const Scope& scope, const Location& where,
                          ExpressionKind kind = ExpressionKind::number);

  ~Expression();
  Expression(const Expression& other);  // compiles again
  Expression& operator=(const Expression& other);
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;

  /// `values` is indexed as the scope; may give infinity or NaN. Tens of nanoseconds, no
  /// allocation. One object serves one thread at a time; every thread has its own copy.
  [[nodiscard]] double evaluate(const double* values) const;

  /// Indices of the values it reads, each once.
  [[nodiscard]] std::span<const int> used() const;
  [[nodiscard]] bool is_constant() const { return used().empty(); }
  [[nodiscard]] const std::string& text() const;

 private:
  struct Impl;
  explicit Expression(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace counterpoise
