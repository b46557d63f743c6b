#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace counterpoise {

/// Gives the text of a file. Reading goes through one, so that a study can be read again from texts
/// that were stored with its results. Throws InputError when there is no such file.
using FileProvider = std::function<std::string(const std::filesystem::path&)>;

/// The FileProvider of the disk.
std::string read_text_file(const std::filesystem::path& path);

}  // namespace counterpoise
