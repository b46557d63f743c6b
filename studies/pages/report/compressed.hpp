#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace counterpoise {

/// Bytes compressed as raw deflate (RFC 1951), in base64, as browsers can decompress them. Cost:
/// about a second for 30 MB.
std::string deflated(std::string_view bytes);

/// Columns of numbers one behind the other, ready to be compressed. Of each column all first bytes
/// of its little-endian numbers come first, then all second bytes: equal exponents stand together,
/// which compresses better than numbers as a whole.
class ColumnBlock {
 public:
  template <class Number>
  void add(std::span<const Number> numbers) {
    const std::size_t begin = bytes_.size(), count = numbers.size();
    bytes_.resize(begin + count * sizeof(Number));
    for (std::size_t i = 0; i < count; ++i) {
      char plane[sizeof(Number)];
      std::memcpy(plane, &numbers[i], sizeof(Number));
      for (std::size_t b = 0; b < sizeof(Number); ++b) bytes_[begin + b * count + i] = plane[b];
    }
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace counterpoise
