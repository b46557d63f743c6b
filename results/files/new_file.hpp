#pragma once

#include <filesystem>
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

}  // namespace counterpoise
