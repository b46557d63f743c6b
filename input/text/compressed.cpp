#include "input/text/compressed.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

namespace counterpoise {

std::string base64(std::span<const unsigned char> bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  char* next = text.data();
  for (; bytes.size() >= 3; bytes = bytes.subspan(3)) {
    const std::uint32_t three = bytes[0] << 16U | bytes[1] << 8U | bytes[2];
    for (const unsigned shift : {18U, 12U, 6U, 0U}) *next++ = digits[three >> shift & 63U];
  }
  if (bytes.empty()) return text;
  const std::uint32_t last = bytes[0] << 16U | (bytes.size() > 1 ? bytes[1] << 8U : 0U);
  for (std::size_t j = 0; j <= bytes.size(); ++j) *next++ = digits[last >> (18 - 6 * j) & 63U];
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
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    bits = bits << 6 | digit(text[i]);
    const std::size_t left = 2 * ((i + 1) % 4);  // bits that begin the next byte
    if (i % 4 != 0) bytes.push_back(static_cast<unsigned char>(bits >> (left == 0 ? 0 : 8 - left)));
  }
  return bytes;
}

std::string deflated(std::string_view bytes) {
  constexpr int raw = -15, memory = 9;  // no header, the largest window
  constexpr std::size_t most = std::numeric_limits<uInt>::max() / 2;
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, raw, memory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::vector<unsigned char> out;
  int state = Z_OK;
  std::size_t done = 0;
  while (state != Z_STREAM_END) {
    const std::size_t taken = std::min(most, bytes.size() - done);
    // zlib reads through a pointer that is not const
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data() + done));
    stream.avail_in = static_cast<uInt>(taken);
    const bool last = done + taken == bytes.size();
    do {
      const std::size_t had = out.size(), more = std::max<std::size_t>(1 << 16, taken / 2);
      out.resize(had + more);
      stream.next_out = out.data() + had;
      stream.avail_out = static_cast<uInt>(more);
      state = deflate(&stream, last ? Z_FINISH : Z_NO_FLUSH);
      out.resize(had + more - stream.avail_out);
    } while (stream.avail_out == 0 && state != Z_STREAM_END);
    done += taken;
  }
  deflateEnd(&stream);
  return base64(out);
}

std::optional<std::string> inflated(std::string_view text, std::size_t size) {
  constexpr int raw = -15;
  constexpr std::size_t piece = 1 << 20;
  const std::vector<unsigned char> bytes = from_base64(text);
  z_stream stream{};
  if (bytes.size() > std::numeric_limits<uInt>::max()) return std::nullopt;
  if (inflateInit2(&stream, raw) != Z_OK) throw std::bad_alloc();
  // zlib reads through a pointer that is not const
  stream.next_in = const_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string out;
  int state = Z_OK;
  while (state == Z_OK && out.size() <= size) {
    const std::size_t had = out.size();
    out.resize(had + std::min(piece, size + 1 - had));
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + had);
    stream.avail_out = static_cast<uInt>(out.size() - had);
    state = inflate(&stream, Z_NO_FLUSH);
    out.resize(out.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (state != Z_STREAM_END || out.size() != size) return std::nullopt;
  return out;
}

}  // namespace counterpoise
