#include "results/sqlite/writer_lock.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "results/store_error.hpp"

namespace counterpoise {
namespace {

constexpr off_t lock_byte = off_t{1} << 40;  // SQLite's are near 2^30
constexpr mode_t everyone_as_umask_allows = 0666;

}  // namespace

WriterLock::WriterLock(const std::filesystem::path& path) {
  constexpr int flags = O_RDWR | O_CLOEXEC;
  descriptor_ = ::open(path.c_str(), flags);
  if (descriptor_ < 0 && errno == ENOENT) {
    descriptor_ = ::open(path.c_str(), flags | O_CREAT, everyone_as_umask_allows);
    created_ = descriptor_ >= 0;
  }
  if (descriptor_ < 0) {
    throw StoreError(StoreError::Kind::unusable,
                     path.string() + ": cannot be opened for writing: " + std::strerror(errno));
  }
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = lock_byte;
  lock.l_len = 1;
  // A file system without locks gives another error; SQLite's own locks then have to do.
  if (fcntl(descriptor_, F_OFD_SETLK, &lock) != 0 && (errno == EAGAIN || errno == EACCES)) {
    ::close(descriptor_);
    throw StoreError(StoreError::Kind::unusable,
                     path.string() + ": database is locked by another process");
  }
}

WriterLock::~WriterLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

WriterLock::WriterLock(WriterLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), created_(other.created_) {}

}  // namespace counterpoise
