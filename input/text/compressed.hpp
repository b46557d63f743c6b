#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace counterpoise {

std::string base64(std::span<const unsigned char> bytes);
/// The bytes in a text that base64() made.
std::vector<unsigned char> from_base64(std::string_view text);

/// Bytes compressed as raw deflate (RFC 1951) and written in base64, which browsers can read. Cost:
/// about a second for 30 MB.
std::string deflated(std::string_view bytes);
/// Restores the `size` bytes from a text of deflated(); nothing if the text does not hold such
/// bytes. Takes no more memory than these.
std::optional<std::string> inflated(std::string_view text, std::size_t size);

/// Columns of numbers one after the other, ready to be compressed. A column stores the first bytes
/// of all its little-endian numbers, then all second bytes, and so on: equal exponents stand
/// together, which compresses better than whole numbers.
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

/// Reads the columns of a ColumnBlock again, in their order.
class ColumnReader {
 public:
  explicit ColumnReader(std::string_view bytes) : bytes_(bytes) {}

  /// The next column; nothing if there are not so many bytes left.
  template <class Number>
  std::optional<std::vector<Number>> column(std::size_t count) {
    if (count > bytes_.size() / sizeof(Number)) return std::nullopt;
    std::vector<Number> numbers(count);
    for (std::size_t i = 0; i < count; ++i) {
      char plane[sizeof(Number)];
      for (std::size_t b = 0; b < sizeof(Number); ++b) plane[b] = bytes_[b * count + i];
      std::memcpy(&numbers[i], plane, sizeof(Number));
    }
    bytes_.remove_prefix(count * sizeof(Number));
    return numbers;
  }
  [[nodiscard]] bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

}  // namespace counterpoise
