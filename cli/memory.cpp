// How the program's threads share memory, and what ends it where memory fails and nobody can catch
// it. It is part of the executables alone, as other programs that run commands have ways of their
// own.
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>
#include <thread>

namespace {

constexpr int exit_error = 1;  // as of all commands

std::terminate_handler usual_end = nullptr;

/// Where nobody can catch it, because main has not begun or a destructor threw it, want of memory
/// ends the program with a message, too. Nothing here takes memory.
[[noreturn]] void end() {
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    constexpr std::string_view message = "not enough memory, not even to say for what\n";
    static_cast<void>(!write(STDERR_FILENO, message.data(), message.size()));
    _exit(exit_error);
  } catch (...) {
  }
  usual_end();
  std::abort();
}

/// By default every thread takes memory from a heap of its own. Threads that store rows or end soon
/// would each touch new pages for memory that others have freed, at a microsecond a page; so there
/// are as many heaps as processors, for as many workers.
void share_heaps() {
  mallopt(M_ARENA_MAX, std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}

/// Before the objects of libraries are made that are there before main.
[[gnu::constructor(101)]] void begin() {
  share_heaps();
  usual_end = std::set_terminate(end);
}

}  // namespace
