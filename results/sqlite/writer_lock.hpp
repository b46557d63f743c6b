#pragma once

#include <filesystem>

namespace counterpoise {

/// At most one process writes to a results file, from its opening to its end; readers are free.
/// SQLite's own locks last for a transaction only.
///
/// A lock on one byte of the file, far from those SQLite uses; the system drops it with the
/// process. Closing it drops this process's other locks on the file: close connections first.
class WriterLock {
 public:
  /// Creates the file if there is none. Throws StoreError (unusable) if it cannot be opened or
  /// another process has the lock.
  explicit WriterLock(const std::filesystem::path& path);
  ~WriterLock();
  WriterLock(WriterLock&& other) noexcept;
  WriterLock& operator=(WriterLock&&) = delete;

  /// Whether this lock made the file.
  bool created() const { return created_; }

 private:
  int descriptor_ = -1;
  bool created_ = false;
};

}  // namespace counterpoise
