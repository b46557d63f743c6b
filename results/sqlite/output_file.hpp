#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "results/sqlite/writer_lock.hpp"

namespace counterpoise {

/// A file that appears complete or not at all: it is written as `<name>.writing`, and takes its
/// name when it is whole on the disk. A file that was there before stays until then. What a killed
/// process left under that name is written anew by the next one.
///
/// A symbolic link is followed; a target that is not a regular file (a terminal, /dev/null, a pipe)
/// is written to directly.
class OutputFile {
 public:
  /// Throws StoreError (unusable) if the file cannot be created, or another process is writing it.
  explicit OutputFile(const std::filesystem::path& path);

  /// Without commit, nothing is left behind.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// write() and commit() throw StoreError (write_failed).
  void write(std::string_view text);
  /// The file takes the permissions of the one that it replaces.
  void commit();
  /// After commit(): the lock that nobody else writes a regular file.
  WriterLock take_lock() { return std::move(*lock_); }

 private:
  void flush();

  std::filesystem::path path_;
  std::filesystem::path temporary_;  // empty after commit, and if the target is written to directly
  std::optional<WriterLock> lock_;   // none if the target is written to directly
  int target_ = -1;                  // what is written to
  std::string buffer_;
};

/// Replaces a whole file.
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace counterpoise
