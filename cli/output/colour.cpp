#include "cli/output/colour.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>

namespace counterpoise {
namespace {

constexpr std::string_view bold = "\x1b[1m", red = "\x1b[31m", green = "\x1b[32m",
                           plain = "\x1b[0m";

struct Rule {
  std::string_view words;
  std::string_view style;
  bool with_number;  // the number before the words too: "21.1 % less"
};
constexpr std::array<Rule, 4> rules = {{{" % less", green, true},
                                        {" % more", red, true},
                                        {"NOT PROVED", red, false},
                                        {"not feasible", red, false}}};

bool is_heading(std::string_view line) {
  return line.starts_with("best") || line.starts_with("proof:") ||
         (line.starts_with("case ") && line.find(" of ") != std::string_view::npos);
}

std::string styled(std::string_view line) {
  std::string text(line);
  for (const Rule& rule : rules)
    for (std::size_t at = text.find(rule.words); at != std::string::npos;
         at = text.find(rule.words, at + rule.words.size() + rule.style.size() + plain.size())) {
      std::size_t begin = at;
      if (rule.with_number) begin = text.find_last_of(" ", at - 1) + 1;
      text.insert(at + rule.words.size(), plain);
      text.insert(begin, rule.style);
    }
  if (!is_heading(line)) return text;
  return std::string(bold) + text + std::string(plain);
}

}  // namespace

bool colours_wanted() {
  const char* no = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool refused = no != nullptr && *no != '\0';
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return !refused && !dumb && isatty(STDOUT_FILENO) == 1;
}

std::string coloured(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    out += styled(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace counterpoise
