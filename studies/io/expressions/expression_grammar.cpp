#include "studies/io/expressions/expression_grammar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>

#include "studies/io/expressions/expression_tokens.hpp"

namespace counterpoise {
namespace {

using Kind = ExpressionToken::Kind;

constexpr int any_number = 1000;
constexpr std::array<ExpressionFunction, 11> functions = {{{"sqrt", 1, 1},
                                                           {"sin", 1, 1},
                                                           {"cos", 1, 1},
                                                           {"tan", 1, 1},
                                                           {"asin", 1, 1},
                                                           {"acos", 1, 1},
                                                           {"atan", 1, 1},
                                                           {"atan2", 2, 2},
                                                           {"abs", 1, 1},
                                                           {"min", 1, any_number},
                                                           {"max", 1, any_number}}};

const ExpressionFunction* find_function(std::string_view name) {
  const auto found = std::find_if(functions.begin(), functions.end(),
                                  [&](const ExpressionFunction& f) { return f.name == name; });
  return found == functions.end() ? nullptr : &*found;
}

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Walks along the tokens; at each one either an operand or an operator is due.
class Checker {
 public:
  Checker(std::string_view text, const Scope& scope, const Location& where, ExpressionKind kind)
      : text_(text),
        scope_(scope),
        where_(where),
        kind_(kind),
        tokens_(expression_tokens(text, where)) {}

  CheckedExpression check() {
    for (at_ = 0; tokens_[at_].kind != Kind::end; ++at_) {
      if (operand_due_)
        take_operand();
      else
        take_operator();
    }
    if (operand_due_) refuse("the expression ends where a number or a name is due");
    if (!open_.empty()) {
      at_ = open_.back().at;
      refuse("this parenthesis is not closed");
    }
    return std::move(out_);
  }

 private:
  struct Open {
    std::size_t at;                      // index of the token
    const ExpressionFunction* function;  // nullptr for plain parentheses
    int arguments;
  };

  [[noreturn]] void refuse(std::string_view message) const {
    refuse_expression(where_, text_, tokens_[at_].at, message);
  }
  [[nodiscard]] std::string found() const {
    return fmt::format("found {}", in_quotes(tokens_[at_].spelling));
  }

  void take_operand() {
    const ExpressionToken& token = tokens_[at_];
    switch (token.kind) {
      case Kind::number:
        return literal(token.number);
      case Kind::text:
        check_comparison();
        return literal(scope_.number_of(token.spelling));
      case Kind::name:
        return take_name();
      case Kind::open:
        open_.push_back({at_, nullptr, 1});
        out_.spelling += "(";
        return;
      case Kind::sign:
        if (one_of(token.spelling, {"+", "-"})) return take_sign();
        break;
      default:
        break;
    }
    refuse(found() + ", expected a number or a name");
  }

  void take_sign() {
    if (tokens_[at_].spelling == "+") return;  // changes nothing
    if (minus_end_ == out_.spelling.size() && minus_end_ > 0) {
      out_.spelling.pop_back();  // minus minus
      minus_end_ = 0;
    } else {
      out_.spelling += "-";
      minus_end_ = out_.spelling.size();
    }
  }

  void take_name() {
    const std::string_view name = tokens_[at_].spelling;
    const bool called = tokens_[at_ + 1].kind == Kind::open;
    if (const ExpressionFunction* function = find_function(name)) {
      if (!called) refuse(fmt::format("the function {} needs its argument in parentheses", name));
      ++at_;
      open_.push_back({at_, function, 1});
      out_.spelling += fmt::format("{}(", name);
      return;
    }
    if (called) refuse_function(name);
    if (name == "pi") return literal(std::numbers::pi);
    const int index = scope_.find(name);
    if (index < 0) {
      refuse(fmt::format("{}, expected {}{}", found(), scope_.what(),
                         did_you_mean(name, scope_.names())));
    }
    if (scope_.is_text(index)) check_comparison();
    auto slot = std::find(out_.used.begin(), out_.used.end(), index);
    if (slot == out_.used.end()) slot = out_.used.insert(slot, index);
    operand(fmt::format("v{}", slot - out_.used.begin()));
  }

  [[noreturn]] void refuse_function(std::string_view name) const {
    std::vector<std::string> names;
    std::vector<std::string_view> views;
    for (const ExpressionFunction& function : functions) {
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
      return tokens_[i].kind == Kind::sign && one_of(tokens_[i].spelling, {"==", "!="});
    };
    const auto is_text = [&](std::size_t i) {
      if (tokens_[i].kind == Kind::text) return true;
      const int index = tokens_[i].kind == Kind::name ? scope_.find(tokens_[i].spelling) : -1;
      return index >= 0 && scope_.is_text(index);
    };
    const auto separates = [&](std::size_t i) {
      return one_of(tokens_[i].spelling, {"&&", "||", "(", ")"}) || tokens_[i].kind == Kind::end;
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
      case Kind::sign:
        if (kind_ == ExpressionKind::number && !one_of(token.spelling, {"+", "-", "*", "/", "^"}))
          refuse(found() + ", but this is a number and not a condition");
        out_.spelling += token.spelling;
        operand_due_ = true;
        return;
      case Kind::close:
        return close();
      case Kind::comma:
        if (open_.empty() || open_.back().function == nullptr)
          refuse("a comma stands only between the arguments of a function");
        ++open_.back().arguments;
        out_.spelling += ",";
        operand_due_ = true;
        return;
      default:
        refuse(found() + ", expected an operator");
    }
  }

  void close() {
    if (open_.empty()) refuse("this parenthesis was not opened");
    const Open opened = open_.back();
    open_.pop_back();
    if (const ExpressionFunction* f = opened.function) {
      if (opened.arguments < f->fewest || opened.arguments > f->most)
        refuse(fmt::format("{} takes {} argument{}, found {}", f->name, f->fewest,
                           f->fewest == 1 ? "" : "s", opened.arguments));
    }
    out_.spelling += ")";
  }

  void literal(double value) {
    operand(fmt::format("c{}", out_.constants.size()));
    out_.constants.push_back(value);
  }

  void operand(const std::string& spelling) {
    out_.spelling += spelling;
    operand_due_ = false;
  }

  std::string_view text_;
  const Scope& scope_;
  const Location& where_;
  ExpressionKind kind_;
  std::vector<ExpressionToken> tokens_;
  std::size_t at_ = 0;
  bool operand_due_ = true;
  std::size_t minus_end_ = 0;  // where the spelling ends behind the latest minus sign
  std::vector<Open> open_;
  CheckedExpression out_;
};

}  // namespace

std::span<const ExpressionFunction> expression_functions() {
  return functions;
}

CheckedExpression check_expression(std::string_view text, const Scope& scope, const Location& where,
                                   ExpressionKind kind) {
  return Checker(text, scope, where, kind).check();
}

bool is_reserved_in_expressions(std::string_view name) {
  return name == "pi" || find_function(name) != nullptr;
}

}  // namespace counterpoise
