// The only file that writes to standard output and standard error.
#include "cli/output/streams.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <new>
#include <system_error>

#include "cli/output/colour.hpp"
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

}  // namespace counterpoise
