// What ends the program where memory fails and nobody can catch it. It is part of the executables
// alone, as other programs that run commands have ends of their own.
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

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

/// Before the objects of libraries are made that are there before main.
[[gnu::constructor(101)]] void begin() {
  usual_end = std::set_terminate(end);
}

}  // namespace
