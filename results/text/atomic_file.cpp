#include "results/text/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "results/store_error.hpp"

namespace counterpoise {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_size = 1 << 16;

StoreError error(StoreError::Kind kind, const fs::path& path, const char* what) {
  return {kind, path.string() + ": cannot be " + what + ": " + std::strerror(errno)};
}

// Those of the file that is replaced, if there is one.
bool keep_permissions(int descriptor, const fs::path& path) {
  struct stat replaced {};
  if (stat(path.c_str(), &replaced) != 0) return true;
  return fchmod(descriptor, replaced.st_mode & 07777U) == 0;
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& path) : path_(path) {
  std::error_code ignored;
  const fs::path target = fs::canonical(path, ignored);
  if (!ignored) path_ = target;
  if (fs::exists(path_, ignored) && !fs::is_regular_file(path_, ignored)) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    temporary_ = path_.string() + '.' + std::to_string(getpid()) + ".tmp";
    constexpr mode_t everyone_as_umask_allows = 0666;
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
                         everyone_as_umask_allows);
  }
  if (descriptor_ < 0) throw error(StoreError::Kind::unusable, path, "created");
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= buffer_size) flush();
}

void AtomicFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t count = ::write(descriptor_, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw error(StoreError::Kind::write_failed, path_, "written");
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  buffer_.clear();
}

void AtomicFile::commit() {
  flush();
  if (!temporary_.empty()) {
    // Whole on the disk before it takes the name.
    const bool done = keep_permissions(descriptor_, path_) && fsync(descriptor_) == 0 &&
                      std::rename(temporary_.c_str(), path_.c_str()) == 0;
    if (!done) throw error(StoreError::Kind::write_failed, path_, "written");
  }
  ::close(descriptor_);
  descriptor_ = -1;
}

void write_file(const fs::path& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace counterpoise
