#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace counterpoise {

/// The algorithms a search accepts, by their NLopt names without `NLOPT_`: all that need no
/// gradients and respect bounds.
std::vector<std::string> algorithm_names();

/// Throws std::invalid_argument, listing the valid names, unless `name` (with or without `NLOPT_`)
/// is one of them and can search in so many dimensions.
void check_algorithm(const std::string& name, std::size_t dimensions);

}  // namespace counterpoise
