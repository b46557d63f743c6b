#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "studies/io/parametric_motion.hpp"

namespace counterpoise {

/// Reads one profile. `folder` and `files` are where tables come from, `duration` the motion's.
ProfileNumbers read_profile(const JsonValue& value, double duration, const NumberReader& numbers,
                            const std::filesystem::path& folder, const FileProvider& files);

/// Makes the profile from its numbers, or says in words why they make none.
std::optional<std::string> make_profile(const ProfileNumbers& profile,
                                        std::span<const double> numbers, double duration,
                                        Profile& out);

}  // namespace counterpoise
