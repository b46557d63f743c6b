#pragma once

#include <string>

#include "cli/text/text_style.hpp"
#include "results/text/cells.hpp"
#include "studies/sensitivity.hpp"

namespace counterpoise {

/// What is going to be evaluated; `asked` base samples were asked for.
std::string cost_text(const Study& study, const SensitivityPlan& plan, std::int64_t asked);

/// For a terminal: for each motion and objective a table of indices, the most influential variable
/// first, and a tornado.
std::string to_text(const Study& study, const SensitivityPlan& plan, const Sensitivity& result,
                    const TextStyle& style);

/// The same as one JSON object; null where a number is not known.
Json json_of(const Study& study, const SensitivityPlan& plan, const Sensitivity& result);

}  // namespace counterpoise
