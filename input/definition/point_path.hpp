#pragma once

#include <optional>
#include <span>

#include "input/definition/parametric_motion.hpp"

namespace counterpoise {

/// Where the numbers of a path's moves begin: behind its start and its segments.
std::size_t first_move_of_path(const ProfileNumbers& path);

/// Makes one coordinate of a point's path from its numbers in SI, or says what is wrong with them.
std::optional<Refusal> make_path(const ProfileNumbers& path, std::span<const double> numbers,
                                 double duration, Profile& out);

/// How long the moves of a path take together [s].
std::optional<Refusal> duration_of_path(const ProfileNumbers& path, std::span<const double> numbers,
                                        double& out);

}  // namespace counterpoise
