#include "studies/io/file_provider.hpp"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include "studies/io/input_error.hpp"

namespace counterpoise {

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
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (file.bad()) throw InputError(where, "cannot be read");
  return text;
}

}  // namespace counterpoise
