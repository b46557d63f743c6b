#include "input/text/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace counterpoise {
namespace {

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

/// Edit distance in halves of a letter, so that a wrong case costs less than a wrong letter.
int edit_distance(std::string_view a, std::string_view b) {
  constexpr int letter = 2;
  std::vector<std::vector<int>> cost(a.size() + 1, std::vector<int>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = letter * static_cast<int>(i + j);
        continue;
      }
      const char x = a[i - 1];
      const char y = b[j - 1];
      const int change = x == y ? 0 : lower(x) == lower(y) ? 1 : letter;
      int best =
          std::min({cost[i - 1][j] + letter, cost[i][j - 1] + letter, cost[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && x == b[j - 2] && y == a[i - 2])
        best = std::min(best, cost[i - 2][j - 2] + letter);
      cost[i][j] = best;
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string located(const Location& where, std::string_view message) {
  std::string text = where.file;
  if (where.line > 0) text += fmt::format(":{}", where.line);
  if (where.line > 0 && where.column > 0) text += fmt::format(":{}", where.column);
  if (!text.empty()) text += ": ";
  if (!where.pointer.empty()) text += where.pointer + ": ";
  return text.append(message);
}

InputError::InputError(Location where, const std::string& message)
    : std::runtime_error(located(where, message)), where_(std::move(where)), message_(message) {}

void InputError::add(const InputError& other) {
  const auto add_once = [this](const std::string& text) {
    if (text != what() && std::find(others_.begin(), others_.end(), text) == others_.end())
      others_.push_back(text);
  };
  add_once(other.what());
  for (const std::string& text : other.others()) add_once(text);
}

void Mistakes::raise() const {
  if (found_.empty()) return;
  InputError all = found_.front();
  for (std::size_t i = 1; i < found_.size(); ++i) all.add(found_[i]);
  throw all;
}

std::string_view nearest_name(std::string_view name, std::span<const std::string> candidates) {
  constexpr std::size_t longest = 100;  // nobody misspells more
  if (name.size() > longest) return {};
  std::string_view nearest;
  int smallest = 0;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest) continue;
    const int distance = edit_distance(name, candidate);
    // close: a third of the letters wrong at most, or a name of short words all in another case
    const int limit =
        std::max(2, static_cast<int>(2 * std::max(name.size(), candidate.size()) / 3));
    const bool same_letters =
        std::equal(name.begin(), name.end(), candidate.begin(), candidate.end(),
                   [](char x, char y) { return lower(x) == lower(y); });
    if (distance > limit && !same_letters) continue;
    if (name.size() == 1 && candidate.size() == 1 && !same_letters) continue;
    if (nearest.empty() || distance < smallest) {
      nearest = candidate;
      smallest = distance;
    }
  }
  return nearest;
}

std::string did_you_mean(std::string_view name, std::span<const std::string> candidates) {
  const std::string_view nearest = nearest_name(name, candidates);
  return nearest.empty() ? "" : fmt::format("; did you mean {}?", in_quotes(nearest));
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool inside_character = (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U;
    if (i >= longest && !inside_character) return out + "...\"";
    if (text[i] == '\0')
      out += "\\u0000";  // what() ends at one
    else
      out += text[i];
  }
  return out + '"';
}

std::string path_in_quotes(const std::filesystem::path& path) {
  constexpr std::size_t longest = 60, dots = 3;
  const std::string text = path.string();
  if (text.size() <= longest) return in_quotes(text);
  const std::size_t slash = text.find('/', text.size() - longest + dots);
  const std::size_t name = text.rfind('/') + 1;
  return in_quotes("..." + text.substr(std::min(slash, name)));
}

bool is_name(std::string_view text) {
  const auto letter = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
  };
  const auto inner = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
  return !text.empty() && letter(text.front()) && std::all_of(text.begin(), text.end(), inner);
}

std::string listed(std::span<const std::string_view> words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace counterpoise
