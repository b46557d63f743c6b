#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "results/files/new_file.hpp"

namespace counterpoise {

/// A file that appears whole or not at all: written without a name, then put in its place. What
/// stood there before stays until then. A symbolic link is followed; what is not a regular file (a
/// terminal, /dev/null, a pipe) is written to as it is.
class AtomicFile {
 public:
  /// Throws StoreError (unusable) if the file cannot be created.
  explicit AtomicFile(const std::filesystem::path& path);

  /// Without commit, nothing is left behind.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Both throw StoreError (write_failed).
  void write(std::string_view text);
  void commit();

 private:
  void flush();

  std::filesystem::path path_;
  std::optional<NewFile> file_;  // none where the target itself is written to
  int target_ = -1;
  std::string buffer_;
};

/// Replaces a whole file.
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace counterpoise
