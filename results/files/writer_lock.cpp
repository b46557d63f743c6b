#include "results/files/writer_lock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "results/files/lock_holder.hpp"
#include "results/rows/store_error.hpp"

namespace counterpoise {
namespace {

constexpr off_t lock_byte = off_t{1} << 40;  // SQLite's are near 2^30

struct flock range_of(std::int64_t length) {
  struct flock range {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_start = lock_byte;
  range.l_len = length;
  return range;
}

/// The one whose lock a descriptor met; unknown where it has gone meanwhile, or is a program of an
/// earlier version, which locks the byte alone.
std::string holder_met(int descriptor) {
  struct flock met = range_of(1);
  if (fcntl(descriptor, F_OFD_GETLK, &met) != 0 || met.l_type == F_UNLCK || met.l_len <= 1)
    return "";
  return LockHolder::of(met.l_len).in_words();
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
    throw StoreError(StoreError::Kind::unusable, locked_message(path));
  }
}

WriterLock::WriterLock(int descriptor, const std::filesystem::path& path)
    : descriptor_(fcntl(descriptor, F_DUPFD_CLOEXEC, 0)) {
  lock(path);
}

void WriterLock::lock(const std::filesystem::path& path) {
  struct flock range = range_of(LockHolder::self().code());
  // A file system without locks gives another error; SQLite's own locks then have to do.
  if (fcntl(descriptor_, F_OFD_SETLK, &range) == 0 || (errno != EAGAIN && errno != EACCES)) return;
  const std::string holder = holder_met(descriptor_);
  ::close(descriptor_);
  throw StoreError(StoreError::Kind::unusable, locked_message(path, holder));
}

WriterLock::~WriterLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

WriterLock::WriterLock(WriterLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

}  // namespace counterpoise
