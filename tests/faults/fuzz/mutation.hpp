#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace counterpoise::test {

/// A text in which one part is left out, doubled, or replaced by another one: a part is a word, a
/// number, a quoted text, all between two brackets, a member of a JSON object, or an element of XML
/// with all within it. So what is nested stays so, which changes of single bytes rarely leave.
std::string with_changed_part(const std::string& text, std::uint64_t random);

/// The text with one of its parts replaced by one of another text.
std::string with_part_of(const std::string& text, const std::string& other, std::uint64_t random);

}  // namespace counterpoise::test
