#pragma once

#include <string>

#include "cli/text/text_style.hpp"
#include "results/text/cells.hpp"
#include "studies/explanation.hpp"

namespace counterpoise {

/// For a terminal, in sections: critical instants, limits and their shadow prices, the next best
/// choice, side effects.
std::string to_text(const Study& study, const Explanation& explanation, const TextStyle& style);

/// The same as one JSON object; null where a number is not known.
Json json_of(const Study& study, const Explanation& explanation);

}  // namespace counterpoise
