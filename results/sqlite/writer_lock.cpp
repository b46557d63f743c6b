#include "results/sqlite/writer_lock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "results/rows/rows.hpp"

namespace counterpoise {
namespace {

constexpr off_t lock_byte = off_t{1} << 40;  // SQLite's are near 2^30

/// Whether a lock is to be had. A file system without locks says something else than that another
/// process has it; SQLite's own locks then have to do.
bool lock(int descriptor) {
  struct flock byte {};
  byte.l_type = F_WRLCK;
  byte.l_whence = SEEK_SET;
  byte.l_start = lock_byte;
  byte.l_len = 1;
  return fcntl(descriptor, F_OFD_SETLK, &byte) == 0 || (errno != EAGAIN && errno != EACCES);
}

bool is_named(int descriptor, const std::filesystem::path& path) {
  struct stat opened {
  }, named{};
  return fstat(descriptor, &opened) == 0 && stat(path.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

}  // namespace

WriterLock::WriterLock(const std::filesystem::path& path, const std::filesystem::path& name)
    : descriptor_(::open(path.c_str(), O_RDWR | O_CLOEXEC)) {
  if (descriptor_ < 0)
    throw StoreError(StoreError::Kind::unusable,
                     name.string() + ": cannot be opened for writing: " + std::strerror(errno));
  if (lock(descriptor_) && is_named(descriptor_, path)) return;
  ::close(descriptor_);
  throw StoreError(StoreError::Kind::unusable, locked_message(name));
}

WriterLock::~WriterLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

WriterLock::WriterLock(WriterLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

std::string locked_message(const std::filesystem::path& path) {
  return "another process is writing " + path.string();
}

}  // namespace counterpoise
