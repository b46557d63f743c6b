#include "tests/support/interposed/disturbance.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <sys/uio.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <new>
#include <optional>

namespace {

enum class Operation { write, sync, rename, remove, truncate, evaluate, allocate, look };
enum class Action { kill, tear, interrupt, terminate, stop, full, fail, lapse, leap };

constexpr std::array operation_words = {"write",    "sync",     "rename",   "remove",
                                        "truncate", "evaluate", "allocate", "look"};
constexpr std::array action_words = {"kill", "tear", "interrupt", "terminate", "stop",
                                     "full", "fail", "lapse",     "leap"};

struct Rule {
  Action action;
  long at;  // which of the operations, from 1
  Operation operation;
  std::array<char, 64> pattern;  // of file names
  std::size_t bytes;             // of allocations, at least
  std::atomic<long> seen;
};

constexpr std::size_t most_rules = 16;
// constants, so that what runs before any constructor finds no rules
std::array<Rule, most_rules> rules{};
std::atomic<std::size_t> rule_count{0};
/// Allocations of so many bytes fail, whatever their number.
std::atomic<std::size_t> too_large{std::numeric_limits<std::size_t>::max()};
constexpr long seconds_of_leap = 60;
std::atomic<long> leaps{0};

[[noreturn]] void die() {
  kill(getpid(), SIGKILL);
  while (true) pause();
}

template <std::size_t N>
std::optional<std::size_t> index_of(const std::array<const char*, N>& words, const char* word) {
  for (std::size_t i = 0; i < N; ++i)
    if (std::strcmp(words[i], word) == 0) return i;
  return {};
}

void add_rule(const char* text) {
  std::array<char, 16> action{}, operation{};
  std::array<char, 64> which{};
  long at = 0;
  const int read =
      std::sscanf(text, "%15s %ld %15s %63s", action.data(), &at, operation.data(), which.data());
  const auto what = index_of(action_words, action.data());
  const auto where = index_of(operation_words, operation.data());
  const std::size_t count = rule_count;
  if (read < 3 || at < 1 || !what || !where || count == most_rules) {
    std::fprintf(stderr, "no rule of a disturbance: %s\n", text);
    std::abort();
  }
  Rule& rule = rules[count];
  rule.action = static_cast<Action>(*what);
  rule.at = at;
  rule.operation = static_cast<Operation>(*where);
  rule.pattern = which;
  if (read < 4) rule.pattern = {'*'};
  rule.bytes = std::strtoul(which.data(), nullptr, 10);
  rule.seen = 0;
  rule_count = count + 1;
}

[[gnu::constructor]] void read_environment() {
  if (const char* text = std::getenv("COUNTERPOISE_DISTURBANCE")) counterpoise::test::disturb(text);
}

[[gnu::destructor]] void write_counts() {
  const char* path = std::getenv("COUNTERPOISE_DISTURBANCE_SEEN");
  std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "w");
  if (file == nullptr) return;
  for (std::size_t i = 0; i < rule_count; ++i) std::fprintf(file, "%ld\n", rules[i].seen.load());
  std::fclose(file);
}

/// How an operation goes on that was not the end of the process.
struct Verdict {
  int error = 0;          // it fails with this errno
  bool torn = false;      // half of it is done, then the process dies
  std::size_t bytes = 0;  // of the rule by which it fails
};

Verdict judge(Operation operation, const char* path, std::size_t bytes = 0) {
  Verdict verdict;
  for (std::size_t i = 0; i < rule_count; ++i) {
    Rule& rule = rules[i];
    if (rule.operation != operation) continue;
    if (operation == Operation::allocate && bytes < rule.bytes) continue;
    const char* slash = path == nullptr ? nullptr : std::strrchr(path, '/');
    const char* name = slash == nullptr ? path : slash + 1;
    if (name != nullptr && fnmatch(rule.pattern.data(), name, 0) != 0) continue;
    const long seen = ++rule.seen;
    if (seen < rule.at) continue;
    if (rule.action == Action::full) verdict.error = ENOSPC;
    if (rule.action == Action::leap) ++leaps;
    if (rule.action == Action::fail) {
      verdict.error = EIO;
      verdict.bytes = rule.bytes;
    }
    if (seen > rule.at) continue;
    if (rule.action == Action::kill) die();
    if (rule.action == Action::lapse) verdict.error = EIO;
    if (rule.action == Action::tear) verdict.torn = true;
    if (rule.action == Action::interrupt) raise(SIGINT);
    if (rule.action == Action::terminate) raise(SIGTERM);
    if (rule.action == Action::stop) raise(SIGSTOP);
  }
  return verdict;
}

Verdict judge(Operation operation, int file) {
  if (rule_count == 0) return {};
  std::array<char, 64> link{};
  std::array<char, 4096> path{};
  std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", file);
  if (readlink(link.data(), path.data(), path.size() - 1) < 0) return {};
  return judge(operation, path.data());
}

/// What the name means in the libraries after this one.
template <class Function>
Function* next(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) std::abort();
  return reinterpret_cast<Function*>(found);
}

/// Runs `real`, or fails as the verdict says.
template <class Real>
auto decided(const Verdict& verdict, Real real) -> decltype(real()) {
  if (verdict.error == 0 && !verdict.torn) return real();
  if (verdict.torn) die();
  errno = verdict.error;
  return -1;
}

/// There is nothing to count in the removal of what is not there.
template <class Real>
int removed(int folder, const char* path, Real real) {
  const bool exists = rule_count > 0 && faccessat(folder, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
  return exists ? decided(judge(Operation::remove, path), real) : real();
}

template <class Real>
ssize_t written(int file, std::size_t size, Real real) {
  const Verdict verdict = judge(Operation::write, file);
  if (verdict.torn) real(size / 2);
  return decided(verdict, [&] { return real(size); });
}

void count_allocation(std::size_t size) {
  if (size >= too_large || judge(Operation::allocate, nullptr, size).error != 0)
    throw std::bad_alloc();
}

}  // namespace

bool counterpoise::test::was_disturbed() {
  for (std::size_t i = 0; i < rule_count; ++i)
    if (rules[i].seen >= rules[i].at) return true;
  return false;
}

void counterpoise::test::disturb(const char* text) {
  rule_count = 0;
  for (const char* rule = text; *rule != '\0';) {
    std::array<char, 128> one{};
    const std::size_t length = std::strcspn(rule, ";");
    std::memcpy(one.data(), rule, length < one.size() ? length : one.size() - 1);
    add_rule(one.data());
    rule += length + (rule[length] == ';' ? 1 : 0);
  }
}

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): the names are glibc's
extern "C" {

ssize_t write(int file, const void* data, std::size_t size) {
  static auto* const real = next<decltype(write)>("write");
  return written(file, size, [&](std::size_t n) { return real(file, data, n); });
}

ssize_t pwrite(int file, const void* data, std::size_t size, off_t offset) {
  static auto* const real = next<decltype(pwrite)>("pwrite");
  return written(file, size, [&](std::size_t n) { return real(file, data, n, offset); });
}

ssize_t pwrite64(int file, const void* data, std::size_t size, off64_t offset) {
  static auto* const real = next<decltype(pwrite64)>("pwrite64");
  return written(file, size, [&](std::size_t n) { return real(file, data, n, offset); });
}

ssize_t writev(int file, const iovec* parts, int count) {
  static auto* const real = next<decltype(writev)>("writev");
  return written(file, static_cast<std::size_t>(count),
                 [&](std::size_t n) { return real(file, parts, static_cast<int>(n)); });
}

// A process that is killed loses nothing of what it has written, as the system has it: these wait
// for no disk.
int fsync(int file) {
  return decided(judge(Operation::sync, file), [] { return 0; });
}

int fdatasync(int file) {
  return decided(judge(Operation::sync, file), [] { return 0; });
}

int ftruncate(int file, off_t size) noexcept {
  static auto* const real = next<decltype(ftruncate)>("ftruncate");
  return decided(judge(Operation::truncate, file), [&] { return real(file, size); });
}

int ftruncate64(int file, off64_t size) noexcept {
  static auto* const real = next<decltype(ftruncate64)>("ftruncate64");
  return decided(judge(Operation::truncate, file), [&] { return real(file, size); });
}

// A rename goes by the name that it makes.
int rename(const char* from, const char* to) noexcept {
  static auto* const real = next<decltype(rename)>("rename");
  return decided(judge(Operation::rename, to), [&] { return real(from, to); });
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned flags) noexcept {
  static auto* const real = next<decltype(renameat2)>("renameat2");
  return decided(judge(Operation::rename, to),
                 [&] { return real(from_folder, from, to_folder, to, flags); });
}

int link(const char* from, const char* to) noexcept {
  static auto* const real = next<decltype(link)>("link");
  return decided(judge(Operation::rename, to), [&] { return real(from, to); });
}

int unlink(const char* path) noexcept {
  static auto* const real = next<decltype(unlink)>("unlink");
  return removed(AT_FDCWD, path, [&] { return real(path); });
}

int unlinkat(int folder, const char* path, int flags) noexcept {
  static auto* const real = next<decltype(unlinkat)>("unlinkat");
  return removed(folder, path, [&] { return real(folder, path, flags); });
}

int remove(const char* path) noexcept {
  static auto* const real = next<decltype(remove)>("remove");
  return removed(AT_FDCWD, path, [&] { return real(path); });
}

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  static auto* const real = next<decltype(clock_gettime)>("clock_gettime");
  const int failed = real(clock, time);
  if (clock != CLOCK_MONOTONIC || rule_count == 0) return failed;
  judge(Operation::look, nullptr);
  time->tv_sec += seconds_of_leap * leaps;
  return failed;
}

double tan(double angle) {
  static auto* const real = next<double(double)>("tan");
  const Verdict verdict = judge(Operation::evaluate, nullptr);
  if (verdict.error != 0) too_large = verdict.bytes;
  return real(angle);
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)

void* operator new(std::size_t size) {
  static auto* const real = next<void*(std::size_t)>("_Znwm");
  count_allocation(size);
  return real(size);
}

void* operator new(std::size_t size, std::align_val_t alignment) {
  static auto* const real = next<void*(std::size_t, std::align_val_t)>("_ZnwmSt11align_val_t");
  count_allocation(size);
  return real(size, alignment);
}
