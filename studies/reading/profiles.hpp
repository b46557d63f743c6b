#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "studies/definition/parametric_motion.hpp"

namespace counterpoise {

/// Reads one profile. Tables are read from `folder` through `files`; `duration` is that of the
/// motion.
ProfileNumbers read_profile(const JsonValue& value, double duration, const NumberReader& numbers,
                            const std::filesystem::path& folder, const FileProvider& files);

}  // namespace counterpoise
