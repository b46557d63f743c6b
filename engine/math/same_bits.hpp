#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace counterpoise {

/// Whether `count` doubles are the same bit by bit. Compares all of them, several at once, without
/// a branch.
template <std::size_t count>
bool same_bits(const double* a, const double* b) {
  constexpr std::size_t width = 4;
  using Words = std::uint64_t __attribute__((vector_size(width * sizeof(std::uint64_t))));
  Words differing{};
  std::size_t i = 0;
  for (; i + width <= count; i += width) {
    Words x, y;
    std::memcpy(&x, a + i, sizeof x);
    std::memcpy(&y, b + i, sizeof y);
    differing |= x ^ y;
  }
  std::uint64_t rest = 0;
  for (; i < count; ++i) {
    std::uint64_t x = 0, y = 0;
    std::memcpy(&x, a + i, sizeof x);
    std::memcpy(&y, b + i, sizeof y);
    rest |= x ^ y;
  }
  return (differing[0] | differing[1] | differing[2] | differing[3] | rest) == 0;
}

}  // namespace counterpoise
