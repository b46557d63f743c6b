#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "studies/definition/parametric_motion.hpp"

namespace counterpoise {

/// Reads one profile. `position` is the SI unit of its coordinate, "m" or "rad"; empty where the
/// coordinate is not known, and then units of both are accepted. Tables are read from `folder`
/// through `files`; `duration` is that of the motion.
ProfileNumbers read_profile(const JsonValue& value, std::string_view position, double duration,
                            const NumberReader& numbers, const std::filesystem::path& folder,
                            const FileProvider& files);

}  // namespace counterpoise
