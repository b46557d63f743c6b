#pragma once

#include <filesystem>
#include <string>

namespace counterpoise {

/// A lock with which at most one process writes to a file, from its opening to its end; readers are
/// not restricted. SQLite's own locks last for one transaction only.
///
/// It locks one byte of the file, far from those SQLite uses; the system releases it when the
/// process ends, however it ends. Releasing it also drops this process's other locks on the file,
/// so close connections first.
class WriterLock {
 public:
  /// Locks a file that exists; messages call it `name`. Throws StoreError (unusable) if it cannot
  /// be opened, or another process has the lock or has put another file in its place.
  WriterLock(const std::filesystem::path& path, const std::filesystem::path& name);
  explicit WriterLock(const std::filesystem::path& path) : WriterLock(path, path) {}
  ~WriterLock();
  WriterLock(WriterLock&& other) noexcept;
  WriterLock& operator=(WriterLock&&) = delete;

  /// Of the open file, to read and write.
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

/// The error message of a file that another process has locked: "another process is writing a.db".
std::string locked_message(const std::filesystem::path& path);

}  // namespace counterpoise
