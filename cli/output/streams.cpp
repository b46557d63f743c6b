// The only file that writes to standard output and standard error.

#include "cli/output/streams.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <system_error>

#include "cli/output/host.hpp"
#include "results/text/printable.hpp"

namespace counterpoise {
namespace {

[[noreturn]] void refuse_output() {
  throw OutputError("standard output cannot be written: " + std::generic_category().message(errno));
}

void write_output(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) refuse_output();
}

}  // namespace

bool hold_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // The lowest free number is this one, as those below are open.
    const int mode = descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY;
    if (open("/dev/null", mode) != descriptor) return false;
  }
  return true;
}

void print_text(std::string_view text) {
  const std::string lines = printable_lines(text);
  if (Host* const hosting = host()) return static_cast<void>(hosting->text += lines);
  write_output(colours_wanted() ? coloured(lines) : lines);
}

void print_data(std::string_view text) {
  if (Host* const hosting = host()) return static_cast<void>(hosting->data += text);
  if (isatty(STDOUT_FILENO) == 1)
    write_output(printable_lines(text));
  else
    write_output(text);
}

void finish_output() {
  if (std::fflush(stdout) != 0) refuse_output();
}

void print_message(std::string_view line) noexcept try {
  if (Host* const hosting = host())
    return static_cast<void>(hosting->messages.push_back(printable(line)));
  draw(printable(line) + '\n');
} catch (const std::bad_alloc&) {
  draw("out of memory\n");
}

void print_messages(std::string_view lines) noexcept {
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    print_message(line);
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
  }
}

std::size_t terminal_width() {
  winsize size{};
  if (host() != nullptr) return 0;
  if (isatty(STDOUT_FILENO) != 1 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

bool messages_on_terminal() {
  return isatty(STDERR_FILENO) == 1;
}

void draw(std::string_view characters) noexcept {
  static_cast<void>(std::fwrite(characters.data(), 1, characters.size(), stderr));
}

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
