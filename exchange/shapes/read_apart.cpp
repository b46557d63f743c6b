#include "exchange/shapes/read_apart.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <new>
#include <span>

namespace counterpoise {
namespace {

// under the address sanitizer a process has terabytes of addresses
#if defined(__SANITIZE_ADDRESS__)
constexpr bool addresses_are_counted = false;
#elif defined(__has_feature)
constexpr bool addresses_are_counted = !__has_feature(address_sanitizer);
#else
constexpr bool addresses_are_counted = true;
#endif

enum class Answer : char { mesh, refusal, memory };

/// The addresses that this process has already [bytes].
std::uintmax_t addresses_in_use() {
  std::uintmax_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uintmax_t>(sysconf(_SC_PAGESIZE));
}

void limit(const ReadingLimits& limits) {
  const auto set = [](auto resource, std::uintmax_t most) {
    rlimit now{};
    getrlimit(resource, &now);
    now.rlim_cur = std::min<rlim_t>(now.rlim_max, most);
    setrlimit(resource, &now);
  };
  set(RLIMIT_CORE, 0);
  set(RLIMIT_CPU, limits.seconds);
  if (addresses_are_counted) set(RLIMIT_AS, addresses_in_use() + limits.memory);
}

/// Whether all bytes went out.
bool write_all(int out, std::span<const char> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(out, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes = bytes.subspan(written);
  }
  return true;
}

template <class T>
bool write_items(int out, const std::vector<T>& items) {
  const std::uint64_t count = items.size();
  return write_all(out, {reinterpret_cast<const char*>(&count), sizeof count}) &&
         write_all(out, {reinterpret_cast<const char*>(items.data()), count * sizeof(T)});
}

bool write_answer(int out, Answer answer) {
  return write_all(out, {reinterpret_cast<const char*>(&answer), 1});
}

/// The whole life of the process that reads.
[[noreturn]] void answer(int out, const std::function<TriangleMesh()>& read,
                         const ReadingLimits& limits) {
  for (const int fault : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL}) std::signal(fault, SIG_DFL);
  std::signal(SIGXCPU, SIG_DFL);
  if (const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC); nothing >= 0)
    dup2(nothing, STDERR_FILENO);  // a reader that breaks says so in its own words
  bool done = false;
  try {
    limit(limits);
    const TriangleMesh mesh = read();
    done = write_answer(out, Answer::mesh) && write_items(out, mesh.vertices) &&
           write_items(out, mesh.triangles) && write_items(out, mesh.palette) &&
           write_items(out, mesh.colours);
  } catch (const InputError& error) {
    const std::string& message = error.message();
    done = write_answer(out, Answer::refusal) &&
           write_items(out, std::vector<char>(message.begin(), message.end()));
  } catch (const std::bad_alloc&) {
    done = write_answer(out, Answer::memory);
  } catch (...) {
    done = false;
  }
  _exit(done ? 0 : 1);
}

/// What the other process wrote, as far as it came.
std::vector<char> all_of(int in) {
  std::vector<char> bytes;
  std::array<char, 65536> piece{};
  for (;;) {
    const ssize_t count = read(in, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return bytes;
    bytes.insert(bytes.end(), piece.begin(), piece.begin() + count);
  }
}

/// Takes lists from the front of an answer.
struct AnswerReading {
  std::span<const char> left;

  template <class T>
  bool take(std::vector<T>& items) {
    std::uint64_t count = 0;
    if (left.size() < sizeof count) return false;
    std::memcpy(&count, left.data(), sizeof count);
    left = left.subspan(sizeof count);
    if (count > left.size() / sizeof(T)) return false;
    items.resize(count);
    if (count > 0) std::memcpy(static_cast<void*>(items.data()), left.data(), count * sizeof(T));
    left = left.subspan(count * sizeof(T));
    return true;
  }
};

}  // namespace

ReadingLimits limits_of_mesh(std::uintmax_t bytes) {
  constexpr std::uintmax_t least = 256U << 20, for_each_byte = 40;
  constexpr unsigned least_seconds = 5;
  return {least + for_each_byte * bytes, least_seconds + static_cast<unsigned>(bytes >> 20)};
}

TriangleMesh read_apart(const std::function<TriangleMesh()>& read, const ReadingLimits& limits,
                        const std::filesystem::path& file, const Location& where) {
  const auto refuse = [&](const std::string& why) {
    throw InputError(where, fmt::format("the mesh {} {}", path_in_quotes(file), why));
  };
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::bad_alloc();
  const pid_t reader = fork();
  if (reader == 0) {
    close(ends[0]);
    answer(ends[1], read, limits);
  }
  close(ends[1]);
  if (reader < 0) {
    close(ends[0]);
    throw std::bad_alloc();
  }
  const std::vector<char> said = all_of(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(reader, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
    refuse(fmt::format("takes more than {} s to read: make it simpler", limits.seconds));
  AnswerReading answer{said};
  const auto kind = said.empty() ? Answer::mesh : static_cast<Answer>(said.front());
  if (!said.empty()) answer.left = answer.left.subspan(1);
  const bool whole = !said.empty() && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (whole && kind == Answer::memory)
    refuse(
        fmt::format("asks for more than {} MB: its counts do not fit its size, or it has to be "
                    "made simpler",
                    limits.memory >> 20));
  std::vector<char> message;
  if (whole && kind == Answer::refusal && answer.take(message))
    throw InputError(where, std::string(message.begin(), message.end()));
  TriangleMesh mesh;
  if (!whole || kind != Answer::mesh || !answer.take(mesh.vertices) ||
      !answer.take(mesh.triangles) || !answer.take(mesh.palette) || !answer.take(mesh.colours))
    refuse("breaks its reader, assimp: it is damaged; write it again, as STL for instance");
  return mesh;
}

}  // namespace counterpoise
