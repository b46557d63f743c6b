#include "studies/pages/columns.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace counterpoise {
namespace {

static_assert(std::endian::native == std::endian::little);

template <class To, class From>
std::string column(const std::vector<From>& numbers) {
  std::vector<unsigned char> bytes(numbers.size() * sizeof(To));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const To number = static_cast<To>(numbers[i]);
    std::memcpy(bytes.data() + i * sizeof(To), &number, sizeof(To));
  }
  return base64(bytes);
}

}  // namespace

std::string base64(std::span<const unsigned char> bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 3; ++j)
      three = three << 8 | (i + j < bytes.size() ? bytes[i + j] : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      text += i + j <= bytes.size() ? digits[three >> (18 - 6 * j) & 63U] : '=';
  }
  return text;
}

std::vector<unsigned char> from_base64(std::string_view text) {
  const auto digit = [](char c) -> std::uint32_t {
    if (c >= 'A' && c <= 'Z') return static_cast<std::uint32_t>(c - 'A');
    if (c >= 'a' && c <= 'z') return static_cast<std::uint32_t>(c - 'a' + 26);
    if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0' + 52);
    return c == '+' ? 62 : 63;
  };
  while (text.ends_with('=')) text.remove_suffix(1);
  std::vector<unsigned char> bytes;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    bits = bits << 6 | digit(text[i]);
    const std::size_t left = 2 * ((i + 1) % 4);  // bits that begin the next byte
    if (i % 4 != 0) bytes.push_back(static_cast<unsigned char>(bits >> (left == 0 ? 0 : 8 - left)));
  }
  return bytes;
}

std::string float32_column(const std::vector<double>& numbers) {
  return column<float>(numbers);
}
std::string float64_column(const std::vector<double>& numbers) {
  return column<double>(numbers);
}
std::string int32_column(const std::vector<int>& numbers) {
  return column<std::int32_t>(numbers);
}

}  // namespace counterpoise
