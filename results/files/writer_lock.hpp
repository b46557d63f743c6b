#pragma once

#include <filesystem>

namespace counterpoise {

/// A lock with which at most one process writes to a results file, from its opening to its end;
/// readers are not restricted. SQLite's own locks last for one transaction only.
///
/// It locks a range that begins at one byte of the file, far from those SQLite uses; the system
/// releases it when the process ends, however it ends. The length of the range says which process
/// has locked it and since when (see LockHolder), so that no other file has to say it, which a
/// killed process would leave behind. Releasing it also drops this process's other locks on the
/// file, so close connections first.
class WriterLock {
 public:
  /// Locks a file that exists. Throws StoreError (unusable) if it cannot be opened or another
  /// process has the lock; then it says which and since when.
  explicit WriterLock(const std::filesystem::path& path);
  /// Locks an open file; `path` is for messages. The caller keeps the descriptor.
  WriterLock(int descriptor, const std::filesystem::path& path);
  ~WriterLock();
  WriterLock(WriterLock&& other) noexcept;
  WriterLock& operator=(WriterLock&&) = delete;

 private:
  void lock(const std::filesystem::path& path);

  int descriptor_ = -1;
};

}  // namespace counterpoise
