#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace counterpoise {

/// Thrown when standard output is closed or cannot be written.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Opens /dev/null in place of closed descriptors among 0 to 2, so that no file opened later gets
/// such a number and has messages written into it. In place of a closed standard output it is
/// opened such that writing fails, because printing there has to fail. Call it before anything is
/// opened. Returns false if there is no /dev/null.
bool hold_standard_streams();

/// All that is printed goes to the host of this thread instead, if there is one (see host.hpp).

/// Prints text for people on standard output: characters that a terminal would act on are escaped,
/// see printable_lines, and lines wider than the terminal are broken between words. Throws
/// OutputError.
void print_text(std::string_view text);

/// Prints CSV or JSON for programs on standard output: bytes are printed as they are, but on a
/// terminal they are escaped as in print_text. Throws OutputError.
void print_data(std::string_view text);

/// Throws OutputError unless everything printed has been written: with a full disk the run has
/// failed.
void finish_output();

/// Prints one line on standard error, escaped, and ends it; on a terminal it is broken between
/// words. What was printed before on standard output comes before it. A message that cannot be
/// written is lost; nothing is thrown.
void print_message(std::string_view line) noexcept;

/// The same without escapes and breaks, which take memory: never pass it text of a user or a file.
void print_raw_message(std::string_view text) noexcept;

/// Prints each of these lines as print_message does.
void print_messages(std::string_view lines) noexcept;

/// The number of letters in a line of the terminal on standard output, or COLUMNS of the
/// environment; 0 if it is not a terminal.
std::size_t terminal_width();

/// The same of standard error.
std::size_t width_of_messages();

/// Whether standard error is a terminal.
bool messages_on_terminal();

/// Draws a line on the terminal that standard error is, cut to its width, in place of the one drawn
/// before. Whatever is printed next, on either stream, takes its place. Never pass it text of a
/// user or a file.
void draw_progress(std::string_view line);

/// Takes away the line that was drawn, if there is one.
void clear_progress() noexcept;

/// Whether standard output is a terminal that shows colours and the user wants them: not where
/// NO_COLOR is set to anything (https://no-color.org) or TERM is "dumb".
bool colours_wanted();

/// Printable text with escape sequences that make its verdicts stand out: what is less than the
/// baseline in green, what is more in red, the best design and its proof in bold.
std::string coloured(std::string_view text);

}  // namespace counterpoise
