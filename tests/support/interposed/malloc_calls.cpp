#include "tests/support/interposed/malloc_calls.hpp"

#include <atomic>
#include <cstddef>

namespace {
std::atomic<long> count = 0;
}  // namespace

namespace counterpoise::test {
long malloc_calls() {
  return count;
}
}  // namespace counterpoise::test

// The names that the linker's option --wrap asks for.
extern "C" {
void* __real_malloc(std::size_t size);
void* __real_realloc(void* memory, std::size_t size);

void* __wrap_malloc(std::size_t size) {
  ++count;
  return __real_malloc(size);
}
void* __wrap_realloc(void* memory, std::size_t size) {
  ++count;
  return __real_realloc(memory, size);
}
}
