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
  /// On a file that exists. Throws StoreError (unusable) if it cannot be opened or another process
  /// has the lock.
  explicit WriterLock(const std::filesystem::path& path);
  /// On an open file; `path` is for messages. The descriptor stays the caller's.
  WriterLock(int descriptor, const std::filesystem::path& path);
  ~WriterLock();
  WriterLock(WriterLock&& other) noexcept;
  WriterLock& operator=(WriterLock&&) = delete;

 private:
  void lock(const std::filesystem::path& path);

  int descriptor_ = -1;
};

}  // namespace counterpoise
