#pragma once

#include <string>
#include <string_view>

namespace counterpoise {

/// Whether standard output is a terminal that shows colours and the user wants them: not where
/// NO_COLOR is set to anything (https://no-color.org) or TERM is "dumb".
bool colours_wanted();

/// Printable text with escape sequences that make its verdicts stand out: what is less than the
/// baseline in green, what is more in red, the best design and its proof in bold.
std::string coloured(std::string_view text);

}  // namespace counterpoise
