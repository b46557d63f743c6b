#include "input/expressions/expression_tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace counterpoise {
namespace {

using TokenKind = ExpressionToken::Kind;

constexpr std::string_view blank = " \t\r\n";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

class Splitter {
 public:
  Splitter(std::string_view text, const Location& where) : text_(text), where_(where) {}

  std::vector<ExpressionToken> split() {
    std::vector<ExpressionToken> tokens;
    do {
      at_ = std::min(text_.find_first_not_of(blank, at_), text_.size());
      tokens.push_back(next());
      at_ = tokens.back().at + length_;
    } while (tokens.back().kind != TokenKind::end);
    return tokens;
  }

 private:
  ExpressionToken next() {
    if (at_ == text_.size()) return token(TokenKind::end, 0);
    const char c = text_[at_];
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1])))
      return number();
    if (is_letter(c)) return name();
    if (c == '\'' || c == '"') return quoted_text(c);
    if (c == '(') return token(TokenKind::open, 1);
    if (c == ')') return token(TokenKind::close, 1);
    if (c == ',') return token(TokenKind::comma, 1);
    return sign();
  }

  ExpressionToken token(TokenKind kind, std::size_t length) {
    length_ = length;
    return {.kind = kind, .spelling = text_.substr(at_, length), .at = at_};
  }

  ExpressionToken number() {
    double value = 0.0;
    const char* const begin = text_.data() + at_;
    const auto result = std::from_chars(begin, text_.data() + text_.size(), value);
    ExpressionToken found = token(TokenKind::number, static_cast<std::size_t>(result.ptr - begin));
    if (result.ec != std::errc{} || !std::isfinite(value))
      refuse_expression(where_, text_, at_, fmt::format("{} is not finite", found.spelling));
    found.number = value;
    const std::size_t end = at_ + length_;
    const std::size_t next = std::min(text_.find_first_not_of(blank, end), text_.size());
    found.unit = leading_unit(text_.substr(next));
    if (!found.unit) return found;
    found.number = found.unit->to_si(value);
    length_ = next + found.unit->name.size() - at_;
    if (text_.substr(at_ + length_).starts_with('^'))  // 9.81 m/s^2 is no square of 9.81 m/s
      refuse_expression(where_, text_, next, unknown_leading_unit(text_.substr(next)));
    found.spelling = text_.substr(at_, length_);
    if (!std::isfinite(found.number))
      refuse_expression(
          where_, text_, at_,
          fmt::format("{} is not finite in {}", found.spelling, si_unit(*found.unit)));
    return found;
  }

  ExpressionToken name() {
    std::size_t end = at_;
    while (end < text_.size() &&
           (is_letter(text_[end]) || is_digit(text_[end]) ||
            (text_[end] == '.' && end + 1 < text_.size() && is_letter(text_[end + 1]))))
      ++end;
    return token(TokenKind::name, end - at_);
  }

  ExpressionToken quoted_text(char quote) {
    const auto end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos)
      refuse_expression(where_, text_, at_, "the quoted text does not end");
    ExpressionToken found = token(TokenKind::text, end + 1 - at_);
    found.spelling = text_.substr(at_ + 1, end - at_ - 1);
    return found;
  }

  ExpressionToken sign() {
    constexpr std::array<std::string_view, 13> signs = {"<=", ">=", "==", "!=", "&&", "||", "+",
                                                        "-",  "*",  "/",  "^",  "<",  ">"};
    for (const std::string_view candidate : signs)
      if (text_.substr(at_).starts_with(candidate)) return token(TokenKind::sign, candidate.size());
    refuse_expression(where_, text_, at_, unknown_sign());
  }

  [[nodiscard]] std::string unknown_sign() const {
    switch (text_[at_]) {
      case '=':
        return "there is no assignment; compare with ==";
      case '?':
      case ':':
        return "there is no ?: here";
      case '!':
        return "there is no !; write == 0 or !=";
      case '&':
      case '|':
        return "write && and ||";
      case '%':
        return "there is no %";
      default:
        return "this character belongs to no expression";
    }
  }

  std::string_view text_;
  const Location& where_;
  std::size_t at_ = 0;
  std::size_t length_ = 0;
};

}  // namespace

std::vector<ExpressionToken> expression_tokens(std::string_view text, const Location& where) {
  return Splitter(text, where).split();
}

void refuse_expression(const Location& where, std::string_view text, std::size_t at,
                       std::string_view message) {
  throw InputError(where, fmt::format("in the expression {} at character {}: {}", in_quotes(text),
                                      at + 1, message));
}

}  // namespace counterpoise
