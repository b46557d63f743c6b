#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace counterpoise {

/// The first character of a text in UTF-8, or its first byte where that begins none.
struct Character {
  std::uint32_t code = 0;  // the byte itself if not valid
  std::size_t size = 1;    // bytes
  bool valid = true;
};

/// `text` is not empty.
Character first_character(std::string_view text);

/// A text of a user or a file, as every terminal shows it without acting on it: control characters
/// and what is not UTF-8 become \n, \t, \r, \x1b or \u202e, everything else stays. One line; making
/// it printable again changes nothing.
std::string printable(std::string_view text);

/// The same of a text whose lines are meant: line ends stay.
std::string printable_lines(std::string_view text);

}  // namespace counterpoise
