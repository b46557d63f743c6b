#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

namespace counterpoise {

/// Gives the text of a file. Reading goes through one, so that a study can be read again from texts
/// that were stored with its results. Throws InputError when there is no such file.
using FileProvider = std::function<std::string(const std::filesystem::path&)>;

/// The most that is read of one input file [bytes]: two million rows of a table with ten columns.
/// An input that never ends, such as /dev/zero, is also refused for its size.
inline constexpr std::size_t largest_input = std::size_t{256} << 20;

/// The FileProvider of the disk: files, pipes and devices. Throws InputError for a file that cannot
/// be read or is larger than largest_input.
std::string read_text_file(const std::filesystem::path& path);

}  // namespace counterpoise
