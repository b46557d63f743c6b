#include "results/sqlite/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "results/rows/rows.hpp"

namespace counterpoise {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_size = 1 << 16;

}  // namespace

AtomicFile::AtomicFile(const fs::path& path) : path_(path) {
  std::error_code ignored;
  const fs::path target = fs::canonical(path, ignored);
  if (!ignored) path_ = target;
  if (fs::exists(path_, ignored) && !fs::is_regular_file(path_, ignored)) {
    target_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (target_ < 0)
      throw StoreError(StoreError::Kind::unusable,
                       path.string() + ": cannot be created: " + std::strerror(errno));
  } else {
    file_.emplace(path_);
  }
}

AtomicFile::~AtomicFile() {
  if (target_ >= 0) ::close(target_);
}

void AtomicFile::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= buffer_size) flush();
}

void AtomicFile::flush() {
  write_all(file_ ? file_->descriptor() : target_, buffer_, path_);
  buffer_.clear();
}

void AtomicFile::commit() {
  flush();
  if (!file_) return;
  file_->keep_permissions();
  file_->sync();  // whole on the disk before it takes the name
  if (!file_->appear()) file_->replace();
}

void write_file(const fs::path& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

namespace {

namespace fs = std::filesystem;

constexpr mode_t everyone_as_umask_allows = 0666;

StoreError error(StoreError::Kind kind, const fs::path& path, const char* what) {
  return {kind, path.string() + ": cannot be " + what + ": " + std::strerror(errno)};
}

/// The place in /proc that names an open file.
std::string name_in_proc(int descriptor) {
  return "/proc/self/fd/" + std::to_string(descriptor);
}

/// A file without a name in the folder of `path`, or -1 where there are none.
int unnamed_beside(const fs::path& path) {
  const std::string folder = path.has_parent_path() ? path.parent_path().string() : ".";
  const int descriptor =
      ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, everyone_as_umask_allows);
  if (descriptor < 0 || access(name_in_proc(descriptor).c_str(), F_OK) == 0) return descriptor;
  ::close(descriptor);
  return -1;
}

/// A name beside `path` that nobody else takes at the same time.
std::string temporary_name(const fs::path& path, int attempt) {
  const std::string again = attempt == 0 ? "" : '-' + std::to_string(attempt);
  return path.string() + '.' + std::to_string(getpid()) + again + ".tmp";
}

}  // namespace

void write_all(int descriptor, std::string_view text, const fs::path& path) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw error(StoreError::Kind::write_failed, path, "written");
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

NewFile::NewFile(fs::path path) : path_(std::move(path)), descriptor_(unnamed_beside(path_)) {
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    temporary_ = temporary_name(path_, attempt);
    descriptor_ =
        ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, everyone_as_umask_allows);
    if (descriptor_ < 0 && errno != EEXIST)
      throw error(StoreError::Kind::unusable, path_, "created");
  }
}

NewFile::~NewFile() {
  ::close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void NewFile::keep_permissions() {
  struct stat replaced {};
  if (stat(path_.c_str(), &replaced) != 0) return;
  if (fchmod(descriptor_, replaced.st_mode & 07777U) != 0)
    throw error(StoreError::Kind::write_failed, path_, "written");
}

void NewFile::sync() {
  if (fsync(descriptor_) != 0) throw error(StoreError::Kind::write_failed, path_, "written");
}

bool NewFile::appear() {
  if (!temporary_.empty()) {
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(path_, ignored))) return false;
    replace();
    return true;
  }
  if (linkat(AT_FDCWD, name_in_proc(descriptor_).c_str(), AT_FDCWD, path_.c_str(),
             AT_SYMLINK_FOLLOW) == 0)
    return true;
  if (errno != EEXIST) throw error(StoreError::Kind::write_failed, path_, "created");
  return false;
}

void NewFile::replace() {
  if (temporary_.empty()) take_temporary_name();
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0)
    throw error(StoreError::Kind::write_failed, path_, "written");
  temporary_.clear();
}

/// The name is needed only until the renaming, because a file without a name cannot replace another
/// one directly.
void NewFile::take_temporary_name() {
  for (int attempt = 0; temporary_.empty(); ++attempt) {
    std::string name = temporary_name(path_, attempt);
    if (linkat(AT_FDCWD, name_in_proc(descriptor_).c_str(), AT_FDCWD, name.c_str(),
               AT_SYMLINK_FOLLOW) == 0)
      temporary_ = std::move(name);
    else if (errno != EEXIST)
      throw error(StoreError::Kind::write_failed, path_, "written");
  }
}

}  // namespace counterpoise
