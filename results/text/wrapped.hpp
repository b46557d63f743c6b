#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace counterpoise {

/// How many letters a text takes on a terminal: bytes that continue a character of UTF-8, and
/// sequences that colour what follows, take none.
std::size_t letters(std::string_view text);

/// The text with every line that is longer than `width` letters broken between words (0: none is).
/// What follows a break stands below the text of its line: below the second column where the line
/// has two, as a list of options has, else two letters farther in than the line begins. A word that
/// is longer than a line stays whole. So does a number with its unit: "5.3 N*m", "< 0.1 %".
std::string wrapped(std::string_view text, std::size_t width);

/// The first letters of a line, `width` at most.
std::string cut(std::string_view line, std::size_t width);

}  // namespace counterpoise
