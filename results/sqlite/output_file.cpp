#include "results/sqlite/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "results/rows/rows.hpp"

namespace counterpoise {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_size = 1 << 16;
constexpr mode_t everyone_as_umask_allows = 0666;

StoreError error(StoreError::Kind kind, const fs::path& path, const char* what) {
  return {kind, path.string() + ": cannot be " + what + ": " + std::strerror(errno)};
}

/// The descriptor of a file that is opened to be written to; it is created if it is missing and is
/// to be new. A link in place of a new one is not followed.
int opened(const fs::path& path, bool is_new, const fs::path& name) {
  const int flags = O_WRONLY | O_CLOEXEC | (is_new ? O_CREAT | O_NOFOLLOW : 0);
  const int descriptor = ::open(path.c_str(), flags, everyone_as_umask_allows);
  if (descriptor < 0) throw error(StoreError::Kind::unusable, name, "created");
  return descriptor;
}

}  // namespace

OutputFile::OutputFile(const fs::path& path) : path_(path) {
  std::error_code ignored;
  const fs::path target = fs::canonical(path, ignored);
  if (!ignored) path_ = target;
  if (fs::exists(path_, ignored) && !fs::is_regular_file(path_, ignored)) {
    target_ = opened(path_, false, path);
    return;
  }
  temporary_ = path_.string() + ".writing";
  ::close(opened(temporary_, true, path));
  lock_.emplace(temporary_, path);
  target_ = lock_->descriptor();
  if (ftruncate(target_, 0) != 0) throw error(StoreError::Kind::unusable, path, "created");
}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
  if (!lock_ && target_ >= 0) ::close(target_);
}

void OutputFile::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= buffer_size) flush();
}

void OutputFile::flush() {
  for (std::string_view text = buffer_; !text.empty();) {
    const ssize_t count = ::write(target_, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw error(StoreError::Kind::write_failed, path_, "written");
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  buffer_.clear();
}

void OutputFile::commit() {
  flush();
  if (!lock_) return;
  struct stat replaced {};
  const bool there = stat(path_.c_str(), &replaced) == 0;
  if ((there && fchmod(target_, replaced.st_mode & 07777U) != 0) || fsync(target_) != 0 ||
      std::rename(temporary_.c_str(), path_.c_str()) != 0)
    throw error(StoreError::Kind::write_failed, path_, "written");
  temporary_.clear();
}

void write_file(const fs::path& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace counterpoise
