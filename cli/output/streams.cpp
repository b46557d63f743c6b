// The only file that writes to standard output and standard error.

#include "cli/output/streams.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <system_error>

#include "cli/output/host.hpp"
#include "results/text/printable.hpp"
#include "results/text/wrapped.hpp"

namespace counterpoise {
namespace {

/// Whether standard error ends in a line that draw_progress() has drawn.
bool progress_is_drawn = false;

/// The error of writing standard output before a message was printed; 0 if none.
int refused = 0;

[[noreturn]] void refuse_output(int why) {
  throw OutputError("standard output cannot be written: " + std::generic_category().message(why));
}

void write_output(std::string_view text) {
  clear_progress();
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) refuse_output(errno);
}

/// Letters in a line of this stream's terminal; 0 if it is not a terminal.
std::size_t width_of(int descriptor) {
  if (host() != nullptr || isatty(descriptor) != 1) return 0;
  if (const char* const columns = std::getenv("COLUMNS")) {
    std::size_t width = 0;
    const char* const end = columns + std::string_view(columns).size();
    if (const auto [last, error] = std::from_chars(columns, end, width);
        error == std::errc() && last == end && width > 0)
      return width;
  }
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void write_messages(std::string_view text) {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
}

/// Text goes to the terminal in the order in which it is printed, and no message into a line of it.
void come_after_text() {
  if (std::fflush(stdout) != 0 && refused == 0) refused = errno;
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
  write_output(wrapped(colours_wanted() ? coloured(lines) : lines, terminal_width()));
}

void print_data(std::string_view text) {
  if (Host* const hosting = host()) return static_cast<void>(hosting->data += text);
  if (isatty(STDOUT_FILENO) == 1)
    write_output(printable_lines(text));
  else
    write_output(text);
}

void finish_output() {
  clear_progress();
  if (std::fflush(stdout) != 0) refuse_output(errno);
  if (refused != 0) refuse_output(refused);
}

void print_message(std::string_view line) noexcept try {
  if (Host* const hosting = host())
    return static_cast<void>(hosting->messages.push_back(printable(line)));
  const std::string lines = wrapped(printable(line), width_of(STDERR_FILENO)) + '\n';
  print_raw_message(lines);
} catch (const std::bad_alloc&) {
  print_raw_message("out of memory\n");
}

void print_raw_message(std::string_view text) noexcept {
  clear_progress();
  come_after_text();
  write_messages(text);
}

void print_messages(std::string_view lines) noexcept {
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    print_message(line);
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
  }
}

std::size_t terminal_width() {
  return width_of(STDOUT_FILENO);
}

bool messages_on_terminal() {
  return isatty(STDERR_FILENO) == 1;
}

std::size_t width_of_messages() {
  return width_of(STDERR_FILENO);
}

void draw_progress(std::string_view line) {
  come_after_text();
  const std::size_t width = width_of(STDERR_FILENO);
  std::string shown(line);
  // the last place of a line is left free, where some terminals begin the next
  if (width > 1 && letters(line) >= width) {
    shown = cut(line, width - 1);
    shown.resize(std::min(shown.rfind(", "), shown.size()));  // whole parts, where there are
  }
  write_messages('\r' + shown + "\x1b[K");
  progress_is_drawn = true;
}

void clear_progress() noexcept {
  if (!progress_is_drawn) return;
  progress_is_drawn = false;
  write_messages("\r\x1b[K");
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
