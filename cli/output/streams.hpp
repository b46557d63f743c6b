#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace counterpoise {

/// Standard output is closed or cannot be written.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Puts /dev/null where one of the descriptors 0 to 2 is closed, so that no file opened later takes
/// its number and is written into by messages. In place of a closed standard output nothing can be
/// written: printing there has to fail. Call it before anything is opened; false if there is no
/// /dev/null.
bool hold_standard_streams();

/// On standard output, for people: what a terminal would act on is escaped, see printable_lines.
/// Throws OutputError.
void print_text(std::string_view text);

/// On standard output, for programs: CSV, JSON. Bytes as they are; on a terminal escaped as
/// print_text does. Throws OutputError.
void print_data(std::string_view text);

/// Throws OutputError unless all that was printed has arrived: a full disk is a failed run.
void finish_output();

/// One line on standard error, escaped and ended here. A message that cannot be written is lost;
/// nothing is thrown.
void print_message(std::string_view line) noexcept;

/// The same, line by line.
void print_messages(std::string_view lines) noexcept;

/// Whether standard error is a terminal.
bool messages_on_terminal();

/// Characters for standard error as they are, those that move the cursor among them: never a text
/// of a user or a file. Nothing is thrown.
void draw(std::string_view characters) noexcept;

}  // namespace counterpoise
