#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace counterpoise {

/// Writes all of a text, or throws StoreError (write failed) that names `path`.
void write_all(int descriptor, std::string_view text, const std::filesystem::path& path);

/// A file without a name: whatever happens to the process before it is given one, nothing is left
/// behind. On a file system without such files it has a temporary name beside the final one,
/// `<name>.<process>.tmp`. Every function throws StoreError.
class NewFile {
 public:
  /// Creates a file that is to be called `path`. Throws StoreError (unusable) if it cannot be
  /// created there.
  explicit NewFile(std::filesystem::path path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// Takes the permissions of the file that has the name now, if there is one. This and the next
  /// four functions throw StoreError (write_failed).
  void keep_permissions();
  void write(std::string_view text) { write_all(descriptor_, text, path_); }
  /// Makes sure that everything written is on the disk.
  void sync();
  /// Gives the file its name. Returns false if there already is a file of that name, which then
  /// stays.
  bool appear();
  /// Gives the file its name, and takes it from the file that had it.
  void replace();

 private:
  void take_temporary_name();

  std::filesystem::path path_;
  std::string temporary_;  // empty while the file has no name, and after it has its own
  int descriptor_ = -1;
};

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
