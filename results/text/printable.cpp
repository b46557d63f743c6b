#include "results/text/printable.hpp"

#include <array>

namespace counterpoise {
namespace {

void append_hex(std::string& out, std::uint32_t code, int digits) {
  constexpr std::string_view hex = "0123456789abcdef";
  for (int i = digits - 1; i >= 0; --i) out += hex[(code >> (4 * i)) & 15U];
}

void append_escaped(std::string& out, const Character& character) {
  if (character.code == '\n') {
    out += "\\n";
  } else if (character.code == '\t') {
    out += "\\t";
  } else if (character.code == '\r') {
    out += "\\r";
  } else if (!character.valid || character.code < 0x80U) {
    out += "\\x";
    append_hex(out, character.code, 2);
  } else {
    out += "\\u";
    append_hex(out, character.code, 4);
  }
}

/// Whether a terminal or a reader acts on a character instead of showing it: control characters
/// (ASCII, delete and the second set, C1), separators of lines and paragraphs, and marks that turn
/// the direction of writing.
bool is_control(std::uint32_t code) {
  const auto within = [code](std::uint32_t first, std::uint32_t last) {
    return code >= first && code <= last;
  };
  return code < 0x20U || within(0x7F, 0x9F) || code == 0x61CU || within(0x200E, 0x200F) ||
         within(0x2028, 0x202E) || within(0x2066, 0x2069);
}

std::string shown(std::string_view text, bool keep_lines) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    const bool line_end = keep_lines && character.code == '\n';
    if (character.valid && (line_end || !is_control(character.code)))
      out += text.substr(0, character.size);
    else
      append_escaped(out, character);
    text.remove_prefix(character.size);
  }
  return out;
}

}  // namespace

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::uint32_t lead = byte(0);
  const Character invalid{lead, 1, false};
  if (lead < 0x80U) return {lead, 1, true};
  const std::size_t size = lead >= 0xF0U ? 4 : lead >= 0xE0U ? 3 : 2;
  if (lead < 0xC2U || lead > 0xF4U || text.size() < size) return invalid;
  std::uint32_t code = lead & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return invalid;
    code = code << 6 | (byte(i) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};  // by size
  const bool surrogate = code >= 0xD800U && code <= 0xDFFFU;
  if (code < least[size] || surrogate || code > 0x10FFFFU) return invalid;
  return {code, size, true};
}

std::string printable(std::string_view text) {
  return shown(text, false);
}

std::string printable_lines(std::string_view text) {
  return shown(text, true);
}

}  // namespace counterpoise
