#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace counterpoise {

/// Writes all of a text, or throws StoreError (write failed) that names `path`.
void write_all(int descriptor, std::string_view text, const std::filesystem::path& path);

/// A file without a name: whatever happens to the process before it is given one, nothing is left
/// behind. Where a file system has no such files it has a temporary name beside the one it is to
/// get, `<name>.<process>.tmp`. Every function throws StoreError.
class NewFile {
 public:
  /// A file that is to be called `path`. Unusable if it cannot be created there.
  explicit NewFile(std::filesystem::path path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// Takes the permissions of the file that has the name now, if there is one. Write failed, as for
  /// the next four.
  void keep_permissions();
  void write(std::string_view text) { write_all(descriptor_, text, path_); }
  /// All that was written is on the disk.
  void sync();
  /// Gives the file its name; false if there is a file of that name, which then stays.
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
