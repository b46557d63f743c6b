#include "tests/support/interposed/allocations.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> count = 0;

void* counted(std::size_t size, std::size_t alignment = alignof(std::max_align_t)) noexcept {
  ++count;
  const std::size_t whole = (size + alignment - 1) / alignment * alignment;
  return std::aligned_alloc(alignment, whole == 0 ? alignment : whole);
}

void* counted_or_throw(std::size_t size, std::size_t alignment = alignof(std::max_align_t)) {
  if (void* memory = counted(size, alignment)) return memory;
  throw std::bad_alloc();
}

}  // namespace

namespace counterpoise::test {
long allocations() {
  return count;
}
}  // namespace counterpoise::test

void* operator new(std::size_t size) {
  return counted_or_throw(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return counted(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted_or_throw(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
