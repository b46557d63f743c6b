#include "studies/text/file_provider.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "studies/text/input_error.hpp"

namespace counterpoise {
namespace {

constexpr std::size_t piece = 1 << 16;  // bytes read at a time

[[noreturn]] void refuse_large(const Location& where) {
  throw InputError(where, fmt::format("is larger than {} MiB, the most that is read of an input "
                                      "file; a table with fewer rows will do",
                                      largest_input >> 20));
}

}  // namespace

std::string read_text_file(const std::filesystem::path& path) {
  const Location where{.file = path.string()};
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw InputError(where, "is a folder, expected a file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    const int reason = errno;
    throw InputError(where, "cannot be opened: " + std::generic_category().message(reason));
  }
  // what is no regular file has no size, and may have no end
  const auto size = std::filesystem::file_size(path, ignored);
  if (!ignored && size > largest_input) refuse_large(where);
  std::string text;
  if (!ignored) text.reserve(static_cast<std::size_t>(size) + piece);
  for (std::size_t length = 0; file;) {
    text.resize(length + piece);
    file.read(text.data() + length, static_cast<std::streamsize>(piece));
    length += static_cast<std::size_t>(file.gcount());
    text.resize(length);
    if (length > largest_input) refuse_large(where);
  }
  if (file.bad()) throw InputError(where, "cannot be read");
  return text;
}

}  // namespace counterpoise
