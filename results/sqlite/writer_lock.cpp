#include "results/sqlite/writer_lock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "results/rows/store_error.hpp"

namespace counterpoise {
namespace {

constexpr off_t lock_byte = off_t{1} << 40;  // SQLite's are near 2^30

StoreError is_locked(const std::filesystem::path& path) {
  return {StoreError::Kind::unusable, path.string() + ": database is locked by another process"};
}

}  // namespace

WriterLock::WriterLock(const std::filesystem::path& path)
    : descriptor_(::open(path.c_str(), O_RDWR | O_CLOEXEC)) {
  if (descriptor_ < 0) {
    throw StoreError(StoreError::Kind::unusable,
                     path.string() + ": cannot be opened for writing: " + std::strerror(errno));
  }
  lock(path);
  // Another process may have put another file in its place meanwhile.
  struct stat opened {
  }, named{};
  if (fstat(descriptor_, &opened) != 0 || stat(path.c_str(), &named) != 0 ||
      opened.st_ino != named.st_ino || opened.st_dev != named.st_dev) {
    ::close(descriptor_);
    throw is_locked(path);
  }
}

WriterLock::WriterLock(int descriptor, const std::filesystem::path& path)
    : descriptor_(fcntl(descriptor, F_DUPFD_CLOEXEC, 0)) {
  lock(path);
}

void WriterLock::lock(const std::filesystem::path& path) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = lock_byte;
  lock.l_len = 1;
  // A file system without locks gives another error; SQLite's own locks then have to do.
  if (fcntl(descriptor_, F_OFD_SETLK, &lock) != 0 && (errno == EAGAIN || errno == EACCES)) {
    ::close(descriptor_);
    throw is_locked(path);
  }
}

WriterLock::~WriterLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

WriterLock::WriterLock(WriterLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

}  // namespace counterpoise
