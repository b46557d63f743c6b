#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

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

/// Who has locked a file: a process of this machine, or of another that shares the file.
struct LockHolder {
  std::int64_t process = 0;  // id, on the machine where it runs
  std::int64_t since = 0;    // s since 1970, by that machine's clock

  static LockHolder self();

  /// A number from 1 on that says both, and is less than 2^55.
  [[nodiscard]] std::int64_t code() const;
  /// The holder of a code.
  static LockHolder of(std::int64_t code);

  /// "process 4711 (counterpoise run study.json), since 2026-01-31 12:00:00 UTC". The command line
  /// is that of a process of this machine that began before.
  [[nodiscard]] std::string in_words() const;
};

/// The error message of a file that another process has locked: "a.db: database is locked by
/// another process", with the holder behind it, where it is known. A process that holds one of
/// SQLite's own locks is found in the system's list, without opening the file.
std::string locked_message(const std::filesystem::path& path, const std::string& holder = "");

}  // namespace counterpoise
