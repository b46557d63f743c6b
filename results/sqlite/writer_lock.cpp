#include "results/sqlite/writer_lock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

#include "results/rows/rows.hpp"

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

namespace {

constexpr int process_bits = 22;  // the most that Linux has

std::string folder_of(std::int64_t process) {
  return "/proc/" + std::to_string(process);
}

std::string text_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// When the machine was started [s since 1970].
std::int64_t boot_time() {
  std::ifstream file("/proc/stat");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string key;
    std::int64_t seconds = 0;
    if (words >> key >> seconds && key == "btime") return seconds;
  }
  return 0;
}

/// When a process of this machine began [s since 1970]; the end of time if there is none.
std::int64_t beginning_of(std::int64_t process) {
  const std::string text = text_in(folder_of(process) + "/stat");
  const std::size_t name_end = text.rfind(')');  // of the second field, which may hold anything
  if (name_end == std::string::npos) return INT64_MAX;
  std::istringstream words(text.substr(name_end + 1));
  constexpr int fields_between = 19;  // the 22nd is the start, in ticks since the machine's
  std::string skipped;
  for (int field = 0; field < fields_between; ++field) words >> skipped;
  std::int64_t ticks = 0;
  words >> ticks;
  return boot_time() + ticks / sysconf(_SC_CLK_TCK);
}

/// The words of a process's command line; empty if it cannot be read.
std::string command_of(std::int64_t process) {
  std::string line = text_in(folder_of(process) + "/cmdline");
  while (!line.empty() && line.back() == '\0') line.pop_back();
  std::replace(line.begin(), line.end(), '\0', ' ');
  return line;
}

std::string time_text(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  std::array<char, 32> text{};
  gmtime_r(&time, &parts);
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts);
  return text.data();
}

std::string process_text(std::int64_t process) {
  const std::string command = command_of(process);
  return "process " + std::to_string(process) + (command.empty() ? "" : " (" + command + ")");
}

/// The process that has one of SQLite's locks on a file, by the system's list; 0 if it is none of
/// this machine, or this one.
std::int64_t holder_in_list(const std::filesystem::path& path) {
  struct stat file {};
  if (stat(path.c_str(), &file) != 0) return 0;
  std::array<char, 64> name{};
  std::snprintf(name.data(), name.size(), "%02x:%02x:%ju", major(file.st_dev), minor(file.st_dev),
                static_cast<std::uintmax_t>(file.st_ino));
  std::ifstream list("/proc/locks");
  for (std::string line; std::getline(list, line);) {
    std::istringstream words(line);  // "1: POSIX  ADVISORY  WRITE 4711 08:01:1234 0 EOF"
    std::string number, kind, advisory, access, locked;
    std::int64_t process = 0;
    if (words >> number >> kind >> advisory >> access >> process >> locked && kind == "POSIX" &&
        locked == name.data() && process > 0 && process != getpid())
      return process;
  }
  return 0;
}

}  // namespace

LockHolder LockHolder::self() {
  return {getpid(), static_cast<std::int64_t>(std::time(nullptr))};
}

std::int64_t LockHolder::code() const {
  return 1 + (since << process_bits) + process;
}

LockHolder LockHolder::of(std::int64_t code) {
  return {(code - 1) & ((std::int64_t{1} << process_bits) - 1), (code - 1) >> process_bits};
}

std::string LockHolder::in_words() const {
  const bool here = beginning_of(process) <= since + 1;
  return (here ? process_text(process)
               : "process " + std::to_string(process) + " of another machine or container") +
         ", since " + time_text(since);
}

std::string locked_message(const std::filesystem::path& path, const std::string& holder) {
  const std::string message = path.string() + ": database is locked by another process";
  if (!holder.empty()) return message + ": " + holder;
  const std::int64_t process = holder_in_list(path);
  if (process == 0) return message;
  return message + ": " + process_text(process) + ", which began at " +
         time_text(beginning_of(process));
}

}  // namespace counterpoise
