#include "tests/faults/fuzz/mutation.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <random>
#include <vector>

namespace counterpoise::test {
namespace {

using Tokens = std::vector<std::string_view>;

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
}

/// Spaces, quoted texts, words and numbers, and single characters.
Tokens tokens_of(std::string_view text) {
  Tokens tokens;
  while (!text.empty()) {
    const char first = text.front();
    std::size_t end = 1;
    if (first == '"' || first == '\'') {
      const std::size_t close = text.find(first, 1);
      if (close != std::string_view::npos) end = close + 1;
    } else if (in_word(first)) {
      while (end < text.size() && in_word(text[end])) ++end;
    }
    tokens.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return tokens;
}

/// Tokens from `begin` to before `end`.
struct Part {
  std::size_t begin = 0, end = 0;
};

std::size_t after_brackets(const Tokens& tokens, std::size_t at) {
  constexpr std::string_view opening = "{[(", closing = "}])";
  int depth = 0;
  for (std::size_t i = at; i < tokens.size(); ++i) {
    if (opening.find(tokens[i].front()) != std::string_view::npos) ++depth;
    if (closing.find(tokens[i].front()) != std::string_view::npos) --depth;
    if (depth <= 0) return i + 1;
  }
  return at + 1;
}

/// An element that opens at `at`, up to its end.
std::size_t after_element(const Tokens& tokens, std::size_t at) {
  if (at + 1 >= tokens.size()) return at + 1;
  const std::string_view name = tokens[at + 1];
  int depth = 0;
  for (std::size_t i = at; i + 2 < tokens.size(); ++i) {
    const bool opens = tokens[i] == "<" && tokens[i + 1] == name;
    const bool closes = tokens[i] == "<" && tokens[i + 1] == "/" && tokens[i + 2] == name;
    if (opens) {
      const auto end =
          std::find(tokens.begin() + static_cast<std::ptrdiff_t>(i), tokens.end(), ">");
      const bool alone = end != tokens.end() && *std::prev(end) == "/";
      if (!alone) ++depth;
      if (alone && depth == 0) return static_cast<std::size_t>(end - tokens.begin()) + 1;
    }
    if (closes && --depth == 0) return std::min(i + 4, tokens.size());
  }
  return at + 1;
}

Part part_at(const Tokens& tokens, std::size_t at) {
  const char first = tokens[at].front();
  if (first == '<') return {at, after_element(tokens, at)};
  if (first == '"' && at + 2 < tokens.size() && tokens[at + 1] == ":") {
    const std::size_t value = tokens[at + 2] == " " && at + 3 < tokens.size() ? at + 3 : at + 2;
    return {at, after_brackets(tokens, value)};
  }
  return {at, after_brackets(tokens, at)};
}

std::string joined(const Tokens& tokens, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < end; ++i) text += tokens[i];
  return text;
}

std::string joined(const Tokens& tokens, Part part) {
  return joined(tokens, part.begin, part.end);
}

class Choice {
 public:
  explicit Choice(std::uint64_t random) : engine_(random) {}

  std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_()) % count; }

  /// A part that is no space, and of the kind of `like` if there is one and chance wants it.
  Part part(const Tokens& tokens, std::string_view like = {}) {
    constexpr int trials = 20;
    std::size_t at = below(tokens.size());
    for (int trial = 0; trial < trials; ++trial) {
      const char first = tokens[at].front();
      const bool alike = like.empty() || first == like.front() ||
                         (in_word(first) && in_word(like.front()) &&
                          std::isalpha(static_cast<unsigned char>(first)) ==
                              std::isalpha(static_cast<unsigned char>(like.front())));
      if (alike && std::isspace(static_cast<unsigned char>(first)) == 0) break;
      at = below(tokens.size());
    }
    return part_at(tokens, at);
  }

 private:
  std::mt19937_64 engine_;
};

std::string replaced(const Tokens& tokens, Part part, const std::string& by) {
  return joined(tokens, 0, part.begin) + by + joined(tokens, part.end, tokens.size());
}

bool is_comma(const Tokens& tokens, std::size_t at) {
  return at < tokens.size() && tokens[at] == ",";
}

}  // namespace

std::string with_changed_part(const std::string& text, std::uint64_t random) {
  constexpr std::array numbers = {"0",    "1",     "-1",   "2",   "0.5",        "1e-9", "1e308",
                                  "-1e9", "1e999", "1000", "nan", "2147483648", "100",  "3"};
  const Tokens tokens = tokens_of(text);
  if (tokens.empty()) return text;
  Choice choice(random);
  Part part = choice.part(tokens);
  const std::string content = joined(tokens, part);
  switch (choice.below(4)) {
    case 0:
      if (is_comma(tokens, part.end)) ++part.end;
      return replaced(tokens, part, "");
    case 1: {
      const bool listed = is_comma(tokens, part.end) || is_comma(tokens, part.begin - 1);
      return replaced(tokens, part, content + (listed ? "," : " ") + content);
    }
    case 2:
      if (std::isdigit(static_cast<unsigned char>(content.front())) != 0)
        return replaced(tokens, part, numbers[choice.below(numbers.size())]);
      [[fallthrough]];
    default:
      return replaced(tokens, part, joined(tokens, choice.part(tokens, tokens[part.begin])));
  }
}

std::string with_part_of(const std::string& text, const std::string& other, std::uint64_t random) {
  const Tokens tokens = tokens_of(text), others = tokens_of(other);
  if (tokens.empty() || others.empty()) return other;
  Choice choice(random);
  const Part part = choice.part(tokens);
  return replaced(tokens, part, joined(others, choice.part(others, tokens[part.begin])));
}

}  // namespace counterpoise::test
