#include "studies/pages/columns.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

#include "input/text/compressed.hpp"

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
