#include "results/files/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "results/rows/store_error.hpp"

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

}  // namespace counterpoise
