#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "results/files/new_file.hpp"

namespace counterpoise {

/// A file that appears complete or not at all: it is written without a name, then put in its place.
/// A file that was there before stays until then. A symbolic link is followed; a target that is not
/// a regular file (a terminal, /dev/null, a pipe) is written to directly.
class AtomicFile {
 public:
  /// Throws StoreError (unusable) if the file cannot be created.
  explicit AtomicFile(const std::filesystem::path& path);

  /// Without commit, nothing is left behind.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// write() and commit() throw StoreError (write_failed).
  void write(std::string_view text);
  void commit();

 private:
  void flush();

  std::filesystem::path path_;
  std::optional<NewFile> file_;  // none if the target is written to directly
  int target_ = -1;
  std::string buffer_;
};

/// Replaces a whole file.
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace counterpoise
