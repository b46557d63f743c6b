#pragma once

#include <string>

#include "studies/sensitivity.hpp"

namespace counterpoise {

/// The tornado of an objective with bars of characters, in at most a hundred columns where names
/// allow it.
std::string tornado_text(const Study& study, const SensitivityPlan& plan,
                         const ObjectiveSensitivity& of);

}  // namespace counterpoise
