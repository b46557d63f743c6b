#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "studies/definition/parametric_motion.hpp"

namespace counterpoise {

/// Reads one profile. `folder` and `files` are where tables come from, `duration` the motion's.
ProfileNumbers read_profile(const JsonValue& value, double duration, const NumberReader& numbers,
                            const std::filesystem::path& folder, const FileProvider& files);

}  // namespace counterpoise
